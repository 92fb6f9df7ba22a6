"""Cells that share a beginning: a worker runs it once, and each of them goes on from the snapshot at its end.

A plan says until when the parameters that are not shared have no effect. That is tried for each scenario before its
first cell: two beginnings that differ in these parameters must come to the same snapshot.
"""

from __future__ import annotations

import copy
import math
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from dorosim.app.run.scenario_run import RunTick
from dorosim.app.sweep.branch_state import with_parameters_of
from dorosim.app.sweep.cell import Cell
from dorosim.app.sweep.cell_scene import CellScene
from dorosim.app.sweep.plan import Axis, SweepPlan
from dorosim.app.sweep.plan_axis import size_of_axis
from dorosim.app.sweep.sampler import grid_value, text_of_axis
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

_MAX_KEPT = 8
"""So many beginnings are kept: cells of several seeds take turns."""


class BranchError(Exception):
    """What a plan says of its branches is not so; the text says what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedBeginning:
    """What some cells have in common.

    Attributes:
        scene: of the cell that was run, with all that has seen it. now: the snapshot at its end.
    """

    scene: CellScene
    now: Snapshot

    def end_for(self, scene: CellScene) -> Snapshot | None:
        """The snapshot at its end with the parameters of another cell; None if that one starts otherwise."""
        start, other = self.scene.world.first, scene.world.first
        alike = with_parameters_of(start, start, other)
        if alike is None or alike.digest() != other.digest():
            return None
        return with_parameters_of(self.now, start, other)


class Branches:
    """The beginnings of the cells of a plan.

    Args:
        plan: which has branches.
        scene_of: makes a cell at its start.
        ticks_of: the ticks of a cell, with the commands of each.
    """

    def __init__(
        self,
        plan: SweepPlan,
        scene_of: Callable[[Cell], CellScene],
        ticks_of: Callable[[CellScene], Iterator[tuple[RunTick, Sequence[Command]]]],
    ) -> None:
        self._plan, self._scene_of, self._ticks_of = plan, scene_of, ticks_of
        self._at = round(plan.branch.at * 1e9)
        self._kept: OrderedDict[object, SharedBeginning | None] = OrderedDict()
        self._tried: set[int] = set()

    def scene(self, cell: Cell) -> tuple[CellScene, bool]:
        """A cell at the end of its beginning, and whether it is; at its start where it has to be run in full.

        Those are cells whose run is over before, those that begin with another snapshot than the others, and those
        whose driving function has no copy.

        Raises:
            BranchError: the parameters have an effect before.
            InputError: the cell cannot run.
        """
        if cell.scenario not in self._tried:
            self._try(cell)
            self._tried.add(cell.scenario)
        found, scene = self._beginning(cell), self._scene_of(cell)
        now = None if found is None else found.end_for(scene)
        if found is None or now is None:
            return scene, False
        try:
            drive = copy.deepcopy(found.scene.drive)
        except Exception:  # it holds what has no copy, such as a file
            return scene, False
        scene.watch.go_on_from(found.scene.watch)
        scene.measure.go_on_from(found.scene.measure)
        scene.world = replace(scene.world, first=now)
        scene.drive, scene.begun = drive, True
        return scene, True

    def _beginning(self, cell: Cell) -> SharedBeginning | None:
        """The beginning of a cell, made or kept; None if its run is over before, or breaks."""
        shared = self._with(cell, _least)
        key = (shared.scenario, shared.source, shared.seed, *shared.values.items())
        if key not in self._kept:
            try:
                found = self._run(shared)
            except OSError:
                raise
            except Exception:  # each of the cells says so, when it is run in full
                found = None
            self._kept[key] = found
            if len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def _run(self, cell: Cell) -> SharedBeginning | None:
        """Run a cell until the moment of the branches; None if it is over before."""
        scene = self._scene_of(cell)
        now = None
        for tick, _ in self._ticks_of(scene):
            scene.measure.add(tick)
            if scene.watch.look(tick) or tick.ended or tick.world is None:
                return None
            if tick.state_time + scene.world.scene.tick > self._at:
                now = tick.world
                break
        if now is None:
            return None
        return SharedBeginning(scene=scene, now=now)

    def _try(self, cell: Cell) -> None:
        """Hold what the plan says against two cells that are as different as they can be.

        Raises:
            BranchError: it is not so.
        """
        first = self._beginning(cell)
        try:
            other = self._run(self._with(cell, _most))
        except OSError:
            raise
        except Exception:
            other = None
        if first is None and other is None:
            return
        ends = None if first is None or other is None else first.end_for(other.scene)
        if ends is None or other is None or ends.digest() != other.now.digest():
            names = ", ".join(self._plan.branch.parameters)
            told = f"cells that differ in {names} only are not the same after {self._plan.branch.at:g} s"
            cure = "let at be earlier or take out what has an effect before, and give another folder with --out"
            raise BranchError(f"[branch] of the plan: {told}; {cure}")

    def _with(self, cell: Cell, chosen: Callable[[Axis, bool], str]) -> Cell:
        """The cell of a group that stands for it: the parameters that are not shared have chosen values."""
        grid, ours = self._plan.sampling.method == "grid", self._plan.branch.parameters
        values = {axis.name: chosen(axis, grid) for axis in self._plan.axes if axis.name in ours}
        return msgspec.structs.replace(
            cell, number=-1, values=cell.values | values, repeat=0, weight=1.0, generation=-1
        )


def _least(axis: Axis, grid: bool) -> str:
    return grid_value(axis, 0) if grid or axis.values else text_of_axis(axis, axis.low)


def _most(axis: Axis, grid: bool) -> str:
    return grid_value(axis, size_of_axis(axis) - 1) if grid or axis.values else text_of_axis(axis, axis.high)


def branch_groups(plan: SweepPlan) -> int:
    """How many cells that follow each other share a beginning, 1 where that does not count.

    On a grid those that differ in the last parameters; with other methods all, or none.
    """
    if not plan.branch.at or plan.sampling.method != "grid":
        return 1
    count = plan.sampling.repeats * len(plan.sampling.seeds)
    return count * math.prod(size_of_axis(axis) for axis in plan.axes if axis.name in plan.branch.parameters)
