"""LaneChangeAction (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.ground.plain_kernel import plain
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.motion import move_by_s
from dorosim.scenario.openscenario.engine.placing import follow_road, is_forward
from dorosim.scenario.openscenario.engine.position import lane_beside
from dorosim.scenario.openscenario.engine.program import Domain, EntityPlan
from dorosim.scenario.openscenario.engine.rows import ActionRow, EntityRow
from dorosim.scenario.openscenario.engine.transition_shape import (
    PEAK_CURVATURE,
    PEAK_SLOPE,
    Dimension,
    Following,
    TransitionShape,
)
from dorosim.world.storyboard.lane_kernel import is_across, stepped_across

_NEAR = 1e-6
_START, _TARGET, _DONE, _LENGTH, _LANE, _OFFSET = range(6)
_AT_LEAST = 1e-9
_stepped, _is_done = plain(stepped_across), plain(is_across)
_LOCK, _WHEELBASE = 0.6, 2.8
"""Greatest angle of the wheels [rad] and wheelbase [m] of a car, where a file says neither."""


@dataclass(frozen=True, slots=True)
class LaneTarget:
    """The lane to change to: an id, or so many lanes to the left of an entity's; entity -1 for an id."""

    value: int
    entity: int = -1

    def now(self, frame: StoryboardFrame) -> int:
        """The id of the lane."""
        if self.entity < 0:
            return self.value
        row = frame.entity[self.entity]
        return lane_beside(row.lane, self.value if is_forward(row) else -self.value)


@dataclass(frozen=True, slots=True)
class LaneChange:
    """Change to another lane by a shape over a time, a distance or at a rate.

    The speed is that along the way that the body takes: what it goes sideways it does not go along the lane. Offsets
    count away from the centre of the road, so that they mean the same where roads meet end to end.
    """

    target: LaneTarget
    target_offset: float
    shape: TransitionShape
    dimension: Dimension
    value: float
    following: Following = Following.DEFAULT
    domain: Domain = Domain.LATERAL

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Take the present place as one beside the middle of the new lane."""
        body, roads = frame.entity[entity], frame.program.roads
        if roads is None or body.road < 0:
            row.finish()
            return
        lane = self.target.now(frame)
        middle = roads.roads[body.road].middle(body.s, lane)
        if middle is None:
            frame.journal.append(
                f"{frame.program.entities[entity].name}: there is no lane {lane} to change to; it stays on its lane"
            )
            row.finish()
            return
        body.turn = 0.0 if is_forward(body) else math.pi
        side = 1.0 if lane > 0 else -1.0
        offset = (body.t - middle.t) * side
        target = self.target_offset * side
        length = self.value
        if self.dimension is Dimension.RATE:
            length = PEAK_SLOPE[self.shape] * abs(target - offset) / max(abs(self.value), _AT_LEAST)
        if self.following is Following.FOLLOW:
            length = max(length, self._least_length(frame.program.entities[entity], body.speed, abs(target - offset)))
        row.memory[: _OFFSET + 1] = [offset, target, 0.0, max(length, _AT_LEAST), float(lane), offset]

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Move along and across for a tick."""
        body, memory = frame.entity[entity], row.memory
        body.moved |= Domain.LONGITUDINAL | Domain.LATERAL
        if abs(body.speed) < _NEAR or not frame.dt:
            return
        change = (memory[_START], memory[_TARGET], memory[_DONE], memory[_LENGTH], memory[_OFFSET])
        found = _stepped(self.shape, self.dimension, change, body.speed, frame.dt)
        along, angle, memory[_DONE], memory[_OFFSET] = found
        lane = round(memory[_LANE])
        side = 1.0 if lane > 0 else -1.0
        roads = frame.program.roads
        assert roads is not None
        body.lane, body.offset = lane, memory[_OFFSET] * side
        follow_road(roads, body)
        forward = is_forward(body)
        sign = (1.0 if forward else -1.0) * (1.0 if body.speed >= 0.0 else -1.0)
        move_by_s(frame, entity, sign * along / roads.roads[body.road].scale(body.s, body.t))
        _count_from(memory, body, side if forward == is_forward(body) else -side)
        side = 1.0 if body.lane > 0 else -1.0
        base = 0.0 if is_forward(body) else math.pi
        done = _is_done(change[0], change[1], memory[_DONE], change[3], memory[_OFFSET])
        body.turn = base if done else base + (1.0 if is_forward(body) else -1.0) * side * angle
        follow_road(roads, body)
        attach(frame, body)
        if done:
            row.finish()

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """The body points along its lane again."""
        body, roads = frame.entity[entity], frame.program.roads
        if roads is not None and body.road >= 0 and not body.free:
            body.turn = 0.0 if is_forward(body) else math.pi
            follow_road(roads, body)

    def _least_length(self, plan: EntityPlan, speed: float, across: float) -> float:
        """The time [s] or the distance [m] that a vehicle needs at least, by the greatest angle of its wheels.

        A transition of a shape is across * share(x / length); its greatest curvature is a vehicle's at most.
        """
        lock = math.tan(plan.max_steering or _LOCK) / (plan.wheelbase or _WHEELBASE)
        distance = math.sqrt(PEAK_CURVATURE[self.shape] * across / lock)
        return distance if self.dimension is Dimension.DISTANCE else distance / max(abs(speed), _AT_LEAST)


def _count_from(memory: list[float], body: EntityRow, side: float) -> None:
    """Count a transition from the lane that the body has come to.

    A road may go on from another lane than the one it changes to: its offsets are then those from that lane.

    Args:
        memory: of the action.
        body: has been moved.
        side: 1.0 where the offsets in memory count to the left of the body's road, -1.0 to the right.
    """
    memory[_LANE] = float(body.lane)
    now = 1.0 if body.lane > 0 else -1.0
    moved = body.offset - memory[_OFFSET] * side
    if now == side and not moved:
        return
    for at in (_START, _TARGET, _OFFSET):
        memory[at] = (memory[at] * side + moved) * now


def attach(frame: StoryboardFrame, body: EntityRow) -> None:
    """Count a body to the lane that its origin is on."""
    roads = frame.program.roads
    assert roads is not None
    course = roads.roads[body.road]
    lane = course.lane_at(body.s, body.t)
    middle = course.middle(body.s, lane)
    if middle is not None and lane != body.lane:
        body.lane, body.offset = lane, body.t - middle.t
