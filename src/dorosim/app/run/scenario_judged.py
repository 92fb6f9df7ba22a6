"""One run of a scenario, and its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dorosim.app.run.scenario_run import RunTick
from dorosim.scenario.criterion.judge import CriterionResult, Judge, VerdictWord
from dorosim.scenario.criterion.track import CriteriaTrack
from dorosim.scenario.criterion.world_moment import WorldSight
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import Verdict

MAX_JOURNAL = 1_000
"""So many lines of the journal are kept."""


class TickTaker(Protocol):
    """Takes the ticks of a run, such as a trace."""

    def add(self, tick: RunTick) -> None:
        """Take a tick."""


@dataclass(slots=True, kw_only=True)
class JudgedRun:
    """A run that is over.

    Attributes:
        verdict: what it has come to. why: in words.
        time: of the end [s since the storyboard's start].
        criteria: what became of those that were given.
        journal: what the storyboard wrote.
    """

    verdict: VerdictWord
    why: str
    time: float
    criteria: tuple[CriterionResult, ...] = ()
    journal: list[str] = field(default_factory=list)


class VerdictWatch:
    """Watches the ticks of a run: keeps its journal, and holds it against criteria.

    Args:
        program: of the scenario.
        judge: has the criteria.
        sight: makes what they see of snapshots; None where there are no criteria.

    Attributes:
        track: of the criteria.
        journal: what the storyboard wrote.
    """

    def __init__(self, program: Program, judge: Judge, sight: WorldSight | None = None) -> None:
        self._program, self._judge = program, judge
        self.track = CriteriaTrack(judge.criteria, sight)
        self._last: RunTick | None = None
        self.journal: list[str] = []

    def go_on_from(self, before: VerdictWatch) -> None:
        """Know what a watch of another run has seen, with which this one has its beginning in common."""
        self.track.go_on_from(before.track)
        self._last = before._last
        self.journal = list(before.journal)

    def look(self, tick: RunTick) -> bool:
        """See a tick; whether a criterion is violated, so that the run can end."""
        self._last = tick
        kept = tick.journal[: max(MAX_JOURNAL - len(self.journal), 0)]
        self.journal.extend(f"{tick.time * 1e-9:.3f} s: {line}" for line in kept)
        # a tick in which the run ends moves nothing
        if not self._judge.criteria or (tick.ended and self.track.has_seen):
            return False
        assert tick.world is not None
        return self.track.look(tick.world, tick.state_time)

    def result(self, time_limit: float) -> JudgedRun:
        """The verdict, after the last tick.

        Args:
            time_limit: of the run [simulated s].
        """
        last = self._last
        assert last is not None
        criteria = self._judge.results(self.track.at_end())
        verdict, why = _verdict(self._program, last, criteria, time_limit)
        time = (last.time if last.ended else last.state_time) * 1e-9
        return JudgedRun(verdict=verdict, why=why, time=time, criteria=criteria, journal=self.journal)


def run_judged(
    watch: VerdictWatch, ticks: Iterable[RunTick], time_limit: float, takers: Sequence[TickTaker] = ()
) -> JudgedRun:
    """Let a run take its course until it ends or a criterion is violated.

    Args:
        watch: of the run.
        ticks: of the run in the world, until its end or the time limit.
        time_limit: [simulated s].
        takers: who else takes each tick.
    """
    for tick in ticks:
        for one in takers:
            one.add(tick)
        if watch.look(tick):
            break
    return watch.result(time_limit)


def _verdict(
    program: Program, last: RunTick, criteria: Sequence[CriterionResult], time_limit: float
) -> tuple[VerdictWord, str]:
    """What a run has come to, and why. Who violates a criterion fails, whatever the file says."""
    failed = [one.said for one in criteria if not one.held]
    own = Verdict(last.state.verdict)
    if own is Verdict.FAILURE:
        failed.insert(0, last.ended)
    if failed:
        return VerdictWord.FAIL, "; ".join(failed)
    held = f"{len(criteria)} {'criteria' if len(criteria) > 1 else 'criterion'} held" if criteria else ""
    if own is Verdict.SUCCESS:
        return VerdictWord.PASS, "; ".join(filter(None, (last.ended, held)))
    if not last.ended:
        end = f"no end within {time_limit:g} s"
        if criteria and program.success is None:
            return VerdictWord.PASS, f"{end}; {held}"
        return VerdictWord.BROKEN, end if program.success is None else f"{end}, and no success condition is met"
    if program.success is not None:
        return VerdictWord.FAIL, f"{last.ended}, and no success condition is"
    return VerdictWord.PASS, f"{last.ended}; {held or 'no criterion'}"
