"""Cells of scenarios that are no files of OpenSCENARIO: those of MORAI SIM, and environments of Gymnasium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dorosim.app.sweep.cell import Cell, CellRow
from dorosim.app.sweep.cell_result import CellFiles, row_of
from dorosim.app.sweep.gym_cell import GymCells
from dorosim.app.sweep.morai_cell import run_morai_cell
from dorosim.app.sweep.plan import GYM, SweepPlan


class WorldCells:
    """Runs such cells, one after the other.

    Args:
        plan: of the sweep. data: the data folder. function: that drives, None for none.
    """

    def __init__(self, plan: SweepPlan, data: Path, function: Any) -> None:
        self._plan, self._data, self._function = plan, data, function
        self._gym = GymCells(plan, function)

    def run(self, cell: Cell, files: CellFiles) -> CellRow:
        """Run a cell.

        Args:
            cell: which.
            files: what is written of it; a trace is not.

        Raises:
            InputError: it cannot run.
            StackFaultError: the function breaks.
        """
        if self._plan.scenarios[cell.scenario].kind == GYM:
            return self._gym.run(cell, files)
        run, measure = run_morai_cell(self._plan, cell, self._data, self._function, files)
        return row_of(cell, run, measure)
