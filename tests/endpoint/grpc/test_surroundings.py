"""Procedures that both APIs have, and failures without a place in the answer, over a real connection."""

import grpc
import pytest

from tests.endpoint.grpc.peer import served
from tests.world.world import town_scene


@pytest.fixture(scope="module")
def peer(tmp_path_factory):
    with served(tmp_path_factory.mktemp("run")) as found:
        yield found


def test_a_light_is_set_through_either_api_and_any_package(peer):
    light = {"tl_id": "TL000000", "tl_color": "R"}
    for package in (None, "anybody.Service"):
        assert peer.ask("SetTrafficLightState", package, req_list=[light]).res_list[0].result
    told = peer.ask("Infrastructure/GetTrafficLightInfo", type=2, value="TL000000")
    assert told.color == 1
    info = {"id": {"value": "TL000000"}, "color": "TL_COLOR_SG"}
    assert peer.ask("Infrastructure/SetTrafficLightState", info=info).status == 1
    assert peer.ask("GetTrafficLightInfoByUid", "anybody.Service", unique_id="TL000000").tl_color == 16


def test_a_spawn_point_of_one_api_is_switched_by_the_other(peer):
    common = {"object_info": {"id": {"value": "gate"}, "client_key": "me"}, "location": {}, "pause": True}
    start = {"id": {"value": town_scene().network.link_ids[0]}}
    made = peer.ask("Scenario/CreateVehicleSpawnPoint", spawn_point_info=common, config={"start_link_info": start})
    assert (made.status, made.custom_message) == (1, "gate")
    assert peer.ask("EnableSpawnPoint", "x.Y", req_list=[{"unique_id": "gate", "is_active": True}]).res_list[0].result
    assert peer.loop.now.spawn.vehicle.enabled.tolist() == [1]


def test_what_has_no_place_in_an_answer_is_the_status_of_the_call(peer):
    with pytest.raises(grpc.RpcError) as caught:
        peer.ask("Map/GetNeighborLink", type=1, target_link_id={"value": "nowhere"})
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "no link 'nowhere'" in caught.value.details()
