"""A criterion, and its state between two ticks."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.scenario.criterion.moment import RunMoment
from dorosim.world.storyboard.criterion_word import CriterionKind

_NOTHING = np.zeros((0, 0))
_NOTHING.setflags(write=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionState:
    """What a criterion knows after a tick: all that it takes to go on from there.

    Attributes:
        failed: whether the criterion is violated; it stays so.
        value: the worst that was measured, NaN for nothing yet.
        time: when, since the storyboard's start [ns]; -1 for never.
        other: with whom, "" for no one.
        x, y: where the ego was then, in map [m].
        memory: `(N, k)` what the criterion keeps, read-only.
    """

    failed: bool = False
    value: float = math.nan
    time: int = -1
    other: str = ""
    x: float = math.nan
    y: float = math.nan
    memory: FloatArray = field(default_factory=lambda: _NOTHING)


START = CriterionState()
"""The state of every criterion before its first tick."""


class Criterion(ABC):
    """What must hold in a run. It keeps nothing itself.

    Attributes:
        title: what is limited, for people, as "time to collision".
        unit: of what is measured, "" for none.
        limit: None for a criterion that has none.
    """

    __slots__ = ()

    title: str
    unit: str
    limit: float | None

    @abstractmethod
    def look(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """Its state after a tick."""

    def at_end(self, state: CriterionState, moment: RunMoment) -> CriterionState:  # noqa: ARG002
        """Its state after the last tick of a run; most criteria have nothing more to say."""
        return state

    def measured(self, state: CriterionState) -> str:
        """What was measured, for people, where anything was."""
        return f"{round(state.value, 3):g} {self.unit}"


Measured = tuple[float, str]
"""A value, and with whom it was measured."""


@dataclass(frozen=True, slots=True)
class ValueLimit(Criterion):
    """A value that is not to be greater, or not to be less, than a limit.

    Attributes:
        measure: the worst value of a tick, None where there is nothing to measure.
        greatest: whether the limit is the greatest value that is allowed; else it is the least one.
        kind: what compiled code calls the measure, None where it does not know it.
    """

    title: str
    unit: str
    limit: float
    measure: Callable[[RunMoment], Measured | None]
    greatest: bool = False
    kind: CriterionKind | None = None

    def look(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """Measure, and keep what is worst."""
        found = None if moment.ego is None else self.measure(moment)
        if found is None:
            return state
        return worse(state, moment, found, self.limit, greatest=self.greatest)


def worse(
    state: CriterionState, moment: RunMoment, found: Measured, limit: float, *, greatest: bool, tolerance: float = 1e-9
) -> CriterionState:
    """The state after a measurement: the worst one is kept, and one beyond the limit fails for good."""
    value, other = found
    if not math.isfinite(value) and not greatest:
        return state
    if not math.isnan(state.value) and (value <= state.value if greatest else value >= state.value):
        return state
    beyond = value > limit + tolerance if greatest else value < limit - tolerance
    return failing(state, moment, value, other) if beyond else noting(state, moment, value, other)


def noting(state: CriterionState, moment: RunMoment, value: float, other: str = "") -> CriterionState:
    """The state after something worth keeping."""
    ego = moment.ego
    x, y = (math.nan, math.nan) if ego is None else (ego.x, ego.y)
    return replace(state, value=value, time=moment.time, other=other, x=x, y=y)


def failing(state: CriterionState, moment: RunMoment, value: float, other: str = "") -> CriterionState:
    """The state after a violation."""
    return replace(noting(state, moment, value, other), failed=True)
