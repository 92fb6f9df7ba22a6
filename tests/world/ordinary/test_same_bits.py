"""An ordinary tick has the bits of `any_tick`, and its snapshots are like all others."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.ground.state_tree import arrays_of
from dorosim.world.actor.command import PauseActor, SetGoal
from dorosim.world.environment.command import CreateMapObject, SetRoadFriction, SetWeather
from dorosim.world.environment.weather import WeatherKind
from dorosim.world.fault.code import FaultClass, FaultSubclass
from dorosim.world.fault.command import SetTireFault
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GpsSettings
from dorosim.world.ordinary.link_kernel import MAKE_TICK
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.ordinary.tick_kernel import make_ordinary_tick
from dorosim.world.snapshot import EGO, STATE, Snapshot
from dorosim.world.step import any_tick, step
from dorosim.world.vehicle.command import DisturbControl, DriveVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.world.ordinary.both_ways import DRIVE, both_ways, is_ordinary
from tests.world.world import CAR, World, street, town_scene, town_world

SKID = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, accelerator=1.0, steer=0.4)
SPEED = DriveVehicle(actor=EGO, kind=ControlKind.VELOCITY, gear=Gear.D, velocity=8.0)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()


DRIVES = {
    "pedals": ({0: (DRIVE,)}, 0.9),
    "skid": ({0: (SKID,), 300: (DRIVE,)}, 0.5),
    "velocity": ({0: (SPEED,)}, 0.9),
    "slippery": ({0: (DRIVE, SetRoadFriction(0.4))}, 0.9),
    "puddle": ({0: (DRIVE, CreateMapObject(actor=0, model="Puddle", position=(30.0, 0.0, 0.0)))}, 0.9),
    "storm": ({0: (DRIVE,), 20: (SetWeather(WeatherKind.STORM, at_once=True),)}, 0.01),
    "disturbed": ({0: (DRIVE,), 60: (DisturbControl(EGO, control=2, magnitude=0.1, duration=0.5),)}, 0.8),
    "paused": ({0: (DRIVE,), 60: (PauseActor(EGO, True),), 90: (PauseActor(EGO, False),)}, 0.8),
    "tyre": (
        {
            0: (SPEED,),
            60: (
                SetTireFault(actor=EGO, fault_class=FaultClass.HARDWARE, fault_subclass=FaultSubclass.PUNCTURE, tire=1),
            ),
        },
        0.05,
    ),
    "drifting": (
        {0: (SPEED, AddSensor(EGO, settings=GpsSettings(drift=(1.0, 1.0, 1.0)), position=(1.0, 0.0, 1.0)))},
        0.0,
    ),
    "sensor": ({0: (SPEED, AddSensor(EGO, settings=GpsSettings(), position=(1.0, 0.0, 1.0)))}, 0.9),
}


@pytest.mark.parametrize("name", DRIVES)
@pytest.mark.parametrize("place", ["town", "street"])
def test_both_ways_have_the_same_bits(name, place):
    orders, share = DRIVES[name]
    world = town_world() if place == "town" else World(street(), [(CAR, (10.0, 0.0, 0.0), 0.0)])
    assert both_ways(world, orders, 700) >= share


def test_a_vehicle_arrives_at_its_goal_in_the_same_tick():
    world = World(street(), [(CAR, (10.0, 0.0, 0.0), 0.0)])
    goal = SetGoal(EGO, links=(world.scene.network.link_index("E2"),), position=(40.0, 0.0, 0.0))
    assert both_ways(world, {0: (SPEED, goal), 1: (SPEED,)}, 200) >= 0.2
    assert world.now.goal.table.passed.tolist() == [1]


def test_a_vehicle_that_drives_off_the_road_meets_scenery_in_the_same_tick():
    world = town_world()
    assert both_ways(world, {0: (SKID,)}, 900) >= 0.3
    assert world.now.tick == 900


def test_old_snapshots_stay_as_they_are():
    world = town_world()
    world.do(DRIVE)
    kept: list[tuple[Snapshot, bytes]] = []
    world.run(10.0, lambda now: kept.append((now, now.digest())))
    assert sum(is_ordinary(now) for now, _ in kept) > 900
    assert all(now.digest() == digest for now, digest in kept)
    assert len({digest for _, digest in kept}) == len(kept) == 1000


def test_lamps_change_in_the_kernel_that_was_compiled_ahead():
    """With arrays of another kind numba would compile it anew: the run would stand still for seconds."""
    world = town_world()
    lamps = world.now.signal.light
    world.do(DRIVE)
    world.run(40.0)
    assert is_ordinary(world.now)
    assert not np.array_equal(world.now.signal.light, lamps)
    assert [tuple(kinds) for kinds in make_ordinary_tick.signatures] == [MAKE_TICK.kinds]


@pytest.fixture(scope="module")
def ordinary() -> Snapshot:
    world = town_world()
    world.do(DRIVE)
    world.run(0.5)
    assert is_ordinary(world.now)
    return world.now


def test_the_arrays_of_an_ordinary_tick_are_read_only(ordinary):
    for block in (ordinary.block, *arrays_of(ordinary)):
        assert not block.flags.writeable
        if block.size:
            with pytest.raises(ValueError, match="read-only"):
                block[...] = 0
    with pytest.raises(AttributeError, match="cannot assign to field 'tick'"):
        ordinary.tick = 5
    with pytest.raises(AttributeError, match="no attribute 'speed'"):
        ordinary.speed  # noqa: B018


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, replace, lambda now: pickle.loads(pickle.dumps(now))],
    ids=("copy", "deepcopy", "replace", "pickle"),
)
def test_a_copy_of_a_snapshot_holds_the_same(ordinary, copied):
    other = copied(ordinary)
    assert other.digest() == ordinary.digest()
    leaves = STATE.leaves(ordinary)
    assert all(np.array_equal(one, leaves[path], equal_nan=True) for path, one in STATE.leaves(other).items())
    world = town_world()
    assert step(world.scene, other, (), world.noise).digest() == step(world.scene, ordinary, (), world.noise).digest()


def test_a_snapshot_goes_on_in_another_scene(ordinary):
    """As when a run is loaded again: nothing of the old scene is used."""
    scene = replace(town_scene(), tick=20_000_000)
    noise = Noise(0)
    assert step(scene, ordinary, (), noise).digest() == any_tick(scene, ordinary, (), noise).digest()


def test_a_snapshot_that_is_not_finite_is_stepped_like_any_other():
    world = town_world()
    world.do(DRIVE)
    vehicle = world.now.vehicle.copy()
    vehicle.x[0], vehicle.velocity_x[0] = np.nan, np.inf
    world.now = replace(world.now, vehicle=vehicle.freeze())
    both_ways(world, {}, 20)


def test_a_tick_that_is_placed_by_a_command_goes_on_as_before():
    world = town_world()
    x, y, z = (float(column[0]) for column in (world.now.vehicle.x, world.now.vehicle.y, world.now.vehicle.z))
    place = PlaceVehicle(EGO, (x + 3.0, y, z + 0.5), (0.1, 0.0, float(world.now.vehicle.yaw[0])), 3.0, Gear.D)
    assert both_ways(world, {0: (DRIVE,), 30: (place,)}, 200) > 0.8
