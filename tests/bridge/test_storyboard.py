"""Start, stop and values of a storyboard, as gRPC, UDP and ROS ask for them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dorosim.bridge.answer import Refusal
from dorosim.bridge.ros.catalogue import offer
from dorosim.bridge.storyboard import status_of, value_from_text
from dorosim.bridge.udp.receive import MEANINGS
from dorosim.wire.ros.registry import registry_of
from dorosim.wire.udp.simulator import UserDefinedValue
from dorosim.world.actor.command import PauseRun
from dorosim.world.storyboard.advance import begin_storyboard
from dorosim.world.storyboard.command import SetUserDefinedValue, StopStoryboard
from dorosim.world.storyboard.state import NEVER
from tests.bridge.grpc.stage import GrpcStage
from tests.scenario.openscenario.storyboard_text import file_text
from tests.scenario.openscenario.world_run import scene_with


@pytest.fixture
def stage():
    """A small world in which a storyboard of 3 s goes on."""
    made = GrpcStage()
    made.scene = replace(made.scene, storyboard=scene_with(file_text("")).storyboard)
    made.now = begin_storyboard(made.scene, made.now, made.noise)
    return made


def answer_of(stage, name, **fields):
    return json.loads(stage.ask(name, **fields).msg)


def test_start_begins_the_run_again_and_lets_time_pass(stage):
    assert answer_of(stage, "Start", cmd_start=True) == {"success": True, "description": "it begins"}
    stage.ticks(10)
    assert answer_of(stage, "Start", cmd_start=True)["description"] == "it begins again"
    assert stage.around.asked == [("restart", (PauseRun(paused=False),))] * 2


def test_start_says_why_it_cannot(stage):
    stage.around.problem = "the run is over"
    answer = answer_of(stage, "Start", cmd_start=True)
    assert (answer["success"], "the run is over" in answer["description"]) == (False, True)


def test_stop_ends_the_storyboard(stage):
    stage.ticks(10)
    assert stage.now.storyboard.ended == NEVER
    assert answer_of(stage, "Stop", cmd_start=True) == {"success": True, "description": "it has ended at 0.10 s"}
    assert stage.now.storyboard.ended == 100_000_000
    # it is over, and stays so
    assert answer_of(stage, "Stop", cmd_start=True)["success"]
    assert stage.ticks(5).storyboard.ended == 100_000_000


@pytest.mark.parametrize("name", ["Start", "Stop"])
def test_without_the_command_it_is_told_how_the_storyboard_does(stage, name):
    stage.ticks(10)
    answer = answer_of(stage, name, cmd_start=False)
    assert (answer["success"], answer["description"].split("; ")[1]) == (False, "it goes on at 0.10 s")
    assert stage.now.storyboard.ended == NEVER
    assert stage.around.asked == []


def test_how_a_storyboard_does_in_words(stage):
    assert status_of(stage.now) == "it goes on at 0.00 s"
    assert status_of(stage.tick(PauseRun(paused=True))) == "it is paused at 0.00 s"
    stage.tick(PauseRun(paused=False))
    assert status_of(stage.ticks(310)) == "it has ended at 3.00 s"
    assert status_of(GrpcStage().now) == ""


def test_values_come_by_a_message_of_grpc(stage):
    assert stage.ask("Simulation/SendMessage", message="userDefinedValue mode = sport").status == 1
    assert stage.now.storyboard.outside_values() == {"mode": "sport"}
    assert stage.ask("Simulation/SendMessage", message="userDefinedValue mode").status == 0
    assert stage.ask("Simulation/SendMessage", message="mode=city").status == 1
    assert stage.now.storyboard.outside_values() == {"mode": "sport"}
    assert stage.around.told == [("message 0", "mode=city", ())]


def test_values_without_a_storyboard_are_refused():
    answer = GrpcStage().ask("Simulation/SendMessage", message="userDefinedValue mode=sport")
    assert (answer.status, "no storyboard runs" in answer.description) == (0, True)


def test_values_come_by_a_datagram():
    answers = MEANINGS[UserDefinedValue](UserDefinedValue(name="mode ", value=" 2.5"), None)
    assert tuple(answers) == (SetUserDefinedValue("mode", "2.5"),)


def test_values_come_by_a_topic(stage):
    registry = registry_of("2024")
    (row,) = [row for row in offer(registry, {}).subscribed if row.topic == "/UserDefinedValue"]
    answers = row.meaning(registry.make("std_msgs/String", data="mode=2.5"), None)
    assert tuple(answers) == (SetUserDefinedValue("mode", "2.5"),)
    (refusal,) = row.meaning(registry.make("std_msgs/String", data="mode"), None)
    assert refusal == Refusal("'mode' is not of the form NAME=VALUE")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a=b", ("a", "b")),
        (" a b = c = d ", ("a b", "c = d")),
        ("userDefinedValue a=", ("a", "")),
        ("=b", None),
        ("a", None),
        ("", None),
    ],
)
def test_values_as_texts(text, value):
    found = value_from_text(text)
    assert (None if found is None else (found.name, found.value)) == value


def test_a_stopped_storyboard_is_refused_where_there_is_none():
    assert GrpcStage().tick(StopStoryboard()).refusals == (
        "StopStoryboard: no storyboard runs; start a scenario first",
    )
