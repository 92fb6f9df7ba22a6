"""The states of criteria in a run, tick by tick: in compiled code where that knows them, else in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dorosim.scenario.criterion.compiled import CompiledCriteria
from dorosim.scenario.criterion.criterion import START, Criterion, CriterionState
from dorosim.scenario.criterion.moment import RunMoment
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.criterion_word import CANNOT_SAY


class MomentSight(Protocol):
    """Makes what criteria see of snapshots."""

    def moment(self, now: Snapshot, time: int) -> RunMoment:
        """The end of a tick: the snapshot after it, and its time since the start [ns]."""

    def compiled(self, criteria: Sequence[Criterion]) -> CompiledCriteria | None:
        """Criteria as compiled code has them; None where it does not know them."""


class CriteriaTrack:
    """Holds a run against criteria, and keeps their states.

    Args:
        criteria: what must hold.
        sight: makes what they see; None where there are no criteria.

    Attributes:
        criteria: as given.
        compiled: the criteria in compiled code, None where Python looks at each tick.
        readable: how many moments Python has looked at.
    """

    def __init__(self, criteria: Sequence[Criterion], sight: MomentSight | None) -> None:
        self.criteria, self._sight = tuple(criteria), sight
        self._states: tuple[CriterionState, ...] | None = (START,) * len(self.criteria)
        self._last: tuple[Snapshot, int] | None = None
        self._failed = False
        self.compiled = None if sight is None or not criteria else sight.compiled(criteria)
        self.readable = 0

    @property
    def states(self) -> tuple[CriterionState, ...]:
        """The states after the last moment."""
        if self._states is None:
            assert self.compiled is not None
            self._states = self.compiled.states()
        return self._states

    @property
    def has_seen(self) -> bool:
        """Whether there was a moment."""
        return self._last is not None

    def look(self, now: Snapshot, time: int) -> bool:
        """Look at the end of a tick, unless that was done; whether a criterion is violated.

        Args:
            now: the snapshot after it.
            time: of that, since the start [ns].
        """
        if self._last is not None and self._last[0] is now and self._last[1] == time:
            return self._failed
        self._last = now, time
        if not self.criteria:
            return False
        if self.compiled is not None:
            found = self.compiled.look(now, time)
            if found != CANNOT_SAY:
                self._states, self._failed = None, found == 1
                return self._failed
        assert self._sight is not None
        moment = self._sight.moment(now, time)
        self.readable += 1
        pairs = zip(self.criteria, self.states, strict=True)
        self._put(tuple(one.look(state, moment) for one, state in pairs))
        return self._failed

    def sees_in_compiled_code(self, now: Snapshot) -> bool:
        """Whether compiled code can look at ordinary ticks after a snapshot; also where there is nothing to look at."""
        if not self.criteria:
            return True
        return self.compiled is not None and not self.compiled.is_left_to_python(now)

    def take(self, now: Snapshot, time: int, said: int) -> None:
        """Know that compiled code has looked at some ticks.

        Args:
            now: the snapshot after the last of them.
            time: of that, since the start [ns].
            said: what `hold_against_criteria` said of that one; where it cannot say, `look` does.
        """
        self._states, self._failed = None, said == 1
        if said != CANNOT_SAY:
            self._last = now, time

    def _put(self, states: tuple[CriterionState, ...]) -> None:
        self._states, self._failed = states, any(one.failed for one in states)
        if self.compiled is not None:
            self.compiled.put(states)

    def go_on_from(self, before: CriteriaTrack) -> None:
        """Know what another run has come to, with which this one has its beginning in common."""
        self._last = before._last
        self._put(before.states)

    def at_end(self) -> tuple[CriterionState, ...]:
        """The states after the last tick of a run, unless one is violated."""
        states = self.states
        if self._last is None or self._failed or not self.criteria:
            return states
        assert self._sight is not None
        moment = self._sight.moment(*self._last)
        return tuple(one.at_end(state, moment) for one, state in zip(self.criteria, states, strict=True))
