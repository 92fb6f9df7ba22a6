"""The part of the roads that a scenario uses (ASAM OpenSCENARIO XML 1.3, UsedArea)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.position import PositionPlan


@dataclass(frozen=True, slots=True)
class UsedArea:
    """The rectangle, along the axes of the map, around some positions; the journal has who leaves it.

    Attributes:
        corners: the positions.
    """

    corners: tuple[PositionPlan, ...]

    def tell(self, frame: StoryboardFrame, before: Sequence[tuple[float, ...]]) -> None:
        """Note which entities have left it in the tick.

        Args:
            frame: the tick, after motion.
            before: x and y of each entity at its start, with more behind them.
        """
        places = [one.place(frame) for one in self.corners]
        west, east = min(one.x for one in places), max(one.x for one in places)
        south, north = min(one.y for one in places), max(one.y for one in places)

        def is_inside(x: float, y: float) -> bool:
            return west <= x <= east and south <= y <= north

        for row, old, plan in zip(frame.entity, before, frame.program.entities, strict=True):
            if row.present and is_inside(old[0], old[1]) and not is_inside(row.x, row.y):
                frame.journal.append(f"{plan.name} has left the area that the scenario says it uses")
