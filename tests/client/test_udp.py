"""The UDP side of the SDK: what it sends is what the simulator reads, and what it receives comes in SI units."""

from __future__ import annotations

import asyncio
import math
import socket
from contextlib import contextmanager

import numpy as np
import pytest

from dorosim.client import (
    AsyncSensorReceiver,
    AsyncUdpVehicle,
    Boxes,
    ClientError,
    Fix,
    Inertia,
    LidarPacket,
    Light,
    NoAnswerError,
    Picture,
    SensorReceiver,
    UdpPorts,
    UdpVehicle,
)
from dorosim.wire.codec import compile_codec
from dorosim.wire.device.camera import BOX_ROWS, encode_boxes, encode_image
from dorosim.wire.device.gps import GpsFix, datagrams_from_fix
from dorosim.wire.device.imu import ImuData
from dorosim.wire.device.velodyne import VLP_16, encode_data
from dorosim.wire.udp.code import CtrlMode, Gear, LongCmdType, ObjectType
from dorosim.wire.udp.control import EgoCtrlCmd
from dorosim.wire.udp.datagram import DatagramReader, codec_of
from dorosim.wire.udp.revision import REVISIONS
from dorosim.wire.udp.signal import GetTrafficLightStatus
from dorosim.wire.udp.status import CollisionData, CollisionSlot, EgoVehicleStatus, ObjectInfo, ObjectSlot

REVISION = REVISIONS["24.R2"]


class Simulator:
    """The other side: one socket that takes commands and sends what a test gives it."""

    def __init__(self, revision=REVISION) -> None:
        self.revision = revision
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(60.0)
        self.port = self.socket.getsockname()[1]

    def taken(self):
        data = self.socket.recv(65536)
        return DatagramReader(self.revision, "simulator").read(data, len(data))[1]

    def send(self, port, *messages):
        for message in messages:
            data = message if isinstance(message, bytes | memoryview) else self.encoded(message)
            self.socket.sendto(data, ("127.0.0.1", port))

    def encoded(self, message):
        return codec_of(type(message), self.revision).encode(message)


@contextmanager
def pair(revision="24.R2", timeout=0.3):
    simulator = Simulator(REVISIONS[revision])
    port = simulator.port
    ports = UdpPorts(control=port, lamps=port, set_light=port, status=0, objects=0, collisions=0, light=0)
    with simulator.socket, UdpVehicle(ports=ports, revision=revision, timeout=timeout) as car:
        yield simulator, car


def status(x=1.0, **changes):
    values = {
        "ctrl_mode": CtrlMode.AUTO,
        "gear": Gear.D,
        "signed_velocity": 10.0,
        "map_data_id": 1,
        "accel": 0.25,
        "brake": 0.0,
        "size": (4.0, 2.0, 1.5),
        "overhang": 0.8,
        "wheelbase": 2.7,
        "rear_overhang": 0.9,
        "position": (x, 2.0, 3.0),
        "rotation": (0.0, 0.0, math.pi / 2),
        "velocity": (10.0, 1.0, 0.0),
        "angular_velocity": (0.0, 0.0, 0.5),
        "acceleration": (2.0, 0.0, 0.0),
        "steer_angle": 0.125,
        "link_id": "L1",
        "time": 5_500_000_000,
    }
    return EgoVehicleStatus(**{**values, **changes})


@pytest.mark.parametrize("revision", ["24.R2", "26.R1"])
def test_steering_is_to_the_left_and_in_radians_whatever_the_revision(revision):
    with pair(revision) as (simulator, car):
        car.drive(accelerator=0.5, brake=0.25, steer=math.radians(36.25) / 2)
        command = simulator.taken()
    assert isinstance(command, EgoCtrlCmd)
    assert (command.ctrl_mode, command.gear, command.cmd_type) == (CtrlMode.AUTO, Gear.D, LongCmdType.THROTTLE)
    assert (command.accel, command.brake, command.steer) == pytest.approx((0.5, 0.25, 0.5))


def test_speed_and_acceleration_are_si():
    with pair() as (simulator, car):
        car.drive_at_speed(speed=10.0)
        first = simulator.taken()
        car.set_gear("R")
        car.drive_with_acceleration(acceleration=-2.0, steer=-9.0)
        second = simulator.taken()
    assert (first.cmd_type, first.velocity) == (LongCmdType.VELOCITY, pytest.approx(10.0))
    assert (second.gear, second.acceleration, second.steer) == (Gear.R, pytest.approx(-2.0), pytest.approx(-1.0))


