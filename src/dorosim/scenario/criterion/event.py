"""Criteria of what is not to happen at all, and of what must: collisions, lanes, arrival."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.scenario.criterion.criterion import Criterion, CriterionState, failing, noting, worse
from dorosim.scenario.criterion.moment import Body, RunMoment
from dorosim.scenario.criterion.sweep import distance_between

ARRIVAL_RADIUS = 3.0
"""How near to a place one has arrived [m]."""
LANE_TOLERANCE = 0.01
"""So much of a body may lie over the border of its lane [m]: places on roads are no more exact."""


@dataclass(frozen=True, slots=True)
class NoCollision(Criterion):
    """The ego touches nothing."""

    title: str = "no collision"
    unit: str = ""
    limit: None = None

    def look(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """Look at what it touches; `value` is the speed of both bodies to each other [m/s]."""
        if moment.ego is None or state.failed:
            return state
        ego = moment.ego
        # before boxes: where bodies have met, their velocities are others by now
        for touch in moment.touched:
            return failing(state, moment, touch.speed, touch.name)
        for one in moment.others:
            near = math.hypot(one.x - ego.x, one.y - ego.y) <= ego.radius + one.radius
            if near and ego.overlaps_in_height(one) and distance_between(ego, one) == 0.0:
                speed = math.hypot(ego.velocity_x - one.velocity_x, ego.velocity_y - one.velocity_y)
                return failing(state, moment, speed, one.name)
        return state

    def measured(self, state: CriterionState) -> str:
        """The speed of both to each other."""
        return f"collision at {state.value:.2f} m/s"


@dataclass(frozen=True, slots=True)
class NoLaneLeft(Criterion):
    """No part of the ego reaches over the border of the lane that it is on."""

    title: str = "no lane left"
    unit: str = "m"
    limit: float = LANE_TOLERANCE

    def look(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """Measure how far it reaches over."""
        if moment.ego is None or moment.roads is None or state.failed:
            return state
        over = _overhang(moment, moment.ego)
        return state if over is None else worse(state, moment, (over, ""), self.limit, greatest=True)


def _overhang(moment: RunMoment, ego: Body) -> float | None:
    """How far the box of the ego reaches over the borders of its lane [m], None where that cannot be said."""
    roads = moment.roads
    assert roads is not None
    if ego.road < 0:
        return None
    course = roads.roads[ego.road]
    if course.middle(ego.s, ego.lane) is None:
        return math.inf
    over = 0.0
    for x, y in ego.corners():
        place = roads.project(ego.road, x, y, ego.s)
        # the corner is on another road already, whose borders are others
        if not 0.0 < place.s < course.length:
            continue
        middle = course.middle(place.s, ego.lane)
        if middle is not None and ego.lane:
            over = max(over, abs(place.t - middle.t) - middle.width / 2.0)
    return over


@dataclass(frozen=True, slots=True)
class Arrival(Criterion):
    """The ego is at a place in time.

    Attributes:
        x, y: in map [m]. radius: how near [m]. limit: [s] since the storyboard's start; None: before the end.
    """

    x: float
    y: float
    radius: float = ARRIVAL_RADIUS
    limit: float | None = None
    title: str = "arrival"
    unit: str = "s"

    def look(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """Look where it is; `value` is the time of its arrival [s]."""
        if state.failed or not math.isnan(state.value):
            return state
        late = self.limit is not None and moment.seconds > self.limit + 1e-9
        if late:
            return failing(state, moment, self._distance(moment), "")
        if self._distance(moment) <= self.radius:
            return noting(state, moment, moment.seconds)
        return state

    def at_end(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """Whoever has not arrived by the end never does."""
        if state.failed or not math.isnan(state.value):
            return state
        return failing(state, moment, self._distance(moment))

    def measured(self, state: CriterionState) -> str:
        """When it arrived, or how far away it was."""
        return f"not there, {state.value:.1f} m away" if state.failed else f"after {state.value:.2f} s"

    def _distance(self, moment: RunMoment) -> float:
        """How far it is from the place [m]."""
        return math.inf if moment.ego is None else math.hypot(moment.ego.x - self.x, moment.ego.y - self.y)
