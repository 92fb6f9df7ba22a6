"""Links, their neighbours and who is on them, in both APIs; and the files of the map."""

import base64
import gzip
import json
import time

import pytest

from dorosim.bridge.grpc.standard import road
from dorosim.ground.error import InputError
from dorosim.world.actor.command import CreateNamed
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import CreateVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlMode, Gear
from tests.bridge.grpc.stage import GrpcStage
from tests.road.small_map import network_of, straight

CAR = "2015_Kia_K5"
FORK = network_of(
    straight("A", "N0", "N1", (0, 0, 0), (100, 0, 0), left_lane_change_dst_link_idx="L", can_move_left_lane=True),
    straight("L", "M0", "M1", (0, 3.5, 0), (100, 3.5, 0), right_lane_change_dst_link_idx="A"),
    straight("B", "N1", "N2", (100, 0, 0), (200, 0, 0)),
    straight("C", "N1", "N3", (100, 0, 0), (180, 60, 0)),
)
SIDES = {1: "GetLeftLink", 2: "GetRightLink", 3: "GetFromLinks", 4: "GetToLinks"}


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage(FORK)


def neighbours(stage, api: str, side: int, link: str) -> list[str]:
    """Ids of the links on one side, asked of one of the APIs."""
    if api == "standard":
        return list(stage.ask("Map/GetNeighborLink", type=side, target_link_id={"value": link}).values)
    answer = stage.ask(SIDES[side], unique_id=link)
    found = [one.unique_id for one in answer.res_list] if side > 2 else [answer.unique_id] if answer.result else []
    assert answer.result == bool(found)
    return found


@pytest.mark.parametrize("api", ["documented", "standard"])
@pytest.mark.parametrize(
    ("side", "link", "expected"),
    [
        (1, "A", ["L"]),
        (1, "L", []),
        (2, "L", ["A"]),
        (2, "A", []),
        (3, "A", []),
        (3, "C", ["A"]),
        (4, "A", ["B", "C"]),
        (4, "B", []),
    ],
)
def test_a_link_has_neighbours(stage, api, side, link, expected):
    assert neighbours(stage, api, side, link) == expected


def test_links_before_and_behind_are_told_with_the_point_where_they_touch(stage):
    assert [one.index for one in stage.ask("GetToLinks", unique_id="A").res_list] == [0, 0]
    assert [one.index for one in stage.ask("GetFromLinks", unique_id="B").res_list] == [100]


def test_a_link_that_is_not_there_has_no_result(stage):
    for name in (*SIDES.values(), "GetVehiclesOnLink"):
        assert not stage.ask(name, unique_id="nowhere").result
    with pytest.raises(InputError, match="no link 'nowhere'"):
        stage.ask("Map/GetNeighborLink", type=1, target_link_id={"value": "nowhere"})
    with pytest.raises(InputError, match="no link 'nowhere'"):
        stage.ask("Map/GetVehiclesOnLink", id={"value": "nowhere"})
    with pytest.raises(InputError, match="use 1 LEFT, 2 RIGHT, 3 FROM, 4 TO"):
        stage.ask("Map/GetNeighborLink", target_link_id={"value": "A"})


def on_link(stage, link: str) -> list[str]:
    """Names of the vehicles on a link, for which both APIs must agree."""
    documented = stage.ask("GetVehiclesOnLink", unique_id=link)
    assert documented.result
    found = [one.unique_id for one in documented.res_list]
    values = stage.ask("Map/GetVehiclesOnLink", id={"value": link}).values
    assert [one.id.value for one in values] == found
    assert all(one.object_type == 1 for one in values)
    return found


def test_vehicles_of_every_kind_are_on_the_link_under_their_origin(stage):
    assert on_link(stage, "A") == []
    stage.apply(
        PlaceVehicle(EGO, (150.0, 0.2, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.D, ControlMode.AUTO),
        CreateVehicle(model=CAR, position=(50.0, 3.4, 0.0)),
        CreateNamed(CreateNpc(model=CAR, link=0, s=30.0), "mine", "me"),
        PlaceNpcGhost(7, CAR, (60.0, 0.1, 0.0), (0.0, 0.0, 0.0)),
        CreateNpc(model=CAR, link=3, s=50.0),
    )
    assert on_link(stage, "A") == ["mine", "7"]
    assert on_link(stage, "L") == ["2"]
    assert on_link(stage, "B") == ["Ego"]
    assert on_link(stage, "C") == ["5"]
    (mine, ghost) = stage.ask("Map/GetVehiclesOnLink", id={"value": "A"}).values
    assert (mine.client_key, ghost.client_key) == ("me", "")


def test_an_npc_vehicle_whose_front_is_on_the_next_link_is_still_on_the_one_before(stage):
    stage.apply(CreateNpc(model=CAR, link=0, s=99.0, way=(0, 2)))
    assert int(stage.now.traffic.link[0]) == 2
    assert on_link(stage, "A") == ["2"]
    assert on_link(stage, "B") == []


@pytest.mark.soak
def test_looking_for_vehicles_is_quick(stage):
    stage.apply(*(CreateNpc(model=CAR, link=link, s=float(s)) for link in (0, 1, 2) for s in range(5, 95, 8)))
    stage.ask("GetVehiclesOnLink", unique_id="A")
    took = []
    for _ in range(50):
        start = time.thread_time()
        stage.ask("GetVehiclesOnLink", unique_id="A")
        took.append(time.thread_time() - start)
    assert min(took) < 2e-3


def test_the_files_of_a_map_are_gzip_in_base64(stage, monkeypatch):
    stage.around.map_files = (("link_set.json", b"[1]"), ("node_set.json", json.dumps(["나"]).encode()))
    answer = stage.ask("Map/GetMGeo", value="town")
    assert stage.around.asked == [("mgeo", "town")]
    found = {one.filename: gzip.decompress(base64.b64decode(one.compressed_data)) for one in answer.objects}
    assert list(found.items()) == list(stage.around.map_files)
    later = time.time() + 3600.0
    monkeypatch.setattr(time, "time", lambda: later)
    assert stage.ask("Map/GetMGeo", value="town") == answer, "the hour must not change the bytes"


def test_no_name_means_the_present_map(stage):
    stage.ask("Map/GetMGeo")
    assert stage.around.asked == [("mgeo", "small")]
    stage.around.problem = "there is no such map"
    with pytest.raises(InputError, match="no such map"):
        stage.ask("Map/GetMGeo", value="nowhere")


def test_files_that_clients_would_not_take_are_not_sent(stage, monkeypatch):
    monkeypatch.setattr(road, "MAX_ANSWER_SIZE", 200)
    stage.around.map_files = (("a.json", b"[]"),)
    assert stage.ask("Map/GetMGeo").ByteSize() <= 200
    stage.around.map_files = (("a.json", b"[]"), ("b.json", b"[]"))
    with pytest.raises(InputError, match="do not fit"):
        stage.ask("Map/GetMGeo")
