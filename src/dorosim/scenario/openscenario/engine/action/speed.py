"""SpeedAction (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.frame import Frame
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.scenario.openscenario.engine.transition_shape import PEAK_SLOPE, Dimension, Shape, part_of

_NEAR = 1e-6
_START, _TARGET, _ELAPSED = 0, 1, 2
_REACHED = 1


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

    def now(self, frame: Frame) -> float:
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
    shape: Shape
    dimension: Dimension
    value: float
    domain: Domain = Domain.LONGITUDINAL

    def start(self, frame: Frame, entity: int, row: ActionRow) -> None:
        """Keep the present speed as that of the start."""
        speed = frame.entity[entity].speed
        row.memory[_START], row.memory[_TARGET] = speed, self.target.now(frame)
        if self.shape is Shape.STEP:
            frame.entity[entity].speed = self._bounded(frame, entity, row.memory[_TARGET])
            if not self.target.is_continuous:
                row.finish()
            row.phase = _REACHED

    def advance(self, frame: Frame, entity: int, row: ActionRow) -> None:
        """Set the speed at the end of the tick."""
        memory = row.memory
        if self.target.is_continuous:
            memory[_TARGET] = self.target.now(frame)
        start, target = memory[_START], self._bounded(frame, entity, memory[_TARGET])
        speed = target
        if row.phase != _REACHED:
            duration = self._duration(frame, entity, start, target)
            memory[_ELAPSED] += frame.dt
            elapsed = memory[_ELAPSED]
            share = elapsed / duration if duration > 0.0 else 1.0
            speed = start + (target - start) * part_of(self.shape, share)
            if elapsed >= duration - _NEAR or abs(speed - target) < _NEAR:
                row.phase, speed = _REACHED, target
        frame.entity[entity].speed = speed
        if row.phase == _REACHED and not self.target.is_continuous:
            row.finish()

    def stop(self, frame: Frame, entity: int, row: ActionRow) -> None:
        """The speed stays as it is."""

    def _duration(self, frame: Frame, entity: int, start: float, target: float) -> float:
        """How long the change takes [s], no shorter than the entity can."""
        change = abs(target - start)
        if self.dimension is Dimension.RATE:
            wanted = PEAK_SLOPE[self.shape] * change / abs(self.value) if self.value else float("inf")
        elif self.dimension is Dimension.DISTANCE:
            wanted = _time_for(self.value, start, target)
        else:
            wanted = self.value
        plan = frame.program.entities[entity]
        greatest = plan.max_acceleration if target > start else plan.max_deceleration
        return max(wanted, PEAK_SLOPE[self.shape] * change / greatest if greatest > 0.0 else wanted)

    @staticmethod
    def _bounded(frame: Frame, entity: int, speed: float) -> float:
        """A speed that the entity can drive."""
        greatest = frame.program.entities[entity].max_speed
        return min(max(speed, -greatest), greatest)


def _time_for(distance: float, start: float, target: float) -> float:
    """The time [s] of a linear change of speed over a distance [m]; one that changes sign turns in between."""
    if abs(target - start) < _NEAR:
        return 0.0
    if start * target < -_NEAR:
        part = distance * start**2 / (start**2 + target**2)
        return 2.0 * part / abs(start) + 2.0 * (distance - part) / abs(target)
    return 2.0 * distance / abs(start + target)
