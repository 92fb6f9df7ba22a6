"""A refused command changes nothing, and no command brings in what is no number.

Commands are those of the chaos test: any command, legal or about nobody, one of its numbers spoilt.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from dorosim.world.command import NEW_ACTOR, Command
from dorosim.world.environment.command import CreateMapObject
from dorosim.world.fault.command import SetTireFault
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.snapshot import EGO, STATE, Snapshot
from dorosim.world.snapshot_validation import flaw_of
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.point import Destination, PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.step import step
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.vehicle.command import CreateVehicle
from tests.system.chooser import Chooser
from tests.system.command_generator import COMMANDS, GENERATORS
from tests.system.invariant import MAY_BE_INFINITE
from tests.world.world import CAR, World, npcs_about_town, town_world, walkers_over_crosswalks

NO_NUMBERS = (math.nan, math.inf, -math.inf)
EXTREMES = (-(2**31), -1, 2**31 - 1, 2**62)
OF_EACH = 12
"""Commands of each class."""
MAY_BE_ANYTHING = {"wait", "direction[2]", "elapsed"}
"""A spawn point's wait may be open, nobody walks upwards, and no state lasts longer than its programme says."""


@pytest.fixture(scope="module")
def world() -> World:
    """A town with something of every kind in it."""
    world = town_world(50.0, 5)
    x, y, z = (float(world.now.vehicle.floats[k, 0]) for k in range(3))
    scene = world.scene
    point = VehicleSpawnPoint(id=0, start_link=int(np.flatnonzero(scene.network.link_drivable)[7]))
    goals = (Destination(x + 9.0, y, z),)
    world.do(
        CreateVehicle(model=CAR, position=(x - 15.0, y, z)),
        SpawnObstacle(NEW_ACTOR, 1, (x + 20.0, y, z)),
        CreateMapObject(NEW_ACTOR, "Puddle", (x, y, z)),
        PlaceNpcGhost(3, CAR, (x, y + 30.0, z), (0.0, 0.0, 0.0)),
        SetVehicleSpawnPoints((point,)),
        SetPedestrianSpawnPoints((PedestrianSpawnPoint(id=0, x=x, y=y + 9.0, z=z, destinations=goals),)),
    )
    world.do(*npcs_about_town(scene, 30, 5))
    world.do(*walkers_over_crosswalks(scene.network, 8, 5))
    world.run(2.0)
    return world


def after(world: World, *commands: Command) -> Snapshot:
    """The world a tick later; the world itself stays as it is."""
    return step(world.scene, world.now, commands, world.noise)


def numbers_of(value: Any, kind: type, path: str = "") -> Iterator[str]:
    """Paths of the numbers of a kind in a command: `points[2].x`."""
    if type(value) is kind:
        yield path
    elif isinstance(value, tuple):
        for place, part in enumerate(value):
            yield from numbers_of(part, kind, f"{path}[{place}]")
    elif isinstance(value, msgspec.Struct) or dataclasses.is_dataclass(value):
        for name in value.__struct_fields__ if isinstance(value, msgspec.Struct) else value.__dataclass_fields__:
            yield from numbers_of(getattr(value, name), kind, f"{path}.{name}")


def spoilt(value: Any, path: str, number: float, at: str = "") -> Any:
    """A command with another number at a path."""
    if at == path:
        return number
    if isinstance(value, tuple):
        parts = [spoilt(part, path, number, f"{at}[{place}]") for place, part in enumerate(value)]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, msgspec.Struct):
        names = value.__struct_fields__
        return msgspec.structs.replace(
            value, **{name: spoilt(getattr(value, name), path, number, f"{at}.{name}") for name in names}
        )
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = tuple(value.__dataclass_fields__)
        return dataclasses.replace(
            value, **{name: spoilt(getattr(value, name), path, number, f"{at}.{name}") for name in names}
        )
    return value


def not_finite(now: Snapshot) -> list[str]:
    """Paths of the state that hold what is no number."""
    leaves = STATE.leaves(now)
    kinds = {
        path: values for path, values in leaves.items() if values.dtype.kind == "f" and path not in MAY_BE_INFINITE
    }
    return [path for path, values in kinds.items() if not np.isfinite(values).all()]


