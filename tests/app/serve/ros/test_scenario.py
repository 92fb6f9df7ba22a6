"""A file of OpenSCENARIO that a ROS client names begins a run, on the map of the file."""

from __future__ import annotations

import pytest

from tests.app.program import until
from tests.app.serve.ros.program import RosProgram
from tests.scenario.openscenario.morai_text import CAR, entity, file_text, map_name, start, write_small_map

PLACE = '<LanePosition roadId="0" laneId="-2" s="10"/>'


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A program on the village, with a scenario of another map and a broken one in its data folder."""
    made = RosProgram(tmp_path_factory.mktemp("ros"), map="village")
    write_small_map(made.data / "Map" / "Two_Lanes")
    text = file_text(entity("Ego", CAR), start("Ego", PLACE, 5.0), more=map_name("Two Lanes"), end=600.0)
    (made.data / "Scenario" / "drive.xosc").write_text(text)
    (made.data / "Scenario" / "again.xosc").write_text(text)
    (made.data / "Scenario" / "broken.xosc").write_text(text.replace('entityRef="Ego"', 'entityRef="Nobody"'))
    yield made
    made.close()


def plays(program: RosProgram) -> str:
    """The scenario that the present run plays, "" for none."""
    kept = program.current.session.start.ready.storyboard
    return "" if kept is None else kept.source


def test_a_name_that_cannot_be_played_changes_nothing(program):
    number = program.current.number
    for name in ("broken.xosc", "none.xosc", "../drive.xosc"):
        assert program.call("/Service_MoraiSL", file_name=name, delete_all=True).result is False, name
    assert (plays(program), program.current.number) == ("", number)


def test_a_service_begins_a_run_with_a_scenario_on_its_map(program):
    assert program.call("/Service_MoraiSL", file_name="drive.xosc", delete_all=True).result is True
    until(lambda: plays(program).endswith("drive.xosc"))
    assert program.service_host.runs.map_name == "Two_Lanes"
    until(lambda: program.now.tick > 20)
    assert program.now.vehicle.x[0] == pytest.approx(10.0 + 5.0 * program.now.time * 1e-9, abs=2.0)


def test_a_topic_does_the_same(program):
    number = program.current.number
    message = program.registry.make("morai_msgs/ScenarioLoad", file_name="again.xosc", delete_all=True)
    program.hub.receive("/ScenarioLoad", message, "test")
    until(lambda: plays(program).endswith("again.xosc"))
    assert program.current.number > number
    until(lambda: program.now.tick > 20)
