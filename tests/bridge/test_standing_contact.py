"""What stands is reported by each interface: type 2, the place of the contact, an id that no actor has."""

from __future__ import annotations

import pytest

from dorosim.bridge.udp.publish import Publisher
from dorosim.endpoint.view.watch import RunWatch
from dorosim.wire.udp.code import ObjectType
from dorosim.wire.udp.revision import REVISIONS
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.bridge.grpc.stage import GrpcStage
from tests.bridge.ros.stage import EPOCH, RosStage
from tests.world.collision.standing import scenery_of
from tests.world.world import CAR, street

WALLS = [(500.0, 0.0, 0.0, 1.0, 1.0), (105.0, 0.0, 0.3, 0.4, 6.0), (200.0, 7.0, 0.0, 2.0, 2.0)]


@pytest.fixture(scope="module")
def stage() -> RosStage:
    """The ego vehicle has run into the second wall, and a ghost stands in the third."""
    scene = street()
    stage = RosStage(
        scene.network, generation="26.r1", egos=((CAR, (100.0, 0.0, 0.0), 0.0),), scenery=scenery_of(WALLS)
    )
    stage.apply(
        PlaceVehicle(EGO, (100.0, 0.0, 0.0), (0.0, 0.0, 0.0), 9.0, Gear.D),
        DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.5),
        PlaceNpcGhost(7, CAR, (200.0, 7.0, 0.0), (0.0, 0.0, 0.0)),
    )
    stage.ticks(18)
    assert {-2, -3} <= set(stage.now.contact.second_id.tolist())
    return stage


def test_udp(stage):
    publisher = Publisher(stage.scene, REVISIONS["26.R1"], EPOCH)
    (slot,) = publisher.collision_data(stage.now).collisions
    assert (slot.obj_type, slot.obj_id) == (ObjectType.OBJECT, -2)
    assert slot.position[0] == pytest.approx(104.8, abs=0.5)
    (pair,) = publisher.npc_collision_data(stage.now).pairs
    types = {pair.obj_type_1: pair.obj_id_1, pair.obj_type_2: pair.obj_id_2}
    assert types[ObjectType.OBJECT] == -3
    assert set(types) == {ObjectType.OBJECT, ObjectType.VEHICLE}


def test_ros(stage):
    (one,) = stage.told("collision").collision_object
    assert (one.unique_id, one.type, one.name) == (-2, 2, "sign")
    contact = stage.now.contact
    row = contact.second_id.tolist().index(-2)
    assert (one.position.x, one.position.y) == pytest.approx((contact.x[row], contact.y[row]), abs=1e-3)
    assert (one.size.x, one.size.y, one.size.z) == pytest.approx((0.4, 6.0, 3.0))
    ((first, second),) = [one.crashed_vehicles for one in stage.told("npc_collision").collisions]
    assert {first.type, second.type} == {1, 2}


def test_grpc_lists_its_id():
    walled = GrpcStage(street().network, egos=((CAR, (100.0, 0.0, 0.0), 0.0),), scenery=scenery_of(WALLS))
    walled.apply(
        PlaceVehicle(EGO, (100.0, 0.0, 0.0), (0.0, 0.0, 0.0), 9.0, Gear.D), DriveVehicle(EGO, ControlKind.PEDALS)
    )
    walled.ticks(20)
    (ego,) = walled.ask("Actor/GetAllActorsState").states
    assert ego.vehicle_state.collision_objects == ["-2"]


def test_the_ghost_is_not_moved(stage):
    assert (stage.now.ghost.x[0], stage.now.ghost.y[0]) == (200.0, 7.0)


def test_the_page_tells_it_once_with_the_place():
    scene = street()
    page = RosStage(scene.network, generation="26.r1", egos=((CAR, (100.0, 0.0, 0.0), 0.0),), scenery=scenery_of(WALLS))
    watch = RunWatch()
    page.apply(PlaceVehicle(EGO, (100.0, 0.0, 0.0), (0.0, 0.0, 0.0), 9.0, Gear.D))
    for _ in range(40):
        page.ticks(1)
        watch.see(page.now, ())
    (told,) = [text for _, _, text in watch.happenings() if text.startswith("collision")]
    assert told.startswith("collision of Ego and object -2 at (104.")
