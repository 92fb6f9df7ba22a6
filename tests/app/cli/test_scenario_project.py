"""A project of MORAI SIM stands for the scenario in it: `dorosim scenario check`, `show` and `run`."""

from __future__ import annotations

import json

import pytest

from dorosim.app.store.project import scenarios_of_project
from tests.app.command import dorosim
from tests.scenario.openscenario.morai_text import CAR, entity, file_text, start, write_small_map
from tests.scenario.project_sensor import sensor
from tests.shared import shared

PLACE = '<LanePosition roadId="0" laneId="-2" s="10"/>'


@pytest.fixture
def project(tmp_path):
    """A project with two scenarios, a camera, and the name of its map."""
    (tmp_path / "Map").mkdir()
    (tmp_path / "Scenario").mkdir()
    write_small_map(tmp_path / "Map" / "Two_Lanes")
    for name, end in (("one", 1.0), ("two", 2.0)):
        text = file_text(entity("Car_1", CAR), start("Car_1", PLACE, 10.0), end=end)
        (tmp_path / "Scenario" / f"{name}.xosc").write_text(text)
    listed = [{"name": name, "path": f"{name}.xosc"} for name in ("one", "two")]
    whole = {"map": {"name": "Two Lanes"}, "scenarioList": listed, "sensorList": [sensor()]}
    path = tmp_path / "Scenario" / "a.mproj"
    path.write_text(json.dumps(whole))
    return path


def test_a_scenario_of_a_project_runs_on_its_map(project):
    for name, end in (("one", "1.00"), ("two", "2.00")):
        result = dorosim("scenario", "run", f"{project}::{name}", "--data", str(project.parents[1]))
        assert result.returncode == 0, result.stderr
        assert f"({end} s, {project}::{name})" in result.stdout
    result = dorosim("scenario", "run", str(project), "--data", str(project.parents[1]))
    assert result.stdout.endswith("2 runs: 2 pass\n")


def test_one_of_several_scenarios_has_to_be_named(project):
    result = dorosim("scenario", "check", str(project))
    assert result.returncode == 2
    assert "it has the scenarios 'one', 'two'; name one: a.mproj::NAME" in result.stderr
    result = dorosim("scenario", "check", f"{project}::three")
    assert "there is no scenario 'three' in it" in result.stderr
    data = project.parents[1]
    assert scenarios_of_project(str(project), data) == [f"{project}::one", f"{project}::two"]
    assert scenarios_of_project("a.mproj::one", data) == ["a.mproj::one"]
    assert scenarios_of_project("b.xosc", data) == ["b.xosc"]


def test_a_map_that_is_not_there_is_noted(project):
    result = dorosim("scenario", "check", f"{project}::one")
    assert result.returncode == 0
    assert "its map is 'Two Lanes': there is no such map" in result.stdout
    assert "its map" not in dorosim("scenario", "check", f"{project}::one", "--data", str(project.parents[1])).stdout


def test_its_sensors_are_shown(project):
    result = dorosim("scenario", "show", "a.mproj::one", "--data", str(project.parents[1]))
    assert "1: camera on ego 1, 50 Hz, at (1.6, 0, 1.5) m" in result.stdout


def test_its_scenarios_lie_in_its_folder(project):
    whole = json.loads(project.read_text())
    whole["scenarioList"] = [{"name": "out", "path": "../../out.xosc"}]
    project.write_text(json.dumps(whole))
    result = dorosim("scenario", "run", str(project))
    assert result.returncode == 2
    assert "leads out of the folders" in result.stdout


def test_the_project_that_morai_sim_saved(tmp_path):
    folder = shared("openscenario/morai/LaneFollow")
    (tmp_path / "Map").mkdir()
    (tmp_path / "Map" / "Sangam_Track").symlink_to(shared("maps/Sangam_Track"))
    file = str(folder / "LaneFollow Project.mproj")
    result = dorosim("scenario", "check", file, "--data", str(tmp_path))
    assert result.returncode == 0
    assert "interface 'Vehicle Info with Wheel': 'Vehicle Info with wheel' of Car_1 is not sent" in result.stdout
    result = dorosim("scenario", "run", file, "--data", str(tmp_path), "--time-limit", "1", "--json")
    # it has no end of its own
    assert (result.returncode, json.loads(result.stdout)["verdict"]) == (1, "broken")
