"""The published state of an actor of any kind: place, motion and size, in SI units.

One reader of snapshots for all interfaces. It works on plain numbers row by row, which for a thousand actors costs a
few milliseconds; code that needs arrays takes the tables of the Snapshot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from dorosim.bridge.actor import VEHICLES, ActorKind
from dorosim.ground.column import Columns, IntArray, row_of_id
from dorosim.road.scenery.table import ObjectKind
from dorosim.world.collision.body import BodyKind
from dorosim.world.command import Vector
from dorosim.world.obstacle.state import OBSTACLE_MODELS, ObstacleState
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.mode import Gear
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.reported_gear import reported_gear
from dorosim.world.vehicle.state import VehicleState

_TRAFFIC = TrafficState.at
_GHOST = GhostState.at
_OBSTACLE = ObstacleState.at
_PEDESTRIAN = PedestrianState.at
_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at

BODIES = VEHICLES | {ActorKind.PEDESTRIAN, ActorKind.OBSTACLE}
"""Kinds of actors that are somewhere and have a body."""
NOTHING: Vector = (0.0, 0.0, 0.0)


class ActorState(NamedTuple):
    """An actor at one moment.

    Attributes:
        id: in the world.
        kind: what it is.
        model: row of the catalogue of its kind.
        position: origin in map [m]: of vehicles the centre of the rear axle on the ground, else the centre of the base.
        rotation: roll, pitch, yaw [rad], yaw within -pi to pi.
        velocity: of the origin in the actor's own axes: forward, left, up [m/s].
        angular_velocity: about its own axes [rad/s].
        acceleration: of the origin in its own axes, without gravity [m/s²].
        size: length, width, height [m].
        middle: from the origin to the middle of its box, forward [m].
        paused: whether it is held where it is.
        accelerator, brake: pedals, 0 to 1; 0 of NPC vehicles, which have none, and of all but vehicles.
        asked_steer: front wheel angle that its driver asks for, left positive [rad].
        steer: front wheel angle, left positive [rad]; of NPC vehicles the one that their curve needs.
        gear: D of NPC vehicles.
        link, s: row of the link under the origin of an NPC vehicle on its lane, and arc length there [m]; else -1, 0.
    """

    id: int
    kind: ActorKind
    model: int
    position: Vector
    rotation: Vector
    velocity: Vector
    angular_velocity: Vector
    acceleration: Vector
    size: Vector
    middle: float
    paused: bool
    accelerator: float = 0.0
    brake: float = 0.0
    asked_steer: float = 0.0
    steer: float = 0.0
    gear: Gear = Gear.D
    link: int = -1
    s: float = 0.0

    @property
    def velocity_in_map(self) -> Vector:
        """Of the origin, east, north, up [m/s]."""
        x, y, z = self.velocity
        roll, pitch, yaw = self.rotation
        cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
        cy, sy = math.cos(yaw), math.sin(yaw)
        # the body axes are those of the map turned about z, then y, then x (REP-103)
        level, side = cp * x + sp * (sr * y + cr * z), cr * y - sr * z
        return (cy * level - sy * side, sy * level + cy * side, cp * (sr * y + cr * z) - sp * x)


def count_on_map(now: Snapshot) -> int:
    """Returns how many actors have a body on the map: as many as `ActorReader.states` yields."""
    others = len(now.vehicle) + len(now.ghost) + len(now.people) + len(now.obstacles)
    return others + len(npc_rows(now))


def npc_rows(now: Snapshot) -> IntArray:
    """Returns the rows of NPC vehicles on the map in the table of traffic, without plans of egos' drivers."""
    traffic = now.traffic
    rows: IntArray = np.flatnonzero((traffic.plan_of_ego == 0) & (traffic.present != Presence.OFF_MAP))
    return rows


