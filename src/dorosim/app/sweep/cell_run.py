"""Runs a cell in this process, to its verdict and its measures."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import msgspec

from dorosim.app.run.scenario_criteria import judge_of
from dorosim.app.run.scenario_judged import TickTaker, VerdictWatch, run_judged
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_record import TickRecorder, recorded
from dorosim.app.run.scenario_run import RunTick, quick_ticks, tick_of, world_ticks
from dorosim.app.store.folder import data_folder
from dorosim.app.sweep.branch import BranchError, Branches
from dorosim.app.sweep.cell import Cell, CellRow, broken_row, parameters_of
from dorosim.app.sweep.cell_result import CellFiles, row_of
from dorosim.app.sweep.cell_scene import CellScene
from dorosim.app.sweep.function_stack import (
    StackFaultError,
    command_from_pedals,
    drive_with,
    driver_of,
    fault_of,
    function_of,
)
from dorosim.app.sweep.measure import CellMeasure, SharedSight
from dorosim.app.sweep.plan import OPENSCENARIO, SweepPlan
from dorosim.app.sweep.world_cell import WorldCells
from dorosim.ground.error import InputError, one_line
from dorosim.ground.noise import Noise
from dorosim.world.command import Command
from dorosim.world.step import step

Ticks = Iterator[tuple[RunTick, Sequence[Command]]]
"""Ticks of a run, with the commands of each."""
_BY_FUNCTION = "grpc"
"""Mover of an ego vehicle that a function drives: that of a program."""


class CellRunner:
    """Runs cells of a plan one after the other.

    Args:
        plan: of the sweep. base: folder of the files that it names. folder: for what stacks write.
    """

    def __init__(self, plan: SweepPlan, base: Path, folder: Path) -> None:
        self._plan, self._base, self._folder = plan, base, folder
        self._criteria = plan.criteria.criteria()
        self._data = data_folder(plan.data)
        self._function = function_of(plan.stack.function, base) if plan.stack.function else None
        self._worlds = WorldCells(plan, self._data, self._function)
        self._branches = Branches(plan, self.scene, self.ticks) if plan.branch.at else None

    def run(self, cell: Cell, files: CellFiles | None = None) -> CellRow:
        """Run a cell, from the end of its beginning where it shares that with others.

        Whatever it raises makes it broken, but for a full disk and what is wrong with the plan.

        Args:
            cell: which.
            files: what is written of it; a cell of which something is written is run in full.

        Raises:
            OSError: the disk is full.
            BranchError: what the plan says of its branches is not so.
        """
        try:
            if self._plan.stack.program:
                from dorosim.app.sweep.program_stack import run_program_cell

                return run_program_cell(self._plan, cell, self._folder, files or CellFiles())
            if self._plan.scenarios[cell.scenario].kind != OPENSCENARIO:
                return self._worlds.run(cell, files or CellFiles())
            if self._branches is not None and files is None:
                scene, branched = self._branches.scene(cell)
            else:
                scene, branched = self.scene(cell), False
            quick = files is None and scene.drive is None
            ticks = self._quick_ticks(scene) if quick else self.ticks(scene)
            row = self.finish(cell, scene, ticks, files or CellFiles())
            return msgspec.structs.replace(row, branched=True) if branched else row
        except BranchError:
            raise
        except InputError as error:
            return broken_row(cell, str(error))
        except StackFaultError as error:
            return broken_row(cell, str(error))
        except (OSError, MemoryError) as error:
            if isinstance(error, OSError) and is_full(error):
                raise
            return broken_row(cell, f"{type(error).__name__}: {one_line(str(error))}")
        except Exception as error:
            return broken_row(cell, fault_of(error))

    def scene(self, cell: Cell) -> CellScene:
        """A cell at its start.

        Raises:
            InputError: it cannot run.
        """
        plan = self._plan
        allow = (*plan.allow, Path(plan.scenarios[cell.scenario].file).parent) if cell.source else plan.allow
        ready = ready_scenario(
            cell.source or plan.scenarios[cell.scenario].file,
            self._data,
            allow,
            parameters_of(plan, cell),
            map_name=plan.map_name,
            ego=_BY_FUNCTION if self._function is not None else plan.stack.driver,
            ego_name=plan.ego_name,
            seed=cell.seed,
        )
        judge, ego = judge_of(ready.program, self._criteria, plan.ego_name)
        world = ready.world(round(plan.step * 1e9))
        sight = SharedSight(ready.program, world.scene, ego)
        return CellScene(
            ready=ready,
            world=world,
            watch=VerdictWatch(ready.program, judge, sight),
            measure=CellMeasure(plan.measures if ego >= 0 else (), sight),
            sight=sight,
            ego=ego,
            drive=None if self._function is None else driver_of(self._function),
        )

    def ticks(self, scene: CellScene) -> Ticks:
        """The ticks of a cell, with the commands of each; without the first one where that was seen already."""
        noise, limit = Noise(scene.ready.seed), self._plan.time_limit
        if scene.drive is None:
            found: Ticks = ((tick, ()) for tick in world_ticks(scene.world, noise, limit))
        else:
            found = driven_ticks(scene, noise, limit)
        return islice(found, 1, None) if scene.begun else found

    def _quick_ticks(self, scene: CellScene) -> Ticks:
        """Those ticks of a cell at which Python has to look; as `ticks`."""
        tracks = (scene.measure.track, scene.watch.track)
        found = quick_ticks(scene.world, Noise(scene.ready.seed), self._plan.time_limit, tracks)
        return islice(((tick, ()) for tick in found), 1 if scene.begun else 0, None)

    def finish(self, cell: Cell, scene: CellScene, ticks: Ticks, files: CellFiles) -> CellRow:
        """Run a cell to its end.

        Args:
            cell: which.
            scene: where it stands.
            ticks: those to come.
            files: what is written of it.

        Raises:
            InputError: a file cannot be written.
        """
        from dorosim.app.run.scenario_trace import trace_of

        trace = None if files.trace is None else trace_of(scene.ready.program, files.trace)
        takers: list[TickTaker] = [scene.measure] if trace is None else [scene.measure, trace]
        with recorded(files.record, scene.ready, scene.world) as recorder:
            shown = _recorded(ticks, recorder)
            run = run_judged(scene.watch, shown, self._plan.time_limit, takers)
        if trace is not None:
            trace.write()
        return row_of(cell, run, scene.measure)


def _recorded(ticks: Ticks, recorder: TickRecorder | None) -> Iterator[RunTick]:
    """The same ticks; each is recorded, where they are."""
    for tick, commands in ticks:
        if recorder is not None:
            recorder.add(tick, commands)
        yield tick


def driven_ticks(scene: CellScene, noise: Noise, time_limit: float) -> Ticks:
    """The ticks of a cell whose ego vehicle a function drives: it sees the end of a tick and acts in the next one.

    Raises:
        StackFaultError: the function raises an error, or returns no pedals.
    """
    assert scene.drive is not None
    now, world = scene.world.first, scene.world.scene
    yield tick_of(now, now.time - now.storyboard.started), ()
    time, limit = now.time - now.storyboard.started, time_limit * 1e9
    while not now.storyboard_report.ended and time < limit:
        moment = scene.sight.moment(now, now.time - now.storyboard.started)
        actor = int(now.storyboard.entity.actor[scene.ego]) if scene.ego >= 0 else 0
        commands: tuple[Command, ...] = ()
        if moment.ego is not None and actor > 0:
            commands = (command_from_pedals(actor, drive_with(scene.drive, moment)),)
        now = step(world, now, commands, noise)
        yield tick_of(now, time), commands
        time += world.tick


def is_full(error: OSError) -> bool:
    """Whether nothing more can be written."""
    import errno

    return error.errno in (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def quiet_output() -> Iterator[int]:
    """Standard output as a descriptor of its own; what else is printed goes to standard error.

    Yields:
        The descriptor.
    """
    sys.stdout.flush()
    own = os.dup(1)
    os.dup2(2, 1)
    try:
        yield own
    finally:
        os.close(own)
