"""Plans: all that is wrong with one is found at once; points of all methods."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.app.sweep.cell_source import PlannedCells
from dorosim.app.sweep.plan import METHODS
from dorosim.app.sweep.plan_file import plan_from_file, plan_from_text, plan_from_tree
from dorosim.app.sweep.sampler import PlanCells, shares
from dorosim.ground.error import InputError
from tests.app.command import dorosim
from tests.sweep.sweep_case import brake_file, plan, tree

WRONG = """
name = "x"
tme_limit = 3
[[scenario]]
file = "brake.xosc"
[[scenario]]
file = "missing.xosc"
[parameters.v]
from = 10
to = 1
[sampling]
method = "latin-hypercub"
count = 2.5
[stack]
driver = "me"
command = "a 'b"
[criteria]
min_ttc = -1.0
[limits]
wall_s = nan
"""


def test_all_problems_of_a_plan_are_named_with_line_and_cure(tmp_path):
    brake_file(tmp_path)
    found, problems = plan_from_text(WRONG, "plan.toml", tmp_path)
    assert found is None
    lines = {one.place.partition(":")[0]: one for one in problems}
    expected = {
        "line 3": "is not a known key",
        "line 7": "'missing.xosc'",
        "line 10": "1 is not more than 10",
        "line 12": "'latin-hypercub' is not known",
        "line 13": "2.5 is no whole number",
        "line 15": "'me' is not known",
        "line 16": "is no command",
        "line 18": "is not more than 0",
        "line 20": "nan is outside",
    }
    assert lines.keys() == expected.keys()
    for line, text in expected.items():
        assert text in lines[line].problem
        assert lines[line].cure


def test_a_name_of_a_parameter_is_held_against_the_file_whatever_else_is_wrong(tmp_path):
    brake_file(tmp_path)
    text = '[[scenario]]\nfile = "brake.xosc"\n[parameters.w]\nvalues = [1]\n[stack]\ndriver = "me"\n'
    _, problems = plan_from_text(text, "plan.toml", tmp_path)
    assert sorted(one.place for one in problems) == ["line 3: parameters.w", "line 6: stack.driver"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scenario": []}, "scenario: is missing"),
        ({"scenario": [{"gym": "dorosim/Lane-v0"}]}, "gym"),
        ({"scenario": [{"file": "town.json"}]}, "town.json.: there is no such file"),
        ({"parameters": {"w": {"values": [1]}}}, "is no parameter of"),
        ({"parameters": {"v": {"from": 0, "to": 1}}}, "is a range without steps"),
        ({"parameters": {}, "sampling": {"method": "sobol", "count": 4}}, "varies some"),
        ({"parameters": {"v": {"values": [1, 2]}}, "sampling": {"method": "cmaes", "count": 4}}, "needs ranges"),
        ({"parameters": {"v": {"from": 0, "to": 1e9, "step": 1}}}, "makes more than"),
        ({"stack": {"function": "missing.py:drive"}}, "is not there"),
        ({"stack": {"function": "a.py:f", "command": "b"}}, "names several stacks"),
        ({"stack": 3}, "write a table"),
        ({"measures": ["ttc"]}, "is not known"),
        ({"branch": {"at": 2.0}}, "no parameters"),
        ({"sampling": {"seeds": [-1]}}, "no whole numbers"),
    ],
)
def test_plans_that_cannot_be_used_are_refused(tmp_path, changes, said):
    with pytest.raises(InputError, match=said):
        plan_from_tree(tree(tmp_path, **changes), tmp_path)


def test_a_plan_is_no_toml_or_not_there(tmp_path):
    for name, content in (("none.toml", None), ("cut.toml", b"[a\n"), ("bytes.toml", b"\xff\xfe\x00")):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        found, problems = plan_from_file(tmp_path / name)
        assert found is None
        assert len(problems) == 1


def test_the_command_prints_every_problem(tmp_path):
    (tmp_path / "plan.toml").write_text(WRONG)
    result = dorosim("sweep", "check", tmp_path / "plan.toml")
    assert result.returncode == 1
    assert len(result.stdout.splitlines()) >= 9
    result = dorosim("sweep", tmp_path / "plan.toml", "--out", tmp_path / "out")
    assert result.returncode == 2
    assert "things are wrong, see above" in result.stderr
    assert not (tmp_path / "out").exists()


def values(made) -> list[str]:
    cells = PlanCells(made)
    return [cells.cell(number).values["v"] for number in range(cells.total)]


def test_grids_lists_seeds_and_repeats(tmp_path):
    assert values(plan(tmp_path)) == [str(one) for one in range(1, 11)]
    assert values(plan(tmp_path, parameters={"v": {"from": 0, "to": 1, "count": 3}})) == ["0", "0.5", "1"]
    made = plan(
        tmp_path, parameters={"v": {"values": [3, 1]}}, sampling={"method": "list", "seeds": [7, 8], "repeats": 2}
    )
    cells = PlanCells(made)
    found = [(one.values["v"], one.seed, one.repeat) for one in map(cells.cell, range(cells.total))]
    assert found == [(v, seed, repeat) for v in ("3", "1") for seed in (7, 8) for repeat in (0, 1)]


@pytest.mark.parametrize("method", ["random", "latin-hypercube", "sobol"])
def test_drawn_points_lie_in_the_range_and_repeat(tmp_path, method):
    if method == "sobol":
        pytest.importorskip("scipy", reason="scipy is not installed")
    changes = {"parameters": {"v": {"from": 2, "to": 4}}, "sampling": {"method": method, "count": 64, "seed": 3}}
    found = [float(one) for one in values(plan(tmp_path, **changes))]
    assert len(set(found)) == 64
    assert all(2 <= one <= 4 for one in found)
    assert found == [float(one) for one in values(plan(tmp_path, **changes))]
    changes["sampling"]["seed"] = 4
    assert found != [float(one) for one in values(plan(tmp_path, **changes))]


def test_every_row_and_column_of_a_latin_hypercube_has_one_point():
    found = shares("latin-hypercube", 50, 3, 1)
    assert all(sorted((column * 50).astype(int)) == list(range(50)) for column in found.T)


def test_sobol_points_fill_the_square_more_evenly_than_chance():
    qmc = pytest.importorskip("scipy.stats.qmc", reason="scipy is not installed")
    spread = {method: qmc.discrepancy(shares(method, 128, 2, 5)) for method in ("sobol", "random")}
    assert spread["sobol"] < 0.3 * spread["random"]


def test_importance_weights_make_the_mean_of_traffic(tmp_path):
    axis = {"from": 0, "to": 10, "nominal": {"distribution": "normal", "mean": 3, "deviation": 1}}
    made = plan(tmp_path, parameters={"v": axis}, sampling={"method": "importance", "count": 4000, "seed": 1})
    cells = [PlanCells(made).cell(number) for number in range(4000)]
    weight = np.array([one.weight for one in cells])
    value = np.array([float(one.values["v"]) for one in cells])
    assert math.isclose(weight.mean(), 1.0, abs_tol=0.06)
    assert math.isclose((weight * value).mean(), 3.0, abs_tol=0.2)
    # P(v > 6), three deviations above the mean
    assert 0.0005 < (weight * (value > 6)).mean() < 0.0025


def test_a_file_gives_its_own_variations(tmp_path):
    brake_file(tmp_path)
    (tmp_path / "speeds.xosc").write_text(
        """<OpenSCENARIO><FileHeader author="" date="2026-05-31T12:00:00" description="" revMajor="1" revMinor="3"/>
        <ParameterValueDistribution><ScenarioFile filepath="brake.xosc"/><Deterministic>
        <DeterministicSingleParameterDistribution parameterName="v"><DistributionSet>
        <Element value="5"/><Element value="20"/></DistributionSet></DeterministicSingleParameterDistribution>
        </Deterministic></ParameterValueDistribution></OpenSCENARIO>"""
    )
    made = plan(tmp_path, scenario=[{"file": "speeds.xosc"}], parameters={}, sampling={"method": "file"})
    assert values(made) == ["5", "20"]


def test_cells_are_taken_once_and_known_ones_are_not(tmp_path):
    source = PlannedCells(plan(tmp_path))
    source.finish(3, "pass", None)
    taken = source.take(4)
    assert [one.number for one in taken] == [0, 1, 2, 4]
    source.give_back(taken[1])
    assert [one.number for one in source.take(100)] == [1, 5, 6, 7, 8, 9]
    assert source.take(5) == []
    for number in range(10):
        assert not source.is_over
        source.finish(number, "pass", None)
    assert source.is_over


def test_all_methods_are_tried_here_or_in_the_search():
    assert set(METHODS) == {"grid", "list", "random", "latin-hypercube", "sobol", "importance", "file", "cmaes"}
