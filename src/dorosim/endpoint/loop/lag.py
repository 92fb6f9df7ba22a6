"""Whether a run falls behind because it waits for its sensors.

A loop that waits a moment for a picture catches up before the next one; that is no lag. What counts is what waiting
costs: simulated time that should have passed, and has not.
"""

from __future__ import annotations

MIN_SPAN_S = 10.0
"""Wall time over which a run is judged, at least [s]."""
MAX_LOST_SHARE = 0.05
"""Share of the wall time that may be lost by waiting."""
LAG_REPORT_PERIOD_S = 60.0
"""Wall time from one report to the next, at least [s]."""


class Lag:
    """What waiting costs a run. Moments are of the monotonic clock [s]; a span begins and ends with a wait."""

    def __init__(self) -> None:
        self._begin: tuple[float, float, float] | None = None
        self._waited = 0.0
        self._reported: float | None = None

    def note(self, moment: float, simulated: float, pace: float, waited: float) -> tuple[float, bool] | None:
        """Take note that the loop has waited.

        Args:
            moment: when the wait was over.
            simulated: time of the run [s].
            pace: that it should have, simulated over wall time.
            waited: how long [s].

        Returns:
            None as long as little is lost; else the pace that the run had lately, and whether the caller is to report
            it: at most once in `LAG_REPORT_PERIOD_S`.
        """
        if self._begin is None or pace != self._begin[2]:
            self._start(moment, simulated, pace)
            return None
        self._waited += waited
        begin, first, _ = self._begin
        wall = moment - begin
        if wall < MIN_SPAN_S:
            return None
        # a pause loses time, too, but not by waiting; and a loop that has waited may have caught up
        lost = min(wall - (simulated - first) / pace, self._waited)
        self._start(moment, simulated, pace)
        if lost <= MAX_LOST_SHARE * wall:
            return None
        is_report_due = self._reported is None or moment - self._reported >= LAG_REPORT_PERIOD_S
        if is_report_due:
            self._reported = moment
        return (simulated - first) / wall, is_report_due

    def _start(self, moment: float, simulated: float, pace: float) -> None:
        self._begin = moment, simulated, pace
        self._waited = 0.0
