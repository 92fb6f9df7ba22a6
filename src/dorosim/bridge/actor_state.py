"""The published state of an actor of any kind: place, motion and size, in SI units.

One reader of snapshots for all interfaces. It works on plain numbers row by row, which for a thousand actors costs a
few milliseconds; code that needs arrays takes the tables of the Snapshot.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from dorosim.bridge.actor import VEHICLES, ActorKind
from dorosim.ground.column import Columns, WholeArray, row_of_id
from dorosim.world.command.actor import Vector
from dorosim.world.obstacle.state import OBSTACLE_MODELS, ObstacleState
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.mode import Gear
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState
from dorosim.world.vehicle.told_gear import told_gear

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


def npc_rows(now: Snapshot) -> WholeArray:
    """Returns the rows of NPC vehicles on the map in the table of traffic, without plans of egos' drivers."""
    traffic = now.traffic
    rows: WholeArray = np.flatnonzero((traffic.plan_of_ego == 0) & (traffic.present != Presence.OFF_MAP))
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

    def state(self, now: Snapshot, actor: int) -> ActorState | None:
        """An actor by its id, None where no body of this id is on the map."""
        row = now.row_of(actor)
        if row >= 0:
            return self._vehicle(now, row)
        for kind in _TABLES:
            table = _table(now, kind)
            row = row_of_id(table.whole[_ID[kind]], actor) if table.rows else -1
            if row >= 0:
                return self._other(kind, table.real[:, row].tolist(), table.whole[:, row].tolist())
        return None

    def states(self, now: Snapshot, kinds: Collection[ActorKind] = BODIES) -> Iterator[ActorState]:
        """All actors of some kinds, kind by kind in ascending order of ids; those off the map are left out."""
        if ActorKind.EGO in kinds:
            for row in range(len(now.egos)):
                yield self._vehicle(now, row)
        for kind in _TABLES:
            table = _table(now, kind)
            if kind not in kinds or not table.rows:
                continue
            for real, whole in zip(table.real.T.tolist(), table.whole.T.tolist(), strict=True):
                found = self._other(kind, real, whole)
                if found is not None:
                    yield found

    def _vehicle(self, now: Snapshot, row: int) -> ActorState:
        """A vehicle with full dynamics. While it is paused its motion waits for it, and it stands."""
        state, limit = now.vehicle.real[:, row].tolist(), now.parameter.real[:, row].tolist()
        codes = now.vehicle.whole[:, row].tolist()
        paused = bool(codes[_PAUSED])
        return ActorState(
            codes[_OWN_ID],
            ActorKind.EGO,
            codes[_MODEL],
            (state[_X], state[_X + 1], state[_X + 2]),
            (state[_ROLL], state[_ROLL + 1], math.remainder(state[_ROLL + 2], math.tau)),
            NOTHING if paused else (state[_VX], state[_VX + 1], state[_VX + 2]),
            NOTHING if paused else (state[_TURN], state[_TURN + 1], state[_TURN + 2]),
            NOTHING if paused else (state[_PULL], state[_PULL + 1], state[_PULL + 2]),
            (limit[_LENGTH], limit[_WIDTH], limit[_HEIGHT]),
            0.5 * (limit[_WHEELBASE] + limit[_FRONT] - limit[_REAR]),
            paused,
            state[_ACCELERATOR],
            state[_BRAKE],
            state[_ASKED_STEER],
            state[_STEER],
            told_gear(codes[_GEAR], codes[_KIND], codes[_STEER_TYPE], state[_THROTTLE], state[_TARGET_SPEED]),
        )

    def _other(self, kind: ActorKind, real: list[float], whole: list[int]) -> ActorState | None:
        if kind is ActorKind.NPC:
            return self._npc(real, whole)
        if kind is ActorKind.GHOST:
            return self._ghost(real, whole)
        return _person(real, whole) if kind is ActorKind.PEDESTRIAN else _obstacle(real, whole)

    def _npc(self, real: list[float], whole: list[int]) -> ActorState | None:
        """An NPC vehicle; None for one that waits off the map, and for the plan of an ego's driver."""
        present = whole[_T_PRESENT]
        if present == _OFF_MAP or whole[_T_PLAN]:
            return None
        length, width, height, front, wheelbase, rear = self._vehicle_sizes[whole[_T_MODEL]]
        middle = 0.5 * (wheelbase + front - rear)
        speed, turn, yaw = real[_T_SPEED], real[_T_TURN], real[_T_YAW]
        velocity, pull, steer, link, s = NOTHING, NOTHING, 0.0, -1, 0.0
        if present >= _OFF_LANE:
            c, sine = math.cos(yaw), math.sin(yaw)
            vx, vy = real[_T_SLIDE], real[_T_SLIDE + 1]
            velocity = (c * vx + sine * vy, c * vy - sine * vx - turn * middle, 0.0)
            ax, ay = real[_T_SLOWING], real[_T_SLOWING + 1]
            pull = (c * ax + sine * ay, c * ay - sine * ax, 0.0)
        else:
            velocity = (speed, 0.0, 0.0)
            # a standing vehicle does not slow down any more, whatever its driver decided last
            along = real[_T_PULL] if speed > 0.0 else max(real[_T_PULL], 0.0)
            pull = (along, speed * turn, 0.0)
            steer = math.atan(wheelbase * turn / speed) if speed > _SLOW else 0.0
            link, s = self._lane_of(real, whole, real[_T_S] - front - wheelbase)
        return ActorState(
            whole[_T_ID],
            ActorKind.NPC,
            whole[_T_MODEL],
            (real[_T_X], real[_T_X + 1], real[_T_X + 2]),
            (0.0, real[_T_PITCH], yaw),
            velocity,
            (0.0, 0.0, turn),
            pull,
            (length, width, height),
            middle,
            bool(whole[_T_PAUSED]),
            asked_steer=steer,
            steer=steer,
            link=link,
            s=s,
        )

    def _lane_of(self, real: list[float], whole: list[int], s: float) -> tuple[int, float]:
        """Link under the origin of an NPC vehicle and arc length there; in a lane change the old one up to its middle.

        Args:
            real: its row of numbers.
            whole: its row of codes.
            s: arc length of its origin against the link under its front bumper [m].
        """
        link = whole[_T_LINK]
        if whole[_T_FROM] >= 0:
            if s - real[_T_START] < 0.5 * real[_T_WAY]:
                front, after = real[_T_S], link
                link = whole[_T_FROM]
                s += float(self._side_by_side.places_on_lane(link, after, front)[0]) - front
        else:
            for before in (whole[_T_PREVIOUS], whole[_T_BEFORE]):
                if s < 0.0 and before >= 0:
                    link, s = before, s + self._link_length[before]
        return link, max(s, 0.0)

    def _ghost(self, real: list[float], whole: list[int]) -> ActorState:
        length, width, height, front, wheelbase, rear = self._vehicle_sizes[whole[_G_MODEL]]
        yaw, turn = math.remainder(real[_G_YAW], math.tau), real[_G_TURN]
        c, s, vx, vy = math.cos(yaw), math.sin(yaw), real[_G_VX], real[_G_VX + 1]
        speed = c * vx + s * vy
        ax, ay = real[_G_AX], real[_G_AX + 1]
        steer = math.atan(wheelbase * turn / speed) if speed > _SLOW else 0.0
        return ActorState(
            whole[_G_ID],
            ActorKind.GHOST,
            whole[_G_MODEL],
            (real[_G_X], real[_G_X + 1], real[_G_X + 2]),
            (real[_G_YAW - 2], real[_G_YAW - 1], yaw),
            (speed, c * vy - s * vx, 0.0),
            (0.0, 0.0, turn),
            (c * ax + s * ay, c * ay - s * ax, 0.0),
            (length, width, height),
            0.5 * (wheelbase + front - rear),
            paused=False,
            asked_steer=steer,
            steer=steer,
        )


