"""Searches: CMA-ES finds a small unsafe corner with a part of the cells that chance needs, and repeats."""

from __future__ import annotations

import importlib.util
import statistics

import numpy as np
import pytest

from dorosim.app.sweep.cell import CellRow
from dorosim.app.sweep.falsify import SearchedCells
from dorosim.app.sweep.plan import Axis, SamplingPlan, ScenarioEntry, SweepPlan

# it is not imported here: with scipy's statistics that takes a second, which each process of the tests would wait
pytestmark = pytest.mark.skipif(importlib.util.find_spec("cmaes") is None, reason="cmaes is not installed")

SIZE = 12
"""Values of each of three parameters: one cell of 1,728 is unsafe."""


def searched(seed: int, **changes) -> SearchedCells:
    axes = (
        Axis(name="ego", low=10, high=20, count=SIZE),
        Axis(name="other", low=8, high=16, count=SIZE),
        Axis(name="gap", low=10.4, high=43.4, count=SIZE),
    )
    sampling = SamplingPlan(method="cmaes", count=3000, seed=seed, **changes)
    entry = ScenarioEntry(name="a", file="a")
    return SearchedCells(SweepPlan(source="", text="", name="", scenarios=(entry,), axes=axes, sampling=sampling))


def margin(values: dict[str, str]) -> float:
    """The gap that is left as a car cuts in, with the signs and scales of examples/scenario/cut_in.xosc."""
    ego, other, gap = (float(values[name]) for name in ("ego", "other", "gap"))
    return 0.05 * (gap - 10.9) + 0.25 * (20.0 - ego) + 0.25 * (other - 8.0)


def search(source: SearchedCells, order: int = 1) -> list[tuple[str, ...]]:
    """The cells of a search; those of a generation are finished in an order."""
    found = []
    while not source.is_over:
        for cell in source.take(1000)[::order]:
            found.append(tuple(cell.values.values()))
            left = margin(cell.values)
            source.finish(cell.number, "fail" if left < 0 else "pass", left)
    return found


def test_a_corner_is_found_with_a_third_of_the_cells_that_chance_needs():
    needed = [len(search(searched(seed))) for seed in range(20)]
    chance = [int(np.random.default_rng(seed).geometric(1 / SIZE**3)) for seed in range(20)]
    assert statistics.median(needed) <= statistics.median(chance) / 3
    assert max(needed) < 3000


def test_the_order_in_which_cells_are_finished_does_not_count():
    ahead, back = searched(3), searched(3)
    assert sorted(search(ahead)) == sorted(search(back, -1))


def test_a_search_is_gone_on_with():
    whole = search(searched(5))
    first, rows = searched(5), []
    while len(rows) < len(whole) // 2:
        for cell in first.take(3):
            left = margin(cell.values)
            rows.append(CellRow(cell=cell, verdict="pass" if left >= 0 else "fail", why="", margin=left))
            first.finish(cell.number, rows[-1].verdict, left)
    again = searched(5)
    for row in rows:
        again.know(row)
    assert len(rows) + len(search(again)) == len(whole)


def test_broken_cells_are_passed_by_and_the_budget_ends():
    source = searched(1, population=7)
    count = 0
    while not source.is_over:
        for cell in source.take(1000):
            count += 1
            source.finish(cell.number, "broken", None)
    assert count == 3000
