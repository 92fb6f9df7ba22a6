"""Pause, resume and load map, in both APIs."""

import pytest

from dorosim.bridge.host import StartOrder
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
    stage.around.problem = "there is no such map"
    answer = stage.ask("LoadMap", map_name="nowhere")
    assert not answer.success
    assert "no such map" in answer.description
