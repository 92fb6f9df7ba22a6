"""Actions that give an entity its way (ASAM OpenSCENARIO XML 1.3, RoutingAction)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from dorosim.scenario.openscenario.engine.action.place_action import AtOnce
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.place import place_of_row
from dorosim.scenario.openscenario.engine.placing import find_road, settle_height
from dorosim.scenario.openscenario.engine.position import PositionPlan
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.route import RoutePlan, give_way, way_through
from dorosim.scenario.openscenario.engine.rows import ActionRow, EntityRow
from dorosim.scenario.openscenario.engine.trajectory import ACTOR, KEPT, TrajectoryPlan, kept_of
from dorosim.scenario.openscenario.engine.trajectory_line import TrajectoryLine
from dorosim.scenario.openscenario.engine.wander import stop_wandering, wander

_NEAR = 1e-6
_S, _TIME, _FIRST_KEPT = range(3)


@dataclass(frozen=True, slots=True)
class AssignRoute(AtOnce):
    """Take a route."""

    route: RoutePlan
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Give the entity the way."""
        stop_wandering(frame, entity)
        give_way(frame, entity, self.route.way(frame))
        row.finish()


@dataclass(frozen=True, slots=True)
class AcquirePosition(AtOnce):
    """Take the shortest way to a position."""

    position: PositionPlan
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Give the entity the way."""
        stop_wandering(frame, entity)
        body, roads = frame.entity[entity], frame.program.roads
        if roads is not None and body.road >= 0:
            places = [place_of_row(body), self.position.place(frame)]
            give_way(frame, entity, way_through(roads, places, body.heading))
        row.finish()


@dataclass(frozen=True, slots=True)
class RandomRoute(AtOnce):
    """Turn at random where roads divide, from now on."""

    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Leave the way that it has."""
        wander(frame, entity)
        row.finish()


class TimeDomain(IntEnum):
    """How the times of a trajectory count."""

    NONE = 0
    RELATIVE = 1
    ABSOLUTE = 2


_FORWARD, _BACKWARD = 1, 2
"""How a body goes along a trajectory with its own speed: its front or its rear ahead."""


def _along(row: ActionRow, body: EntityRow) -> float:
    """How fast a body goes towards the end of its trajectory [m/s]: back along it where its speed changes its sign."""
    if not row.phase:
        return abs(body.speed)
    return body.speed if row.phase == _FORWARD else -body.speed


