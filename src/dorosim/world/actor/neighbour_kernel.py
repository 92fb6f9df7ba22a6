"""Finds the actors nearest to a vehicle, and writes their poses, sizes and motion."""

from __future__ import annotations

from math import cos, inf, sin

import numpy as np

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.actor.neighbour_state import NeighbourState
from dorosim.world.actor.number import LAST_NUMBER, NumberTable
from dorosim.world.collision.body import BodyKind
from dorosim.world.obstacle.state import ObstacleState
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.state import VehicleState

MOST = 1e30
"""A number of an actor that is greater in magnitude is reported as 0; so are NaN and infinity."""

RealTables = tuple[RealArray, RealArray, RealArray, RealArray, RealArray]
"""The real blocks of vehicles with full dynamics, NPC vehicles, ghosts, pedestrians, obstacles: by `BodyKind`."""
WholeTables = tuple[WholeArray, WholeArray, WholeArray, WholeArray, WholeArray]
"""Their whole blocks."""

_N, _V, _T, _G, _M, _O = NeighbourState, VehicleState, TrafficState, GhostState, PedestrianState, ObstacleState
_X, _YAW, _SIZE, _AXLES = _N.x.index, _N.heading.index, _N.length.index, _N.front_overhang.index
_VX, _AX, _WIDTH = _N.velocity.index, _N.acceleration.index, _N.real_width
_ID, _KIND, _MODEL, _LINK = _N.id.index, _N.kind.index, _N.model.index, _N.link.index
_TOLD, _NUMBER = _N.told.index, _N.number.index

_VEHICLE, _NPC = int(BodyKind.EGO), int(BodyKind.NPC)
_GHOST, _PERSON, _OBSTACLE = int(BodyKind.GHOST), int(BodyKind.PEDESTRIAN), int(BodyKind.OBSTACLE)
_KINDS = len(BodyKind)
# columns by BodyKind
_FROM_X = (_V.x.index, _T.x.index, _G.x.index, _M.x.index, _O.x.index)
_FROM_YAW = (_V.yaw.index, _T.yaw.index, _G.yaw.index, _M.yaw.index, _O.yaw.index)
_FROM_VX = (_V.velocity_x.index, _T.slide_x.index, _G.velocity_x.index, _M.velocity_x.index, _O.velocity_x.index)
_FROM_AX = (
    _V.acceleration.index,
    _T.slide_acceleration_x.index,
    _G.acceleration_x.index,
    _M.acceleration_x.index,
    _O.acceleration_x.index,
)
_FROM_ID = (_V.id.index, _T.id.index, _G.id.index, _M.id.index, _O.id.index)
_FROM_MODEL = (_V.model.index, _T.model.index, _G.model.index, _M.model.index, _O.model.index)

_V_AX, _V_PAUSED = _V.acceleration.index, _V.paused.index
_T_SPEED, _T_ACCELERATION, _T_TURN, _T_S = _T.speed.index, _T.acceleration.index, _T.yaw_rate.index, _T.s.index
_T_START, _T_WAY, _T_FROM, _T_LINK = _T.change_start.index, _T.change_length.index, _T.change_from.index, _T.link.index
_T_PREVIOUS, _T_BEFORE = _T.previous.index, _T.before_previous.index
_T_PRESENT, _T_PLAN = _T.present.index, _T.plan_of_ego.index
_OFF_MAP, _ON_LANE = int(Presence.OFF_MAP), int(Presence.ON_LANE)
_O_VZ, _O_AZ, _O_SIZE = _O.velocity_z.index, _O.acceleration_z.index, _O.length.index
_G_ALIAS, _G_TOLD = _G.alias.index, _G.is_told.index
_OF_ACTOR, _OF_NUMBER = NumberTable.actor.index, NumberTable.number.index


