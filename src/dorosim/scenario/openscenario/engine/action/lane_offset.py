"""LaneOffsetAction (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.ground.plain_kernel import plain
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import follow_road, is_forward
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow, EntityRow
from dorosim.scenario.openscenario.engine.transition_shape import PEAK_CURVATURE, TransitionShape
from dorosim.world.storyboard.lane_kernel import offset_now

_START, _TARGET, _ELAPSED, _DURATION = range(4)
_offset_now = plain(offset_now)


@dataclass(frozen=True, slots=True)
class LaneOffset:
    """Reach an offset from the middle of the lane, or from an entity.

    Attributes:
        value: to the left by rising s, or to the left of the entity [m]. entity: -1 for none.
        shape: of the transition. greatest: lateral acceleration that is allowed [m/s2]; infinite: at once.
        is_continuous: it is kept from then on.
    """

    value: float
    entity: int
    shape: TransitionShape
    greatest: float
    is_continuous: bool = False
    domain: Domain = Domain.LATERAL

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Keep the present offset."""
        body = frame.entity[entity]
        if frame.program.roads is None or body.road < 0:
            row.finish()
            return
        side = 1.0 if body.lane > 0 else -1.0
        start, target = body.offset * side, self._target(frame, body) * side
        duration = 0.0
        if self.shape is not TransitionShape.STEP and math.isfinite(self.greatest) and self.greatest > 0.0:
            duration = math.sqrt(PEAK_CURVATURE[self.shape] * abs(target - start) / self.greatest)
        row.memory[: _DURATION + 1] = [start, target, 0.0, duration]

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Take the offset of now."""
        body, memory = frame.entity[entity], row.memory
        side = 1.0 if body.lane > 0 else -1.0
        if self.is_continuous and self.entity >= 0:
            memory[_TARGET] = self._target(frame, body) * side
        offset, angle, reached = _offset_now(
            self.shape, memory[_START], memory[_TARGET], memory[_ELAPSED], memory[_DURATION], body.speed
        )
        base = 0.0 if is_forward(body) else math.pi
        body.offset = offset * side
        body.turn = base if reached else base + (1.0 if is_forward(body) else -1.0) * side * angle
        if reached and not self.is_continuous:
            row.finish()
        body.moved |= Domain.LATERAL
        roads = frame.program.roads
        assert roads is not None
        follow_road(roads, body)
        memory[_ELAPSED] += frame.dt

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """The body points along its lane again."""
        body, roads = frame.entity[entity], frame.program.roads
        if roads is not None and body.road >= 0 and not body.free:
            body.turn = 0.0 if is_forward(body) else math.pi
            follow_road(roads, body)

    def _target(self, frame: StoryboardFrame, body: EntityRow) -> float:
        """The offset from the middle of the entity's lane, to the left by rising s [m]."""
        if self.entity < 0:
            return self.value
        other = frame.entity[self.entity]
        return other.t + self.value * (1.0 if is_forward(other) else -1.0) - (body.t - body.offset)