class ActorReader:
    """Reads actors of snapshots of one scene; safe to use from any thread.

    Args:
        scene: gives models and lanes.
    """

    def __init__(self, scene: Scene) -> None:
        self._vehicle_sizes = [tuple(row) for row in scene.vehicle_sizes.tolist()]
        self._link_length: list[float] = scene.network.link_length.tolist()
        self._side_by_side = scene.network.side_by_side
        self._readers: dict[ActorKind, Callable[[list[float], list[int]], ActorState | None]] = {
            ActorKind.NPC: self._npc,
            ActorKind.GHOST: self._ghost,
            ActorKind.PEDESTRIAN: _person,
            ActorKind.OBSTACLE: _obstacle,
        }

    def state(self, now: Snapshot, actor: int) -> ActorState | None:
        """An actor by its id, None where no body of this id is on the map."""
        row = now.row_of(actor)
        if row >= 0:
            return self._vehicle(now, row)
        for kind, (table_of, id_row) in _TABLES.items():
            table = table_of(now)
            row = row_of_id(table.ints[id_row], actor) if table.rows else -1
            if row >= 0:
                return self._readers[kind](table.floats[:, row].tolist(), table.ints[:, row].tolist())
        return None

    def states(self, now: Snapshot, kinds: Collection[ActorKind] = BODIES) -> Iterator[ActorState]:
        """All actors of some kinds, kind by kind in ascending order of ids; those off the map are left out."""
        if ActorKind.EGO in kinds:
            for row in range(len(now.egos)):
                yield self._vehicle(now, row)
        for kind, (table_of, _) in _TABLES.items():
            table, read = table_of(now), self._readers[kind]
            if kind not in kinds or not table.rows:
                continue
            for floats, ints in zip(table.floats.T.tolist(), table.ints.T.tolist(), strict=True):
                found = read(floats, ints)
                if found is not None:
                    yield found

    def _vehicle(self, now: Snapshot, row: int) -> ActorState:
        """A vehicle with full dynamics. While it is paused its motion waits for it, and it stands."""
        state, limit = now.vehicle.floats[:, row].tolist(), now.parameter.floats[:, row].tolist()
        codes = now.vehicle.ints[:, row].tolist()
        paused = bool(codes[_VEHICLE.paused])
        velocity, angular_velocity, acceleration = (
            NOTHING if paused else (state[at], state[at + 1], state[at + 2]) for at in _MOTION
        )
        return ActorState(
            codes[_VEHICLE.id],
            ActorKind.EGO,
            codes[_VEHICLE.model],
            (state[_VEHICLE.x], state[_VEHICLE.x + 1], state[_VEHICLE.x + 2]),
            (state[_VEHICLE.roll], state[_VEHICLE.roll + 1], math.remainder(state[_VEHICLE.roll + 2], math.tau)),
            velocity,
            angular_velocity,
            acceleration,
            (limit[_PARAMETER.length], limit[_PARAMETER.width], limit[_PARAMETER.height]),
            0.5 * (limit[_PARAMETER.wheelbase] + limit[_PARAMETER.front_overhang] - limit[_PARAMETER.rear_overhang]),
            paused,
            state[_VEHICLE.accelerator],
            state[_VEHICLE.brake],
            state[_ASKED_STEER],
            state[_VEHICLE.steer],
            reported_gear(
                codes[_VEHICLE.gear],
                codes[_VEHICLE.control_kind],
                codes[_VEHICLE.steer_type],
                state[_VEHICLE.throttle],
                state[_VEHICLE.target_velocity],
            ),
        )

    def _npc(self, floats: list[float], ints: list[int]) -> ActorState | None:
        """An NPC vehicle; None for one that waits off the map, and for the plan of an ego's driver."""
        present = ints[_TRAFFIC.present]
        if present == _OFF_MAP or ints[_TRAFFIC.plan_of_ego]:
            return None
        length, width, height, front, wheelbase, rear = self._vehicle_sizes[ints[_TRAFFIC.model]]
        middle = 0.5 * (wheelbase + front - rear)
        speed, yaw_rate, yaw = floats[_TRAFFIC.speed], floats[_TRAFFIC.yaw_rate], floats[_TRAFFIC.yaw]
        velocity, acceleration, steer, link, s = NOTHING, NOTHING, 0.0, -1, 0.0
        if present >= _OFF_LANE:
            c, sine = math.cos(yaw), math.sin(yaw)
            vx, vy = floats[_TRAFFIC.slide_x], floats[_TRAFFIC.slide_x + 1]
            velocity = (c * vx + sine * vy, c * vy - sine * vx - yaw_rate * middle, 0.0)
            ax, ay = floats[_TRAFFIC.slide_acceleration_x], floats[_TRAFFIC.slide_acceleration_x + 1]
            acceleration = (c * ax + sine * ay, c * ay - sine * ax, 0.0)
        else:
            velocity = (speed, 0.0, 0.0)
            # a standing vehicle does not slow down any more, whatever its driver decided last
            along = floats[_TRAFFIC.acceleration] if speed > 0.0 else max(floats[_TRAFFIC.acceleration], 0.0)
            acceleration = (along, speed * yaw_rate, 0.0)
            steer = math.atan(wheelbase * yaw_rate / speed) if speed > _SLOW else 0.0
            link, s = self._lane_of(floats, ints, floats[_TRAFFIC.s] - front - wheelbase)
        return ActorState(
            ints[_TRAFFIC.id],
            ActorKind.NPC,
            ints[_TRAFFIC.model],
            (floats[_TRAFFIC.x], floats[_TRAFFIC.x + 1], floats[_TRAFFIC.x + 2]),
            (floats[_TRAFFIC.roll], floats[_TRAFFIC.pitch], yaw),
            velocity,
            (0.0, 0.0, yaw_rate),
            acceleration,
            (length, width, height),
            middle,
            bool(ints[_TRAFFIC.paused]),
            asked_steer=steer,
            steer=steer,
            link=link,
            s=s,
        )

    def _lane_of(self, floats: list[float], ints: list[int], s: float) -> tuple[int, float]:
        """Link under the origin of an NPC vehicle and arc length there; in a lane change the old one up to its middle.

        Args:
            floats: its row of numbers.
            ints: its row of codes.
            s: arc length of its origin against the link under its front bumper [m].
        """
        link = ints[_TRAFFIC.link]
        if ints[_TRAFFIC.change_from] >= 0:
            if s - floats[_TRAFFIC.change_start] < 0.5 * floats[_TRAFFIC.change_length]:
                front, after = floats[_TRAFFIC.s], link
                link = ints[_TRAFFIC.change_from]
                s += float(self._side_by_side.places_on_lane(link, after, front)[0]) - front
        else:
            for before in (ints[_TRAFFIC.previous], ints[_TRAFFIC.before_previous]):
                if s < 0.0 and before >= 0:
                    link, s = before, s + self._link_length[before]
        return link, max(s, 0.0)

    def _ghost(self, floats: list[float], ints: list[int]) -> ActorState:
        length, width, height, front, wheelbase, rear = self._vehicle_sizes[ints[_GHOST.model]]
        yaw, yaw_rate = math.remainder(floats[_GHOST.yaw], math.tau), floats[_GHOST.yaw_rate]
        rotation, size = (floats[_GHOST.yaw - 2], floats[_GHOST.yaw - 1], yaw), (length, width, height)
        speed = math.cos(yaw) * floats[_GHOST.velocity_x] + math.sin(yaw) * floats[_GHOST.velocity_x + 1]
        steer = math.atan(wheelbase * yaw_rate / speed) if speed > _SLOW else 0.0
        middle = 0.5 * (wheelbase + front - rear)
        return _moving(ActorKind.GHOST, _GHOST, floats, ints, rotation, size, False, middle=middle, steer=steer)


