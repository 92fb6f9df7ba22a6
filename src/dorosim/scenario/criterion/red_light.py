"""The criterion of red lights: a stop line that is passed counts by the way that is taken from there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.adjacency import frozen
from dorosim.scenario.criterion.criterion import START, Criterion, CriterionState, failing, noting
from dorosim.scenario.criterion.moment import Body, RedLine, RedWay, RunMoment

MAX_TICK_WAY = 20.0
"""A way of a tick that is longer was not driven [m]."""
CLEARLY_NEARER = 1.5
"""A way that is nearer than all others by so much is the one that is taken [m]."""
_ALONG = math.cos(math.radians(60.0))
_RED, _WAY, _X, _Y = range(4)
"""Columns of what is kept. The first row has the place of the front; each further one a point of a way: whether the way
was red when the line was passed, its number, and the place."""


@dataclass(frozen=True, slots=True)
class NoRedLight(Criterion):
    """The front of the ego comes over no stop line whose light is red for the way that it takes from there.

    Where the light is red for some ways only, it is decided once one way is clearly nearer than all others, at the end
    of the nearest, at the next such line, or at the end of the run. What counts is the light when the line was passed.
    """

    title: str = "no red light"
    unit: str = ""
    limit: None = None

    def look(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """Look at the lines that it has passed; `value` is its speed then [m/s]."""
        if moment.ego is None or state.failed:
            return state
        ego = moment.ego
        front = _front_of(ego)
        if not len(state.memory):
            return replace(state, memory=_kept(front))
        before: list[float] = state.memory[0, _X:].tolist()
        if math.dist(before, front) > MAX_TICK_WAY:  # put elsewhere, it takes no way
            return replace(START, memory=_kept(front))
        if len(state.memory) > 1:
            state = _decided(state, front, last=False)
            if state.failed:
                return state
        after = replace(state, memory=frozen(np.vstack((_kept(front), state.memory[1:]))))
        for line in moment.red_lines:
            if _comes_over(line, before, front, ego.heading):
                return _passed(after, moment, line, front)
        return after

    def at_end(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """One who is between two ways at the end is judged by the nearest."""
        if state.failed or len(state.memory) < 2 or moment.ego is None:
            return state
        return _decided(state, _front_of(moment.ego), last=True)

    def measured(self, state: CriterionState) -> str:
        """The speed of the ego."""
        return f"passed at {state.value:.2f} m/s"


def _front_of(ego: Body) -> list[float]:
    """The middle of its front in map [m]."""
    ahead = ego.box.x + ego.box.length / 2.0
    return [ego.x + ahead * math.cos(ego.heading), ego.y + ahead * math.sin(ego.heading)]


def _kept(front: list[float], ways: tuple[RedWay, ...] = ()) -> FloatArray:
    """What is kept: the place of the front, and ways that may be taken."""
    rows = [[0.0, -1.0, *front]]
    for number, way in enumerate(ways):
        rows += [[float(way.is_red), float(number), x, y] for x, y in way.points[:, :2].tolist()]
    return frozen(np.array(rows))


def _passed(state: CriterionState, moment: RunMoment, line: RedLine, front: list[float]) -> CriterionState:
    """The state after a line: a violation where its light is red for all, else the ways are kept."""
    assert moment.ego is not None
    if len(state.memory) > 1:  # the way from the line before was not decided by now
        state = _decided(state, front, last=True)
        if state.failed:
            return state
    speed = math.hypot(moment.ego.velocity_x, moment.ego.velocity_y)
    if not line.ways:
        return failing(state, moment, speed, line.name)
    return replace(noting(state, moment, speed, line.name), memory=_kept(front, line.ways))


def _decided(state: CriterionState, front: list[float], *, last: bool) -> CriterionState:
    """The state once it is seen which way is taken.

    Args:
        state: with ways.
        front: of the ego, in map [m].
        last: whether the nearest way counts, however near others are.
    """
    rows = state.memory[1:]
    found = [_distance_to(rows[rows[:, _WAY] == number], front) for number in np.unique(rows[:, _WAY]).tolist()]
    (nearest, over, red), *others = sorted(found)
    if not (last or over or not others or others[0][0] - nearest > CLEARLY_NEARER):
        return state
    if red:
        return replace(state, failed=True)
    return replace(START, memory=state.memory[:1])


def _distance_to(way: FloatArray, front: list[float]) -> tuple[float, bool, bool]:
    """How far a place is from a way [m], whether the way's end is nearest, and whether the way was red."""
    points = way[:, _X:]
    step = np.diff(points, axis=0)
    along = ((np.array(front) - points[:-1]) * step).sum(axis=1) / np.maximum((step * step).sum(axis=1), 1e-12)
    near = points[:-1] + np.clip(along, 0.0, 1.0)[:, None] * step
    distance = np.hypot(*(near - np.array(front)).T)
    best = int(distance.argmin())
    return float(distance[best]), bool(best == len(step) - 1 and along[best] >= 1.0), bool(way[0, _RED])


def _comes_over(line: RedLine, before: list[float], now: list[float], heading: float) -> bool:
    """Whether the way of a tick leads over a line."""
    if math.cos(heading - line.heading) < _ALONG:
        return False
    cosine, sine = math.cos(line.heading), math.sin(line.heading)
    along = [(x - line.x) * cosine + (y - line.y) * sine for x, y in (before, now)]
    aside = (now[1] - line.y) * cosine - (now[0] - line.x) * sine
    return along[0] <= 0.0 < along[1] and abs(aside) <= line.half_width
