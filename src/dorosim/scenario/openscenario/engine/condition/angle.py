"""AngleCondition and RelativeAngleCondition (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from dorosim.scenario.openscenario.engine.condition.comparison import TOLERANCE
from dorosim.scenario.openscenario.engine.distance import System
from dorosim.scenario.openscenario.engine.followed import followed_trajectory
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import tilted
from dorosim.scenario.openscenario.engine.rows import EntityRow


class Angle(IntEnum):
    """Which angle is meant."""

    HEADING = 0
    PITCH = 1
    ROLL = 2


@dataclass(frozen=True, slots=True)
class AngleIs:
    """An angle is within a tolerance of a value [rad].

    Attributes:
        other: entity from whose angle it counts, each of them taken in the system, -1 for none.
        system: in which angles are measured. A trajectory counts only while it is followed; in the system of the entity
            its own angle is 0.
    """

    angle: Angle
    value: float
    tolerance: float
    other: int = -1
    system: System = System.WORLD

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Compare it."""
        found = self._angle_of(frame, entity)
        if self.other >= 0:
            base = self._angle_of(frame, self.other) if frame.present(self.other) else None
            found = None if found is None or base is None else found - base
        if found is None:
            return False, 0.0
        found = math.remainder(found, math.tau)
        away = abs(math.remainder(found - self.value, math.tau))
        return away <= self.tolerance + TOLERANCE, found

    def _angle_of(self, frame: StoryboardFrame, entity: int) -> float | None:
        """The angle of an entity in the system, None where there is none."""
        row = frame.entity[entity]
        found = (row.heading, row.pitch, row.roll)[self.angle]
        if self.system in (System.LANE, System.ROAD):
            return found - self._of_road(frame, row)
        if self.system is System.TRAJECTORY:
            followed = followed_trajectory(frame, entity)
            if followed is None:
                return None
            point = followed.line.at(followed.s)
            return found - (point.direction, point.pitch, 0.0)[self.angle]
        if self.system is System.ENTITY and self.other < 0:
            return 0.0
        return found

    def _of_road(self, frame: StoryboardFrame, row: EntityRow) -> float:
        """The angle of the lane or road where an entity is, in the direction of traffic."""
        roads = frame.program.roads
        if roads is None or row.road < 0:
            return 0.0
        course = roads.roads[row.road]
        pose = course.pose(row.s, row.t)
        forward = course.is_forward(row.lane) or row.lane == 0
        if self.angle is not Angle.HEADING:
            pitch, roll = tilted(pose.pitch, pose.roll, row.turn)
            return pitch if self.angle is Angle.PITCH else roll
        middle = course.middle(row.s, row.lane) if self.system is System.LANE else None
        slope = math.atan(middle.slope) if middle is not None else 0.0
        return pose.heading + slope + (0.0 if forward else math.pi)
