"""Sensors of a run send packets to where they are told to, in time, and save what they see."""

from __future__ import annotations

import json
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from dorosim.bridge.sensor.file import pcd_bytes
from dorosim.bridge.sensor.packet import Packer, SensorForm
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.sensor.interface import SaveRequest, SensorAddress
from dorosim.endpoint.sensor.packet_sender import PacketSender
from dorosim.endpoint.sensor.saved_file import put_file
from dorosim.endpoint.sensor.station import SensorStation
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.wire.device.nmea import Gga, Rmc, decode_sentence
from dorosim.wire.device.png import png_bytes
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.fault.command import SetSensorFault
from dorosim.world.mount.command import AddSensor, RemoveAllSensors
from dorosim.world.mount.setting import CameraSettings, GpsSettings, ImuSettings
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from tests.timing import wait_for
from tests.world.world import CAR, street

SCENE = street(10.0)
EPOCH = 1_700_000_000 * 10**9


def no_stage():
    raise InputError("scene", "", "there is none here")


class Peer:
    """A socket that gets packets."""

    def __init__(self) -> None:
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.sock.bind(("127.0.0.1", 0))
        self.sock.settimeout(60.0)
        self.port = self.sock.getsockname()[1]

    def all(self, count: int) -> list[bytes]:
        return [self.sock.recv(65536) for _ in range(count)]

    def is_silent(self) -> bool:
        self.sock.setblocking(False)
        try:
            self.sock.recv(65536)
        except BlockingIOError:
            return True
        return False


@pytest.fixture
def peer():
    made = Peer()
    yield made
    made.sock.close()


@dataclass
class Run:
    station: SensorStation
    journal: Journal
    lines: list[str]
    now: Snapshot

    def turn(self, *commands, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.now = step(SCENE, self.now, commands, Noise(1))
            assert not self.now.refusals
            self.station(self.now, commands)
            commands = ()


def run_with(addresses=None, pace=None, form=None, clock=None) -> Run:
    lines: list[str] = []
    journal = Journal(lines.append)
    packer = Packer(DEFAULT_REVISION, EPOCH, form)
    station = SensorStation(Rig(SCENE, Noise(1), no_stage), packer, addresses or {}, journal, clock or PacedClock(pace))
    first = first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])
    station(first, ())
    return Run(station, journal, lines, first)


def to(peer: Peer) -> SensorAddress:
    return SensorAddress(Address("127.0.0.1", 0), Address("127.0.0.1", peer.port))


@pytest.mark.parametrize("pace", [None, 50.0])
def test_each_sensor_sends_to_its_own_address(peer, pace):
    other = Peer()
    run = run_with({1: to(peer), 2: to(other)}, pace)
    run.turn(
        AddSensor(EGO, settings=ImuSettings()), AddSensor(EGO, settings=GpsSettings(), period=50_000_000), ticks=10
    )
    sent = run.station.close()
    assert sent == {"imu": 5, "gps": 4}
    assert {(len(data), data[:9]) for data in peer.all(5)} == {(115, b"#IMUData$")}
    sentences = other.all(4)
    assert [type(decode_sentence(data)) for data in sentences] == [Rmc, Gga, Rmc, Gga]
    assert list(run.station.last_sent("gps")) == sentences
    assert not run.station.last_sent("camera")
    other.sock.close()


def test_a_run_that_goes_on_sends_what_the_run_would_have_sent_that_never_stopped(peer):
    """What is due in its first tick, too."""
    walk = ImuSettings(rate_walk=(0.1, 0.1, 0.1), acceleration_white=(1.0, 1.0, 1.0))
    run = run_with({1: to(peer), 2: to(peer)})
    gps = GpsSettings(drift=(5.0, 5.0, 5.0))
    run.turn(AddSensor(EGO, settings=walk, period=10_000_000), AddSensor(EGO, settings=gps, period=20_000_000), ticks=5)
    half, _ = run.now, peer.all(5 + 2 * 2)
    run.turn(ticks=6)
    run.station.close()
    whole = peer.all(6 + 2 * 3)
    again = run_with({1: to(peer), 2: to(peer)})
    again.station.prepare(half, SCENE, ())
    again.now = half
    again.turn(ticks=6)
    again.station.close()
    assert peer.all(6 + 2 * 3) == whole
    assert peer.is_silent()


def test_a_busy_source_port_is_told_of_and_another_sends(peer):
    holder = Peer()
    busy = SensorAddress(Address("127.0.0.1", holder.port), Address("127.0.0.1", peer.port))
    run = run_with({1: busy, 2: busy})
    run.turn(AddSensor(EGO, settings=ImuSettings()), AddSensor(EGO, settings=ImuSettings()), ticks=2)
    run.station.close()
    assert len(peer.all(2)) == 2, "two sensors share an address"
    assert run.journal.counts["sensor socket"] == 1
    assert any("sending from port" in line for line in run.lines)
    holder.sock.close()


