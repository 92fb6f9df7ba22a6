"""Cells whose ego vehicle a program or a container drives: it is started for each of them, and ended with all of it."""

from __future__ import annotations

import itertools
import os
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from dorosim.app.run.scenario_case import ScenarioCase
from dorosim.app.run.scenario_criteria import judge_of
from dorosim.app.run.scenario_interface import StackOptions
from dorosim.app.run.scenario_judged import JudgedRun, TickTaker, VerdictWatch
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_run import DEFAULT_STEP
from dorosim.app.run.scenario_suite import SuiteOptions, run_stack
from dorosim.app.run.scenario_trace import trace_of
from dorosim.app.store.folder import data_folder
from dorosim.app.sweep import supervisor
from dorosim.app.sweep.cell import Cell, CellRow, parameters_of
from dorosim.app.sweep.cell_result import CellFiles, row_of
from dorosim.app.sweep.marked import MARK
from dorosim.app.sweep.measure import CellMeasure, SharedSight
from dorosim.app.sweep.plan import SweepPlan
from dorosim.app.sweep.supervised import supervised
from dorosim.ground.run_folder import RUN_FOLDER_VARIABLE, run_folder
from dorosim.scenario.criterion.judge import VerdictWord

FOLDER_VARIABLE = "DOROSIM_CELL_FOLDER"
"""Variable that has the folder in which the stack of a cell may write."""
_NAME_VARIABLE = "DOROSIM_CELL_NAME"
_GUARD_KILLED = f"by signal {signal.SIGKILL.value}"
_STOP_PATIENCE_S = 5.0
_starts = itertools.count(1)


def run_program_cell(plan: SweepPlan, cell: Cell, folder: Path, files: CellFiles) -> CellRow:
    """Run a cell with its stack.

    Args:
        plan: of the sweep.
        cell: which.
        folder: of the sweep.
        files: what is written of the cell.

    Raises:
        InputError: it cannot run.
    """
    entry, stack, limits = plan.scenarios[cell.scenario], plan.stack, plan.limits
    given = cell.source or entry.file
    own = folder / "cells" / str(cell.number)
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    # a container keeps its name for a moment beyond its end, so that no two starts have the same one
    name = f"dorosim-{os.environ.get(MARK, 'sweep')}-{os.getpid()}.{next(_starts)}-{cell.number}"
    stop = _filled(stack.stop, own, name)
    data, values = data_folder(plan.data), dict(parameters_of(plan, cell))
    options = SuiteOptions(
        data=data,
        allow=(*plan.allow, Path(entry.file).parent),
        parameters=values,
        seed=cell.seed,
        step=plan.step,
        time_limit=plan.time_limit,
        map_name=plan.map_name,
        ego=stack.interface,
        ego_name=plan.ego_name,
        record=None if files.record is None else files.record.parent,
        stack=StackOptions(
            lockstep=stack.lockstep,
            ports="auto",
            command=_filled(stack.program, own, name),
            guard=supervised(memory_mib=limits.memory_mib, folder=own, disk_mib=limits.disk_mib, stop=stop),
            variables={
                FOLDER_VARIABLE: str(own),
                RUN_FOLDER_VARIABLE: str(run_folder()),
                "TMPDIR": str(own),
                _NAME_VARIABLE: name,
            },
        ),
    )
    ready = ready_scenario(
        given, data, options.allow, values, map_name=plan.map_name, ego=stack.interface, seed=cell.seed
    )
    judge, ego = judge_of(ready.program, plan.criteria.criteria(), plan.ego_name)
    sight = SharedSight(ready.program, ready.world(round(plan.step * 1e9) or DEFAULT_STEP).scene, ego)
    measure = CellMeasure(plan.measures if ego >= 0 else (), sight)
    trace = None if files.trace is None else trace_of(ready.program, files.trace)
    takers: tuple[TickTaker, ...] = (measure,) if trace is None else (measure, trace)
    case = ScenarioCase(given=given, source=given, parameters=values)
    try:
        run = run_stack(case, options, VerdictWatch(ready.program, judge, sight), takers, 0)
        if stop and run.why.endswith(_GUARD_KILLED):  # its supervisor, which would have stopped it
            _stop(stop)
    finally:
        if not plan.keep.folders:
            shutil.rmtree(own, ignore_errors=True)
    _name_limit(run, plan)
    if trace is not None:
        trace.write()
    if files.record is not None:
        for ending in (".rec", ".rec.timing"):
            with suppress(OSError):
                (files.record.parent / f"{Path(given).stem}{ending}").replace(files.record.with_suffix(ending))
    return row_of(cell, run, measure, digest=stack.lockstep and run.verdict is not VerdictWord.BROKEN)


def _filled(command: str, folder: Path, name: str) -> str:
    """A command with the names that stand in it for what each cell has of its own."""
    words = {"{folder}": str(folder), "{name}": name, "{python}": sys.executable, "{runs}": str(run_folder())}
    for word, value in words.items():
        command = command.replace(word, shlex.quote(value))
    return command


def _stop(command: str) -> None:
    """Run the command that ends a container, which is none of our descendants."""
    with suppress(OSError, subprocess.SubprocessError):
        words = shlex.split(command)
        subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=_STOP_PATIENCE_S, check=False)


def _name_limit(run: JudgedRun, plan: SweepPlan) -> None:
    """Say which limit a stack passed, where it did."""
    if run.verdict is not VerdictWord.BROKEN:
        return
    if run.why.endswith(f"status {supervisor.MEMORY_STATUS}"):
        run.why = f"the stack took more than {plan.limits.memory_mib} MiB of memory"
    elif run.why.endswith(f"status {supervisor.DISK_STATUS}"):
        run.why = f"the stack wrote more than {plan.limits.disk_mib} MiB to its folder"
