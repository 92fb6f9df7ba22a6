"""Branches: cells that share a beginning come to the rows that they have when they are run in full."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from dorosim.app.sweep.again import run_again
from dorosim.app.sweep.branch import BranchError, branch_groups
from dorosim.app.sweep.cell_run import CellRunner
from dorosim.app.sweep.plan import BranchPlan
from dorosim.app.sweep.plan_file import plan_from_tree
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from dorosim.app.sweep.sampler import PlanCells
from dorosim.app.sweep.worker_host import SweepPauseError
from dorosim.ground.error import InputError
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.sweep.sweep_case import lines, plan, rows_of

STREET = Path(__file__).parents[2] / "examples/scenario"
DRIVER = """
import threading

class Careful:
    def __init__(self):
        self.seen = 0
    def __call__(self, moment):
        self.seen += 1
        return (0.3, 0.0, 0.0) if self.seen < 60 else (0.0, 0.4, 0.01)

class Holds(Careful):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()
"""


def stop_file(folder: Path) -> Path:
    """A car has the speed v, and brakes from `when` on, within `over`."""
    text = file_text(event("stop", speed(0.0, "linear", over=9.25), TIME.format(time=7.25)), init=speed(1.25), end=0.6)
    for value, name in (("9.25", "over"), ("7.25", "when"), ("1.25", "v")):
        text = text.replace(f'value="{value}"', f'value="${name}"')
    declared = "".join(
        f'<ParameterDeclaration name="{name}" parameterType="double" value="{value}"/>'
        for name, value in (("v", 5), ("when", 0.2), ("over", 1))
    )
    path = folder / "stop.xosc"
    path.write_text(
        text.replace("<ParameterDeclarations/>", f"<ParameterDeclarations>{declared}</ParameterDeclarations>")
    )
    return path


def stop_plan(folder, **changes):
    parameters = {"v": {"values": [3, 6]}, "when": {"values": [0.3, 0.4]}, "over": {"from": 0.5, "to": 2, "count": 5}}
    branch = {"at": 0.2, "parameters": ["when", "over"]}
    usual = {"scenario": [{"file": str(stop_file(folder))}], "parameters": parameters, "branch": branch}
    return plan(folder, **(usual | changes))


def street_plan(folder, **changes):
    """A lead vehicle brakes after two seconds; who follows it is driven."""
    tree = {
        "scenario": [{"file": str(STREET / "slow_lead.xosc")}],
        "parameters": {"Gap": {"values": [12, 30]}, "LeadDeceleration": {"values": [2, 5, 8]}},
        "criteria": {"no_collision": True, "min_ttc": 1.0},
        "measures": ["min_ttc", "min_distance", "max_jerk", "min_pet"],
        "branch": {"at": 2.0, "parameters": ["LeadDeceleration"]},
        "time_limit": 4,
    }
    return plan_from_tree(tree | changes, folder)


def full(made, folder):
    """The same cells, run in full."""
    return rows_of(replace(made, branch=BranchPlan()), folder)


def unmarked(rows):
    """Rows that do not say how they were run."""
    return [msgspec.structs.replace(one, branched=False) for one in rows]


def test_rows_are_those_of_cells_run_in_full(tmp_path):
    made = stop_plan(tmp_path)
    branched, whole = rows_of(made, tmp_path), full(made, tmp_path)
    assert all(one.branched for one in branched)
    assert not any(one.branched for one in whole)
    assert unmarked(branched) == whole
    assert {one.verdict for one in whole} == {"pass", "fail"}
    assert len({one.digest for one in whole}) == len(whole)


@pytest.mark.parametrize("stack", [{"driver": "driver"}, {"driver": "dynamics"}, {"function": "drive.py:Careful"}])
def test_drivers_and_measures_go_on_where_the_beginning_ends(tmp_path, stack):
    (tmp_path / "drive.py").write_text(DRIVER)
    made = street_plan(tmp_path, stack=stack)
    branched, whole = rows_of(made, tmp_path), full(made, tmp_path)
    assert all(one.branched for one in branched)
    assert unmarked(branched) == whole
    assert len({one.digest for one in whole}) >= 4


def test_a_driver_without_a_copy_and_runs_that_end_before_are_run_in_full(tmp_path):
    (tmp_path / "drive.py").write_text(DRIVER)
    made = street_plan(tmp_path, stack={"function": "drive.py:Holds"})
    made = replace(made, axes=(replace(made.axes[0], values=("30",)), replace(made.axes[1], values=("2", "8"))))
    rows = rows_of(made, tmp_path)
    assert [one.branched for one in rows] == [False] * 2
    assert rows == full(made, tmp_path)
    late = {"v": {"values": [3]}, "when": {"values": [5, 6]}}
    made = stop_plan(tmp_path, parameters=late, branch={"at": 2.0, "parameters": ["when"]})
    assert [one.branched for one in rows_of(made, tmp_path)] == [False] * 2


def test_a_plan_that_is_wrong_about_its_branches_is_told_so(tmp_path):
    made = stop_plan(tmp_path, branch={"at": 0.35, "parameters": ["when", "over"]})
    with pytest.raises(
        BranchError, match=r"differ in when, over only are not the same after 0.35 s; let at be earlier"
    ):
        CellRunner(made, tmp_path, tmp_path).run(PlanCells(made).cell(3))
    if sys.platform.startswith("linux"):
        with pytest.raises(SweepPauseError, match="are not the same after"):
            run_sweep(made, tmp_path, SweepOptions(out=tmp_path / "out"))
        assert lines(tmp_path / "out") == []


def test_a_parameter_of_the_start_gives_each_cell_a_beginning_of_its_own(tmp_path):
    """That is found for every cell, also where the two that are tried are alike."""
    parameters = {"when": {"values": [0.3]}, "v": {"values": [3, 6, 3]}}
    made = stop_plan(tmp_path, parameters=parameters, branch={"at": 0.2, "parameters": ["v"]})
    rows = rows_of(made, tmp_path)
    assert [one.branched for one in rows] == [True, False, True]
    assert unmarked(rows) == full(made, tmp_path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")
def test_a_sweep_of_branches_has_the_rows_of_full_runs(tmp_path):
    made = stop_plan(tmp_path)
    assert branch_groups(made) == 10
    run_sweep(made, tmp_path, SweepOptions(out=tmp_path / "out"))
    rows = [line.row for line in lines(tmp_path / "out")]
    assert all(one.branched for one in rows)
    assert unmarked(rows) == full(made, tmp_path)
    row, same = run_again(tmp_path / "out", 7, None, None)
    assert same is True
    assert not row.branched


def test_beginnings_are_run_once_for_each_group(tmp_path, monkeypatch):
    made = stop_plan(tmp_path, sampling={"seeds": [1, 2]})
    runner, cells = CellRunner(made, tmp_path, tmp_path), PlanCells(made)
    starts = []
    scene = runner.scene

    def counted(cell):
        starts.append(cell.number)
        return scene(cell)

    monkeypatch.setattr(runner._branches, "_scene_of", counted)
    for number in range(cells.total):
        runner.run(cells.cell(number))
    assert cells.total == 40
    assert branch_groups(made) == 20
    assert starts.count(-1) == 2 * 2 + 1  # speeds times seeds, and one that is tried


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"branch": {"at": 0.2, "parameters": ["v"]}}, "line 1: branch.parameters: are not the last ones"),
        ({"branch": {"at": 0.2, "parameters": ["nobody"]}}, "'nobody' does not vary; those that do are v, when, over"),
        ({"branch": {"at": 60.0, "parameters": ["over"]}}, "60 s is the end of a run"),
        ({"branch": {"at": 0.2}}, "has no moment or no parameters"),
        ({"branch": {"at": float("nan"), "parameters": ["over"]}}, "outside 0 to"),
        ({"stack": {"command": "true"}}, "a program as stack"),
        (
            {
                "sampling": {"method": "random", "count": 5},
                "parameters": {"v": {"from": 1, "to": 2}, "over": {"from": 1, "to": 2}},
                "branch": {"at": 0.2, "parameters": ["over"]},
            },
            "draws v anew for each cell",
        ),
    ],
)
def test_what_is_wrong_with_branches_of_a_plan(tmp_path, changes, said):
    with pytest.raises(InputError) as caught:
        stop_plan(tmp_path, **changes)
    assert said.removeprefix("line 1: ") in str(caught.value)