def test_a_host_that_nobody_knows_is_told_of_once(peer):
    nowhere = SensorAddress(Address("127.0.0.1", 0), Address("a..b", 9))
    run = run_with({1: nowhere, 2: to(peer)})
    run.turn(AddSensor(EGO, settings=ImuSettings()), AddSensor(EGO, settings=ImuSettings()), ticks=6)
    run.station.close()
    assert len(peer.all(3)) == 3
    assert run.journal.counts["send error"] == 1


def test_sensors_that_are_removed_while_packets_wait_end_nothing(peer):
    run = run_with({1: to(peer)}, pace=1.0)
    run.turn(AddSensor(EGO, settings=ImuSettings(), period=10_000_000), ticks=3)
    run.turn(RemoveAllSensors(), ticks=3)
    assert run.station.close() == {"imu": 3}
    assert len(peer.all(3)) == 3
    assert not run.journal.counts


def test_packets_keep_their_order_while_the_pace_changes(peer):
    """The clock of the run may be set to another factor, or none, while sensors read."""
    alone = run_with({1: to(peer)})
    noisy = ImuSettings(acceleration_white=(1.0, 1.0, 1.0))
    alone.turn(AddSensor(EGO, settings=noisy, period=10_000_000), ticks=24)
    expected = peer.all(alone.station.close()["imu"])
    clock = PacedClock(None)
    run = run_with({1: to(peer)}, clock=clock)
    run.turn(AddSensor(EGO, settings=noisy, period=10_000_000), ticks=4)
    for factor in (20.0, 1.0, None, 5.0, None):
        clock.change(factor)
        run.turn(ticks=4)
    assert peer.all(run.station.close()["imu"]) == expected
    assert not run.journal.counts


def packets_with(peer: Peer, *faults: SetSensorFault) -> list[bytes]:
    """What an IMU with noise sends in ten ticks, with faults from the third on."""
    run = run_with({1: to(peer)})
    noisy = ImuSettings(acceleration_white=(1.0, 1.0, 1.0))
    run.turn(AddSensor(EGO, settings=noisy, period=10_000_000), ticks=2)
    run.turn(*faults, ticks=8)
    return peer.all(run.station.close()["imu"])


def test_faults_show_in_the_packets(peer):
    sound = packets_with(peer)
    assert len(sound) == 10
    lost = packets_with(peer, SetSensorFault(EGO, fault_class=1, fault_subclass=101, sensor=1, duration=0.035))
    assert lost == [*sound[:2], *sound[5:]]
    late = packets_with(peer, SetSensorFault(EGO, fault_class=1, fault_subclass=102, sensor=1, delay=0.03))
    assert [packet for packet in late if packet not in sound] == []
    assert late[-1] == sound[6]
    stuck = packets_with(peer, SetSensorFault(EGO, fault_class=2, fault_subclass=204, sensor=1))
    assert len({packet[-26:] for packet in stuck[2:]}) == 1, "the same acceleration"
    assert len(set(stuck)) == 10, "with new stamps"
    shifted = packets_with(peer, SetSensorFault(EGO, fault_class=2, fault_subclass=203, sensor=1, magnitude=0.1))
    assert shifted[:2] == sound[:2]
    assert not set(shifted[2:]) & set(sound)


def test_forms_are_chosen(peer):
    run = run_with({1: to(peer), 2: to(peer)}, None, SensorForm(nmea="standard", imu_stamp=False))
    run.turn(AddSensor(EGO, settings=ImuSettings()), AddSensor(EGO, settings=GpsSettings(), period=20_000_000), ticks=2)
    run.station.close()
    imu, rmc, _ = peer.all(3)
    assert len(imu) == 107
    assert not decode_sentence(rmc).extra_comma


def test_a_sensor_that_speaks_another_protocol_sends_nothing(peer):
    run = run_with({1: None})
    run.turn(AddSensor(EGO, settings=ImuSettings()), ticks=10)
    assert run.station.close() == {}
    assert run.station.readings == 5
    assert peer.is_silent()


def test_what_every_sensor_sees_is_saved(tmp_path):
    run = run_with({1: None, 2: None})
    run.turn(AddSensor(EGO, settings=ImuSettings()), AddSensor(EGO, settings=GpsSettings()), ticks=3)
    run.station.save(SaveRequest(tmp_path / "a" / "b", "scene"))
    run.station.save(SaveRequest(tmp_path))
    run.turn()
    run.station.close()
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["scene_gps_2.json", "scene_imu_1.json"]
    saved = json.loads((tmp_path / "0000000040_imu_1.json").read_text())
    assert saved["time_ns"] == 40_000_000
    assert saved["acceleration"][2] == pytest.approx(9.8, abs=0.1)
    assert run.journal.counts["sensor data saved"] == 2