@dataclass(frozen=True, slots=True)
class TrajectoryFollowing:
    """Follow a trajectory exactly: with one's own speed, or by its times.

    With its own speed a body goes on as it has begun, its front or its rear ahead; when its speed changes its sign, it
    goes back along the trajectory, and ends at its start.

    Attributes:
        first: how far along it to begin [m].
        time_domain, scale, offset: how its times count: a point of time t is reached at t * scale + offset.
        is_bound: whether one follows its times only as fast as the performance of the entity lets one; otherwise
            exactly.
    """

    trajectory: TrajectoryPlan
    first: float
    time_domain: TimeDomain
    scale: float
    offset: float
    domain: Domain
    is_bound: bool = False

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Be at its start."""
        relative_to = self.trajectory.entities
        base = frame.entity[entity if relative_to[0] == ACTOR else relative_to[0]] if relative_to else None
        kept = [0.0] * len(KEPT) if base is None else kept_of(base)
        row.memory[:] = [self.first, 0.0, *kept, *[0.0] * (len(row.memory) - 2 - len(kept))]
        line, body = self.line(frame, row), frame.entity[entity]
        if self.time_domain is TimeDomain.RELATIVE and line.has_times:
            row.memory[_TIME] = line.time_at(self.first) - self.offset / self.scale
        self._move(frame, body, row, line, 0.0)
        body.placed = 1
        if not self._is_free(line):
            body.speed = line.speed_at(row.memory[_S])

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Move along it for a tick; at its end go on for the rest of the tick, and stand where there are no roads."""
        body, line = frame.entity[entity], self.line(frame, row)
        body.moved |= Domain.LONGITUDINAL | Domain.LATERAL
        before = row.memory[_S]
        self._move(frame, body, row, line, frame.dt)
        rest = 0.0
        if self._is_free(line):
            moved = row.memory[_S] - before
            is_at_end = row.memory[_S] > line.length - _NEAR if _along(row, body) >= 0.0 else row.memory[_S] < _NEAR
            done = bool(frame.dt) and not self.trajectory.closed and is_at_end
            if done:
                rest = abs(body.speed) * frame.dt - abs(moved)
        else:
            late = row.memory[_TIME] - line.end_time
            done = late > -_NEAR and not self.trajectory.closed
            rest = max(late, 0.0) * self.scale * abs(body.speed)
            if self.is_bound:
                done, rest = done and row.memory[_S] > line.length - _NEAR, 0.0
        if done:
            if rest > _NEAR:  # else it stays at the height of the last point
                body.x += math.copysign(rest, body.speed) * math.cos(body.heading)
                body.y += math.copysign(rest, body.speed) * math.sin(body.heading)
                self._settle(frame, body)
            if frame.program.roads is None:
                body.speed = 0.0  # where no lane goes on, it stands
            row.finish()

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """It drives along its lane again, beside its middle as it is now."""
        frame.entity[entity].free = 0

    def _is_free(self, line: TrajectoryLine) -> bool:
        """Whether one goes with one's own speed; where points have no times, these cannot count."""
        return self.time_domain is TimeDomain.NONE or not line.has_times

    def line(self, frame: StoryboardFrame, row: ActionRow) -> TrajectoryLine:
        """The line that is followed."""
        kept = row.memory[_FIRST_KEPT : _FIRST_KEPT + len(KEPT)]
        return self.trajectory.line(frame.program.roads, tuple(kept))

    def along(self, row: ActionRow) -> float:
        """How far along it the entity is [m]."""
        return row.memory[_S]

    def _move(self, frame: StoryboardFrame, body: EntityRow, row: ActionRow, line: TrajectoryLine, dt: float) -> None:
        """Be where one is on it after a time."""
        memory = row.memory
        if self._is_free(line):
            if dt and not row.phase and body.speed:
                row.phase = _BACKWARD if body.speed < 0.0 else _FORWARD
            memory[_S] += _along(row, body) * dt
            if self.trajectory.closed and line.length > 0.0:
                memory[_S] %= line.length
            memory[_S] = min(max(memory[_S], 0.0), line.length)
        else:
            self._move_by_times(frame, body, memory, line, dt)
        point = line.at(memory[_S])
        is_backward = row.phase == _BACKWARD or (not row.phase and body.speed < 0.0)
        turned = math.pi if self._is_free(line) and is_backward else 0.0
        body.x, body.y, body.heading = point.x, point.y, (point.heading + turned) % math.tau
        self._settle(frame, body)
        if not math.isnan(point.z):
            body.z, body.pitch, body.roll = point.z, point.pitch, 0.0

    def _move_by_times(
        self, frame: StoryboardFrame, body: EntityRow, memory: list[float], line: TrajectoryLine, dt: float
    ) -> None:
        """Be as far along it as its times say, with the speed that this needs."""
        before = memory[_S]
        if self.time_domain is TimeDomain.RELATIVE:
            memory[_TIME] += dt / self.scale
            period = line.end_time - line.start_time
            if self.trajectory.closed and period > 0.0 and memory[_TIME] >= line.end_time:
                memory[_TIME] -= period
                before -= line.length
        else:
            memory[_TIME] = (frame.time * 1e-9 + dt - self.offset) / self.scale
        time, wanted = memory[_TIME], line.length_at(memory[_TIME])
        if not self.is_bound or not dt:
            memory[_S] = wanted
            if dt and time < line.end_time + _NEAR:
                body.speed = (memory[_S] - before) / dt
            return
        plan = frame.program.entities[self._number(frame, body)]
        away, pace = wanted - before, line.speed_at(wanted) / self.scale if time < line.end_time else 0.0
        # as fast as one can still slow down to the pace of the line when one has come up with it
        slowing = plan.max_deceleration if away > 0.0 else plan.max_acceleration
        catching = min(abs(away - pace * dt) / dt, math.sqrt(2.0 * slowing * abs(away)))
        speed = min(pace + math.copysign(catching, away - pace * dt), plan.max_speed)
        speed = min(max(speed, body.speed - plan.max_deceleration * dt), body.speed + plan.max_acceleration * dt)
        body.speed = max(speed, 0.0)
        memory[_S] = min(before + body.speed * dt, line.length)

    @staticmethod
    def _number(frame: StoryboardFrame, body: EntityRow) -> int:
        """The number of an entity by its row."""
        return next(number for number, one in enumerate(frame.entity) if one is body)

    @staticmethod
    def _settle(frame: StoryboardFrame, body: EntityRow) -> None:
        """Find where it is on the roads."""
        body.free = 1
        body.lift = body.tilt = body.lean = 0.0
        find_road(frame.program.roads, body)
        settle_height(frame.program.roads, body)
