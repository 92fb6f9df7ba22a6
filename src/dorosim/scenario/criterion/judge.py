"""The verdict on a run: what it has come to, and why."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from dorosim.scenario.criterion.criterion import START, Criterion, CriterionState
from dorosim.scenario.criterion.moment import RunMoment


class VerdictWord(StrEnum):
    """What a run has come to."""

    PASS = "pass"
    FAIL = "fail"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """A criterion at the end of a run.

    Attributes:
        title: what is limited. limit, unit: None and "" for a criterion without. held: whether it was kept.
        value: the worst that was measured; None: nothing. time: when [s since the storyboard's start]. other: with
            whom. x, y: where the ego was [m].
        said: all that as a line.
    """

    title: str
    limit: float | None
    unit: str
    held: bool
    value: float | None
    time: float | None
    other: str
    x: float | None
    y: float | None
    said: str


class Judge:
    """Holds a run against criteria; it keeps nothing itself.

    Args:
        criteria: what must hold.
        ego: name of the entity that is judged.
    """

    def __init__(self, criteria: Sequence[Criterion], ego: str) -> None:
        self.criteria = tuple(criteria)
        self.ego = ego

    def start(self) -> tuple[CriterionState, ...]:
        """The states before the first tick."""
        return (START,) * len(self.criteria)

    def look(self, states: Sequence[CriterionState], moment: RunMoment) -> tuple[CriterionState, ...]:
        """The states after a tick."""
        return tuple(one.look(state, moment) for one, state in zip(self.criteria, states, strict=True))

    def at_end(self, states: Sequence[CriterionState], moment: RunMoment) -> tuple[CriterionState, ...]:
        """The states after the last tick of a run."""
        return tuple(one.at_end(state, moment) for one, state in zip(self.criteria, states, strict=True))

    def results(self, states: Sequence[CriterionState]) -> tuple[CriterionResult, ...]:
        """What became of each criterion."""
        return tuple(_result(one, state, self.ego) for one, state in zip(self.criteria, states, strict=True))


def _result(criterion: Criterion, state: CriterionState, ego: str) -> CriterionResult:
    """A criterion with the state that it came to."""
    return CriterionResult(
        criterion.title,
        criterion.limit,
        criterion.unit,
        not state.failed,
        None if math.isnan(state.value) else state.value,
        None if state.time < 0 else state.time * 1e-9,
        state.other,
        None if math.isnan(state.x) else state.x,
        None if math.isnan(state.y) else state.y,
        _said(criterion, state, ego),
    )


def _said(criterion: Criterion, state: CriterionState, ego: str) -> str:
    """Who, when, where, measured value and limit, in a line."""
    limit = "" if criterion.limit is None else f", limit {criterion.limit:g} {criterion.unit}"
    if math.isnan(state.value):
        nothing = "" if criterion.limit is None else ": nothing to measure"
        return f"{criterion.title}{nothing}{limit}"
    who = f"{ego} and {state.other}" if state.other else ego
    where = "" if math.isnan(state.x) else f" at x {state.x:.2f}, y {state.y:.2f}"
    return f"{criterion.title}: {criterion.measured(state)}{limit}, {who}, {state.time * 1e-9:.2f} s{where}"
