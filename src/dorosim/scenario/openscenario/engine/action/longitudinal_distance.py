"""LongitudinalDistanceAction (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from dorosim.ground.plain_kernel import plain
from dorosim.scenario.openscenario.engine.action.speed_profile import Limits
from dorosim.scenario.openscenario.engine.distance import DistancePlan
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.motion import move_along
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.world.storyboard.speed_kernel import sprung_speed

_REACHED = 0.1
"""A distance within this of the one wanted is reached [m]."""

_sprung = plain(sprung_speed)

_ACCELERATION, _SIDE = range(2)


class Displacement(IntEnum):
    """Where a distance is kept."""

    ANY = 0
    TRAILING = 1
    LEADING = 2


@dataclass(frozen=True, slots=True)
class LongitudinalDistance:
    """Reach a distance along the lane from an entity, and keep it if it is continuous.

    Without limits the entity is at the distance at once, with the other one's speed. With limits a spring with critical
    damping draws it there. The standard says neither; both are as in the reference engine.

    Attributes:
        other: the entity. distance: wanted [m], or time gap [s] where `is_time`.
    """

    other: int
    distance: float
    is_time: bool
    displacement: Displacement
    is_continuous: bool
    plan: DistancePlan
    limits: Limits
    domain: Domain = Domain.LONGITUDINAL

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Find on which side of the other entity to be."""
        side = 1.0 if self.displacement is Displacement.TRAILING else -1.0
        if self.displacement is Displacement.ANY:
            found = self.plan.between(frame, entity, self.other)
            side = -1.0 if found is not None and found < 0.0 else 1.0
        row.memory[_SIDE] = side

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Speed up or brake for a tick."""
        body = frame.entity[entity]
        if not frame.present(self.other):
            row.finish()
            return
        other = frame.entity[self.other]
        found = self.plan.between(frame, entity, self.other)
        if found is None:
            return
        wanted = (abs(other.speed) * self.distance if self.is_time else self.distance) * row.memory[_SIDE]
        away = found - wanted
        if not self.is_continuous and abs(away) < _REACHED:
            row.finish()
        limits = self.limits
        if math.isinf(limits.acceleration) and math.isinf(limits.deceleration):
            move_along(frame, entity, away)
            body.speed = other.speed
            return
        body.speed, row.memory[_ACCELERATION] = _sprung(
            away, body.speed, other.speed, row.memory[_ACCELERATION], limits, frame.dt
        )

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """The speed stays as it is."""
