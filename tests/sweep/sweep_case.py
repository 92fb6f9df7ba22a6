"""A small scenario for sweeps, plans of it, and runs of these."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from dorosim.app.sweep.cell import CellLine, CellRow
from dorosim.app.sweep.cell_run import CellRunner
from dorosim.app.sweep.plan import SweepPlan
from dorosim.app.sweep.plan_file import plan_from_tree
from dorosim.app.sweep.sampler import PlanCells
from dorosim.app.sweep.sweep_folder import SweepFolder
from tests.loaded import COMMAND
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed

LIMIT = 4.5
"""Deceleration above which cells of `brake_file` fail [m/s2]."""


def brake_file(folder: Path, end: float = 0.6) -> Path:
    """A car brakes from v to a stop within a second."""
    text = file_text(event("stop", speed(0.0, "linear", over=1.0), TIME.format(time=0.1)), init=speed(1.25), end=end)
    text = text.replace('value="1.25"', 'value="$v"')
    declared = '<ParameterDeclarations><ParameterDeclaration name="v" parameterType="double" value="1"/>'
    path = folder / "brake.xosc"
    path.write_text(text.replace("<ParameterDeclarations/>", f"{declared}</ParameterDeclarations>"))
    return path


def tree(folder: Path, **changes: Any) -> dict[str, Any]:
    """A plan of ten cells, of which those from v = 5 on fail; tables that are given replace its own."""
    return {
        "name": "brake",
        "data": str(folder / "data"),
        "scenario": [{"file": str(brake_file(folder))}],
        "parameters": {"v": {"from": 1, "to": 10, "step": 1}},
        "stack": {"driver": "default"},
        "criteria": {"max_deceleration": LIMIT},
        "measures": ["max_deceleration"],
    } | changes


def plan(folder: Path, **changes: Any) -> SweepPlan:
    return plan_from_tree(tree(folder, **changes), folder)


def plan_file(folder: Path, **changes: Any) -> Path:
    path = folder / "plan.toml"
    path.write_text(json.dumps(tree(folder, **changes)))
    return path


def rows_of(made: SweepPlan, folder: Path) -> list[CellRow]:
    """All cells of a plan, run here."""
    cells, runner = PlanCells(made), CellRunner(made, folder, folder)
    return [runner.run(cells.cell(number)) for number in range(cells.total)]


def lines(folder: Path) -> list[CellLine]:
    """What the journals of a sweep have, by number."""
    return sorted(SweepFolder(folder).lines(), key=lambda line: line.row.cell.number)


def start(*arguments: str | Path, folder: Path) -> subprocess.Popen[str]:
    """Start `dorosim sweep` in a process of its own."""
    return subprocess.Popen(
        [*COMMAND, "sweep", *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
