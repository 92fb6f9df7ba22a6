"""RelativeClearanceCondition (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.distance import DistancePlan, corners, on_road
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.place import place_of_row
from dorosim.scenario.openscenario.engine.placing import is_forward
from dorosim.scenario.openscenario.engine.road_reach import reach_of


@dataclass(frozen=True, slots=True)
class ClearanceAround:
    """No entity is within distances ahead and behind, along the entity's lane, on some lanes beside it.

    It is not met where none of these lanes is beside the entity, as in the reference engine.

    Attributes:
        others: entities that count, empty for all. forward, backward: [m].
        lanes: first and last lane to the left, each; empty for all lanes.
        opposite: whether lanes of the other direction count. plan: how lengths are measured.
    """

    others: tuple[int, ...]
    forward: float
    backward: float
    lanes: tuple[tuple[int, int], ...]
    opposite: bool
    plan: DistancePlan

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Look at all of them."""
        roads, row = frame.program.roads, frame.entity[entity]
        if roads is None or row.road < 0:
            return False, 0.0
        side = 1.0 if is_forward(row) else -1.0
        course = roads.roads[row.road]
        beside = [one.id for one in course.lanes(course.section_at(row.s))]
        if not any(self._counts(row.lane, one, side) for one in beside):
            return False, 0.0
        for one in self.others or range(len(frame.entity)):
            if one == entity or frame.entity[one].road < 0:
                continue
            along = self.plan.between(frame, entity, one)
            if along is not None and -self.backward <= along <= self.forward and self._is_beside(frame, entity, one):
                return False, along
        return True, math.inf

    def _is_beside(self, frame: StoryboardFrame, entity: int, other: int) -> bool:
        """Whether another entity is on one of the lanes; with free space any lane counts that its box touches."""
        roads, row = frame.program.roads, frame.entity[other]
        assert roads is not None
        there = on_road(roads, place_of_row(row))
        reach = reach_of(frame, entity, there, self.plan.choice, by_lane=True)
        if reach is None:
            return False
        course = roads.roads[there.road]
        if not reach.lane:
            # one's lane does not lead there, so no lane there has a number from it
            along = course.is_forward(row.lane) == (reach.side > 0.0)
            return not self.lanes and (along or self.opposite)
        lanes = {row.lane}
        if self.plan.freespace:
            outline = corners(row.x, row.y, row.heading, frame.program.entities[other].box)
            edges = [roads.project(there.road, *one, there.s).t for one in outline]
            known = [one.id for one in course.lanes(course.section_at(there.s))]
            for lane in known:
                middle = course.middle(there.s, lane)
                if middle and min(edges) < middle.t + middle.width / 2.0 and max(edges) > middle.t - middle.width / 2.0:
                    lanes.add(lane)
        return any(self._counts(reach.lane, one, reach.side) for one in lanes)

    def _counts(self, own: int, lane: int, side: float) -> bool:
        """Whether a lane of the same road counts, `side` 1.0 where its left is the entity's."""
        if lane * own < 0 and not self.opposite:
            return False
        steps = lanes_between(own, lane) * side
        return not self.lanes or any(low <= steps <= high for low, high in self.lanes)


def lanes_between(own: int, lane: int) -> int:
    """How many lanes to the left of one, by rising s, another one of the same road is; there is no lane 0."""
    steps = lane - own
    if lane * own < 0:
        steps += 1 if steps < 0 else -1
    return steps