def _person(floats: list[float], ints: list[int]) -> ActorState:
    model = PEDESTRIAN_MODELS[ints[_PEDESTRIAN.model]]
    rotation, size = (0.0, 0.0, floats[_PEDESTRIAN.yaw]), (model.length, model.width, model.height)
    return _moving(ActorKind.PEDESTRIAN, _PEDESTRIAN, floats, ints, rotation, size, bool(ints[_PEDESTRIAN.paused]))


def _obstacle(floats: list[float], ints: list[int]) -> ActorState:
    yaw = math.remainder(floats[_OBSTACLE.yaw], math.tau)
    rotation = (floats[_OBSTACLE.yaw - 2], floats[_OBSTACLE.yaw - 1], yaw)
    size = (floats[_OBSTACLE.length], floats[_OBSTACLE.length + 1], floats[_OBSTACLE.length + 2])
    up = (floats[_OBSTACLE.velocity_x + 2], floats[_OBSTACLE.acceleration_x + 2])
    return _moving(ActorKind.OBSTACLE, _OBSTACLE, floats, ints, rotation, size, bool(ints[_OBSTACLE.paused]), up)


def _moving(
    kind: ActorKind,
    at: Any,
    floats: list[float],
    ints: list[int],
    rotation: Vector,
    size: Vector,
    paused: bool,
    up: tuple[float, float] = (0.0, 0.0),
    *,
    middle: float = 0.0,
    steer: float = 0.0,
) -> ActorState:
    """An actor of a table that has motion in the map.

    Args:
        kind: what it is.
        at: indices of the table's columns; columns of a vector follow each other.
        floats: its row.
        ints: the same of integers.
        rotation: roll, pitch, yaw [rad].
        size: length, width, height [m].
        paused: whether it is held where it is.
        up: velocity and acceleration upwards [m/s], [m/s²].
        middle: from the origin to the middle of its box, forward [m].
        steer: front wheel angle, left positive [rad].
    """
    x, v, a = at.x, at.velocity_x, at.acceleration_x
    c, s = math.cos(rotation[2]), math.sin(rotation[2])
    vx, vy, ax, ay = floats[v], floats[v + 1], floats[a], floats[a + 1]
    return ActorState(
        ints[at.id],
        kind,
        ints[at.model],
        (floats[x], floats[x + 1], floats[x + 2]),
        rotation,
        (c * vx + s * vy, c * vy - s * vx, up[0]),
        (0.0, 0.0, floats[at.yaw_rate]),
        (c * ax + s * ay, c * ay - s * ax, up[1]),
        size,
        middle,
        paused,
        asked_steer=steer,
        steer=steer,
    )


