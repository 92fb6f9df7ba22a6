"""The cells of a sweep as columns; as CSV and Parquet. What runs took, and where, is a table apart."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dorosim.app.sweep.cell import Cell, CellLine
from dorosim.app.sweep.plan import SweepPlan
from dorosim.app.sweep.sampler import SWEEP_CURE
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import write_file

Columns = Mapping[str, Sequence[Any]]
PARAMETER = "parameter."
"""How names of columns of parameters begin."""
MEASURE = "measure."
WRITE_CURE = "see to the folder of the sweep"


class SweepTable:
    """The cells of a sweep that are finished, in the order of their numbers.

    Args:
        plan: of the sweep.
        lines: what became of its cells.

    Attributes:
        plan: of the sweep. lines: sorted by number. parameters, measures: names of those that any cell has.
    """

    def __init__(self, plan: SweepPlan, lines: Iterable[CellLine]) -> None:
        self.plan = plan
        self.lines = sorted(lines, key=lambda line: line.row.cell.number)
        names: dict[str, None] = {axis.name: None for axis in plan.axes}
        for line in self.lines:
            names.update(dict.fromkeys(line.row.cell.values))
        self.parameters = list(names)
        self.measures = list(plan.measures)

    def cells(self) -> dict[str, list[Any]]:
        """The columns that are the same for any number of workers."""
        plan, rows = self.plan, [line.row for line in self.lines]
        found: dict[str, list[Any]] = {
            "number": [row.cell.number for row in rows],
            "scenario": [plan.scenarios[row.cell.scenario].name for row in rows],
            "file": [row.cell.source or plan.scenarios[row.cell.scenario].file for row in rows],
        }
        for name in self.parameters:
            found[PARAMETER + name] = _typed([row.cell.values.get(name) for row in rows])
        found |= {
            "seed": [row.cell.seed for row in rows],
            "repeat": [row.cell.repeat for row in rows],
            "generation": [row.cell.generation for row in rows],
            "weight": [row.cell.weight for row in rows],
            "verdict": [row.verdict for row in rows],
            "why": [row.why for row in rows],
            "time_s": [row.time for row in rows],
            "margin": [row.margin for row in rows],
        }
        for name in self.measures:
            found[MEASURE + name] = [row.measures.get(name) for row in rows]
        found["digest"] = [row.digest for row in rows]
        found["branched"] = [row.branched for row in rows]
        found["free_running"] = [plan.stack.free_running] * len(rows)
        return found

    def work(self) -> dict[str, list[Any]]:
        """The columns that say what runs took, and where."""
        return {
            "number": [line.row.cell.number for line in self.lines],
            "wall_s": [line.work.wall for line in self.lines],
            "began": [line.work.began for line in self.lines],
            "host": [line.work.host for line in self.lines],
            "worker": [line.work.worker for line in self.lines],
            "attempts": [line.work.attempts for line in self.lines],
        }

    def counts(self) -> dict[str, int]:
        """How many cells have each verdict."""
        found = {"pass": 0, "fail": 0, "broken": 0}
        for line in self.lines:
            found[line.row.verdict] += 1
        return found

    def key(self, cell: Cell) -> tuple[object, ...]:
        """By what a cell is found in another sweep: scenario, values and seed."""
        return self.plan.scenarios[cell.scenario].name, tuple(sorted(cell.values.items())), cell.seed


def _typed(texts: Sequence[str | None]) -> list[Any]:
    """Values of a parameter as numbers, where all are."""
    try:
        return [None if one is None else float(one) for one in texts]
    except ValueError:
        return list(texts)


def write_csv(path: Path, columns: Columns) -> None:
    """Write columns as CSV.

    Raises:
        OutputError: the file cannot be written.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(columns)
    rows.writerows(zip(*columns.values(), strict=True))
    write_file(path, text.getvalue().encode(), WRITE_CURE)


def write_parquet(path: Path, columns: Columns) -> None:
    """Write columns as Parquet.

    Raises:
        InputError: the library is not installed.
        OutputError: the file cannot be written.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(str(path), "", "Parquet needs pyarrow, which is not installed", SWEEP_CURE) from None
    content = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({name: list(one) for name, one in columns.items()}), content)
    write_file(path, content.getvalue(), WRITE_CURE)
