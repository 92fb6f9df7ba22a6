"""TimeToCollisionCondition (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.ground.plain_kernel import plain
from dorosim.scenario.openscenario.engine.condition.comparison import TOLERANCE, ValueRule, holds
from dorosim.scenario.openscenario.engine.distance import Direction, DistancePlan
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.position import PositionPlan
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.world.storyboard.vector_kernel import over_speed

_over_speed = plain(over_speed)
_AHEAD = 1e-3
"""So far ahead the distance is looked at, to see how fast it changes [s]."""


@dataclass(frozen=True, slots=True)
class TimeToCollision:
    """The time until one is at another entity or a position, at the speeds of now [s].

    The standard has it as distance over relative speed, both in one coordinate system and direction. The relative speed
    along or across is how fast that distance changes. Of a straight distance it leaves that open, and there it is as in
    the reference engine: the speed towards a position, or over the other entity's speed along that one's way. There is
    no time while the distance grows.

    Attributes:
        other: -1 for a position.
    """

    other: int
    position: PositionPlan | None
    plan: DistancePlan
    rule: ValueRule
    value: float

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare it; there is none where one does not come nearer."""
        row = frame.entity[entity]
        other = frame.entity[self.other] if self.other >= 0 else None
        place = None if other is not None or self.position is None else self.position.place(frame)
        distance = self._distance(frame, entity, place)
        if distance is None or abs(distance) < TOLERANCE:
            return False, math.inf
        closing = self._closing(frame, entity, place, distance)
        if self.plan.direction is Direction.EUCLIDEAN and closing > 0.0:
            closing = row.speed if other is None else _over_speed_of(row, other)
        if closing < TOLERANCE:
            return False, math.inf
        time = abs(distance) / closing
        return holds(self.rule, time, self.value), time

    def _distance(self, frame: StoryboardFrame, entity: int, place: Place | None) -> float | None:
        if place is None:
            return self.plan.between(frame, entity, self.other)
        return self.plan.to_place(frame, entity, place)

    def _closing(self, frame: StoryboardFrame, entity: int, place: Place | None, distance: float) -> float:
        """How fast the distance becomes less [m/s]: looked at a moment ahead, with bodies that go on as they do."""
        moved = [entity] if place is not None else [entity, self.other]
        kept = {one: frame.entity[one] for one in moved}
        try:
            for one in moved:
                frame.entity[one] = _a_moment_on(frame, kept[one])
            later = self._distance(frame, entity, place)
        finally:
            for one, row in kept.items():
                frame.entity[one] = row
        return 0.0 if later is None else (abs(distance) - math.copysign(1.0, distance) * later) / _AHEAD


def _a_moment_on(frame: StoryboardFrame, row: EntityRow) -> EntityRow:
    """A body a moment later; it keeps its heading, so that axes of its own stay as they are."""
    found = EntityRow.__new__(EntityRow)
    found.__dict__.update(row.__dict__)
    found.x += row.velocity_x * _AHEAD
    found.y += row.velocity_y * _AHEAD
    found.z += row.velocity_z * _AHEAD
    roads = frame.program.roads
    if roads is not None and row.road >= 0:
        found.road, found.s, found.t = roads.project(row.road, found.x, found.y, row.s)
        found.offset += found.t - row.t
    return found


def _over_speed_of(row: EntityRow, other: EntityRow) -> float:
    """How much faster an entity is than another one, along that one's velocity [m/s]."""
    return _over_speed(row.velocity_x, row.velocity_y, row.speed, other.velocity_x, other.velocity_y, other.speed)
