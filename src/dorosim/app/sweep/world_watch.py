"""Judges and measures a vehicle in a run that plays no storyboard."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.app.run.scenario_judged import JudgedRun
from dorosim.app.run.scenario_run import RunTick
from dorosim.app.sweep.measure import CellMeasure
from dorosim.scenario.criterion.criterion import Criterion
from dorosim.scenario.criterion.judge import CriterionResult, Judge, VerdictWord
from dorosim.scenario.criterion.moment import RunMoment
from dorosim.scenario.criterion.track import MomentSight
from dorosim.world.snapshot import Snapshot


class WorldWatch:
    """Watches the ticks of a run.

    Args:
        criteria: that must hold.
        measures: names of what is measured beside.
        sight: makes what these see.

    Attributes:
        measure: what was measured.
    """

    def __init__(self, criteria: Sequence[Criterion], measures: Sequence[str], sight: MomentSight) -> None:
        self._judge, self._sight = Judge(criteria, "ego"), sight
        self._states = self._judge.start()
        self._moment: RunMoment | None = None
        self._time = 0
        self.measure = CellMeasure(measures, sight)

    def look(self, now: Snapshot, time: int) -> bool:
        """See a tick; whether a criterion is violated, so that the run can end.

        Args:
            now: the snapshot after it.
            time: of that, since the start [ns].
        """
        self._time = time
        self.measure.add(RunTick(time, time, now.storyboard, world=now))
        if self._judge.criteria:
            self._moment = self._sight.moment(now, time)
            self._states = self._judge.look(self._states, self._moment)
        return any(one.failed for one in self._states)

    def result(self, ended: str, more: Sequence[CriterionResult] = ()) -> JudgedRun:
        """The verdict, after the last tick.

        Args:
            ended: how the run ended, in words.
            more: further criteria, and what became of them.
        """
        if self._moment is not None and not any(one.failed for one in self._states):
            self._states = self._judge.at_end(self._states, self._moment)
        return judged((*self._judge.results(self._states), *more), ended, self._time * 1e-9)


def judged(results: Sequence[CriterionResult], ended: str, time: float) -> JudgedRun:
    """The verdict on a run that plays no storyboard: it passes where all criteria hold.

    Args:
        results: what became of these.
        ended: how the run ended, in words.
        time: of its end [s].
    """
    failed = [one.said for one in results if not one.held]
    held = f"{len(results)} {'criteria' if len(results) > 1 else 'criterion'} held" if results else "no criterion"
    return JudgedRun(
        verdict=VerdictWord.FAIL if failed else VerdictWord.PASS,
        why="; ".join(failed) if failed else f"{ended}; {held}",
        time=time,
        criteria=tuple(results),
    )
