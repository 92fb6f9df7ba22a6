"""Many vehicles at once that leave the road with random pedals and steering, and what must hold after every tick."""

from __future__ import annotations

import numpy as np

from dorosim.ground.physics import GRAVITY
from dorosim.ground.rotation import rotation_from_angles
from dorosim.road.terrain.query_kernel import ROUGH_CELLS, TerrainNumber
from dorosim.road.terrain.terrain import Terrain
from dorosim.world.collision.body import BodyKind
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, DynamicsKind, Gear
from dorosim.world.vehicle.off_road import off_road
from dorosim.world.vehicle.state import VehicleState
from tests.world.world import World

APART = 12.0
"""Between the places from which vehicles start [m]."""
MOST_GAINED = 0.6
"""Energy that nothing explains, over weight [m]: what springs hold, and the height of a kerb, which a vehicle climbs
within a tick and pays for on the next metres."""
MOST_SUNK, LONGEST_SUNK, DEEPEST = 0.15, 10, 0.65
"""A point of a tumbling box may be so deep in the ground [m] for so many ticks, where it has run into a step; and never
deeper than steps are high [m]."""
MOST_COMPRESSED = 0.3
"""How far the body of a vehicle on its wheels is below the lowest of them [m]."""
LOADED_GAP = 0.001
"""A wheel that hangs lower than this bears load [m]."""
MOST_OFF_GROUND = 0.02
"""Between the ground and what a wheel stands on [m]."""


def energy(now: Snapshot) -> np.ndarray:
    """Energy of motion and height of each vehicle `(N,)` [J]; on wheels, what springs hold does not count."""
    vehicle, parameter = now.vehicle, now.parameter
    rolled, rate, height = vehicle.rolled != 0, vehicle.angular_velocity, parameter.cg_height
    rear, mass = parameter.rear_distance, parameter.mass
    vx = vehicle.velocity_x + np.where(rolled, rate[1] * height, 0.0)
    vy = vehicle.velocity_y + rate[2] * rear - np.where(rolled, rate[0] * height, 0.0)
    vz = np.where(rolled, vehicle.velocity_z - rate[1] * rear, 0.0)
    roll_inertia = mass * (parameter.width**2 + parameter.height**2) / 12.0
    pitch_inertia = mass * (parameter.length**2 + parameter.height**2) / 12.0
    tumbling = np.where(rolled, roll_inertia * rate[0] ** 2 + pitch_inertia * rate[1] ** 2, 0.0)
    spin = 0.5 * (tumbling + parameter.yaw_inertia * rate[2] ** 2)
    up = vehicle.z - np.sin(vehicle.pitch) * rear + np.cos(vehicle.pitch) * np.cos(vehicle.roll) * height
    total: np.ndarray = 0.5 * mass * (vx**2 + vy**2 + vz**2) + spin + mass * GRAVITY * up
    return total


