"""Chooses the values of cells: from lists, on grids, by chance, Latin hypercubes and Sobol sequences, or by a file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dorosim.app.run.scenario_case import cases_of
from dorosim.app.store.folder import data_folder
from dorosim.app.sweep.cell import Cell
from dorosim.app.sweep.density import density_at, value_at
from dorosim.app.sweep.plan import MAX_CELLS, Axis, SweepPlan
from dorosim.app.sweep.plan_axis import size_of_axis
from dorosim.app.sweep.plan_table import text_from_value
from dorosim.ground.column import FloatArray
from dorosim.ground.error import InputError

SWEEP_CURE = "install dorosim[sweep]"


class PointSet:
    """The values of cells of a plan, point by point.

    Args:
        plan: whose method is any but "cmaes".

    Raises:
        InputError: a file of distributions cannot be used, or a library is missing.
    """

    def __init__(self, plan: SweepPlan) -> None:
        self._plan = plan
        self._axes, method = plan.axes, plan.sampling.method
        self._shares: FloatArray | None = None
        self._files: list[list[tuple[str, dict[str, str]]]] = []
        if method == "grid":
            count = math.prod(map(size_of_axis, plan.axes))
        elif method == "list":
            count = len(plan.axes[0].values)
        elif method == "file":
            self._files = [list(_file_points(plan, number)) for number in range(len(plan.scenarios))]
            count = 0
        else:
            count = plan.sampling.count
            self._shares = shares(method, count, len(plan.axes), plan.sampling.seed)
        self.counts = [len(one) for one in self._files] or [count] * len(plan.scenarios)

    def point(self, scenario: int, number: int) -> tuple[str, dict[str, str], float]:
        """The file that runs, "" for that of the scenario, the values, and the weight of a point."""
        if self._files:
            source, values = self._files[scenario][number]
            return source, values, 1.0
        if self._shares is not None:
            return "", *self._drawn(self._shares[number])
        if self._plan.sampling.method == "list":
            return "", {axis.name: axis.values[number] for axis in self._axes}, 1.0
        values = {}
        for axis in reversed(self._axes):
            number, at = divmod(number, size_of_axis(axis))
            values[axis.name] = grid_value(axis, at)
        return "", dict(reversed(values.items())), 1.0

    def _drawn(self, shares: FloatArray) -> tuple[dict[str, str], float]:
        weighs = self._plan.sampling.method == "importance"
        values, weight = {}, 1.0
        for axis, share in zip(self._axes, shares.tolist(), strict=True):
            if axis.values:
                values[axis.name] = axis.values[min(int(share * len(axis.values)), len(axis.values) - 1)]
                continue
            value = value_at(axis, axis.proposal, share)
            values[axis.name] = text_of_axis(axis, value)
            if weighs:
                weight *= density_at(axis, axis.nominal, value) / density_at(axis, axis.proposal, value)
        return values, weight


def text_of_axis(axis: Axis, value: float) -> str:
    """A value of a range as a text."""
    return str(round(value)) if axis.whole else text_from_value(float(value))


def grid_value(axis: Axis, number: int) -> str:
    """A value of a grid on a parameter, as a text."""
    if axis.values:
        return axis.values[number]
    if axis.step is not None and axis.count is None:
        return text_of_axis(axis, axis.low + number * axis.step)
    count = size_of_axis(axis)
    return text_of_axis(axis, axis.low + (axis.high - axis.low) * (number / (count - 1) if count > 1 else 0.0))


def shares(method: str, count: int, width: int, seed: int) -> FloatArray:
    """Points of the unit cube.

    Args:
        method: "random", "importance", "latin-hypercube" or "sobol".
        count: points.
        width: parameters.
        seed: of chance.

    Returns:
        `(count, width)`, 0 to 1.

    Raises:
        InputError: the library of Sobol sequences is not installed.
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    if method == "latin-hypercube":
        rows = np.stack([chance.permutation(count) for _ in range(width)], axis=1)
        return np.asarray((rows + chance.random((count, width))) / count, np.float64)
    if method == "sobol":
        try:
            from scipy.stats import qmc
        except ImportError:
            raise InputError("sampling.method", "", "sobol needs scipy, which is not installed", SWEEP_CURE) from None
        points: Any = qmc.Sobol(width, scramble=True, rng=seed).random_base2(max(math.ceil(math.log2(count)), 0))
        return np.asarray(points[:count], np.float64)
    return chance.random((count, width))


def _file_points(plan: SweepPlan, scenario: int) -> Iterator[tuple[str, dict[str, str]]]:
    """What a file of distributions asks for; a scenario without them is one point."""
    entry = plan.scenarios[scenario]
    cases = cases_of(entry.file, data_folder(plan.data), plan.allow, {}, "", plan.sampling.seed)
    for number, case in enumerate(cases):
        if number >= MAX_CELLS:
            raise InputError(entry.file, "", f"asks for more than {MAX_CELLS:,} runs", "ask for fewer")
        yield ("" if case.source == entry.file else case.source), dict(case.values)


class PlanCells:
    """All cells of a plan that does not search.

    Args:
        plan: whose method is any but "cmaes".

    Raises:
        InputError: as of `PointSet`.

    Attributes:
        total: how many there are.
    """

    def __init__(self, plan: SweepPlan) -> None:
        self._plan, self._points = plan, PointSet(plan)
        self._each = len(plan.sampling.seeds) * plan.sampling.repeats
        self._ends = np.cumsum([count * self._each for count in self._points.counts]).tolist()
        self.total: int = self._ends[-1]
        if not 0 < self.total <= MAX_CELLS:
            problem = f"has {self.total:,} cells"
            raise InputError(plan.source, "", problem, f"let it have 1 to {MAX_CELLS:,}")

    def cell(self, number: int) -> Cell:
        """A cell by its number."""
        scenario = next(row for row, end in enumerate(self._ends) if number < end)
        within = number - (self._ends[scenario - 1] if scenario else 0)
        point, rest = divmod(within, self._each)
        seed, repeat = divmod(rest, self._plan.sampling.repeats)
        source, values, weight = self._points.point(scenario, point)
        return Cell(
            number=number,
            scenario=scenario,
            values=values,
            seed=self._plan.sampling.seeds[seed],
            repeat=repeat,
            weight=weight,
            source=source,
        )
