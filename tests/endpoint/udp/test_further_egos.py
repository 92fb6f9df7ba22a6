"""Further ego vehicles by UDP, on real sockets: each is driven at its own port and observed at its own port."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator

import pytest

from dorosim.app.setting.settings import EgoSettings
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.network import EgoNetwork, Publication, UdpNetwork
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.noise import Noise
from dorosim.wire.udp.code import ObjectType
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.actor.command import RemoveActor
from dorosim.world.command import Source
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import CreateVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlMode, Gear
from tests.packet import (
    collision_slots,
    control,
    ghost,
    ground_state,
    lamps,
    light,
    multi_ego,
    object_slots,
    status_number,
    trajectory,
)
from tests.port import free_port, in_use_here, ports_free_together
from tests.system.rig import EPOCH, rig

HOST = "127.0.0.1"
CAR = "2016_Hyundai_Ioniq"
NAMES = ("EgoVehicleStatus", "ObjectInfo", "CollisionData", "GetTrafficLightStatus", "GetIntersectionStatus")
POS_X, SIGNED_VELOCITY = 77, 37
"""Offsets in the ego status (facts/udp-wire.md, 3.3)."""


class Fleet:
    """A run at the pace of the machine, with a client for each ego vehicle."""

    def __init__(self, folder, egos: int, clients: int, further: dict[int, EgoNetwork] | None = None, **more) -> None:
        self.town = rig(folder, egos=[EgoSettings()] * egos)
        self.control = ports_free_together(clients)
        self.status = {name: ports_free_together(clients) for name in NAMES}
        ways = tuple(Publication(name, Address(HOST, 0), Address(HOST, port)) for name, port in self.status.items())
        network = UdpNetwork((Address(HOST, self.control),), ways, further or {})
        self.lines: list[str] = []
        self.journal = Journal(self.lines.append)
        scene = self.town.built.scene
        publisher = Publisher(scene, DEFAULT_REVISION, EPOCH, **more)
        self.endpoint = UdpEndpoint(
            network, Receiver(DEFAULT_REVISION, scene), publisher, self.journal, None, len(self.town.built.first.egos)
        )
        first = self.town.built.first
        self.loop = Loop(scene, first, Noise(0), PacedClock(None), self.endpoint, (), self.journal)
        self.ears = {
            (name, ego): self._ear(port + 100 * (ego - 1))
            for name, port in self.status.items()
            for ego in range(1, clients + 1)
        }
        self.mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def _ear(self, port: int) -> socket.socket:
        ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ear.bind((HOST, port))
        ear.setblocking(False)
        return ear

    def say(self, data: bytes, ego: int = 1) -> None:
        """Send to the port of an ego vehicle."""
        self.mouth.sendto(data, (HOST, self.control + 100 * (ego - 1)))

    def run(self, seconds: float = 0.05) -> None:
        self.loop.run(round(seconds * 1e9))

    def last(self, name: str, ego: int) -> bytes | None:
        """The last message that came for an ego vehicle since the last look, None for none."""
        data = None
        while True:
            try:
                data = self.ears[name, ego].recv(65536)
            except BlockingIOError:
                return data

    def close(self) -> None:
        self.endpoint.close()
        for ear in (*self.ears.values(), self.mouth):
            ear.close()


@pytest.fixture
def fleets(tmp_path) -> Iterator[Callable[..., Fleet]]:
    """Makes runs, and closes them."""
    made: list[Fleet] = []

    def make(*args, **more) -> Fleet:
        made.append(Fleet(tmp_path, *args, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def fleet(fleets) -> Fleet:
    """Three ego vehicles."""
    return fleets(3, 3)


def test_each_is_driven_at_its_own_port(fleet):
    fleet.say(control(accel=0.2), 1)
    fleet.say(control(accel=0.4), 2)
    fleet.say(control(accel=0.6, steer=-0.5), 3)
    fleet.run()
    vehicle = fleet.loop.now.vehicle
    assert vehicle.target_accelerator.tolist() == pytest.approx([0.2, 0.4, 0.6])
    assert vehicle.target_steer[2] > 0.2
    assert vehicle.target_steer[:2].tolist() == [0.0, 0.0]


def test_every_message_to_an_ego_vehicle_means_that_of_its_port(fleet):
    before = fleet.loop.now.vehicle.copy()
    fleet.say(lamps(1, 0), 2)
    fleet.say(ghost(10.0, 20.0, 0.0, 90.0, 18.0), 3)
    fleet.run()
    vehicle = fleet.loop.now.vehicle
    assert vehicle.turn_lamp.tolist() == [0, 1, 0]
    assert (vehicle.x[2], vehicle.y[2]) == (10.0, 20.0)
    assert vehicle.x[:2].tolist() == before.x[:2].tolist()
    fleet.say(trajectory([(x, 0.0, 0.0, 5.0) for x in range(5)]), 2)
    fleet.run()
    assert fleet.loop.now.trajectory.counts.tolist() == [0, 5, 0]
    fleet.say(ground_state(1.0, 0.0), 2)
    fleet.run()
    assert fleet.loop.now.vehicle.target_velocity.tolist() == [0.0, 1.0, 0.0]


def test_each_is_observed_at_its_own_port(fleet):
    fleet.run(0.1)
    vehicle = fleet.loop.now.vehicle
    for ego in (1, 2, 3):
        for name in ("CollisionData", "GetTrafficLightStatus", "GetIntersectionStatus"):
            assert fleet.last(name, ego) is not None, (name, ego)
        status = fleet.last("EgoVehicleStatus", ego)
        assert status_number(status, POS_X) == pytest.approx(float(vehicle.x[ego - 1]), abs=1e-3)
        others = {slot.id for slot in object_slots(fleet.last("ObjectInfo", ego))}
        assert others == {1, 2, 3} - {ego}, "each is told of the others"
    assert fleet.endpoint.sent["EgoVehicleStatus"] == fleet.endpoint.sent["EgoVehicleStatus of ego 3"] > 0
    assert "NpcVehicleCollisionData of ego 2" not in fleet.endpoint.sent


def test_what_an_ego_vehicle_touches_is_told_to_its_client(fleet):
    x, y, z = (float(fleet.loop.now.vehicle.floats[row, 1]) for row in range(3))
    fleet.loop.put(Source.PEER, PlaceVehicle(3, (x + 3.0, y, z), (0.0, 0.0, 0.0), 0.0, Gear.P))
    fleet.run(0.1)
    told = [[slot.id for slot, _ in collision_slots(fleet.last("CollisionData", ego))] for ego in (2, 3)]
    assert told == [[3], [2]]


def test_messages_that_mean_no_ego_vehicle_are_taken_at_any_port(fleet):
    index = fleet.town.built.scene.signal_plan.ids[0]
    fleet.say(light(index, 4), 3)
    x, y = 33.0, 44.0
    fleet.say(multi_ego((1, x, y, 0.0, 0.0)), 2)
    fleet.run()
    assert fleet.loop.now.signal.light.command[0] == 4
    assert (fleet.loop.now.vehicle.x[0], fleet.loop.now.vehicle.y[0]) == pytest.approx((x, y), abs=0.01)


def test_one_that_comes_later_gets_its_addresses_and_one_that_goes_is_told_of_no_longer(fleets):
    fleet = fleets(1, 2)
    fleet.run()
    assert fleet.last("EgoVehicleStatus", 2) is None
    fleet.loop.put(Source.PEER, CreateVehicle(model=CAR, position=(50.0, 60.0, 0.0), rotation=(0.0, 0.0, 0.0)))
    fleet.run()
    fleet.say(control(accel=0.7), 2)
    fleet.run()
    assert fleet.loop.now.vehicle.target_accelerator[1] == pytest.approx(0.7)
    assert status_number(fleet.last("EgoVehicleStatus", 2), POS_X) == pytest.approx(50.0, abs=0.5)
    fleet.loop.put(Source.PEER, RemoveActor(2))
    fleet.run()
    fleet.last("EgoVehicleStatus", 2)
    fleet.say(control(accel=0.7), 2)
    fleet.run()
    assert fleet.last("EgoVehicleStatus", 2) is None
    assert any("there is no ego vehicle 2, they count from 1 to 1" in line for line in fleet.lines)
    assert fleet.loop.now.vehicle.target_accelerator[0] == 0.0, "and the first one is not meant"


def test_addresses_of_the_settings_count(fleets):
    port, sink = free_port(), free_port()
    way = Publication("EgoVehicleStatus", Address(HOST, 0), Address(HOST, sink), 50.0, 2)
    fleet = fleets(2, 1, {2: EgoNetwork((Address(HOST, port),), (way,))})
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind((HOST, sink))
        ear.settimeout(5.0)
        fleet.mouth.sendto(control(accel=0.3), (HOST, port))
        fleet.run()
        assert fleet.loop.now.vehicle.target_accelerator.tolist() == pytest.approx([0.0, 0.3])
        assert struct.unpack_from("<b", ear.recv(300), 35)[0] == 2
        assert [one.name for one in fleet.endpoint.publications if one.ego == 2] == ["EgoVehicleStatus of ego 2"]


def test_a_busy_port_of_a_further_one_is_a_notice_and_not_the_end(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        first = ports_free_together(2)
        other.bind((HOST, first + 100))
        town = rig(tmp_path, egos=[EgoSettings()] * 2)
        scene = town.built.scene
        endpoint = UdpEndpoint(
            UdpNetwork((Address(HOST, first),), ()),
            Receiver(DEFAULT_REVISION, scene),
            Publisher(scene, DEFAULT_REVISION, 0),
            Journal(lambda _: None),
            None,
            2,
        )
        notices, listening = endpoint.notices, endpoint.listening
        endpoint.close()
    assert notices == [f"ego 2: {HOST}:{first + 100} is not listened to: {in_use_here()}"]
    assert listening == {Address(HOST, first): 1}


def test_the_type_of_further_ones_is_a_setting(fleets):
    fleet = fleets(2, 2, further_egos=ObjectType.EGO)
    fleet.run()
    assert [(slot.id, slot.type) for slot in object_slots(fleet.last("ObjectInfo", 1))] == [(2, -1)]
    assert [(slot.id, slot.type) for slot in object_slots(fleet.last("ObjectInfo", 2))] == [(1, -1)]


def test_the_ports_are_those_of_the_first_one_and_a_hundred_for_each():
    ways = UdpNetwork().of_egos(3)
    assert {address.port for address, ego in ways.listen.items() if ego == 3} >= {9293, 9295, 9297, 9309, 7804}
    told = {(one.message, one.ego): one for one in ways.publications}
    assert told["EgoVehicleStatus", 2].destination == Address(HOST, 1009)
    assert told["EgoVehicleStatus", 2].source == Address(HOST, 1008)
    assert told["ObjectInfo", 3].destination == Address(HOST, 7705)
    assert ("NpcVehicleCollisionData", 2) not in told
    goals = {one.destination for one in ways.publications}
    assert not goals & {one.source for one in ways.publications}, "a client can have every port that is sent to"
    assert told["ObjectInfo", 1].source == Address(HOST, 0), "its port is that of the second one's client"
    assert UdpNetwork().of_egos(1).publications == UdpNetwork().publications


def test_no_message_goes_to_a_port_that_is_listened_to():
    ways = UdpNetwork().of_egos(20)
    assert not {one.destination for one in ways.publications} & set(ways.listen)
    assert len(ways.notices) == 4, "Object Info of egos 17 to 20 would come to 9105 to 9405"
    assert "9105" in ways.notices[0]
    assert "from number 21 on" in UdpNetwork().of_egos(25).notices[-1]


def test_a_keyboard_mode_at_the_port_of_another_one_changes_the_other_one(fleet):
    fleet.say(control(mode=1), 2)
    fleet.run()
    modes = [ControlMode(int(mode)) for mode in fleet.loop.now.vehicle.control_mode]
    assert modes == [ControlMode.AUTO, ControlMode.KEYBOARD, ControlMode.AUTO]
    assert fleet.loop.now.egos[0] == EGO
