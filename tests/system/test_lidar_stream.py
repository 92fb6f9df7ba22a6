"""A lidar of a run, over a real socket and at the pace of the clock, as velodyne-decoder reads it."""

from __future__ import annotations

import socket
import struct
import threading
import time

import numpy as np
import pytest
import velodyne_decoder

from dorosim.bridge.sensor.packet import Packer
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.sensor.interface import SensorAddress
from dorosim.endpoint.sensor.station import SensorStation
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.noise import Noise
from dorosim.sensor.pose import motion_of, pose_from_angles
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import Lidar3dSettings, LidarModel
from dorosim.world.snapshot import EGO
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from tests.sensor.scene.build import NO_LIGHTS, box
from tests.timing import wait_for
from tests.world.world import CAR, street

SCENE = street(10.0)
MIDDLE, HALF = np.array((50.0, 3.0, 10.0)), np.array((35.0, 25.0, 10.0))
"""Of the room that the vehicle stands in."""
PLACE, ANGLES = (1.0, 0.2, 4.0), (0.02, -0.03, 0.5)
"""Of the lidar: so high that it sees nothing of its own vehicle."""
PACE, RATE, TICKS = 0.5, 10, 36
EPOCH = 1_700_000_000 * 10**9


class Receiver(threading.Thread):
    """Takes all that comes to a port."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.sock.bind(("127.0.0.1", 0))
        self.sock.settimeout(1.0)
        self.port = self.sock.getsockname()[1]
        self.got: list[tuple[float, bytes]] = []
        self.going = True

    def run(self) -> None:
        while self.going:
            try:
                data = self.sock.recv(2048)
            except TimeoutError:
                continue
            self.got.append((time.monotonic(), data))
        self.sock.close()


def stream_of(model: LidarModel):
    """Of a lidar on a vehicle at rest in a room: arrivals since the run's start [s] with datagrams, and its place."""
    receiver = Receiver()
    receiver.start()
    rig = Rig(
        SCENE, Noise(1), lambda: SensorScene.from_scene(SCENE, StaticWorld(box(HALF, MIDDLE.tolist()), NO_LIGHTS))
    )
    address = SensorAddress(Address("127.0.0.1", 0), Address("127.0.0.1", receiver.port))
    journal = Journal([].append)
    station = SensorStation(rig, Packer(DEFAULT_REVISION, EPOCH), {1: address}, journal, PacedClock(PACE))
    now = first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])
    settings = Lidar3dSettings(model=model, focus=True, ideal=True)
    commands = (AddSensor(EGO, settings=settings, position=PLACE, rotation=ANGLES, period=10**9 // RATE),)
    station.prepare(now, SCENE, commands)
    station(now, ())
    begin = time.monotonic()
    for tick in range(TICKS):
        now = step(SCENE, now, commands, Noise(1))
        assert not now.refusals
        station(now, commands)
        commands = ()
        time.sleep(max(begin + (tick + 1) * 0.01 / PACE - time.monotonic(), 0.0))
    sent = station.close()["lidar_3d"]
    wait_for(lambda: len(receiver.got) >= sent)
    receiver.going = False
    receiver.join()
    motion = motion_of(now, EGO)
    assert motion is not None
    assert len(receiver.got) == sent
    assert set(journal.counts) <= {"sensors late"}, "a busy machine may be late, and loses nothing"
    got = [(at - begin, data) for at, data in receiver.got]
    return got, motion.pose @ pose_from_angles(PLACE, ANGLES)


@pytest.mark.parametrize(
    ("model", "lasers", "sequence_ns", "packet_s"),
    [(LidarModel.VLP_16, 16, 55_296, 1.327e-3), (LidarModel.HDL_32E, 32, 46_080, 0.553e-3)],
)
def test_a_live_stream_decodes_to_complete_turns_on_the_surfaces(model, lasers, sequence_ns, packet_s):
    got, pose = stream_of(model)
    assert {len(data) for _, data in got} == {1206}
    assert len(got) == pytest.approx(TICKS * 0.01 / packet_s, rel=0.05)
    decoder = velodyne_decoder.StreamDecoder(velodyne_decoder.Config())
    decoded = [decoder.decode(at, data) for at, data in got]
    turns = [(turn[0], np.array(turn[1], np.float64)) for turn in decoded if turn is not None]
    assert len(turns) == 3
    stamps = np.array([stamp.device for stamp, _ in turns])
    assert np.abs(np.diff(stamps) - 1.0 / RATE).max() <= 1.1 * packet_s
    for _, points in turns:
        assert len(points) == pytest.approx(lasers * 1e9 / RATE / sequence_ns, abs=2 * 384)
        assert (np.bincount(points[:, 6].astype(int), minlength=lasers) > 0.98 * len(points) / lasers).all()
        place = points[:, :3] @ pose.rotation.T + pose.position
        off_wall = np.abs(HALF - np.abs(place - MIDDLE)).min(axis=1)
        assert off_wall.max() < 3e-3
    stamps_us = np.array([struct.unpack_from("<I", data, 1200)[0] for _, data in got])
    due = (stamps_us - stamps_us[0]) * 1e-6 / PACE
    assert due[-1] > 0.8 * TICKS * 0.01 / PACE
    assert (np.array([at for at, _ in got]) - due).min() > -0.03, "packets are spread over the turn: none comes early"