def commands_of(world: World, kind: type[Any], count: int = OF_EACH) -> Iterator[tuple[Command, Chooser]]:
    """Some commands of a class, each with a source of more randomness."""
    chooser = Chooser(COMMANDS.index(kind), world.scene)
    chooser.look(world.now)
    for _ in range(count):
        yield GENERATORS[kind](chooser), chooser


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_a_refused_command_changes_nothing(world, kind):
    quiet = after(world).digest()
    for command, _ in commands_of(world, kind, 2 * OF_EACH):
        now = after(world, command)
        if now.refusals:
            assert now.digest() == quiet, f"{command} is refused ({now.refusals[0]}), but changes the world"


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_what_is_no_number_is_refused_and_changes_nothing(world, kind):
    quiet = after(world).digest()
    for command, chooser in commands_of(world, kind):
        paths = [path for path in numbers_of(command, float) if path.rpartition(".")[2] not in MAY_BE_ANYTHING]
        for path in chooser.rng.permutation(paths)[:6].tolist() if paths else ():
            bad = spoilt(command, path, chooser.one_of(NO_NUMBERS))
            made = getattr(bad, "make", bad)
            if isinstance(made, SpawnObstacle) and math.isnan(made.position[2]):
                continue  # the ground gives its height
            now = after(world, bad)
            if getattr(bad, "fault_class", None) == 0:
                # how a fault would be does not matter to what clears it
                assert now.digest() == after(world, command).digest()
                continue
            assert now.refusals, f"{bad} is taken, with {path}"
            assert now.digest() == quiet, f"{bad} is refused ({now.refusals[0]}), but changes the world"


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_whole_numbers_at_the_end_of_their_range_are_refused_or_leave_a_sound_world(world, kind):
    quiet = after(world).digest()
    for command, chooser in commands_of(world, kind):
        for path in numbers_of(command, int):
            bad = spoilt(command, path, chooser.one_of(EXTREMES))
            now = after(world, bad)
            if now.refusals:
                assert now.digest() == quiet, f"{bad} is refused ({now.refusals[0]}), but changes the world"
            else:
                assert not not_finite(now), f"after {bad}"
                assert flaw_of(world.scene, world.now, now) == "", f"after {bad}"


@pytest.mark.parametrize("number", [-1.0, -1e-9, -1e300])
def test_negative_sizes_and_speeds_are_refused(world, number):
    quiet = after(world).digest()
    x, y, z = (float(world.now.vehicle.floats[k, 0]) for k in range(3))
    obstacle = SpawnObstacle(NEW_ACTOR, 0, (x, y, z))
    for bad in (
        msgspec.structs.replace(obstacle, scale=(1.0, number, 1.0)),
        msgspec.structs.replace(obstacle, move_speed=number),
        msgspec.structs.replace(obstacle, active_distance=number),
        SetVehicleSpawnPoints((VehicleSpawnPoint(id=0), VehicleSpawnPoint(id=0, safety_distance=number))),
        SetPedestrianSpawnPoints((PedestrianSpawnPoint(id=0, destinations=(Destination(x, y, z, width=number),)),)),
    ):
        now = after(world, bad)
        assert now.refusals
        assert now.digest() == quiet


@pytest.mark.parametrize("actor", [EGO, 2, 3])
def test_a_spawn_point_does_not_take_the_id_of_somebody_else(world, actor):
    """Ids below the last one are given, but not all of them to spawn points."""
    now = after(world, SetVehicleSpawnPoints((VehicleSpawnPoint(id=actor),)))
    assert now.refusals == (
        f"SetVehicleSpawnPoints: points[0].id: there is no such spawn point {actor}; give 0 for a new one",
    )
    own = int(world.now.spawn.vehicle.id[0])
    assert after(world, SetPedestrianSpawnPoints((PedestrianSpawnPoint(id=own),))).refusals
    twice = VehicleSpawnPoint(id=own)
    assert after(world, SetVehicleSpawnPoints((twice, twice))).refusals


def test_a_tyre_does_not_drag_more_than_its_load(world):
    """A drag of many times the load threw a bus from 59 m/s to the bound of all speeds within a tick."""
    fault = SetTireFault(actor=EGO, fault_class=3, fault_subclass=301, tire=2, drag=1e6)
    assert after(world, fault).refusals == ("SetTireFault: a drag of 1e+06 is out of range",)
    assert not after(world, msgspec.structs.replace(fault, drag=1.0)).refusals
