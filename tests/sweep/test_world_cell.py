"""Cells of scenarios of MORAI SIM and of environments of Gymnasium."""

from __future__ import annotations

import json

import pytest

from dorosim.app.sweep.again import run_again
from dorosim.app.sweep.cell_result import CellFiles
from dorosim.app.sweep.cell_run import CellRunner
from dorosim.app.sweep.plan_file import plan_from_tree
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from dorosim.app.sweep.sampler import PlanCells
from dorosim.ground.error import InputError
from tests.sweep.sweep_case import lines, rows_of

pytest.importorskip("gymnasium")

STACK = """
import numpy as np

class Full:
    def __call__(self, moment):
        return 1.0, 0.0, 0.0

def brake(observation):
    return np.array([-1.0, 0.0], np.float32)

def full(observation):
    return np.array([1.0, 0.3], np.float32)

def wrong(observation):
    return "left"

def left(observation):
    return 0

class Balance:
    def __call__(self, observation):
        return int(observation[2] + observation[3] > 0)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "stack.py").write_text(STACK)
    ego = {"initPosition": {"pos": {"x": 0.0, "y": 0.0, "z": 0.0}, "rot": {"yaw": 0.0}, "gear": 4}}
    (tmp_path / "place.json").write_text(json.dumps({"egoVehicle": ego, "vehicleList": []}))
    return tmp_path


def made(folder, **changes):
    return plan_from_tree({"name": "cells", "data": str(folder / "data"), "time_limit": 2.0} | changes, folder)


def morai(folder, **changes):
    usual = {
        "scenario": [{"file": "place.json"}],
        "map": "empty",
        "step": 0.02,
        "parameters": {"egoVehicle.initPosition.pos.x": {"values": [5, 50]}},
        "stack": {"function": "stack.py:Full"},
        "criteria": {"arrive": "58,0,8"},
        "measures": ["max_jerk"],
    }
    return made(folder, **(usual | changes))


def gym(folder, **changes):
    usual = {
        "scenario": [{"gym": "dorosim/Town-v0", "parameters": {"vehicles": 3, "start_speed": 6}}],
        "sampling": {"seeds": [3, 4]},
        "stack": {"function": "stack.py:brake"},
        "criteria": {"no_collision": True},
    }
    return made(folder, **(usual | changes))


def test_a_scenario_of_morai_is_driven_by_a_function_and_varied_at_a_place(folder):
    near, there = rows_of(morai(folder), folder)
    assert (near.verdict, there.verdict) == ("fail", "pass")
    assert near.digest != there.digest
    assert there.time == pytest.approx(2.0, abs=0.03)
    assert there.measures["max_jerk"] > 0.0
    assert there.criteria[0]["held"] is True


def test_settings_vary_too_and_what_is_none_breaks_its_cell(folder):
    weather = {"environment.weather": {"values": ["sunny", "snowy", "hot"]}}
    rows = rows_of(morai(folder, parameters=weather, criteria={}), folder)
    assert [one.verdict for one in rows] == ["pass", "pass", "broken"]
    assert rows[0].digest != rows[1].digest
    assert "hot" in rows[2].why
    (row,) = rows_of(morai(folder, parameters={"egoVehicle.initPosition.pos.w": {"values": [1]}}), folder)
    assert "egoVehicle.initPosition.pos.w: is not there; there are x, y, z" in row.why
    (row,) = rows_of(morai(folder, parameters={"egoVehicle.initPosition": {"values": [1]}}), folder)
    assert "is an object; name a value in it" in row.why


def test_a_cell_of_morai_is_recorded_and_replayed(folder):
    plan = morai(folder, step=0.05)
    row = CellRunner(plan, folder, folder).run(PlanCells(plan).cell(0), CellFiles(record=folder / "a.rec"))
    assert row == rows_of(plan, folder)[0]
    assert (folder / "a.rec").stat().st_size > 1000


def test_an_episode_is_driven_by_a_function_of_observations(folder):
    first, second = rows_of(gym(folder), folder)
    assert (first.verdict, second.verdict) == ("pass", "pass")
    assert first.digest != second.digest
    assert first.time == pytest.approx(2.0)
    assert first.measures["steps"] == 20.0
    terms = sum(value for name, value in first.measures.items() if name.startswith("reward_"))
    assert first.measures["return"] == pytest.approx(terms)
    assert first.why == "drove for 2 s; 2 criteria held"


def test_episodes_do_not_depend_on_those_before(folder):
    plan = gym(folder)
    runner, cells = CellRunner(plan, folder, folder), PlanCells(plan)
    rows = [runner.run(cells.cell(number)) for number in (1, 0, 1)]
    assert rows[0] == rows[2]
    assert rows[1] == rows_of(plan, folder)[0]


def test_rewards_are_held_against_limits(folder):
    reward = {"min_return": 1e6, "min_terms": {"comfort": -1e6, "nothing": 0}, "success": True}
    row = rows_of(gym(folder, reward=reward, time_limit=0.3), folder)[0]
    assert row.verdict == "fail"
    held = {one["title"]: one["held"] for one in row.criteria}
    assert held == {
        "no collision": True,
        "end of the episode": True,
        "success": False,
        "return": False,
        "sum of comfort": True,
        "sum of nothing": False,
    }
    assert row.margin < 0


def test_the_built_in_driver_drives_an_episode(folder):
    rows = rows_of(gym(folder, stack={"driver": "driver"}, sampling={"seeds": [3]}), folder)
    assert rows[0].verdict == "pass"
    assert rows[0].measures["reward_progress"] > 5.0


def test_actions_and_settings_that_are_none_break_their_cells(folder):
    (row, _) = rows_of(gym(folder, stack={"function": "stack.py:wrong"}), folder)
    assert row.verdict == "broken"
    assert "does not take the action" in row.why
    settings = {"rewards.collision": {"values": [-1]}, "wheels": {"values": [5]}}
    row = rows_of(gym(folder, parameters=settings), folder)[0]
    assert row.verdict == "broken"
    assert "wheels" in row.why


def test_environments_of_others_have_rewards_and_an_end(folder):
    plan = made(
        folder,
        scenario=[{"file": "gym:CartPole-v1"}],
        sampling={"seeds": [1, 2]},
        stack={"function": "stack.py:Balance"},
        reward={"min_return": 50},
    )
    rows = rows_of(plan, folder)
    assert [one.verdict for one in rows] == ["pass", "pass"]
    assert rows[0].measures["return"] == rows[0].measures["steps"] >= 50
    (row, _) = rows_of(
        made(
            folder, scenario=[{"gym": "CartPole-v1"}], sampling={"seeds": [1, 2]}, stack={"function": "stack.py:left"}
        ),
        folder,
    )
    assert row.verdict == "fail"
    assert "terminated" in row.why


def test_a_sweep_of_episodes_in_workers(folder):
    plan = made(
        folder,
        scenario=[{"gym": "CartPole-v1"}],
        sampling={"seeds": [1, 2, 3]},
        stack={"function": "stack.py:Balance"},
    )
    run_sweep(plan, folder, SweepOptions(out=folder / "out"))
    assert [line.row for line in lines(folder / "out")] == rows_of(plan, folder)
    assert run_again(folder / "out", 1, None, None)[1] is True


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scenario": [{"gym": "dorosim/Moon-v0"}]}, "scenario[0].gym: 'dorosim/Moon-v0'"),
        ({"scenario": [{"gym": "dorosim/Town-v0", "file": "place.json"}]}, "is given beside a file"),
        ({"scenario": [{"file": "nothing.json"}]}, "there is no such file"),
        ({"scenario": [{"file": "stack.json"}]}, "stack.json"),
        ({"stack": {"command": "true"}}, "is a program"),
        ({"stack": {"driver": "dynamics"}}, "'dynamics' does not drive environments of Gymnasium; use driver"),
        (
            {"branch": {"at": 1, "parameters": ["vehicles"]}, "parameters": {"vehicles": {"values": [1]}}},
            "is for .xosc",
        ),
        ({"criteria": {"no_lane_left": True}}, "needs roads of OpenSCENARIO"),
        ({"scenario": [{"file": "place.json"}], "reward": {"success": True}}, "the plan has none"),
        ({"reward": {"min_return": float("nan")}}, "reward.min_return"),
        ({"scenario": [{"file": "place.json"}, {"gym": "CartPole-v1"}]}, "scenarios of several kinds"),
    ],
)
def test_what_does_not_go_with_a_kind_of_scenario_is_said(folder, changes, said):
    (folder / "stack.json").write_text("[1")
    with pytest.raises(InputError) as caught:
        gym(folder, **changes)
    assert said in str(caught.value)