def model_name(scene: Scene, state: ActorState) -> str:
    """The name of an actor's model."""
    return name_of_model(scene, state.kind, state.model)


def name_of_model(scene: Scene, kind: ActorKind | BodyKind, model: int) -> str:
    """The name of the model in a row of the catalogue of a kind."""
    if kind is BodyKind.SCENERY:
        return ObjectKind(model).name.lower()
    models: dict[str, Sequence[Any]] = {"PEDESTRIAN": PEDESTRIAN_MODELS, "OBSTACLE": OBSTACLE_MODELS}
    name: str = models.get(kind.name, scene.models)[model].name
    return name


_TABLES: dict[ActorKind, tuple[Callable[[Snapshot], Columns], int]] = {
    ActorKind.NPC: (lambda now: now.traffic, _TRAFFIC.id),
    ActorKind.GHOST: (lambda now: now.ghost, _GHOST.id),
    ActorKind.PEDESTRIAN: (lambda now: now.people.state, _PEDESTRIAN.id),
    ActorKind.OBSTACLE: (lambda now: now.obstacles.state, _OBSTACLE.id),
}
"""The table of each kind in a snapshot, and the row of its ids."""
_SLOW = 0.1
"""At or below this speed [m/s], no wheel angle is derived from the curvature of the path."""
_OFF_MAP, _OFF_LANE = int(Presence.OFF_MAP), int(Presence.OFF_LANE)
_MOTION = (_VEHICLE.velocity_x, _VEHICLE.angular_velocity, _VEHICLE.acceleration)
_ASKED_STEER = _VEHICLE.asked_control + 2
