"""Runs the plans of examples/sweeps, and writes what the documentation shows of them: `python -m tools.sweeps`.

- docs/sweeps/NAME.html: the report of each plan of the gallery, one file without the files of worst cells;
- docs/images/sweep-NAME.png: its upper part, where Chromium is installed;
- examples/sweeps/cut_in_grid.csv: verdict and margin of each cell of the grid in which searches are measured.

Names of plans can be given, such as `alks_like`; all are made else. It takes a quarter of an hour on two cores.
"""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from dorosim.app.sweep.cell import CellRow
from dorosim.app.sweep.plan_file import plan_from_file
from dorosim.app.sweep.report.page import page_of_sweep
from dorosim.app.sweep.report.report import read_table
from dorosim.app.sweep.report.summary import summary_of
from dorosim.app.sweep.report.table import SweepTable
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from dorosim.ground.cores import usable_cores

ROOT = Path(__file__).parents[1]
PLANS = ROOT / "examples" / "sweeps"
GALLERY = ("alks_like", "alks_cut_out", "alks_deceleration", "ncap_like", "ncap_pedestrian")
GRID = "cut_in_grid"
_WINDOW = "1240,1330"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def run_plan(name: str, folder: Path) -> SweepTable:
    """The cells of a plan of examples/sweeps.

    Args:
        name: of its file, without the ending.
        folder: for its sweep.

    Raises:
        InputError: the plan cannot be used.
    """
    plan, problems = plan_from_file(PLANS / f"{name}.toml")
    if plan is None:
        raise problems[0]
    run_sweep(plan, PLANS, SweepOptions(out=folder / name, workers=usable_cores(), resume=True))
    return read_table(folder / name)[1]


def grid_text(rows: Iterable[CellRow]) -> str:
    """The cells of a grid as CSV: values, verdict, and margin in full: rounded, searches would take other ways."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        if not out.tell():
            writer.writerow([*row.cell.values, "verdict", "margin"])
        writer.writerow([*row.cell.values.values(), row.verdict, "" if row.margin is None else repr(row.margin)])
    return out.getvalue()


def write_page(table: SweepTable, path: Path) -> None:
    """Write the report of a sweep, one page."""
    facts = summary_of(table, len(table.lines))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page_of_sweep(table, facts, Path("sweeps") / table.plan.name, {}))


def photograph(page: Path, picture: Path) -> bool:
    """Let Chromium make a picture of the upper part of a page. Returns whether there is one."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        return False
    words = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={_WINDOW}"]
    subprocess.run([*words, f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True, timeout=120)
    return True


def main(names: list[str]) -> None:
    """Make all, or what is named."""
    with tempfile.TemporaryDirectory() as folder:
        for name in names or [*GALLERY, GRID]:
            table = run_plan(name, Path(folder))
            if name == GRID:
                (PLANS / f"{GRID}.csv").write_text(grid_text(line.row for line in table.lines))
                continue
            page = ROOT / "docs" / "sweeps" / f"{table.plan.name}.html"
            write_page(table, page)
            if not photograph(page, ROOT / "docs" / "images" / f"sweep-{table.plan.name}.png"):
                print(f"no Chromium, so no picture of {page.name}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
