"""Many worlds at once: each is bit for bit what it is alone, and one can be taken out of the others' step."""

from __future__ import annotations

from pathlib import Path

import pytest

from dorosim.app.run.replay import replay_file
from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.batch import BatchWorld, WorldBatch, WorldMap
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear

TICKS = 12


@pytest.fixture(scope="module")
def village() -> WorldMap:
    return WorldMap.open("village")


@pytest.fixture(scope="module")
def starts(village):
    rain = EnvironmentSettings(weather="rainy")
    return [village.start(seed=seed, vehicles=6, environment=rain if seed == 1 else None) for seed in range(3)]


def drive(speed):
    return (DriveVehicle(EGO, ControlKind.VELOCITY, mode=ControlMode.AUTO, velocity=speed),)


def alone(start, speed):
    """Digests of a world that the step is called for and nothing else."""
    noise = Noise(start.seed)
    now = step(start.scene, start.first, start.opening, noise, paused=True)
    found = [now.digest()]
    for _ in range(TICKS):
        now = step(start.scene, now, drive(speed), noise)
        found.append(now.digest())
    return found


@pytest.fixture(scope="module")
def digests(starts):
    return [alone(start, 2.0 * number) for number, start in enumerate(starts)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_worlds_are_what_they_are_alone(starts, digests, threads):
    with WorldBatch(starts, threads=threads) as batch:
        found = [[world.now.digest()] for world in batch.worlds]
        for _ in range(TICKS):
            batch.step([drive(2.0 * number) for number in range(len(starts))])
            for world, seen in zip(batch.worlds, found, strict=True):
                seen.append(world.now.digest())
    assert found == digests
    assert len({seen[-1] for seen in found}) == 3, "worlds of other seeds go other ways"


@pytest.mark.parametrize(
    "commands",
    [
        (DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.5),),
        (DriveVehicle(EGO, ControlKind.PEDALS, mode=ControlMode.AUTO, accelerator=float("nan")),),
        (DriveVehicle(7, ControlKind.PEDALS, mode=ControlMode.AUTO),),
        (*drive(3.0), DriveVehicle(EGO, ControlKind.PEDALS, gear=Gear.N, accelerator=0.2)),
        (SelectMode(EGO, ControlMode.CRUISE), *drive(3.0)),
        (*drive(1.0), *drive(2.0), *drive(3.0), *drive(4.0), *drive(5.0)),
    ],
)
def test_what_drives_a_world_is_refused_or_done_as_alone(starts, commands):
    start, noise = starts[0], Noise(starts[0].seed)
    now = step(start.scene, start.first, start.opening, noise, paused=True)
    with WorldBatch(starts[:1]) as batch:
        for number in range(4):
            given = commands if number % 2 else ()
            now = step(start.scene, now, given, noise)
            batch.step([given])
            assert batch[0].now.digest() == now.digest()
            assert batch[0].now.outcomes == now.outcomes


def test_one_world_begins_anew_while_others_go_on(starts, digests):
    with WorldBatch(starts) as batch:
        for tick in range(TICKS):
            if tick == 5:
                batch.reset(1)
                batch.reset(2, starts[0])
            batch.step([drive(0.0), drive(2.0), drive(0.0 if tick >= 5 else 4.0)])
        assert batch[0].now.digest() == digests[0][TICKS]
        assert batch[1].now.digest() == digests[1][TICKS - 5]
        assert batch[2].now.digest() == digests[0][TICKS - 5]


def test_a_world_goes_back_and_another_goes_on_from_it(starts, digests):
    with WorldBatch(starts) as batch:
        for _ in range(4):
            batch.step([drive(2.0 * number) for number in range(3)])
        moment = batch.moment(2)
        batch.branch(2, into=0)
        for _ in range(3):
            batch.step([drive(4.0)] * 2, only=(0, 2))
        assert batch[0].now.digest() == batch[2].now.digest() == digests[2][7]
        assert batch[1].now.digest() == digests[1][4], "a world that is not stepped stays"
        batch.restore(2, moment)
        assert batch[2].now.digest() == digests[2][4]


@pytest.mark.parametrize("late", [False, True])
def test_recordings_of_single_worlds_replay(starts, tmp_path: Path, late):
    file = tmp_path / "one.rec"
    with WorldBatch(starts) as batch:
        if late:
            batch.step([drive(1.0)] * 3)
        batch.record(1, file)
        for _ in range(5):
            batch.step([drive(3.0)] * 3)
    found = replay_file(file, None, tmp_path)
    assert found.equal
    assert found.ticks == 5 + (not late)


def test_a_recording_ends_where_the_world_begins_anew(starts, tmp_path: Path):
    world = BatchWorld(starts[0])
    world.record(tmp_path / "one.rec")
    with pytest.raises(InputError, match="recorded already"):
        world.record(tmp_path / "two.rec")
    world.step(drive(1.0))
    world.begin(starts[1])
    assert not world.is_recorded
    assert replay_file(tmp_path / "one.rec", None, tmp_path).equal


def test_what_cannot_be_is_refused(village, starts, tmp_path: Path):
    with WorldBatch(starts) as batch:
        with pytest.raises(ValueError, match="commands of 1 worlds, and 3"):
            batch.step([()])
        with pytest.raises(ValueError, match="twice"):
            batch.step(only=(1, 1))
        with pytest.raises(InputError, match="cannot be written"):
            batch.record(0, tmp_path / "missing" / "one.rec")
        with pytest.raises(IndexError):
            batch.reset(3)
    with pytest.raises(InputError, match="room"):
        village.start(vehicles=5000)
    with pytest.raises(InputError, match="tick_ms"):
        WorldMap.open("village", tick_ms=float("nan"))
    with pytest.raises(ValueError, match="threads"):
        WorldBatch(starts, threads=-1)


def test_what_a_step_raises_comes_out_of_its_thread(starts):
    def fail(number: int) -> None:
        if number == 2:
            raise RuntimeError("after the third")

    with WorldBatch(starts, threads=2) as batch, pytest.raises(RuntimeError, match="after the third"):
        batch.step(then=fail)
