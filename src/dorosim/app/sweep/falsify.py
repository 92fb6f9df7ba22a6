"""Searches for the cell with the least margin, by CMA-ES (Hansen and Ostermeier, Evolutionary Computation 9, 2001).

The cells of a generation depend on the margins of those before, so that a generation is waited for; the order in which
its cells are finished does not count.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import numpy as np

from dorosim.app.sweep.cell import Cell, CellRow
from dorosim.app.sweep.density import value_at
from dorosim.app.sweep.plan import SweepPlan
from dorosim.app.sweep.plan_axis import size_of_axis
from dorosim.app.sweep.sampler import SWEEP_CURE, grid_value, text_of_axis
from dorosim.ground.error import InputError

_START_SPREAD = 0.3
"""Spread of the first generation, in parts of the range of each parameter."""
_MAX_STALE = 8
"""Generations without a smaller margin after which the search begins elsewhere."""
_UNKNOWN = 1e6
"""Margin of a cell that broke, or has none: it is not looked for."""


class SearchedCells:
    """The cells of a search.

    Args:
        plan: whose method is "cmaes".

    Raises:
        InputError: the library is not installed.

    Attributes:
        total: how many there are at most.
    """

    def __init__(self, plan: SweepPlan) -> None:
        try:
            import cmaes
        except ImportError:
            raise InputError("sampling.method", "", "cmaes needs a library that is missing", SWEEP_CURE) from None
        self._plan, self.total = plan, plan.sampling.count
        self._library: Any = cmaes
        self._restarts = 0
        self._search = self._new_search()
        self._known: dict[int, CellRow] = {}
        self._generation, self._made = -1, 0
        self._asked: dict[int, np.ndarray] = {}
        self._margins: dict[int, float] = {}
        self._open: deque[Cell] = deque()
        self._failed = False
        self._stale = 0
        self._least = math.inf

    def know(self, row: CellRow) -> None:
        """Take a cell that an earlier runner has finished."""
        self._known[row.cell.number] = row

    def take(self, count: int) -> list[Cell]:
        """At most so many cells of the present generation; those that are known already are not run again."""
        while not self._open and not self._asked and not self.is_over:
            self._ask()
        return [self._open.popleft() for _ in range(min(count, len(self._open)))]

    def finish(self, number: int, verdict: str, margin: float | None) -> None:
        """Take what became of a cell; the last one of a generation ends it."""
        if number not in self._asked or number in self._margins:
            return
        self._margins[number] = _UNKNOWN if margin is None or verdict == "broken" else margin
        self._failed |= verdict == "fail"
        if len(self._margins) < len(self._asked):
            return
        order = sorted(self._asked)
        pairs = [(self._asked[one], self._margins[one]) for one in order]
        least = min(self._margins.values())
        if len(order) == self._search.population_size:
            self._search.tell(pairs)
        self._stale = 0 if least < self._least - 1e-6 else self._stale + 1
        self._least = min(self._least, least)
        self._asked, self._margins = {}, {}
        if self._search.should_stop() or self._stale >= _MAX_STALE:
            self._restarts, self._stale, self._least = self._restarts + 1, 0, math.inf
            self._search = self._new_search()

    def give_back(self, cell: Cell) -> None:
        """Take back a cell that was not run."""
        self._open.appendleft(cell)

    @property
    def is_over(self) -> bool:
        """Whether the budget is spent, or a failure found where that ends the search."""
        found = self._failed and self._plan.sampling.stop_at_failure
        return not self._asked and (found or self._made >= self.total)

    def _ask(self) -> None:
        """Make the next generation."""
        self._generation += 1
        count = min(self._search.population_size, self.total - self._made)
        fresh = []
        for _ in range(count):
            point = self._search.ask()
            number, self._made = self._made, self._made + 1
            self._asked[number] = point
            fresh.append(self._cell(number, point))
        self._open.extend(cell for cell in fresh if cell.number not in self._known)
        for row in [self._known.pop(cell.number) for cell in fresh if cell.number in self._known]:
            self.finish(row.cell.number, row.verdict, row.margin)

    def _cell(self, number: int, point: np.ndarray) -> Cell:
        plan, values = self._plan, {}
        for axis, share in zip(plan.axes, point.tolist(), strict=False):
            if axis.step is None and axis.count is None:
                values[axis.name] = text_of_axis(axis, value_at(axis, axis.proposal, share))
            else:  # a search on a grid
                size = size_of_axis(axis)
                values[axis.name] = grid_value(axis, min(max(int(share * size), 0), size - 1))
        return Cell(
            number=number,
            scenario=number % len(plan.scenarios),
            values=values,
            seed=plan.sampling.seeds[0],
            generation=self._generation,
        )

    def _new_search(self) -> Any:
        """A search from a place drawn by chance; the first one begins in the middle."""
        width, seed = max(len(self._plan.axes), 2), self._plan.sampling.seed * 1000 + self._restarts
        chance = np.random.Generator(np.random.PCG64(seed))
        middle = np.full(width, 0.5) if not self._restarts else chance.random(width)
        return self._library.CMA(
            mean=middle,
            sigma=_START_SPREAD,
            bounds=np.array([[0.0, 1.0]] * width),
            seed=seed % 2**32,
            population_size=self._plan.sampling.population or None,
        )
