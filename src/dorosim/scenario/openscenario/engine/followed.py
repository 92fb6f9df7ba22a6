"""The trajectory that an entity follows."""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol, runtime_checkable

from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import ActorAction
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.scenario.openscenario.engine.trajectory_line import TrajectoryLine

_SAMPLES = 200
_NEWTON = 6


@runtime_checkable
class FollowsLine(Protocol):
    """An action that follows a trajectory."""

    def line(self, frame: StoryboardFrame, row: ActionRow) -> TrajectoryLine:
        """The line that is followed."""

    def along(self, row: ActionRow) -> float:
        """How far along it the entity is [m]."""


class Followed(NamedTuple):
    """A trajectory that an entity follows, and how far along it the entity is [m]."""

    line: TrajectoryLine
    s: float


def followed_trajectory(frame: StoryboardFrame, entity: int) -> Followed | None:
    """The trajectory that an entity follows now, None for none."""
    actions: list[ActorAction] = list(frame.program.init)
    actions += [one.action for one in frame.program.elements if one.action is not None]
    for action in actions:
        if not isinstance(action.plan, FollowsLine):
            continue
        for at, other in enumerate(action.entities):
            row = frame.action[action.first_row + at]
            if other == entity and row.is_running:
                return Followed(action.plan.line(frame, row), action.plan.along(row))
    return None


def nearest_on(line: TrajectoryLine, x: float, y: float) -> tuple[float, float]:
    """How far along a trajectory the place nearest to a point is, and how far to its left the point lies [m]."""
    places = [line.length * one / _SAMPLES for one in range(_SAMPLES + 1)]
    points = [line.at(one) for one in places]
    s = min(zip(places, points, strict=True), key=lambda one: math.hypot(one[1].x - x, one[1].y - y))[0]
    for _ in range(_NEWTON):
        point = line.at(s)
        along = (x - point.x) * math.cos(point.direction) + (y - point.y) * math.sin(point.direction)
        s = min(max(s + along, 0.0), line.length)
    point = line.at(s)
    return s, (y - point.y) * math.cos(point.direction) - (x - point.x) * math.sin(point.direction)