def _person(real: list[float], whole: list[int]) -> ActorState:
    yaw = real[_M_YAW]
    c, s = math.cos(yaw), math.sin(yaw)
    vx, vy, ax, ay = real[_M_VX], real[_M_VX + 1], real[_M_AX], real[_M_AX + 1]
    model = PEDESTRIAN_MODELS[whole[_M_MODEL]]
    return ActorState(
        whole[_M_ID],
        ActorKind.PEDESTRIAN,
        whole[_M_MODEL],
        (real[_M_X], real[_M_X + 1], real[_M_X + 2]),
        (0.0, 0.0, yaw),
        (c * vx + s * vy, c * vy - s * vx, 0.0),
        (0.0, 0.0, real[_M_TURN]),
        (c * ax + s * ay, c * ay - s * ax, 0.0),
        (model.length, model.width, model.height),
        0.0,
        bool(whole[_M_PAUSED]),
    )


def _obstacle(real: list[float], whole: list[int]) -> ActorState:
    yaw = math.remainder(real[_O_YAW], math.tau)
    c, s, vx, vy = math.cos(yaw), math.sin(yaw), real[_O_VX], real[_O_VX + 1]
    ax, ay = real[_O_AX], real[_O_AX + 1]
    return ActorState(
        whole[_O_ID],
        ActorKind.OBSTACLE,
        whole[_O_MODEL],
        (real[_O_X], real[_O_X + 1], real[_O_X + 2]),
        (real[_O_YAW - 2], real[_O_YAW - 1], yaw),
        (c * vx + s * vy, c * vy - s * vx, real[_O_VX + 2]),
        (0.0, 0.0, real[_O_TURN]),
        (c * ax + s * ay, c * ay - s * ax, real[_O_AX + 2]),
        (real[_O_SIZE], real[_O_SIZE + 1], real[_O_SIZE + 2]),
        0.0,
        bool(whole[_O_PAUSED]),
    )


