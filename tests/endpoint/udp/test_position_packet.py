"""Lidars with a receiver of satellite navigation send position packets beside those of data."""

from __future__ import annotations

import math
import socket

import pytest

from dorosim.bridge.sensor import lidar_packet as packer_module
from dorosim.bridge.sensor.packet import Packer
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.sensor.interface import SensorAddress
from dorosim.endpoint.sensor.station import SensorStation
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.noise import Noise
from dorosim.ground.unit import DEGREE
from dorosim.road.projection import MapProjection
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.view import SensorScene
from dorosim.wire.device.velodyne import DATA_SIZE, decode_data, decode_position
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GpsSettings, Lidar3dSettings, LidarModel
from dorosim.world.snapshot import EGO
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.sensor.drive import SCENE
from tests.sensor.scene.build import plane
from tests.world.world import CAR

SECOND = 1_000_000_000
EPOCH = 1_700_000_000 * SECOND
SPEED = 10.0


@pytest.fixture
def sockets(monkeypatch):
    """Two sockets: for data, and for the positions that go to the other port of the same host."""
    made = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
    for sock in made:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(60.0)
    monkeypatch.setattr(packer_module, "POSITION_PORT", made[1].getsockname()[1])
    yield made
    for sock in made:
        sock.close()


def run(data: socket.socket, settings: Lidar3dSettings, ticks: int):
    """What was sent of a drive, and the last snapshot."""
    noise, now = Noise(1), first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])
    rig = Rig(SCENE, noise, lambda: SensorScene.from_meshes(plane(half=700.0)))
    to = SensorAddress(Address("127.0.0.1", 0), Address("127.0.0.1", data.getsockname()[1]))
    station = SensorStation(rig, Packer(DEFAULT_REVISION, EPOCH), {1: to}, Journal(lambda _: None))
    station(now, ())
    first = (AddSensor(EGO, settings=settings, sensor=1), DriveVehicle(EGO, ControlKind.VELOCITY, velocity=SPEED))
    for tick in range(ticks):
        now = step(SCENE, now, first if tick == 0 else (), noise)
        station(now, ())
    return station.close(), now


def test_positions_are_sent_at_the_set_rate_and_tell_where_the_sensor_is(sockets):
    data, positions = sockets
    sent, now = run(data, Lidar3dSettings(position_rate=4.0, ideal=True), 101)
    assert sent["lidar_3d_position"] == 4
    assert sent["lidar_3d"] == pytest.approx(1.01 * 753.5, abs=2)
    told = [decode_position(positions.recv(2048)) for _ in range(4)]
    stamps = [stamp for stamp, _, _ in told]
    begin = stamps[0] - 250_000
    assert stamps == [begin + 250_000 * k for k in range(1, 5)]
    first = data.recv(2048)
    assert len(first) == DATA_SIZE
    assert decode_data(first).microsecond == begin, "both count from the same hour"
    projection = MapProjection(SCENE.network.coordinate_system, SCENE.map_origin)
    latitude, longitude = projection.geographic_from_point(float(now.vehicle.x[0]), float(now.vehicle.y[0]))
    *_, (_, locked, rmc) = told
    assert locked == 2
    assert rmc.valid
    assert not rmc.extra_comma
    assert rmc.latitude * DEGREE.factor == pytest.approx(latitude, abs=2e-8)
    assert rmc.longitude * DEGREE.factor == pytest.approx(longitude, abs=2e-8)
    assert rmc.speed_knots * 1852 / 3600 == pytest.approx(float(now.vehicle.velocity_x[0]), abs=0.1)
    assert math.isclose(rmc.course_deg, 90.0, abs_tol=2.0), "east, but for the convergence of the grid"


@pytest.mark.parametrize(
    "settings", [Lidar3dSettings(), Lidar3dSettings(model=LidarModel.HDL_64E, position_rate=100.0)]
)
def test_without_the_setting_or_a_receiver_none_is_sent(sockets, settings):
    sent, _ = run(sockets[0], settings, 5)
    assert list(sent) == ["lidar_3d"]


def test_a_receiver_on_a_lidar_has_no_error_of_its_own():
    assert GpsSettings().white == GpsSettings().drift == (0.0, 0.0, 0.0)
