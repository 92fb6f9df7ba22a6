"""A ghost is known by its sender's number on every interface where no actor has that number, else by its id."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from dorosim.bridge.npc import renamed_ghosts
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.bridge.view.spawn import ActorLister
from dorosim.bridge.view.telemetry import FigureReader
from dorosim.endpoint.ghost_ids import KIND, REPORT_INTERVAL, GhostIds
from dorosim.endpoint.journal import Journal
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.actor.label_command import SetLabel
from dorosim.world.actor.number import COOLING
from dorosim.world.obstacle.state import SpawnObstacle
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost, RemoveActor
from tests import packet
from tests.bridge.grpc.stage import GrpcStage
from tests.bridge.ros.stage import ROWS, RosStage

CAR = "2016_Hyundai_Ioniq"
ORIGIN = ((CAR, (0.0, 20.0, 0.0), 0.0),)


def ghost(alias: int, x: float = 20.0, y: float = 40.0) -> PlaceNpcGhost:
    return PlaceNpcGhost(alias, CAR, (x, y, 0.0), (0.0, 0.0, 0.0))


def send(stage: GrpcStage | RosStage, datagram: bytes) -> None:
    """Apply what a datagram asks for."""
    receiver = Receiver(DEFAULT_REVISION, stage.scene)
    _, message, _ = receiver.reader.read_limited(datagram, len(datagram))
    stage.apply(*receiver.commands(message, stage.now))


def on_udp(stage: GrpcStage | RosStage) -> dict[int, float]:
    """Where objects are, east, by their ids in Object Info."""
    data = Publisher(stage.scene, DEFAULT_REVISION, 0).builder("ObjectInfo")(stage.now)
    return {slot.id: slot.position[0] for slot in packet.object_slots(data)}


def on_ros(stage: RosStage) -> dict[int, float]:
    """The same on /Object_topic."""
    told = stage.told("objects")
    return {one.unique_id: one.position.x for one in (*told.npc_list, *told.pedestrian_list, *told.obstacle_list)}


def pairs(stage: RosStage) -> list[list[int]]:
    """Rows of the topic of ghosts that are known by their ids."""
    if ROWS["ghost_ids"].make(stage.situation) is None:
        return []
    told = stage.told("ghost_ids")
    assert [one.size for one in told.layout.dim] == [len(told.data) // 2, 2]
    return np.reshape(told.data, (-1, 2)).tolist()


@pytest.fixture
def ros() -> RosStage:
    return RosStage(egos=ORIGIN)


@pytest.fixture
def grpc() -> GrpcStage:
    return GrpcStage(egos=ORIGIN)


def test_a_number_that_is_free_is_told_on_udp_and_ros(ros):
    send(ros, packet.npc_ghosts((42, CAR, 20.0, 40.0, 0.0, 0.0), (-7, CAR, 50.0, 40.0, 0.0, 0.0)))
    assert ros.now.ghost.id.tolist() == [2, 3]
    assert on_udp(ros) == on_ros(ros) == {42: 20.0, -7: 50.0}
    assert pairs(ros) == []


def test_a_number_that_an_actor_has_is_not_told_but_the_pair_is(ros):
    ros.apply(SpawnObstacle(0, 1, (90.0, 40.0, 0.0)), SpawnObstacle(0, 1, (95.0, 40.0, 0.0)))
    ros.apply(ghost(3), ghost(EGO, 50.0))
    assert on_udp(ros) == on_ros(ros) == {2: 90.0, 3: 95.0, 4: 20.0, 5: 50.0}
    assert pairs(ros) == [[3, 4], [1, 5]]


def test_of_one_message_only_those_are_renamed_whose_numbers_are_taken(ros):
    send(ros, packet.npc_ghosts(*((n, CAR, 20.0 * n, 40.0, 0.0, 0.0) for n in range(1, 6))))
    assert on_udp(ros) == on_ros(ros) == {2: 40.0, 3: 60.0, 4: 80.0, 5: 100.0, 6: 20.0}
    assert pairs(ros) == [[1, 6]]


def test_nobody_gets_the_number_of_a_ghost_as_long_as_it_is_there(ros):
    ros.apply(ghost(4))
    ros.apply(*(SpawnObstacle(0, 1, (60.0 + n, 40.0, 0.0)) for n in range(4)))
    assert ros.now.obstacles.state.id.tolist() == [3, 5, 6, 7]
    assert on_udp(ros) == on_ros(ros) == {4: 20.0, 3: 60.0, 5: 61.0, 6: 62.0, 7: 63.0}
    ros.apply(RemoveActor(2), ghost(9, 30.0))
    ros.apply(RemoveActor(8))
    ros.apply(*(SpawnObstacle(0, 1, (80.0 + n, 40.0, 0.0)) for n in range(2)))
    assert ros.now.obstacles.state.id.tolist()[4:] == [10, 11], "9 was told of until just now"
    assert set(on_udp(ros)) == {3, 5, 6, 7, 10, 11}
    for _ in range(COOLING // ros.scene.tick + 1):
        ros.tick()
    ros.apply(SpawnObstacle(0, 1, (90.0, 40.0, 0.0)))
    assert set(on_udp(ros)) == {3, 5, 6, 7, 10, 11, 2}, "the smallest that was free for 10 s"
    assert set(on_ros(ros)) == {3, 5, 6, 7, 10, 11, 12}, "ids do not come again"


def test_a_ghost_keeps_its_number_for_its_whole_life(ros):
    ros.apply(SpawnObstacle(0, 1, (90.0, 40.0, 0.0)))
    ros.apply(ghost(2), ghost(30, 50.0))
    ros.apply(RemoveActor(2))
    ros.apply(ghost(2, 21.0), ghost(30, 51.0))
    assert on_udp(ros) == on_ros(ros) == {3: 21.0, 30: 51.0}, "it was told of as 3 when 2 was somebody's"
    ros.apply(RemoveActor(3))
    ros.apply(ghost(2, 22.0))
    assert on_ros(ros) == {2: 22.0, 30: 51.0}, "a new one of this number is told of by it"


def test_a_number_that_udp_has_no_room_for_is_told_on_ros(ros):
    ros.apply(ghost(70_000))
    assert on_ros(ros) == {70_000: 20.0}
    assert on_udp(ros) == {2: 20.0}


def test_services_of_ros_take_the_number(ros):
    ros.apply(ghost(42))
    assert ros.call("vehicle_spec", unique_id=42).wheel_base > 2.0


def test_grpc_and_the_page_name_a_ghost_by_its_number(grpc):
    grpc.apply(ghost(42), CreateNpc(model=CAR, link=0, s=60.0))
    states = grpc.situation.names
    assert (states.text_of(2), states.text_of(3)) == ("42", "3")
    assert (states.actor_of("42"), states.actor_of("2"), states.actor_of("3")) == (2, 2, 3)
    assert FigureReader(grpc.scene).read(grpc.now, 2).name == "42"
    assert [line.text.split(" · ")[0] for line in ActorLister(grpc.scene).near(grpc.now, EGO)] == ["42", "3"]


def test_a_name_that_a_client_chose_goes_before_a_number(grpc):
    grpc.apply(CreateNpc(model=CAR, link=0, s=60.0))
    grpc.apply(SetLabel(2, "42", "me"), ghost(42))
    names = grpc.situation.names
    assert (names.actor_of("42"), names.text_of(2)) == (2, "42")
    assert (names.actor_of("id 42"), names.text_of(3)) == (3, "id 42")
    refused = grpc.tick(SetLabel(2, "3", "me"), paused=True)
    assert "is the name of another one" in refused.refusals[0]


def test_the_journal_tells_of_each_pair_once(ros):
    lines: list[str] = []
    journal = Journal(lines.append)
    teller = GhostIds(journal, ros.scene.tick)
    ros.apply(*(SpawnObstacle(0, 1, (90.0 + n, 40.0, 0.0)) for n in range(30)))
    for n in range(2, 32):
        teller(ros.tick(ghost(n, 10.0 * n)), ())
    for _ in range(2 * REPORT_INTERVAL // ros.scene.tick):
        teller(ros.tick(), ())
    assert journal.counts[KIND] == 30
    told = [part.split(" as ") for line in lines for part in line.rpartition(": ")[2].split(", ")]
    assert [(int(alias), int(actor)) for alias, actor in told] == [(n, n + 30) for n in range(2, 32)]
    assert len(lines) == 3, "one at once, the others together after a second, 20 in a line"


def test_the_table_is_as_clients_of_object_info_read_it(ros):
    """The bytes at the documented offset (facts/udp-wire.md, 3.4)."""
    ros.apply(ghost(-128))
    data = Publisher(ros.scene, DEFAULT_REVISION, 0).builder("ObjectInfo")(ros.now)
    assert struct.unpack_from("<2h", data, 38) == (-128, 1)


def test_a_number_beyond_all_ids_is_told_to_nobody():
    """A bag that is replayed keeps its ghosts apart by such numbers, which are no sender's."""
    stage = GrpcStage(egos=ORIGIN)
    stage.apply(ghost(1 << 40))
    assert stage.now.ghost.is_told.tolist() == [0]
    assert renamed_ghosts(stage.now) == ()


def test_a_program_that_sends_back_what_it_reads_makes_no_new_ghosts(ros):
    """It reads of a ghost by the id under which it is told, and sends that as its own number."""
    send(ros, packet.npc_ghosts((EGO, CAR, 20.0, 40.0, 0.0, 0.0)))
    ((_, told),) = pairs(ros)
    for step in range(1, 6):
        send(ros, packet.npc_ghosts((told, CAR, 20.0 + step, 40.0, 0.0, 0.0)))
        assert on_udp(ros) == on_ros(ros) == {told: 20.0 + step}
    send(ros, packet.npc_ghosts((EGO, CAR, 50.0, 40.0, 0.0, 0.0)))
    assert on_udp(ros) == {told: 50.0}, "its first number is still known"
    send(ros, packet.npc_ghosts((77, CAR, 60.0, 40.0, 0.0, 0.0)))
    assert on_udp(ros) == {told: 50.0, 77: 60.0}