def model_name(scene: Scene, state: ActorState) -> str:
    """The name of an actor's model."""
    if state.kind is ActorKind.PEDESTRIAN:
        return PEDESTRIAN_MODELS[state.model].name
    if state.kind is ActorKind.OBSTACLE:
        return OBSTACLE_MODELS[state.model].name
    return scene.models[state.model].name


def _table(now: Snapshot, kind: ActorKind) -> Columns:
    if kind is ActorKind.NPC:
        return now.traffic
    if kind is ActorKind.GHOST:
        return now.ghost
    return now.people.state if kind is ActorKind.PEDESTRIAN else now.obstacles.state


_TABLES = (ActorKind.NPC, ActorKind.GHOST, ActorKind.PEDESTRIAN, ActorKind.OBSTACLE)
_SLOW = 0.1
"""At or below this speed [m/s], no wheel angle is derived from the curvature of the path."""
_OFF_MAP, _OFF_LANE = int(Presence.OFF_MAP), int(Presence.OFF_LANE)
_ID = {
    ActorKind.NPC: TrafficState.id.index,
    ActorKind.GHOST: GhostState.id.index,
    ActorKind.PEDESTRIAN: PedestrianState.id.index,
    ActorKind.OBSTACLE: ObstacleState.id.index,
}
_S, _P, _T, _G, _M, _O = VehicleState, VehicleParameter, TrafficState, GhostState, PedestrianState, ObstacleState
_X, _ROLL, _VX, _TURN, _PULL = (
    _S.x.index,
    _S.roll.index,
    _S.velocity_x.index,
    _S.angular_velocity.index,
    _S.acceleration.index,
)
_ACCELERATOR, _BRAKE, _STEER = _S.accelerator.index, _S.brake.index, _S.steer.index
_ASKED_STEER = _S.asked_control.index + 2
_OWN_ID, _MODEL, _GEAR, _PAUSED = _S.id.index, _S.model.index, _S.gear.index, _S.paused.index
_KIND, _STEER_TYPE = _S.control_kind.index, _S.steer_type.index
_THROTTLE, _TARGET_SPEED = _S.throttle.index, _S.target_velocity.index
_LENGTH, _WIDTH, _HEIGHT = _P.length.index, _P.width.index, _P.height.index
_WHEELBASE, _FRONT, _REAR = _P.wheelbase.index, _P.front_overhang.index, _P.rear_overhang.index
_T_X, _T_YAW, _T_PITCH, _T_SLIDE = _T.x.index, _T.yaw.index, _T.pitch.index, _T.slide_x.index
_T_SPEED, _T_TURN, _T_PULL, _T_S = _T.speed.index, _T.yaw_rate.index, _T.acceleration.index, _T.s.index
_T_SLOWING = _T.slide_acceleration_x.index
_T_START, _T_WAY = _T.change_start.index, _T.change_length.index
_T_ID, _T_MODEL, _T_PAUSED, _T_PRESENT = _T.id.index, _T.model.index, _T.paused.index, _T.present.index
_T_PLAN, _T_LINK, _T_FROM = _T.plan_of_ego.index, _T.link.index, _T.change_from.index
_T_PREVIOUS, _T_BEFORE = _T.previous.index, _T.before_previous.index
_G_X, _G_YAW, _G_VX, _G_TURN = _G.x.index, _G.yaw.index, _G.velocity_x.index, _G.yaw_rate.index
_G_AX = _G.acceleration_x.index
_G_ID, _G_MODEL = _G.id.index, _G.model.index
_M_X, _M_YAW, _M_VX, _M_AX, _M_TURN = (
    _M.x.index,
    _M.yaw.index,
    _M.velocity_x.index,
    _M.acceleration_x.index,
    _M.yaw_rate.index,
)
_M_ID, _M_MODEL, _M_PAUSED = _M.id.index, _M.model.index, _M.paused.index
_O_X, _O_YAW, _O_VX, _O_TURN, _O_SIZE = (
    _O.x.index,
    _O.yaw.index,
    _O.velocity_x.index,
    _O.yaw_rate.index,
    _O.length.index,
)
_O_AX = _O.acceleration_x.index
_O_ID, _O_MODEL, _O_PAUSED = _O.id.index, _O.model.index, _O.paused.index