@kernel
def write_neighbours(
    own: int,
    itself: bool,
    asked: WholeArray,
    tables: RealTables,
    wholes: WholeTables,
    vehicle_size: RealArray,
    person_size: RealArray,
    link_length: RealArray,
    numbers: WholeArray,
    real: RealArray,
    whole: WholeArray,
) -> int:
    """Write the actors nearest to a vehicle, nearest first; of equally near ones the order is that of the tables.

    Args:
        own: row of the vehicle.
        itself: whether the vehicle itself may be written, too.
        asked: ids of the actors to choose from; empty for all.
        tables: read-only.
        wholes: read-only.
        vehicle_size: `(models, 6)` length, width, height, front overhang, wheelbase, rear overhang [m]; read-only.
        person_size: `(models, 6)` of pedestrians, the last three 0; read-only.
        link_length: `(links,)` [m], read-only.
        numbers: the whole block of `NumberTable`, read-only.
        real: the real block of `NeighbourState`, written; its width is how many are wanted.
        whole: its whole block, written.

    Returns:
        how many were written.
    """
    most = int(real.shape[1])
    gap, kinds, rows = np.full(most + 1, inf), np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    select(-1 if itself else own, own, asked, tables, wholes, gap, kinds, rows)
    for n in range(most):
        if gap[n] == inf:
            return n
        kind, i = kinds[n], rows[n]
        table, codes = tables[kind], wholes[kind]
        model = codes[_FROM_MODEL[kind], i]
        whole[_ID, n], whole[_KIND, n] = codes[_FROM_ID[kind], i], kind
        whole[_MODEL, n], whole[_LINK, n] = model, -1
        write_names(codes, kind, i, numbers, whole, n)
        real[_YAW, n] = table[_FROM_YAW[kind], i]
        for k in range(3):
            real[_X + k, n] = table[_FROM_X[kind] + k, i]
            real[_VX + k, n] = real[_AX + k, n] = 0.0
        for k in range(6):
            if kind == _OBSTACLE:
                real[_SIZE + k, n] = table[_O_SIZE + k, i] if k < 3 else 0.0
            else:
                real[_SIZE + k, n] = person_size[model, k] if kind == _PERSON else vehicle_size[model, k]
        if kind == _VEHICLE:
            write_vehicle_motion(table, codes, i, real, n)
        elif kind == _NPC and codes[_T_PRESENT, i] == _ON_LANE:
            write_lane_motion(table, codes, link_length, i, real, whole, n)
        else:
            write_free_motion(table, kind, i, real, n)
        for k in range(_WIDTH):
            if not abs(real[k, n]) <= MOST:
                real[k, n] = 0.0
    return most


@inner_kernel
def select(
    unseen: int,
    own: int,
    asked: WholeArray,
    tables: RealTables,
    wholes: WholeTables,
    gap: RealArray,
    kinds: WholeArray,
    rows: WholeArray,
) -> None:
    """Write square distances [m²], kinds and rows of the nearest; an actor without a finite place is left out.

    Distances are those from the vehicle of row `own`; that of row `unseen` is left out.
    """
    first, vehicle, last = _FROM_X[_VEHICLE], tables[_VEHICLE], gap.shape[0] - 1
    x, y, z = vehicle[first, own], vehicle[first + 1, own], vehicle[first + 2, own]
    for kind in range(_KINDS):
        table, codes, at = tables[kind], wholes[kind], _FROM_X[kind]
        for i in range(table.shape[1]):
            square = (table[at, i] - x) ** 2 + (table[at + 1, i] - y) ** 2 + (table[at + 2, i] - z) ** 2
            if not (last > 0 and square < gap[last - 1]) or (kind == _VEHICLE and i == unseen):
                continue
            if kind == _NPC and (codes[_T_PRESENT, i] == _OFF_MAP or codes[_T_PLAN, i] != 0):
                continue
            wanted = asked.shape[0] == 0
            for k in range(asked.shape[0]):
                wanted = wanted or asked[k] == codes[_FROM_ID[kind], i]
            if not wanted:
                continue
            n = last
            while n > 0 and square < gap[n - 1]:
                gap[n], kinds[n], rows[n] = gap[n - 1], kinds[n - 1], rows[n - 1]
                n -= 1
            gap[n], kinds[n], rows[n] = square, kind, i
    gap[last] = inf


