"""Reports what a scenario writes while it is played, and its end."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.endpoint.journal import Journal
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.report import NO_REPORT
from dorosim.world.storyboard.state import Verdict

SCENARIO = "scenario"
"""Kind of events by which a journal counts what a scenario writes."""
_VERDICTS = {Verdict.NONE: "", Verdict.SUCCESS: ": success", Verdict.FAILURE: ": failure"}


class StoryboardWatch:
    """An observer of the loop.

    Args:
        journal: where lines are counted and logged.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    @property
    def rests(self) -> bool:
        """As of `dorosim.endpoint.loop.at_once.RestingObserver`: ordinary ticks have no report."""
        return True

    def __call__(self, now: Snapshot, _commands: Sequence[Command]) -> None:
        """Look at a snapshot."""
        report = now.storyboard_report
        if report is NO_REPORT or not (report.journal or report.ended):
            return
        time = (now.time - now.storyboard.started) * 1e-9
        for line in report.journal:
            self._journal.report(SCENARIO, f"{time:.2f} s: {line}")
        if report.ended:
            verdict = _VERDICTS[Verdict(now.storyboard.verdict)]
            self._journal.report(SCENARIO, f"{time:.2f} s: it has ended, {report.ended}{verdict}")
