"""The family in which searches are measured: its full grid has one unsafe cell, which searches find soon.

examples/sweeps/cut_in_grid.csv has the verdict and the margin of each cell, as `python -m tools.sweeps cut_in_grid` has
measured them. A search on this grid asks for cells that are in the file; what it needs is counted without running them
again, and by the simulator in the soak.
"""

from __future__ import annotations

import csv
import random
import statistics
from dataclasses import replace

import pytest

from dorosim.app.sweep.cell_run import CellRunner
from dorosim.app.sweep.plan_file import plan_from_file
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from dorosim.app.sweep.sampler import PlanCells
from dorosim.app.sweep.sweep_folder import SweepFolder
from tests.source import ROOT

pytest.importorskip("cmaes", reason="cmaes is not installed")

from dorosim.app.sweep.falsify import SearchedCells

PLANS = ROOT / "examples/sweeps"
SEEDS = range(20)


@pytest.fixture(scope="module")
def grid():
    """The rows of the file by the values of their cells, in its order."""
    with (PLANS / "cut_in_grid.csv").open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    return {tuple(row[:3]): (row[3], float(row[4])) for row in rows}


@pytest.fixture(scope="module")
def grid_plan():
    return plan_from_file(PLANS / "cut_in_grid.toml")[0]


@pytest.fixture(scope="module")
def search_plan():
    return plan_from_file(PLANS / "cut_in_search.toml")[0]


def seeded(plan, seed):
    return replace(plan, sampling=replace(plan.sampling, seed=seed))


def search(plan, grid) -> int:
    """How many cells a search runs until it has found one that fails."""
    source = SearchedCells(plan)
    count = 0
    while not source.is_over:
        for cell in source.take(1000):
            count += 1
            source.finish(cell.number, *grid[tuple(cell.values.values())])
    assert source.is_over
    assert count < plan.sampling.count, "it was found"
    return count


def chance(grid, seed: int) -> int:
    """How many cells uniform random search needs, which takes none twice."""
    order = list(grid)
    random.Random(seed).shuffle(order)
    return 1 + next(number for number, values in enumerate(order) if grid[values][0] == "fail")


def test_at_most_one_cell_of_a_thousand_is_unsafe(grid, grid_plan):
    cells = PlanCells(grid_plan)
    assert [tuple(cells.cell(number).values.values()) for number in range(cells.total)] == list(grid)
    unsafe = [values for values, (verdict, _) in grid.items() if verdict == "fail"]
    assert unsafe == [("20", "8", "12")]
    assert len(unsafe) <= 0.001 * len(grid)


def test_the_file_is_what_the_simulator_says(grid, grid_plan):
    """The unsafe cell, the safe ones beside it, and some by chance."""
    cells, runner = PlanCells(grid_plan), CellRunner(grid_plan, PLANS, PLANS)
    number = {tuple(cells.cell(at).values.values()): at for at in range(cells.total)}
    sample = [("20", "8", "12"), ("19", "8", "12"), ("20", "9", "12"), ("20", "8", "15")]
    sample += random.Random(24).sample(list(grid), 6)
    for values in sample:
        row = runner.run(cells.cell(number[values]))
        verdict, margin = grid[values]
        assert (row.verdict, row.margin) == (verdict, pytest.approx(margin, abs=1e-6)), values


def test_a_search_needs_at_most_a_third_of_the_cells_that_chance_needs(grid, search_plan):
    assert search_plan.axes == plan_from_file(PLANS / "cut_in_grid.toml")[0].axes
    searched = [search(seeded(search_plan, seed), grid) for seed in SEEDS]
    drawn = [chance(grid, seed) for seed in SEEDS]
    medians = statistics.median(searched), statistics.median(drawn)
    print(f"cells until the unsafe one, medians of {len(SEEDS)}: {medians[0]} by search, {medians[1]} by chance")
    assert medians[0] <= medians[1] / 3


@pytest.mark.soak
def test_real_searches_run_the_cells_that_were_counted(grid, search_plan, tmp_path):
    for seed in SEEDS:
        plan, out = seeded(search_plan, seed), tmp_path / str(seed)
        run_sweep(plan, PLANS, SweepOptions(out=out, workers=2))
        rows = [line.row for line in SweepFolder(out).lines()]
        assert len(rows) == search(plan, grid)
        assert all((row.verdict, row.margin) == grid[tuple(row.cell.values.values())] for row in rows)
        assert sum(row.verdict == "fail" for row in rows) >= 1
