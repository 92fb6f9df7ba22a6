"""Runs one cell of a sweep again."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.sweep.cell import Cell, CellRow
from dorosim.app.sweep.cell_result import CellFiles
from dorosim.app.sweep.cell_run import CellRunner
from dorosim.app.sweep.sampler import PlanCells
from dorosim.app.sweep.sweep_folder import SweepFolder
from dorosim.ground.error import InputError


def run_again(path: Path, number: int, record: Path | None, trace: Path | None) -> tuple[CellRow, bool | None]:
    """Run a cell again.

    Args:
        path: folder of the sweep.
        number: of the cell.
        record: file for a recording.
        trace: file for a trace.

    Returns:
        What becomes of it now, and whether that is the same as before; None where it has not been run before, or where
        its stack is free-running.

    Raises:
        InputError: there is no such cell.
    """
    folder = SweepFolder(path)
    plan = folder.plan()
    before = next((line.row for line in folder.lines() if line.row.cell.number == number), None)
    row = CellRunner(plan, folder.base, path.absolute()).run(
        before.cell if before is not None else _planned(folder, number), CellFiles(record=record, trace=trace)
    )
    if before is None or plan.stack.free_running:
        return row, None
    return row, (row.verdict, row.digest, row.measures) == (before.verdict, before.digest, before.measures)


def _planned(folder: SweepFolder, number: int) -> Cell:
    """A cell that was not run yet.

    Raises:
        InputError: the plan has none.
    """
    plan = folder.plan()
    if plan.sampling.method == "cmaes":
        raise InputError(f"cell {number}", "", "was not run", "give one that was")
    cells = PlanCells(plan)
    if not 0 <= number < cells.total:
        raise InputError(f"cell {number}", "", "is none of the plan", f"give 0 to {cells.total - 1}")
    return cells.cell(number)
