"""Status messages of a tick that are made at once have the bytes of those that are made one by one."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.bridge.udp import status_batch, status_source
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.status_batch import StatusBatch
from dorosim.bridge.udp.status_kernel import write_statuses
from dorosim.bridge.udp.status_plan import is_planned
from dorosim.bridge.udp.status_source import STATUS_SOURCES, Stamp, StatusSource
from dorosim.wire.error import WireError
from dorosim.wire.udp.catalogue import STATUS
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import DEFAULT_REVISION, REVISIONS
from dorosim.world.block import setter_of
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from dorosim.world.vehicle.state import VehicleState
from tests.world.ordinary.both_ways import DRIVE
from tests.world.world import CAR, World, street, town_scene, town_world

EPOCH = 1_700_000_000_123_456_789
BACK = DriveVehicle(actor=EGO, kind=ControlKind.GROUND_STATE, velocity=-2.0)
NAMES = [(name, 1) for name in STATUS]


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()
    status_batch.get_ready()


def made(publisher: Publisher, batch: StatusBatch, now: Snapshot, names: list[tuple[str, int]]) -> bool:
    """Whether the batch makes a snapshot's messages; their bytes are compared."""
    if not batch.make(now, publisher.epoch):
        return False
    whole = batch.out.tobytes()
    for (name, ego), (start, end) in zip(names, batch.places, strict=True):
        assert whole[start:end] == publisher.builder(name, ego)(now), f"{name} of tick {now.tick}"
    return True


def share_of(world: World, ticks: int, orders: dict, names: list[tuple[str, int]] = NAMES, revision: str = "") -> float:
    """The share of ticks whose messages are made at once."""
    publisher = Publisher(world.scene, REVISIONS[revision] if revision else DEFAULT_REVISION, EPOCH)
    batch, count = publisher.batch(names), 0
    for number in range(ticks):
        world.now = step(world.scene, world.now, orders.get(number, ()), world.noise)
        count += made(publisher, batch, world.now, names)
    return count / ticks


@pytest.mark.parametrize("revision", REVISIONS)
def test_all_messages_of_each_revision_have_the_same_bytes(revision):
    assert share_of(town_world(), 120, {3: (DRIVE,)}, revision=revision) > 0.8


def test_they_have_while_lanes_lights_gears_and_drivers_change():
    orders = {2: (DRIVE,), 300: (BACK,), 450: (DRIVE,)} | dict.fromkeys(range(500, 560, 3), (DRIVE,))
    assert share_of(town_world(), 900, orders) > 0.9


def test_they_have_off_every_lane_and_on_a_map_without_lights():
    far = PlaceVehicle(EGO, (300.0, 400.0, 0.0), (0.0, 0.0, 1.0), 5.0, Gear.D)
    world = World(street(), [(CAR, (10.0, 0.0, 0.0), 0.0)])
    assert share_of(world, 80, {2: (DRIVE,), 40: (far,)}) > 0.8


def test_they_have_among_traffic_and_for_each_of_two_ego_vehicles():
    world = World(town_scene(), [(CAR, (30.0, 0.0, 0.0), 0.0), (CAR, (60.0, 0.0, 0.0), 0.0)])
    link = int((world.scene.network.link_length * world.scene.network.link_drivable).argmax())
    names = [("EgoVehicleStatus", 1), ("ObjectInfo", 2), ("EgoVehicleStatus", 2), ("CollisionData", 2)]
    orders = {1: (CreateNpc(model=CAR, link=link, s=20.0, speed=5.0, move_on=True), DRIVE)}
    assert share_of(world, 150, orders, names) > 0.5


def test_one_of_a_vehicle_that_is_not_there_is_left_to_its_builder():
    assert share_of(town_world(), 20, {}, [("EgoVehicleStatus", 1), ("EgoVehicleStatus", 2)]) == 0.0


def test_a_field_that_the_table_of_sources_lacks_is_not_taken_for_one_that_stays(monkeypatch):
    lacking = StatusSource({"time": Stamp})
    monkeypatch.setitem(status_source.STATUS_SOURCES, "EgoVehicleStatus", lacking)
    assert share_of(town_world(), 60, {3: (DRIVE,)}) > 0.5


def test_compiled_code_knows_the_messages_of_its_table_in_every_revision():
    for revision in REVISIONS.values():
        for name, source in STATUS_SOURCES.items():
            message, size = STATUS[name]
            assert is_planned(codec_of(message, revision, size), source), name


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_numbers_of_a_vehicle_give_the_same_bytes_or_are_refused_in_both_ways(data):
    world = town_world()
    publisher = Publisher(world.scene, DEFAULT_REVISION, EPOCH)
    names = [("EgoVehicleStatus", 1), ("CompetitionVehicleStatus", 1)]
    batch = publisher.batch(names)
    world.run(0.05)
    assert made(publisher, batch, world.now, names)
    block = world.now.block.copy()  # as compiled code would have made it
    place = world.now.frame.layout.table["vehicle"]
    floats = block[place.floats : place.ints].view(np.float64)
    for column in data.draw(st.lists(st.integers(0, VehicleState.float_width - 1), max_size=6)):
        floats[column] = data.draw(st.floats(allow_nan=True, allow_infinity=True))
    block.flags.writeable = False
    changed = Snapshot.__new__(Snapshot)
    for kind, name, value in ((Snapshot, "tick", 9), (Snapshot, "time", 90_000_000)):
        setter_of(kind, name)(changed, value)
    setter_of(Snapshot, "block")(changed, block)
    setter_of(Snapshot, "frame")(changed, world.now.frame)
    try:
        for name, _ in names:
            publisher.builder(name)(changed)
    except WireError:
        with suppress(WireError):
            assert not batch.make(changed, EPOCH)
    else:
        assert made(publisher, batch, changed, names)


def test_a_time_beyond_its_field_is_refused_in_both_ways():
    world = town_world()
    publisher = Publisher(world.scene, DEFAULT_REVISION, EPOCH)
    batch = publisher.batch([("CollisionData", 1)])
    world.run(0.05)
    assert batch.make(world.now, EPOCH)
    publisher.epoch = 2**31 * 10**9
    assert not batch.make(world.now, publisher.epoch)
    with pytest.raises(WireError):
        publisher.builder("CollisionData")(world.now)


def test_the_kernel_is_compiled_once():
    assert len(write_statuses.signatures) == 1