class CarelessDrives:
    """Vehicles with full dynamics that start on lanes of a map and are driven at random.

    Args:
        scene: the map.
        count: how many.
        seed: of the places, models and drivers.

    Attributes:
        left: `(count,)` which have been off the road.
        rolled: `(count,)` which have been off their wheels.
    """

    def __init__(self, scene: Scene, count: int, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._world = World(scene, _starts(scene, count, self._rng))
        self._dt = scene.tick * 1e-9
        self._coasts = self._rng.random(count) < 0.3  # without drive, no energy comes from anywhere
        self._work, self._least = np.zeros(count), np.full(count, np.inf)
        self._sunk = np.zeros(count, np.int64)
        self.left, self.rolled = np.zeros(count, np.bool_), np.zeros(count, np.bool_)

    def run(self, seconds: float, *, check: bool = True) -> bytes:
        """Drive for a time, check each tick, and return the digest of the end."""
        world = self._world
        second = round(1.0 / self._dt)
        for tick in range(round(seconds / self._dt)):
            before = world.now
            commands = self._commands(tick * self._dt) if tick % second == 0 else []
            world.now = step(world.scene, before, commands, world.noise)
            self.left |= off_road(world.now.vehicle)
            self.rolled |= world.now.vehicle.rolled != 0
            if check:
                self._check(before, world.now)
        return world.now.digest()

    def _commands(self, time: float) -> list[Command]:
        count, rng = len(self._work), self._rng
        accelerator = rng.uniform(0.2, 1.0, count) * (rng.random(count) < 0.8)
        brake = rng.uniform(0.0, 1.0, count) * (rng.random(count) < 0.1)
        steer = rng.normal(0.0, 0.12, count) * (time > 0.0)
        accelerator[self._coasts & (time > 15.0)] = 0.0
        return [
            DriveVehicle(
                row + 1,
                ControlKind.PEDALS,
                gear=Gear.D,
                accelerator=float(accelerator[row]),
                brake=float(brake[row]),
                steer=float(steer[row]),
            )
            for row in range(count)
        ]

    def _check(self, before: Snapshot, now: Snapshot) -> None:
        assert np.isfinite(now.vehicle.floats).all(), now.tick
        self._check_energy(before, now)
        self._check_tumbling(now)
        self._check_wheels(before, now)

    def _check_energy(self, before: Snapshot, now: Snapshot) -> None:
        old, vehicle, contact = before.vehicle, now.vehicle, now.contact
        speed = np.maximum(np.hypot(old.velocity_x, old.velocity_y), np.hypot(vehicle.velocity_x, vehicle.velocity_y))
        force = np.maximum(np.abs(old.drive_force), np.abs(vehicle.drive_force))
        self._work += np.where((old.rolled != 0) & (vehicle.rolled != 0), 0.0, force * speed * self._dt)
        rest = energy(now) - self._work
        # what stands gives no energy to anybody; vehicles and what has given way may push
        pushes = (contact.second_kind != BodyKind.SCENERY) | np.isin(-1 - contact.second_id, now.displaced.object)
        pushed = np.isin(vehicle.id, np.concatenate((contact.first_id[pushes], contact.second_id[pushes])))
        self._least = np.where(pushed, rest, np.minimum(self._least, rest))
        gained = (rest - self._least) / (now.parameter.mass * GRAVITY)
        row = int(gained.argmax())
        assert gained[row] < MOST_GAINED, f"{_of(now, row)} has gained the energy of {gained[row]:.2f} m of height"

    def _check_tumbling(self, now: Snapshot) -> None:
        vehicle, terrain = now.vehicle, self._world.scene.terrain
        assert terrain is not None
        for row in np.flatnonzero(vehicle.rolled).tolist():
            parameter = now.parameter
            front = float(parameter.wheelbase[row] + parameter.front_overhang[row])
            length, width, height = (float(c[row]) for c in (parameter.length, parameter.width, parameter.height))
            box = np.array([(x, y, height) for x in (front, front - length) for y in (0.5 * width, -0.5 * width)])
            wheels = _wheels(now, row)
            turn = rotation_from_angles(float(vehicle.roll[row]), float(vehicle.pitch[row]), float(vehicle.yaw[row]))
            place = np.array((vehicle.x[row], vehicle.y[row], vehicle.z[row]))
            points = place + np.concatenate((box, wheels)) @ turn.T
            sunk = float((terrain.height(points) - points[:, 2]).max())
            self._sunk[row] = self._sunk[row] + 1 if sunk > MOST_SUNK else 0
            assert sunk < DEEPEST, f"{_of(now, row)} is {sunk:.2f} m in the ground"
            assert self._sunk[row] <= LONGEST_SUNK, f"{_of(now, row)} stays {sunk:.2f} m in the ground"

    def _check_wheels(self, before: Snapshot, now: Snapshot) -> None:
        """What wheels stand on is the ground where they were when the tick began; at steps they roll up.

        Of a vehicle that has been off its wheels for one tick only, it is the ground where it is now.
        """
        vehicle, old, terrain = now.vehicle, before.vehicle, self._world.scene.terrain
        assert terrain is not None
        drives = np.flatnonzero((vehicle.rolled == 0) & (old.rolled == 0))
        low = (vehicle.wheel_height + vehicle.wheel_gap).min(axis=0) - MOST_COMPRESSED
        sunk = drives[vehicle.z[drives] < low[drives]]
        assert not len(sunk), f"{_of(now, int(sunk[0]))} is far below its wheels"
        for row in self._some_of(drives, now.tick):
            off = min(_off_ground(terrain, now, row, state) for state in (old, vehicle))
            assert off < MOST_OFF_GROUND, f"{_of(now, row)} stands {off:.2f} m off the ground"

    @staticmethod
    def _some_of(rows: np.ndarray, tick: int) -> list[int]:
        """A few rows, others in each tick."""
        found: list[int] = rows[tick % 7 :: 7].tolist()
        return found


def _off_ground(terrain: Terrain, now: Snapshot, row: int, state: VehicleState) -> float:
    """Most that the ground under loaded wheels at a pose differs from what they are said to stand on [m]."""
    c, s = np.cos(state.yaw[row]), np.sin(state.yaw[row])
    wheels, height = _wheels(now, row), now.vehicle.wheel_height[:, row]
    x = state.x[row] + c * wheels[:, 0] - s * wheels[:, 1]
    place = np.column_stack((x, state.y[row] + s * wheels[:, 0] + c * wheels[:, 1], height))
    loaded = (now.vehicle.wheel_gap[:, row] < LOADED_GAP) & ~_is_rough(terrain, place)
    return float(np.abs(terrain.height(place) - height)[loaded].max(initial=0.0))


def _is_rough(terrain: Terrain, places: np.ndarray) -> np.ndarray:
    """Whether there are steps near places `(N, 3)`."""
    number, rough = terrain.arrays.number, terrain.arrays.rough
    side = number[TerrainNumber.CELL] / ROUGH_CELLS
    corner = number[:2] + number[[TerrainNumber.GRID_X, TerrainNumber.GRID_Y]]
    cell = np.floor((places[:, :2] - corner) / side).astype(np.int64)
    inside = ((cell >= 0) & (cell < rough.shape)).all(axis=1)
    cell = np.clip(cell, 0, np.array(rough.shape) - 1)
    found: np.ndarray = inside & (rough[cell[:, 0], cell[:, 1]] != 0)
    return found


def _wheels(now: Snapshot, row: int) -> np.ndarray:
    """`(4, 3)` lower ends of the wheels of a vehicle in its body [m]."""
    parameter = now.parameter
    base, front, rear = (float(c[row]) for c in (parameter.wheelbase, parameter.front_track, parameter.rear_track))
    return np.array([(base, 0.5 * front, 0), (base, -0.5 * front, 0), (0, 0.5 * rear, 0), (0, -0.5 * rear, 0)])


def _of(now: Snapshot, row: int) -> str:
    vehicle = now.vehicle
    place = f"({vehicle.x[row]:.1f}, {vehicle.y[row]:.1f}, {vehicle.z[row]:.2f})"
    return f"{now.time * 1e-9:.2f} s: vehicle {vehicle.id[row]} at {place}, rolled {vehicle.rolled[row]},"


def _starts(scene: Scene, count: int, rng: np.random.Generator) -> list[tuple[str, tuple[float, float, float], float]]:
    """Models, places and headings of vehicles on lanes, apart from one another."""
    network = scene.network
    share = np.where(network.link_drivable, network.link_length, 0.0)
    models = [model.name for model in scene.models if model.dynamics == DynamicsKind.SINGLE_TRACK]
    starts: list[tuple[str, tuple[float, float, float], float]] = []
    while len(starts) < count:
        link = int(rng.choice(len(share), p=share / share.sum()))
        pose = network.pose_at(link, float(rng.random() * network.link_length[link]))
        x, y, z = pose.point[0].tolist()
        if all(np.hypot(x - other[1][0], y - other[1][1]) > APART for other in starts):
            starts.append((str(rng.choice(models)), (x, y, z), float(pose.heading[0])))
    return starts
