"""SynchronizeAction (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from dorosim.road.opendrive.road_course_network import CoursePlace
from dorosim.scenario.openscenario.engine.action.speed import SpeedTarget
from dorosim.scenario.openscenario.engine.distance import length_along, on_road
from dorosim.scenario.openscenario.engine.followed import followed_trajectory
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import is_forward
from dorosim.scenario.openscenario.engine.position import PositionPlan
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.scenario.openscenario.engine.trajectory import OnTrajectory

_NEAR = 1e-6
_HARD_BRAKE = 8.0
"""Deceleration where there is no room to stop smoothly [m/s2]."""
_ON_LINE = 0.1
"""Within so much of the speed of a steady change one follows that [m/s]."""
_LAST, _LAST_MASTER = range(2)


class _Phase(IntEnum):
    """Where a synchronisation is."""

    BEGIN = 0
    RUSH = 1
    LINGER = 2
    STEADY_CHANGE = 3
    STOPPED = 4
    STOPPING = 5
    WAITING = 6
    FINAL = 7


@dataclass(frozen=True, slots=True)
class Synchronize:
    """Arrive at a place when the master arrives at its own, and with a final speed if one is given.

    With a final speed the entity first speeds up or slows down at a constant rate, then changes steadily to the final
    speed; where it would have to reverse it stops and waits. Which of these it does is looked at anew in each tick,
    since the master may change its speed. The standard leaves this open; the phases are those of the reference engine.

    Attributes:
        master: the entity that is waited for. place, master_place: where to be.
        tolerance, master_tolerance: distances that count as there [m].
        final: speed at the end, None where none is given.
        steady_distance, steady_time: how long the final speed is kept before the end [m, s]; 0 for none.
    """

    master: int
    place: PositionPlan
    master_place: PositionPlan
    tolerance: float
    master_tolerance: float
    final: SpeedTarget | None
    steady_distance: float = 0.0
    steady_time: float = 0.0
    domain: Domain = Domain.LONGITUDINAL

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Nothing is known of the last distances."""
        row.memory[_LAST] = row.memory[_LAST_MASTER] = math.inf

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Set the speed at the end of the tick."""
        body, master = frame.entity[entity], frame.entity[self.master]
        way = _way(frame, entity, self.place)
        master_way = _way(frame, self.master, self.master_place)
        done = (
            way < self.tolerance + _NEAR
            or master_way < self.master_tolerance + _NEAR
            or way > row.memory[_LAST]
            or master_way > row.memory[_LAST_MASTER]
        )
        row.memory[_LAST], row.memory[_LAST_MASTER] = way, master_way
        way = max(way - self.tolerance, _NEAR)
        master_way = max(master_way - self.master_tolerance, _NEAR)
        time = master_way / master.speed if master.speed > _NEAR else math.inf
        if done or time < frame.dt:
            if self.final is not None:
                body.speed = self.final.now(frame)
            row.finish()
            return
        if self.final is None:
            if math.isfinite(time):
                body.speed += 2.0 * (way / time - body.speed) / time * frame.dt
            return
        body.speed = self._speed(frame, row, body.speed, way, time)

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """The speed stays as it is."""

    def _speed(self, frame: StoryboardFrame, row: ActionRow, speed: float, way: float, time: float) -> float:
        """The speed at the end of the tick, towards the final one."""
        assert self.final is not None
        final, dt = self.final.now(frame), frame.dt
        steady = self.steady_time * final if self.steady_time else self.steady_distance
        if steady and row.phase != _Phase.FINAL:
            steady_time = steady / final if final else math.inf
            if way - steady < _NEAR or time - steady_time < _NEAR:
                row.phase = _Phase.FINAL
            else:
                way, time = way - steady, time - steady_time
        if row.phase == _Phase.FINAL:
            return final
        if row.phase == _Phase.WAITING:
            if math.isinf(time):
                return speed
            row.phase = _Phase.BEGIN
        if row.phase == _Phase.STOPPING:
            slower = speed - _HARD_BRAKE * dt
            if slower < 0.0:
                row.phase = _Phase.WAITING
            return max(slower, 0.0)
        if row.phase == _Phase.STOPPED:
            if final and time < 2.0 * way / final:
                row.phase = _Phase.STEADY_CHANGE
            else:
                return 0.0
        if row.phase == _Phase.STEADY_CHANGE:
            return 0.0 if math.isinf(time) else _steady(way, time, max(final, 0.0))
        return self._changing(row, speed, final, way, time, dt)

    @staticmethod
    def _changing(row: ActionRow, speed: float, final: float, way: float, time: float, dt: float) -> float:
        """The speed while it is away from the steady change to the final one."""
        if math.isinf(time):
            return speed
        if row.phase in (_Phase.RUSH, _Phase.LINGER) and abs(speed - (2.0 * way / time - final)) < _ON_LINE:
            row.phase = _Phase.STEADY_CHANGE
            return speed
        if row.phase == _Phase.BEGIN:
            row.phase = _Phase.RUSH if (final + speed) / 2.0 < way / time else _Phase.LINGER
        between, rate = _turning_speed(speed, final, way, time)
        if (row.phase == _Phase.LINGER and rate > 0.0) or (row.phase == _Phase.RUSH and rate < 0.0):
            row.phase, rate = _Phase.STEADY_CHANGE, 0.0
        elif between < 0.0:
            # it would have to reverse: it stops first
            stop = 2.0 * speed * way / (speed**2 + final**2) if speed or final else 0.0
            rate = -speed / stop if stop > _NEAR else 0.0
            if stop * speed / 2.0 > way / 2.0:
                row.phase, rate = _Phase.STOPPING, -_HARD_BRAKE
            if speed + rate * dt < 0.0:
                row.phase = _Phase.STOPPED
                return 0.0
        return speed + rate * dt


def _steady(way: float, time: float, final: float) -> float:
    """The speed of now from which a steady change to the final one takes a way in a time."""
    if time < 1e-3 or way < 1e-3:
        return 0.0
    return max(2.0 * way / time - final, 0.0)


def _turning_speed(speed: float, final: float, way: float, time: float) -> tuple[float, float]:
    """The speed at which a constant rate turns into its opposite, and that rate.

    From `speed` at rate a for a time x, then at rate -a to `final`, the way and the time being given: with the speed v
    between, x (speed + v)/2 + (time - x) (v + final)/2 = way and (v - speed)/x = (v - final)/(time - x).
    """
    if abs(final - speed) < _NEAR:
        between = 2.0 * way / time - speed
        return between, (between - speed) / (time / 2.0)
    root = math.sqrt(
        max(4.0 * way**2 - 4.0 * (final + speed) * time * way + 2.0 * (final**2 + speed**2) * time**2, 0.0)
    )
    for sign in (1.0, -1.0):
        x = -(sign * root + 2.0 * way - 2.0 * final * time) / (2.0 * (final - speed))
        if 0.0 < x < time:
            between = (2.0 * way - sign * root) / (2.0 * time)
            return between, (between - speed) / x
    return 0.0, 0.0


def _way(frame: StoryboardFrame, entity: int, plan: PositionPlan) -> float:
    """How far an entity is from a place [m].

    Along its trajectory if the place is on one, else along the roads, or straight where none leads there.
    """
    if isinstance(plan, OnTrajectory):
        followed = followed_trajectory(frame, entity)
        if followed is not None:
            return abs(plan.along - followed.s)
    row, place, roads = frame.entity[entity], plan.place(frame), frame.program.roads
    straight = math.hypot(place.x - row.x, place.y - row.y)
    if roads is None or row.road < 0 or row.free:
        return straight
    here = CoursePlace(row.road, row.s, row.t)
    found = length_along(roads, here, is_forward(row), on_road(roads, place))
    return straight if found is None else abs(found)
