"""LateralDistanceAction (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from dorosim.scenario.openscenario.engine.action.lane_change import attach
from dorosim.scenario.openscenario.engine.action.speed_profile import Limits
from dorosim.scenario.openscenario.engine.distance import System
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.motion import move_by_s
from dorosim.scenario.openscenario.engine.placing import follow_road, is_forward
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow, EntityRow

_REACHED = 0.01
"""A distance within this of the one wanted is reached [m]."""

_SPRING = 0.4
"""Of the spring that draws the entity to its place: acceleration per metre and per m/s2 of the limit."""

_SPEED, _SIDE, _OTHER_T, _OTHER_RATE = range(4)
_FIRST, _GOING = range(2)


class LateralSide(IntEnum):
    """On which side of the other entity."""

    ANY = 0
    LEFT = 1
    RIGHT = 2


@dataclass(frozen=True, slots=True)
class LateralDistance:
    """Reach a distance across the lane from an entity, and keep it if it is continuous.

    Without a limit of acceleration the entity goes across at its greatest speed, or at once; with one a spring with
    critical damping draws it to its place. The standard says neither; both are as in the reference engine, and so are
    three small things, by its trajectories: the first tick does not move the entity yet; it goes straight for a tick,
    which takes it to the outside of a curve; and the damping sees half of what the other one's speed across has changed
    by in the tick. What it goes sideways it does not go along the lane.
    """

    other: int
    distance: float
    freespace: bool
    side: LateralSide
    system: System
    is_continuous: bool
    limits: Limits
    domain: Domain = Domain.LATERAL

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Find on which side of the other entity to be."""
        if frame.program.roads is None or frame.entity[entity].road < 0:
            row.finish()
            return
        side = {LateralSide.LEFT: 1.0, LateralSide.RIGHT: -1.0}.get(self.side)
        row.memory[_SIDE] = math.copysign(1.0, self._left_of(frame, entity)) if side is None else side

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Go across for a tick, and along the lane."""
        body, roads = frame.entity[entity], frame.program.roads
        if not frame.present(self.other) or roads is None:
            row.finish()
            return
        other = frame.entity[self.other]
        wanted = self.distance
        if self.freespace:
            wanted += (frame.program.entities[entity].box.width + frame.program.entities[self.other].box.width) / 2.0
        away = wanted * row.memory[_SIDE] - self._left_of(frame, entity)
        if not self.is_continuous and abs(away) < _REACHED:
            row.finish()
        dt = frame.dt if row.phase == _GOING else 0.0
        sees = self._change_of_other(row, other) / 2.0
        row.phase = _GOING
        reference = body if self._is_local(body, other) else other
        across = self._across(row, away, sees, dt) * (1.0 if is_forward(reference) else -1.0)
        way = abs(body.speed) * frame.dt
        body.moved |= Domain.LONGITUDINAL | Domain.LATERAL
        body.offset += across
        follow_road(roads, body)
        if way <= 0.0:
            return
        along = math.sqrt(max(way**2 - across**2, 0.0))
        course = roads.roads[body.road]
        curvature = course.line(body.s).curvature / course.scale(body.s, body.t)
        sign = (1.0 if is_forward(body) else -1.0) * (1.0 if body.speed >= 0.0 else -1.0)
        move_by_s(frame, entity, sign * along / course.scale(body.s, body.t))
        if math.isfinite(self.limits.acceleration):
            body.offset -= curvature * along**2 / 2.0
        base = 0.0 if is_forward(body) else math.pi
        body.turn = base + sign * math.atan2(across, max(along, 1e-9))
        follow_road(roads, body)
        attach(frame, body)

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """The body points along its lane again."""
        body, roads = frame.entity[entity], frame.program.roads
        if roads is not None and body.road >= 0 and not body.free:
            body.turn = 0.0 if is_forward(body) else math.pi
            follow_road(roads, body)

    def _change_of_other(self, row: ActionRow, other: EntityRow) -> float:
        """By how much the speed of the other one to its left has changed in the tick, in distance a tick [m]."""
        if self.system is System.ENTITY:
            return 0.0
        left = other.t * (1.0 if is_forward(other) else -1.0)
        rate = left - row.memory[_OTHER_T] if row.phase == _GOING else 0.0
        change = rate - row.memory[_OTHER_RATE]
        row.memory[_OTHER_T], row.memory[_OTHER_RATE] = left, rate
        return change

    def _across(self, row: ActionRow, away: float, sees: float, dt: float) -> float:
        """How far it goes to the left of the other one in a tick [m]; `sees` is added to its own way in a tick [m]."""
        greatest, fastest = self.limits.acceleration, self.limits.speed
        if math.isinf(greatest):
            return math.copysign(min(abs(away), fastest * dt), away) if math.isfinite(fastest) else away
        stiffness = _SPRING * greatest
        speed_seen = row.memory[_SPEED] + (sees / dt if dt else 0.0)
        wish = away * stiffness - speed_seen * 2.0 * math.sqrt(stiffness)
        slowest = greatest if math.isinf(self.limits.deceleration) else self.limits.deceleration
        slows = wish * row.memory[_SPEED] < 0.0
        bound = slowest if slows else greatest
        speed = row.memory[_SPEED] + min(max(wish, -bound), bound) * dt
        row.memory[_SPEED] = min(max(speed, -fastest), fastest)
        return row.memory[_SPEED] * dt

    def _left_of(self, frame: StoryboardFrame, entity: int) -> float:
        """How far to the left of the other entity one is [m]: across one's own body, or across the road."""
        row, other = frame.entity[entity], frame.entity[self.other]
        if self._is_local(row, other):
            # without the turn by which the action itself moves the body across
            heading = row.heading - row.turn + (0.0 if is_forward(row) else math.pi)
            return (row.y - other.y) * math.cos(heading) - (row.x - other.x) * math.sin(heading)
        return (row.t - other.t) * (1.0 if is_forward(other) else -1.0)

    def _is_local(self, row: EntityRow, other: EntityRow) -> bool:
        """Whether distances are those of the entity's own frame: the one asked for, or no road is that of both."""
        return self.system is System.ENTITY or other.road < 0 or row.road != other.road