def test_lamps_and_lights_are_commanded():
    with pair() as (simulator, car):
        car.set_lamps("hazard")
        lamps = simulator.taken()
        car.set_lamps("left")
        left = simulator.taken()
        car.set_light("C1", Light.GREEN | Light.LEFT)
        light = simulator.taken()
        car.set_light("C1", None)
        back = simulator.taken()
    assert (lamps.turn_signal, lamps.emergency_signal) == (0, 1)
    assert (left.turn_signal, left.emergency_signal) == (1, 0)
    assert (light.index.strip(), light.status, back.status) == ("C1", 48, -1)


def test_the_state_is_that_of_the_grpc_side():
    with pair() as (simulator, car):
        simulator.send(car.ports.status, status())
        state = car.state()
    assert (state.id, state.kind, state.gear, state.time) == ("1", "ego", "D", 5.5)
    assert state.position == pytest.approx((1.0, 2.0, 3.0))
    assert state.rotation == pytest.approx((0.0, 0.0, math.pi / 2))
    assert state.velocity == pytest.approx((-1.0, 10.0, 0.0), abs=1e-5)
    assert state.acceleration == pytest.approx((0.0, 2.0, 0.0), abs=1e-5)
    assert (state.steer, state.accelerator, state.yaw_rate) == pytest.approx((0.125, 0.25, 0.5))


def test_the_newest_state_counts_and_stays_until_another_comes():
    with pair() as (simulator, car):
        simulator.send(car.ports.status, status(1.0), status(2.0))
        assert car.state().position[0] == 2.0
        assert car.state().position[0] == 2.0
        with pytest.raises(NoAnswerError):
            car.state(wait=True)


def test_objects_collisions_and_the_light_ahead_are_told():
    slot = ObjectSlot(
        obj_id=4,
        obj_type=ObjectType.PEDESTRIAN,
        position=(1.0, 2.0, 0.0),
        heading=math.pi / 2,
        size=(0.5, 0.5, 1.8),
        overhang=0.0,
        wheelbase=0.0,
        rear_overhang=0.0,
        velocity=(1.5, 0.0, 0.0),
        acceleration=(0.0, 0.0, 0.0),
        link_id="",
    )
    touched = CollisionSlot(
        obj_type=ObjectType.VEHICLE, obj_id=9, position=(0.0, 0.0, 0.0), global_offset=(0.0, 0.0, 0.0)
    )
    with pair() as (simulator, car):
        simulator.send(car.ports.objects, ObjectInfo(objects=(slot,)))
        simulator.send(car.ports.collisions, CollisionData(collisions=(touched,)))
        simulator.send(car.ports.light, GetTrafficLightStatus(index="C1", type=2, status=33))
        (seen,) = car.objects()
        assert (seen.id, seen.kind) == ("4", "pedestrian")
        assert seen.velocity == pytest.approx((0.0, 1.5, 0.0), abs=1e-6)
        assert car.collisions() == ("9",)
        light = car.light()
    assert (light.id, light.color) == ("C1", Light.RED | Light.LEFT)


def test_what_is_something_else_is_counted_and_told_when_nothing_comes():
    with pair() as (simulator, car):
        simulator.send(car.ports.status, b"hello", simulator.encoded(ObjectInfo(objects=())))
        with pytest.raises(NoAnswerError, match="2 datagrams there were something else"):
            car.state()


def test_a_port_in_use_is_told():
    with SensorReceiver(imu=0) as first, pytest.raises(ClientError, match="in use"):
        SensorReceiver(camera=first.ports["imu"])
    with pytest.raises(ClientError, match="no port"):
        SensorReceiver()


def test_numbers_that_cannot_be_sent_are_refused():
    with pair() as (_, car), pytest.raises(ClientError, match="EgoCtrlCmd"):
        car.drive(accelerator=math.nan)


@pytest.fixture
def sensors():
    with SensorReceiver(camera=0, lidar=0, gps=0, imu=0, timeout=0.5) as made:
        yield made


