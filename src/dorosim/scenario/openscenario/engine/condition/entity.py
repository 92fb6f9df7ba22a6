"""Conditions by entity on motion (ASAM OpenSCENARIO XML 1.3, ByEntityCondition)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from dorosim.ground.plain_kernel import plain
from dorosim.scenario.openscenario.engine.condition.comparison import TOLERANCE, ValueRule, holds
from dorosim.scenario.openscenario.engine.distance import DistancePlan
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.position import PositionPlan
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.world.storyboard.state import NEVER
from dorosim.world.storyboard.vector_kernel import Part, planar_length, vector_part

_vector_part, _planar_length = plain(vector_part), plain(planar_length)


_POINTS = 0.05
"""A body points as a position does within so much [rad], as in the reference engine."""


class EntityMeasure(Protocol):
    """What a condition asks of one entity."""

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Whether the entity meets it, and what was measured."""


@dataclass(frozen=True, slots=True)
class ByEntity:
    """One or all of several entities meet a condition; entities that are not in the world do not count."""

    entities: tuple[int, ...]
    needs_all: bool
    measure: EntityMeasure

    def met(self, frame: StoryboardFrame, number: int) -> tuple[bool, float]:
        """Ask each of them."""
        found, value, asked = [], 0.0, 0
        for one in self.entities:
            if not frame.present(one):
                continue
            asked += 1
            meets, measured = self.measure.of(frame, one)
            value = measured if asked == 1 or meets else value
            if meets:
                found.append(one)
        frame.triggering[number] = found
        return (len(found) == asked > 0) if self.needs_all else bool(found), value


def part_of_vector(row: EntityRow, x: float, y: float, z: float, part: Part) -> float:
    """A part of a vector of the map, in the frame of an entity; ALL is its length."""
    return _vector_part(row.heading, x, y, z, part)


def _velocity(row: EntityRow, frame_of: EntityRow, part: Part) -> float:
    """Speed, or a part of the velocity in the frame of an entity."""
    if part is Part.ALL:
        return row.speed
    return part_of_vector(frame_of, row.velocity_x, row.velocity_y, row.velocity_z, part)


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed [m/s]."""

    rule: ValueRule
    value: float
    part: Part = Part.ALL

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare it."""
        row = frame.entity[entity]
        found = _velocity(row, row, self.part)
        return holds(self.rule, found, self.value), found


@dataclass(frozen=True, slots=True)
class RelativeSpeed:
    """The speed minus that of another entity, in that one's frame [m/s]."""

    other: int
    rule: ValueRule
    value: float
    part: Part = Part.ALL

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare it."""
        if not frame.present(self.other):
            return False, 0.0
        other = frame.entity[self.other]
        found = _velocity(frame.entity[entity], other, self.part) - _velocity(other, other, self.part)
        return holds(self.rule, found, self.value), found


@dataclass(frozen=True, slots=True)
class Acceleration:
    """The acceleration [m/s2]."""

    rule: ValueRule
    value: float
    part: Part = Part.ALL

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare it."""
        row = frame.entity[entity]
        found = part_of_vector(row, row.acceleration_x, row.acceleration_y, row.acceleration_z, self.part)
        return holds(self.rule, found, self.value), found


class Lasting(IntEnum):
    """What lasts."""

    STILL = 0
    OFF_ROAD = 1
    END_OF_ROAD = 2


@dataclass(frozen=True, slots=True)
class Lasts:
    """Standing, being off the road or at its end, for longer than a time [ns]."""

    what: Lasting
    duration: int

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Look since when."""
        row = frame.entity[entity]
        since = (row.still_since, row.off_road_since, row.end_of_road_since)[self.what]
        if since == NEVER:
            return False, 0.0
        return frame.time - since > self.duration, (frame.time - since) * 1e-9


@dataclass(frozen=True, slots=True)
class Travelled:
    """The way since the start [m]."""

    value: float

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare it."""
        found = frame.entity[entity].travelled
        return found >= self.value - TOLERANCE, found


@dataclass(frozen=True, slots=True)
class ReachesPosition:
    """Being within a distance of a position [m], and pointing as it does if it has an orientation of its own."""

    position: PositionPlan
    tolerance: float
    is_oriented: bool = False

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare the distance."""
        row, place = frame.entity[entity], self.position.place(frame)
        found = _planar_length(place.x - row.x, place.y - row.y)
        points = not self.is_oriented or abs(math.remainder(place.heading - row.heading, math.tau)) < _POINTS
        return points and found < self.tolerance, found


def _compared_distance(rule: ValueRule, distance: float | None, value: float) -> tuple[bool, float]:
    """Compare a distance, whichever way it leads [m]; one that is not known meets no rule."""
    if distance is None:
        return False, math.inf
    return holds(rule, abs(distance), value), abs(distance)


@dataclass(frozen=True, slots=True)
class DistanceToPosition:
    """The distance from a position [m]."""

    position: PositionPlan
    plan: DistancePlan
    rule: ValueRule
    value: float

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare it."""
        return _compared_distance(self.rule, self.plan.to_place(frame, entity, self.position.place(frame)), self.value)


@dataclass(frozen=True, slots=True)
class DistanceToEntity:
    """The distance from another entity [m]."""

    other: int
    plan: DistancePlan
    rule: ValueRule
    value: float

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare it."""
        return _compared_distance(self.rule, self.plan.between(frame, entity, self.other), self.value)


@dataclass(frozen=True, slots=True)
class TimeHeadway:
    """The time until one is where another entity, which is ahead, is now [s]."""

    other: int
    plan: DistancePlan
    rule: ValueRule
    value: float

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare it; there is none to an entity behind, or while standing."""
        distance = self.plan.between(frame, entity, self.other)
        speed = frame.entity[entity].speed
        if distance is None or distance < 0.0 or speed < TOLERANCE:
            return False, math.inf
        return holds(self.rule, distance / speed, self.value), distance / speed
