"""A cell that is ready to run: its scenario in the world, with all that watches it."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.app.run.build import Build
from dorosim.app.run.scenario_judged import VerdictWatch
from dorosim.app.run.scenario_ready import ReadyScenario
from dorosim.app.sweep.function_stack import DriveFunction
from dorosim.app.sweep.measure import CellMeasure, SharedSight


@dataclass(slots=True, kw_only=True)
class CellScene:
    """A cell that is ready to run.

    Attributes:
        ready: its scenario. world: its start. watch: judges it. measure: measures it. sight: what both see.
        ego: number of the entity that is judged. drive: the function that drives, None for none.
        begun: whether the tick of its start was seen already.
    """

    ready: ReadyScenario
    world: Build
    watch: VerdictWatch
    measure: CellMeasure
    sight: SharedSight
    ego: int
    drive: DriveFunction | None = None
    begun: bool = False
