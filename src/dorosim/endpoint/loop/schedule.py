"""When a stream sends: what is due at a simulated time."""

from __future__ import annotations


class Schedule:
    """Says at which simulated times something is to be sent.

    The first time that is asked about is due. Then regular moments are kept, as long as the caller asks once a period
    at least; after a longer pause, and after time has gone back, the schedule begins anew with that moment.

    Args:
        period: of simulated time [ns]; 0: every time is due.
    """

    def __init__(self, period: int) -> None:
        self._period = period
        self._due = self._last = -1

    def has_come(self, time: int) -> bool:
        """Whether something is due at a simulated time [ns]; it stays due until `take`."""
        return time < self._last or time >= self._due

    def take(self, time: int) -> bool:
        """Whether something is due at a simulated time [ns]; it is not due again before its period."""
        come = self.has_come(time)
        if come:
            regular = self._due + self._period
            self._due = regular if self._due >= 0 and self._last <= time < regular else time + self._period
        self._last = time
        return come


class Standing:
    """Says when a stream sends that goes on while simulated time stands, at the same rate.

    Args:
        period: [ns]; 0: every snapshot is due.
    """

    def __init__(self, period: int) -> None:
        self._passing, self._standing = Schedule(period), Schedule(period)

    def has_come(self, time: int, stood: int) -> bool:
        """Whether something is due at a simulated time [ns], of which time stood for so long [ns], of all ticks."""
        return self._passing.has_come(time) or self._standing.has_come(stood)

    def take(self, time: int, stood: int) -> bool:
        """Whether something is due; it is not due again before its period has passed, of either."""
        passed, waited = self._passing.take(time), self._standing.take(stood)
        return passed or waited


class TurnCounter:
    """Says at which snapshots something regular is due: by simulated time, and at the same rate while that stands.

    It keeps to multiples of the period, also if it is first asked between two of them.

    Args:
        period: [ns]; 0: at every snapshot.
        standing: whether anything is due while simulated time stands.
    """

    def __init__(self, period: int, *, standing: bool = True) -> None:
        self._period, self._standing = period, standing
        self._last: tuple[int, int] | None = None

    def take(self, time: int, stood: int) -> bool:
        """Whether something is due that no call before has reported.

        Args:
            time: simulated time [ns].
            stood: for how long simulated time has stood so far, of all ticks [ns].
        """
        period = self._period or 1
        turn = time // period, stood // period if self._standing else 0
        last, self._last = self._last, turn
        return time % period == 0 if last is None else turn != last
