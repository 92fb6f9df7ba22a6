"""What public clients do with vehicles, over a real socket in a running town (facts/ros-grpc-mgeo.md, 2.3 and 7)."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tests.endpoint.grpc.peer import Peer, served
from tests.timing import wait_for

CAR = "2016_Hyundai_Ioniq"
EGO = {"id": {"value": "Ego"}, "object_type": "OBJECT_TYPE_VEHICLE", "client_key": "a client"}


@pytest.fixture
def slow_peer(tmp_path) -> Iterator[Peer]:
    """A town in which a vehicle is on its lane for half a minute, however late its next request comes."""
    with served(tmp_path, speed=0.2) as made:
        yield made


@pytest.fixture
def peer(tmp_path) -> Iterator[Peer]:
    with served(tmp_path, speed=10.0) as made:
        yield made


def place_of(peer: Peer, link: str, s: float) -> dict:
    """A transform on a lane."""
    network = peer.loop.scene.network
    pose = network.pose_at(network.link_index(link), s)
    x, y, z = pose.point[0].tolist()
    return {"location": {"x": x, "y": y, "z": z}, "rotation": {"z": float(pose.heading[0]) * 57.29577951308232}}


def test_a_client_places_the_ego_and_lets_it_cruise_while_it_polls(peer):
    where = place_of(peer, "_11_0_R1_", 20.0)
    assert peer.ask("Actor/SetTransform", actor_info=EGO, transform=where).status == 1
    assert peer.ask("Actor/SetVehicleControlMode", actor_info=EGO, mode="VEHICLE_CONTROL_CRUISE_MODE").status == 1

    def speed() -> float:
        (state,) = peer.ask("Actor/GetAllActorsState", vehicle=True).states
        assert state.actor_info.id.value == "Ego"
        return state.velocity.x

    wait_for(lambda: speed() > 15.0)


def test_a_client_spawns_routes_and_destroys_by_its_key(slow_peer):
    peer = slow_peer
    network = peer.loop.scene.network
    first = network.link_index("_11_0_R1_")
    second = network.link_ids[int(network.successors.of(first)[0])]
    names = []
    for number, s in enumerate((15.0, 45.0, 75.0)):
        info = {"model_name": CAR, "transform": place_of(peer, "_11_0_R1_", s), "actor_info": {"client_key": "me"}}
        names.append(peer.ask("Actor/SpawnVehicle", spawn_info=info, velocity=20.0 + number).custom_message)
    assert len(set(names)) == 3
    links = [{"id": {"value": "_11_0_R1_"}}, {"id": {"value": second}}]
    answer = peer.ask("Actor/SetVehicleRoute", actor_info={"id": {"value": names[0]}}, links=links)
    assert answer.status == 1, answer.description

    def goal() -> object:
        return peer.ask("Actor/GetActorState", id={"value": names[0]}).vehicle_state

    wait_for(lambda: goal().remaining_distance > 0.0)
    assert peer.ask("Actor/DestroyAllActors", value="me").status == 1
    assert [one.actor_info.id.value for one in peer.ask("Actor/GetAllActorsState", vehicle=True).states] == ["Ego"]


def test_many_clients_ask_at_once(peer):
    answers: list[int] = []

    def ask() -> None:
        for number in range(20):
            name = "Actor/SetVehicleTailLight" if number % 2 else "Actor/GetActorState"
            fields = {"actor_info": EGO, "signal": number % 4} if number % 2 else {"id": {"value": "Ego"}}
            peer.ask(name, **fields)
            answers.append(number)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert len(answers) == 160
    assert not peer.told
