"""Pause, resume and load map, in both APIs."""

import pytest

from dorosim.bridge.host import SAME_MAP, StartOrder
from tests.bridge.grpc.stage import GrpcStage


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage()


@pytest.mark.parametrize(("pause", "resume"), [("Pause", "Resume"), ("Simulation/Pause", "Simulation/Resume")])
def test_the_run_pauses_and_goes_on(stage, pause, resume):
    assert "success" in str(stage.ask(pause)).lower() or stage.ask(pause).status == 1
    before = stage.now.time
    stage.ticks(3)
    assert stage.now.paused
    assert stage.now.time == before
    stage.ask(resume)
    stage.ticks(3)
    assert stage.now.time == before + 3 * stage.scene.tick


def test_a_map_is_loaded_by_its_name(stage):
    assert stage.ask("LoadMap", map_name="V_Extra_Scene,my_map", ego_name="2015_Kia_K5").success
    assert stage.around.asked == [("start", StartOrder(map_name="my_map", vehicle="2015_Kia_K5"))]
    assert stage.around.told == []
    stage.around.problem = "there is no such map"
    answer = stage.ask("LoadMap", map_name="nowhere")
    assert not answer.success
    assert "no such map" in answer.description


def test_another_vehicle_stands_for_one_that_is_not_there(stage):
    note = "there is no vehicle '2099_Kia_K5'; '2015_Kia_K5' stands for it"
    answer = stage.ask("LoadMap", map_name="my_map", ego_name="2099_Kia_K5")
    assert (answer.success, answer.description) == (True, f"my_map; {note}")
    assert stage.around.asked == [("start", StartOrder(map_name="my_map", vehicle="2015_Kia_K5"))]
    assert stage.around.told == [("stand-in", note, ())]
    chosen = {"map_name": "my_map", "ego_vehicle_model": "2099_Kia_K5"}
    answer = stage.ask("Simulation/Start", map_and_vehicle=chosen)
    assert (answer.status, answer.description) == (1, f"my_map; {note}")
    assert stage.around.asked[1] == stage.around.asked[0]
    assert len(stage.around.told) == 2


def test_clients_who_look_for_the_same_map_find_these_words_alone(stage, monkeypatch):
    monkeypatch.setattr(stage.around, "start", lambda _: SAME_MAP)
    answer = stage.ask("Simulation/Start", map_and_vehicle={"ego_vehicle_model": "2099_Kia_K5"})
    assert answer.description == SAME_MAP
    assert len(stage.around.told) == 1
