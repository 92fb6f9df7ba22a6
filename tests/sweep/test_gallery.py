"""Families that the documentation shows: their plans are ready to run, and their reports are of these plans."""

from __future__ import annotations

import re

import pytest

from dorosim.app.sweep.cell_run import CellRunner
from dorosim.app.sweep.plan_file import plan_from_file
from dorosim.app.sweep.sampler import PlanCells
from tools.sweeps import GALLERY, PLANS, ROOT


@pytest.fixture(scope="module", params=GALLERY)
def family(request):
    """A plan, and its report."""
    plan, problems = plan_from_file(PLANS / f"{request.param}.toml")
    assert problems == []
    return plan, (ROOT / "docs/sweeps" / f"{plan.name}.html").read_text()


def test_the_report_has_all_cells_and_needs_nothing_else(family):
    plan, page = family
    total = PlanCells(plan).total
    assert f"{total:,} of {total:,} finished" in page
    assert "0 broken" in page
    assert not re.search(r"(src|href)=", page)
    assert len(page.encode()) < 200_000
    assert f"../sweeps/{plan.name}.html" in (ROOT / "docs/how-to/sweep-gallery.md").read_text()


def test_the_worst_cell_is_what_the_report_says(family):
    plan, page = family
    head, *others = re.findall(r"<tr>.*?</tr>", page.partition("<h2>Worst cells</h2>")[2])
    assert "margin" in head
    cells = [re.sub(r"<[^>]+>", "", one) for one in re.findall(r"<td>(.*?)</td>", others[0])]
    number = int(re.match(r"\S+ (\d+)", cells[0])[1])
    row = CellRunner(plan, PLANS, PLANS).run(PlanCells(plan).cell(number))
    assert (row.verdict, f"{row.margin:.4g}") == (cells[1], cells[2])


def test_families_fail_somewhere_and_not_everywhere():
    shares = {}
    for name in GALLERY:
        plan, _ = plan_from_file(PLANS / f"{name}.toml")
        page = (ROOT / "docs/sweeps" / f"{plan.name}.html").read_text()
        shares[name] = tuple(map(int, re.search(r"(\d+) pass, (\d+) fail, 0 broken", page).groups()))
    assert all(passed > 0 for passed, _ in shares.values())
    assert sum(failed > 0 for _, failed in shares.values()) >= 3
