"""RelativeClearanceCondition (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.distance import DistancePlan
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.rows import EntityRow


@dataclass(frozen=True, slots=True)
class ClearanceAround:
    """No entity is within distances ahead and behind on some lanes.

    Attributes:
        others: entities that count, empty for all. forward, backward: [m].
        lanes: first and last lane to the left, each.
        opposite: whether entities of the other direction count. plan: how lengths are measured.
    """

    others: tuple[int, ...]
    forward: float
    backward: float
    lanes: tuple[tuple[int, int], ...]
    opposite: bool
    plan: DistancePlan

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Look at all of them."""
        row = frame.entity[entity]
        for one in self.others or range(len(frame.entity)):
            if one == entity or not frame.present(one):
                continue
            other = frame.entity[one]
            along = self.plan.between(frame, entity, one)
            if along is None or not -self.backward <= along <= self.forward:
                continue
            if not self.opposite and math.cos(other.heading - row.heading) < 0.0:
                continue
            steps = lanes_between(row, other)
            if not self.lanes or any(low <= steps <= high for low, high in self.lanes):
                return False, along
        return True, math.inf


def lanes_between(row: EntityRow, other: EntityRow) -> int:
    """How many lanes to the left of one's own another entity is, by the direction in which one points."""
    steps = other.lane - row.lane
    if other.lane * row.lane < 0:
        steps += 1 if steps < 0 else -1
    return steps if math.cos(row.turn) >= 0.0 else -steps