def test_files_appear_whole_and_links_are_not_followed(tmp_path, monkeypatch):
    folder, outside = tmp_path / "data", tmp_path / "outside"
    folder.mkdir()
    outside.write_bytes(b"somebody's")
    (folder / "scene_imu_1.json").symlink_to(outside)
    put_file(folder / "scene_imu_1.json", b"reading")
    assert outside.read_bytes() == b"somebody's"
    assert (folder / "scene_imu_1.json").read_bytes() == b"reading"

    def full(partial, _):
        assert not (folder / "next.pcd").exists(), "nobody sees a file before it is whole"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        put_file(folder / "next.pcd", b"points")
    assert [path.name for path in folder.iterdir()] == ["scene_imu_1.json"]


def test_a_folder_that_cannot_be_written_is_told_of(tmp_path):
    (tmp_path / "file").write_text("")
    run = run_with({1: None})
    run.turn(AddSensor(EGO, settings=ImuSettings()))
    run.station.save(SaveRequest(tmp_path / "file"))
    run.turn()
    run.station.close()
    assert run.journal.counts["save error"] == 1


def test_only_so_many_requests_wait(tmp_path):
    run = run_with()
    for number in range(8):
        run.station.save(SaveRequest(tmp_path, str(number)))
    with pytest.raises(InputError):
        run.station.save(SaveRequest(tmp_path, "8"))
    run.station.close()


def test_a_sensor_that_fails_is_told_of_and_ends_nothing():
    run = run_with()
    run.turn(AddSensor(EGO, settings=CameraSettings(), period=10_000_000), ticks=3)
    run.station.close()
    assert run.journal.counts["sensor error"] >= 1


def test_a_failure_beside_the_loop_ends_the_run_and_is_seen(monkeypatch):
    run = run_with(pace=100.0)

    def fail(*_):
        raise RuntimeError("broken")

    monkeypatch.setattr(Rig, "read", fail)
    run.turn(AddSensor(EGO, settings=ImuSettings()))
    with pytest.raises(RuntimeError, match="broken"):
        wait_for(lambda: run.turn() and False)
    run.station.close()


def test_who_listens_while_ticks_wait_to_be_read_hears_those_that_come_later_alone(monkeypatch):
    run, go_on, read = run_with(pace=100.0), threading.Event(), Rig.read
    early: list[int] = []
    late: list[int] = []

    def read_later(rig, before, now):
        assert go_on.wait(60.0)
        return read(rig, before, now)

    def hear(heard, ticks=early):
        ticks.append(heard.now.tick)
        return ()

    def hear_late(heard):
        return hear(heard, late)

    monkeypatch.setattr(Rig, "read", read_later)
    run.station.listen(hear)
    run.turn(AddSensor(EGO, settings=ImuSettings()), ticks=3)
    run.station.listen(hear_late)
    run.turn(ticks=2)
    go_on.set()
    wait_for(lambda: len(early) == 5)
    run.station.close()
    assert (early, late) == ([1, 2, 3, 4, 5], [4, 5])


def test_packets_leave_when_they_are_due(peer):
    complaints: list[str] = []
    sender = PacketSender(complaints.append)
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    start = time.monotonic_ns() + 500_000_000  # by then all are there, on a busy machine too
    order = [4, 0, 3, 1, 2]
    for number in order:
        sender.send_at(start + number * 10_000_000, "test", bytes([number]), sock, ("127.0.0.1", peer.port))
    arrived = []
    for _ in order:
        data = peer.sock.recv(16)
        arrived.append((data[0], time.monotonic_ns() - start))
    sender.close()
    sock.close()
    assert [number for number, _ in arrived] == [0, 1, 2, 3, 4]
    assert all(at >= number * 10_000_000 - 1_000_000 for number, at in arrived)
    assert (sender.sent["test"], sender.bytes, complaints) == (5, 5, [])


def test_pictures_and_points_are_written_in_formats_that_others_read():
    image = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    matplotlib = pytest.importorskip("matplotlib.image")
    import io

    read = matplotlib.imread(io.BytesIO(png_bytes(image)), format="png")
    assert np.array_equal(np.rint(read[:, :, :3] * 255).astype(np.uint8), image)
    points = np.array([(1.0, 2.0, 3.0, 4)], [("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("ring", "<u2")])
    head, _, body = pcd_bytes(points).partition(b"DATA binary\n")
    assert b"FIELDS x y z ring\nSIZE 4 4 4 2\nTYPE F F F U\n" in head
    assert body == points.tobytes()
