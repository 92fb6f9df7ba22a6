"""What interfaces see of a run: one sensor's look beside its thread, and rays from many threads."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from dorosim.app.serve.host.ray_caster import HostRayCaster
from dorosim.bridge.sensor.packet import Packer
from dorosim.bridge.sensor.ray import Ray
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.sensor.station import SensorStation
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.sensor.reading import CameraReading, ImuReading, TruthReading
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.static.signal import SignalLamps
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.fault.command import SetSensorFault
from dorosim.world.mount.command import AddSensor, RemoveSensor, SetSensor
from dorosim.world.mount.setting import (
    CameraSettings,
    GroundTruthSettings,
    ImuSettings,
    Lidar3dSettings,
    UltrasonicSettings,
)
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import CreateVehicle
from tests.sensor.scene.build import plane
from tests.timing import wait_for
from tests.world.world import CAR, street

SCENE = street(10.0)
NO_LIGHTS = SignalLamps(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3)))
SMALL_CAMERA = CameraSettings(width=32, height=24)


class Run:
    """A run on a plane with its sensors.

    Attributes:
        made: how many geometries there are. now: the last snapshot. lines: what was told.
    """

    def __init__(self, pace: float | None = None, captures=None) -> None:
        self.made, self.lines = 0, []
        rig = Rig(SCENE, Noise(1), self.stage)
        journal = Journal(self.lines.append)
        self.station = SensorStation(rig, Packer(DEFAULT_REVISION, 0), {}, journal, PacedClock(pace), captures=captures)
        self.sight = HostRayCaster(lambda: self.station, self.stage)
        self.now: Snapshot = first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])
        self.station(self.now, ())

    def stage(self) -> SensorScene:
        self.made += 1
        return SensorScene.from_scene(SCENE, StaticWorld(plane(half=700.0), NO_LIGHTS))

    def turn(self, *commands, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.now = step(SCENE, self.now, commands, Noise(1))
            assert not self.now.refusals
            self.station(self.now, commands)
            commands = ()


@pytest.fixture
def new_run():
    """Makes runs, and closes them."""
    made: list[Run] = []

    def make(*rest) -> Run:
        made.append(Run(*rest))
        return made[-1]

    yield make
    for run in made:
        run.station.close()


@pytest.fixture(params=[None, 50.0], ids=["free run", "at the pace of the clock"])
def run(request, new_run):
    return new_run(request.param)


def test_a_sensor_looks_at_the_last_snapshot_whether_it_is_due_or_not(run):
    run.turn(
        AddSensor(EGO, settings=SMALL_CAMERA, period=10**10),
        AddSensor(EGO, settings=GroundTruthSettings(), period=10**10),
        CreateVehicle(model=CAR, position=(70.0, 0.0, 0.0)),
        ticks=3,
    )
    picture, truth = run.sight.look(1), run.sight.look(2)
    assert isinstance(picture, CameraReading)
    assert isinstance(truth, TruthReading)
    assert picture.image.shape == (24, 32, 3)
    assert (picture.time, truth.time, truth.actor.tolist()) == (run.now.time, run.now.time, [2])
    run.turn(ticks=2)
    assert run.sight.look(2).time == run.now.time


def test_a_spinning_lidar_tells_of_a_whole_turn(run):
    run.turn(AddSensor(EGO, settings=Lidar3dSettings(), position=(0.0, 0.0, 2.0)), ticks=2)
    points = run.sight.look(1).points()
    azimuth = np.arctan2(points["y"], points["x"])
    assert len(np.unique(np.round(azimuth, 1))) > 55, "all round, at any time"


def test_who_is_not_there_or_is_switched_off_sees_nothing(run):
    assert run.sight.look(1) is None
    run.turn(AddSensor(EGO, settings=ImuSettings()), AddSensor(EGO, settings=ImuSettings(), enabled=False))
    assert isinstance(run.sight.look(1), ImuReading)
    assert run.sight.look(2) is None
    run.turn(RemoveSensor(1))
    assert run.sight.look(1) is None


def test_before_the_first_tick_there_is_nothing_to_see():
    station = SensorStation(Rig(SCENE, Noise(1), lambda: None), Packer(DEFAULT_REVISION, 0), {}, Journal(print))
    assert station.read_now(1) is None
    station.close()


def test_a_sensor_that_cannot_be_made_is_told_of_to_who_asks(run, monkeypatch):
    run.turn(AddSensor(EGO, settings=ImuSettings()))

    def fail(*_):
        raise InputError("imu", "", "there is none of this kind")

    monkeypatch.setattr("dorosim.sensor.rig.make_sensor", fail)
    with pytest.raises(InputError, match="none of this kind"):
        run.sight.look(1)


def test_looks_change_nothing_of_what_is_read(new_run):
    """What is sent of a run in which others look all the time is what is sent where nobody does, faults and all."""

    def sent(looking: bool) -> list[bytes]:
        run, kept = new_run(), []
        run.station._send = lambda reading, _: kept.append(reading.acceleration.tobytes())
        noisy = ImuSettings(acceleration_white=(1.0, 1.0, 1.0))
        run.turn(AddSensor(EGO, settings=noisy, period=10_000_000))
        run.turn(SetSensorFault(actor=EGO, sensor=1, fault_class=1, fault_subclass=102, delay=0.05), ticks=3)
        for _ in range(20):
            run.turn()
            if looking:
                run.sight.look(1)
        return kept

    assert sent(looking=True) == sent(looking=False)
    assert len(sent(looking=False)) > 10


def test_many_threads_look_while_the_run_goes_on(run):
    run.turn(
        AddSensor(EGO, settings=SMALL_CAMERA, position=(1.0, 0.0, 1.5), period=20_000_000),
        AddSensor(EGO, settings=UltrasonicSettings(range=100.0), position=(4.0, 0.0, 1.0), period=20_000_000),
        CreateVehicle(model=CAR, position=(70.0, 0.0, 0.0)),
    )
    problems: list[BaseException] = []
    seen: list[int] = []
    ended = threading.Event()

    def ask(sensor: int) -> None:
        try:
            while not ended.is_set():
                seen.append(run.sight.look(sensor).time)
                time.sleep(0.001)
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=ask, args=(1 + number % 2,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(60):
        run.turn()
        time.sleep(0.001)
    wait_for(lambda: len(seen) > 20)
    ended.set()
    for thread in threads:
        thread.join(60.0)
    assert problems == []
    assert len(seen) > 20
    assert run.made == 1, "all of them share the geometry of the sensors"


def test_rays_of_many_threads_meet_the_world_of_their_snapshots(new_run):
    run = new_run()
    near, snapshots = [], []
    for distance in (20.0, 30.0):
        now = step(SCENE, run.now, (CreateVehicle(model=CAR, position=(50.0 + distance, 0.0, 0.0)),), Noise(1))
        snapshots.append((now, distance))

    def ask(now: Snapshot, distance: float) -> None:
        for _ in range(20):
            ahead, up = run.sight.cast(
                now, [Ray((50.0, 0.0, 1.0), (1.0, 0.0, 0.0), through=EGO), Ray((50.0, 0.0, 9.0), (0.0, 0.0, 1.0))]
            )
            near.append((distance, ahead, up))

    threads = [threading.Thread(target=ask, args=one) for one in snapshots * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert run.made == 1
    assert len(near) == 80
    for distance, ahead, up in near:
        assert up is None
        assert ahead.actor == 2
        assert distance - 2.0 < ahead.distance < distance
    with pytest.raises(InputError):
        run.sight.cast(run.now, [Ray((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))])
    assert run.sight.cast(run.now, [Ray((50.0, 0.0, 1.0), (1.0, 0.0, 0.0), 30.0, EGO)]) == [None]


def test_geometry_is_made_when_it_is_first_asked_for(new_run):
    run = new_run()
    assert run.made == 0
    run.turn(AddSensor(EGO, settings=ImuSettings()))
    run.sight.look(1)
    assert run.made == 0
    run.sight.cast(run.now, [])
    assert run.made == 1


@pytest.mark.parametrize("pace", [None, 50.0])
def test_what_captured_sensors_read_is_saved(new_run, tmp_path, pace):
    run = new_run(pace, tmp_path / "Capture")
    run.turn(
        AddSensor(EGO, settings=ImuSettings(), period=20_000_000),
        AddSensor(EGO, settings=Lidar3dSettings(), period=50_000_000),
        AddSensor(EGO, settings=ImuSettings(), period=10_000_000),
        ticks=5,
    )
    run.turn(SetSensor(1, captured=True), SetSensor(2, captured=True))
    run.turn(ticks=6)
    run.turn(SetSensor(1, captured=False), SetSensor(2, captured=False))
    run.turn(ticks=10)
    run.station.close()
    names = {path.name for path in (tmp_path / "Capture").iterdir()}
    assert names == {
        *(f"{time:010d}_imu_1.json" for time in (60, 80, 100, 120)),
        *(f"0000000100_lidar_3d_2{suffix}" for suffix in (".npy", ".pcd")),
    }, "each reading of the one, each turn of the other, nothing of the third"


def test_nothing_is_saved_where_there_is_no_folder_for_it(new_run, tmp_path):
    run = new_run()
    run.turn(AddSensor(EGO, settings=ImuSettings(), period=10_000_000))
    run.turn(SetSensor(1, captured=True), ticks=3)
    assert list(tmp_path.iterdir()) == []
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    run = new_run(None, blocked)
    run.turn(AddSensor(EGO, settings=ImuSettings(), period=10_000_000))
    run.turn(SetSensor(1, captured=True), ticks=3)
    assert any("captured sensors" in line for line in run.lines), "the run goes on"
