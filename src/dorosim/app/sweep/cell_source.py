"""The cells that are still to be run: all of a plan in order, or those that a search asks for."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from dorosim.app.sweep.cell import Cell, CellRow
from dorosim.app.sweep.plan import SweepPlan
from dorosim.app.sweep.sampler import PlanCells


class CellSource(Protocol):
    """Gives cells, and takes what became of them.

    Attributes:
        total: how many there are; of a search, at most.
    """

    total: int

    def know(self, row: CellRow) -> None:
        """Take a cell that an earlier runner has finished."""

    def take(self, count: int) -> list[Cell]:
        """At most so many cells that are to be run now; none while results are waited for."""

    def finish(self, number: int, verdict: str, margin: float | None) -> None:
        """Take what became of a cell."""

    def give_back(self, cell: Cell) -> None:
        """Take back a cell that was not run."""

    @property
    def is_over(self) -> bool:
        """Whether no more cells come."""


class PlannedCells:
    """All cells of a plan, in order.

    Args:
        plan: whose method does not search.

    Raises:
        InputError: as of `PlanCells`.

    Attributes:
        total: how many there are.
    """

    def __init__(self, plan: SweepPlan) -> None:
        self._cells = PlanCells(plan)
        self.total = self._cells.total
        self._finished = bytearray(self.total)
        self._left = self.total
        self._next = 0
        self._back: deque[Cell] = deque()

    def know(self, row: CellRow) -> None:
        """Take a cell that an earlier runner has finished."""
        self.finish(row.cell.number, row.verdict, row.margin)

    def take(self, count: int) -> list[Cell]:
        """At most so many cells that are to be run now."""
        found: list[Cell] = []
        while self._back and len(found) < count:
            found.append(self._back.popleft())
        while self._next < self.total and len(found) < count:
            if not self._finished[self._next]:
                found.append(self._cells.cell(self._next))
            self._next += 1
        return found

    def finish(self, number: int, verdict: str, margin: float | None) -> None:  # noqa: ARG002
        """Take what became of a cell."""
        if number < self.total and not self._finished[number]:
            self._finished[number] = 1
            self._left -= 1

    def give_back(self, cell: Cell) -> None:
        """Take back a cell that was not run."""
        self._back.append(cell)

    @property
    def is_over(self) -> bool:
        """Whether all have been run."""
        return self._left == 0


def source_of(plan: SweepPlan) -> CellSource:
    """The cells of a plan.

    Raises:
        InputError: it has none or too many, or a library is missing.
    """
    if plan.sampling.method == "cmaes":
        from dorosim.app.sweep.falsify import SearchedCells

        return SearchedCells(plan)
    return PlannedCells(plan)