@inner_kernel
def write_names(codes: WholeArray, kind: int, i: int, numbers: WholeArray, whole: WholeArray, n: int) -> None:
    """Write the numbers by which messages report an actor.

    Args:
        codes: the whole block of its kind.
        kind: `BodyKind`.
        i: row of the actor.
        numbers: the whole block of `NumberTable`.
        whole: the whole block of `NeighbourState`, written.
        n: row there.
    """
    actor = codes[_FROM_ID[kind], i]
    row, end = 0, int(numbers.shape[1])
    while row < end:
        middle = (row + end) // 2
        if numbers[_OF_ACTOR, middle] < actor:
            row = middle + 1
        else:
            end = middle
    told, number = actor, numbers[_OF_NUMBER, row] if row < numbers.shape[1] else 0
    if kind == _GHOST and codes[_G_TOLD, i] != 0:
        told = codes[_G_ALIAS, i]
        if -LAST_NUMBER <= told <= LAST_NUMBER:
            number = told
    whole[_TOLD, n], whole[_NUMBER, n] = told, number


@inner_kernel
def write_vehicle_motion(vehicle: RealArray, codes: WholeArray, i: int, real: RealArray, n: int) -> None:
    """Write the motion of a vehicle with full dynamics. A paused one is written as standing; its motion waits."""
    if codes[_V_PAUSED, i] == 0:
        for k in range(3):
            real[_VX + k, n] = vehicle[_FROM_VX[_VEHICLE] + k, i]
            real[_AX + k, n] = vehicle[_V_AX + k, i]


@inner_kernel
def write_lane_motion(
    traffic: RealArray, codes: WholeArray, link_length: RealArray, i: int, real: RealArray, whole: WholeArray, n: int
) -> None:
    """Write motion and link of an NPC vehicle that drives on its lane.

    The link is the one under the body origin; in a lane change the old one up to the middle of the way.
    """
    speed, acceleration = traffic[_T_SPEED, i], traffic[_T_ACCELERATION, i]
    real[_VX, n] = speed
    # a vehicle that stands is not slowed down any more, whatever its driver decided last
    real[_AX, n] = acceleration if speed > 0.0 else max(acceleration, 0.0)
    real[_AX + 1, n] = speed * traffic[_T_TURN, i]
    s = traffic[_T_S, i] - real[_AXLES, n] - real[_AXLES + 1, n]
    link = codes[_T_LINK, i]
    if codes[_T_FROM, i] >= 0:
        if s - traffic[_T_START, i] < 0.5 * traffic[_T_WAY, i]:
            link = codes[_T_FROM, i]
    elif s < 0.0 and codes[_T_PREVIOUS, i] >= 0:
        link = codes[_T_PREVIOUS, i]
        if s + link_length[link] < 0.0 and codes[_T_BEFORE, i] >= 0:
            link = codes[_T_BEFORE, i]
    whole[_LINK, n] = link


@inner_kernel
def write_free_motion(table: RealArray, kind: int, i: int, real: RealArray, n: int) -> None:
    """Write the motion of an actor that is known by its velocity in the map."""
    yaw, vx, vy = real[_YAW, n], table[_FROM_VX[kind], i], table[_FROM_VX[kind] + 1, i]
    c, s = cos(yaw), sin(yaw)
    real[_VX, n], real[_VX + 1, n] = c * vx + s * vy, c * vy - s * vx
    if kind == _NPC:
        # one that slides is known by its centre of gravity, the middle of its box
        middle = real[_AXLES, n] + real[_AXLES + 1, n] - 0.5 * real[_SIZE, n]
        real[_VX + 1, n] -= table[_T_TURN, i] * middle
    elif kind == _OBSTACLE:
        real[_VX + 2, n], real[_AX + 2, n] = table[_O_VZ, i], table[_O_AZ, i]
    ax, ay = table[_FROM_AX[kind], i], table[_FROM_AX[kind] + 1, i]
    real[_AX, n], real[_AX + 1, n] = c * ax + s * ay, c * ay - s * ax
