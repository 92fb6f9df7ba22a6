"""SpeedAction (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.ground.plain_kernel import plain
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Domain, EntityPlan
from dorosim.scenario.openscenario.engine.rows import ActionRow, EntityRow
from dorosim.scenario.openscenario.engine.transition_shape import (
    Dimension,
    Following,
    TransitionShape,
    part_of,
)
from dorosim.world.storyboard.speed_kernel import changed_speed, time_of_change

_NEAR = 1e-6
_START, _TARGET, _ELAPSED, _ACCELERATION = range(4)
_REACHED = 1
_changed, _time_of = plain(changed_speed), plain(time_of_change)
_SETTLED = 1e-4
"""A speed so near the target [m/s] is the target, where accelerations change by rates."""


@dataclass(frozen=True, slots=True)
class SpeedTarget:
    """The speed to reach: a value, or a difference to or factor of an entity's.

    Attributes:
        value: speed or difference [m/s], or factor. entity: -1 for none. is_factor, is_continuous: of a relative one.
    """

    value: float
    entity: int = -1
    is_factor: bool = False
    is_continuous: bool = False

    def now(self, frame: StoryboardFrame) -> float:
        """The speed [m/s] by the entity's of now."""
        if self.entity < 0:
            return self.value
        speed = frame.entity[self.entity].speed
        return speed * self.value if self.is_factor else speed + self.value


@dataclass(frozen=True, slots=True)
class SpeedChange:
    """Reach a speed by a shape over a time, a distance or at a rate.

    A transition over a distance takes the time that a linear one takes for it.
    """

    target: SpeedTarget
    shape: TransitionShape
    dimension: Dimension
    value: float
    following: Following = Following.DEFAULT
    domain: Domain = Domain.LONGITUDINAL

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Keep the present speed as that of the start."""
        speed = frame.entity[entity].speed
        row.memory[_START], row.memory[_TARGET] = speed, self.target.now(frame)
        if self.following is Following.FOLLOW:
            row.memory[_ACCELERATION] = acceleration_of(frame.entity[entity])
        elif self.shape is TransitionShape.STEP:
            frame.entity[entity].speed = self._bounded(frame, entity, row.memory[_TARGET])
            if not self.target.is_continuous:
                row.finish()
            row.phase = _REACHED

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Set the speed at the end of the tick."""
        memory = row.memory
        if self.target.entity >= 0:
            memory[_TARGET] = self.target.now(frame)
        if self.following is Following.FOLLOW:
            self._follow(frame, entity, row)
        else:
            self._change(frame, entity, row)
        if row.phase == _REACHED and not self.target.is_continuous:
            row.finish()

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """The speed stays as it is."""

    def _change(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Take the speed of the shape, or go towards it as fast as the entity can."""
        body, plan, memory = frame.entity[entity], frame.program.entities[entity], row.memory
        body.speed, memory[_ELAPSED], reached = _changed(
            (self.shape, self.dimension, self.value, self.following is Following.POSITION),
            memory[_START],
            self._bounded(frame, entity, memory[_TARGET]),
            memory[_ELAPSED],
            row.phase == _REACHED,
            body.speed,
            (plan.max_acceleration, plan.max_deceleration),
            frame.dt,
        )
        row.phase = _REACHED if reached else row.phase

    def _follow(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Go towards the speed as the performance of the entity lets it; the shape goes on with the time."""
        body, plan, memory = frame.entity[entity], frame.program.entities[entity], row.memory
        start, target = memory[_START], self._bounded(frame, entity, memory[_TARGET])
        duration = _time_of(self.shape, self.dimension, self.value, start, target)
        going, elapsed = row.phase != _REACHED, memory[_ELAPSED] + frame.dt
        share = elapsed / duration if duration > 0.0 else 1.0
        wanted = start + (target - start) * part_of(self.shape, share) if going else target
        if frame.dt:
            memory[_ELAPSED] = elapsed
            change = wanted - body.speed
            memory[_ACCELERATION] = followed_acceleration(plan, change, memory[_ACCELERATION], frame.dt)
            body.speed += memory[_ACCELERATION] * frame.dt
        over = going and (memory[_ELAPSED] >= duration - _NEAR or abs(body.speed - target) < _NEAR)
        if over and abs(body.speed - target) < _SETTLED:
            row.phase, body.speed = _REACHED, target

    def _bounded(self, frame: StoryboardFrame, entity: int, speed: float) -> float:
        """A speed that the entity can drive."""
        if self.following is Following.POSITION:
            return speed
        greatest = frame.program.entities[entity].max_speed
        return min(max(speed, -greatest), greatest)


def acceleration_of(body: EntityRow) -> float:
    """The acceleration of a body along itself [m/s2]."""
    return body.acceleration_x * math.cos(body.heading) + body.acceleration_y * math.sin(body.heading)


def followed_acceleration(plan: EntityPlan, change: float, last: float, dt: float) -> float:
    """The acceleration by which an entity goes on to change its speed [m/s2], as its performance lets it.

    It is no greater than that from which the entity can let off, by its rate, until the change is done.

    Args:
        plan: of the entity.
        change: of speed that is wanted [m/s].
        last: its acceleration now [m/s2].
        dt: length of the tick [s].
    """
    greatest, rise, fall = plan.max_acceleration, plan.max_acceleration_rate, plan.max_deceleration_rate
    if change < 0.0:
        greatest, rise, fall = plan.max_deceleration, fall, rise
    side = math.copysign(1.0, change)
    wish = min(abs(change) / dt, greatest)
    if math.isfinite(fall):
        # letting off by `fall` in steps of dt takes a (a / fall + dt) / 2 of the change
        wish = min(wish, max(-0.5 * fall * dt + math.sqrt(0.25 * (fall * dt) ** 2 + 2.0 * fall * abs(change)), 0.0))
    now = last * side
    return side * min(max(wish, now - fall * dt), now + rise * dt)