def sent(receiver, name, *datagrams):
    simulator = Simulator()
    with simulator.socket:
        simulator.send(receiver.ports[name], *datagrams)
    return receiver.next()


def test_a_picture_is_put_together_from_its_chunks(sensors):
    jpeg = bytes(range(256)) * 600
    picture = sent(sensors, "camera", *encode_image(jpeg, 1_500_000_000))
    assert isinstance(picture, Picture)
    assert (picture.time, picture.jpeg) == (1.5, jpeg)


def test_boxes_come_as_arrays(sensors):
    rows = np.zeros(3, BOX_ROWS)
    rows["bounds"][1] = (1.0, 2.0, 3.0, 4.0)
    rows["colour"] = 7
    boxes = sent(sensors, "camera", *encode_boxes(rows, 2_000_000_000))
    assert isinstance(boxes, Boxes)
    assert boxes.corners.shape == (3, 8, 3)
    assert boxes.bounds[1].tolist() == [1.0, 2.0, 3.0, 4.0]


def test_a_lidar_packet_comes_in_metres_and_radians(sensors):
    azimuth = np.arange(12, dtype=np.uint16)[None] * 100
    distance = np.full((1, 12, 32), 5000, np.uint16)
    packets = encode_data(
        azimuth, distance, np.full((1, 12, 32), 9, np.uint8), np.array([2_500_000]), np.array([[0x37, VLP_16]])
    )
    packet = sent(sensors, "lidar", bytes(packets[0]))
    assert isinstance(packet, LidarPacket)
    assert packet.time == 2.5
    assert packet.distance[0, 0] == pytest.approx(10.0)
    assert packet.azimuth[1] == pytest.approx(math.radians(1.0))


def test_a_fix_comes_in_radians_with_speed_and_course(sensors):
    given = GpsFix(time=1_700_000_000_000_000_000, latitude=0.65, longitude=2.2, altitude=30.0, speed=10.0, course=1.0)
    fix = sent(sensors, "gps", *datagrams_from_fix(given))
    assert isinstance(fix, Fix)
    assert fix.valid
    assert (fix.latitude, fix.longitude) == pytest.approx((0.65, 2.2), abs=1e-7)
    assert (fix.speed, fix.course, fix.altitude) == pytest.approx((10.0, 1.0, 30.0), abs=0.05)


@pytest.mark.parametrize("layout", ImuData.table.layouts, ids=lambda layout: layout.size)
def test_both_layouts_of_imu_data_are_read(sensors, layout):
    data = ImuData(
        time=3_000_000_000,
        orientation=(1.0, 0.0, 0.0, 0.0),
        angular_velocity=(0.1, 0.2, 0.3),
        linear_acceleration=(0.0, 0.0, 9.81),
    )
    inertia = sent(sensors, "imu", compile_codec(ImuData, layout).encode(data))
    assert isinstance(inertia, Inertia)
    assert inertia.acceleration == (0.0, 0.0, 9.81)


def test_silence_of_sensors_is_told_with_the_ports(sensors):
    with pytest.raises(NoAnswerError, match=f"imu {sensors.ports['imu']}"):
        sensors.next()


def test_the_asyncio_side_does_the_same():
    async def play():
        simulator = Simulator()
        port = simulator.port
        ports = UdpPorts(control=port, status=0, objects=0, collisions=0, light=0)
        with simulator.socket:
            async with AsyncUdpVehicle(ports=ports, timeout=60.0) as car:
                await car.drive(accelerator=0.5)
                command = simulator.taken()
                asyncio.get_running_loop().call_later(0.05, simulator.send, car.ports.status, status(7.0))
                return command.accel, (await car.state(wait=True)).position[0]

    assert asyncio.run(play()) == (0.5, 7.0)


async def limited(readings, count):
    async for reading in readings:
        yield reading
        count -= 1
        if not count:
            return


def test_asyncio_tells_of_silence_and_takes_readings_as_they_come():
    async def play():
        async with AsyncSensorReceiver(camera=0, timeout=2.0) as sensors:
            simulator = Simulator()
            with simulator.socket:
                simulator.send(sensors.ports["camera"], *encode_image(b"abc", 1))
                seen = [reading.jpeg async for reading in limited(sensors, 1)]
            with pytest.raises(NoAnswerError):
                await sensors.next()
            return seen

    assert asyncio.run(play()) == [b"abc"]
