"""Finds the actors nearest to a vehicle, and writes their poses, sizes and motion."""

from __future__ import annotations

from math import cos, inf, sin

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.actor.neighbour_state import NeighbourState
from dorosim.world.actor.number import LAST_NUMBER, NumberTable
from dorosim.world.collision.body import ACTOR_KINDS, BodyKind
from dorosim.world.obstacle.state import ObstacleState
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.state import VehicleState

_NEIGHBOUR = NeighbourState.at
_VEHICLE_AT = VehicleState.at
_TRAFFIC = TrafficState.at
_GHOST_AT = GhostState.at
_PEDESTRIAN = PedestrianState.at
_OBSTACLE_AT = ObstacleState.at

MAX_REPORTED_NUMBER = 1e30
"""A number of an actor that is greater in magnitude is reported as 0; so are NaN and infinity."""

FloatTables = tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]
"""The float blocks of vehicles with full dynamics, NPC vehicles, ghosts, pedestrians, obstacles: by `BodyKind`."""
IntTables = tuple[IntArray, IntArray, IntArray, IntArray, IntArray]
"""Their int blocks."""

_WIDTH = NeighbourState.float_width

_VEHICLE, _NPC = int(BodyKind.EGO), int(BodyKind.NPC)
_GHOST, _PERSON, _OBSTACLE = int(BodyKind.GHOST), int(BodyKind.PEDESTRIAN), int(BodyKind.OBSTACLE)
_KINDS = len(ACTOR_KINDS)
# columns by BodyKind
_FROM_X = (_VEHICLE_AT.x, _TRAFFIC.x, _GHOST_AT.x, _PEDESTRIAN.x, _OBSTACLE_AT.x)
_FROM_YAW = (_VEHICLE_AT.yaw, _TRAFFIC.yaw, _GHOST_AT.yaw, _PEDESTRIAN.yaw, _OBSTACLE_AT.yaw)
_FROM_VX = (
    _VEHICLE_AT.velocity_x,
    _TRAFFIC.slide_x,
    _GHOST_AT.velocity_x,
    _PEDESTRIAN.velocity_x,
    _OBSTACLE_AT.velocity_x,
)
_FROM_AX = (
    _VEHICLE_AT.acceleration,
    _TRAFFIC.slide_acceleration_x,
    _GHOST_AT.acceleration_x,
    _PEDESTRIAN.acceleration_x,
    _OBSTACLE_AT.acceleration_x,
)
_FROM_ID = (_VEHICLE_AT.id, _TRAFFIC.id, _GHOST_AT.id, _PEDESTRIAN.id, _OBSTACLE_AT.id)
_FROM_MODEL = (_VEHICLE_AT.model, _TRAFFIC.model, _GHOST_AT.model, _PEDESTRIAN.model, _OBSTACLE_AT.model)

_OFF_MAP, _ON_LANE = int(Presence.OFF_MAP), int(Presence.ON_LANE)
_NUMBER_TABLE = NumberTable.at


@kernel
def write_neighbours(
    own: int,
    itself: bool,
    asked: IntArray,
    tables: FloatTables,
    wholes: IntTables,
    vehicle_size: FloatArray,
    person_size: FloatArray,
    link_length: FloatArray,
    numbers: IntArray,
    floats: FloatArray,
    ints: IntArray,
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
        numbers: the int block of `NumberTable`, read-only.
        floats: the float block of `NeighbourState`, written; its width is how many are wanted.
        ints: its int block, written.

    Returns:
        how many were written.
    """
    most = int(floats.shape[1])
    gap, kinds, rows = np.full(most + 1, inf), np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    select(-1 if itself else own, own, asked, tables, wholes, gap, kinds, rows)
    for n in range(most):
        if gap[n] == inf:
            return n
        kind, i = kinds[n], rows[n]
        table, codes = tables[kind], wholes[kind]
        model = codes[_FROM_MODEL[kind], i]
        ints[_NEIGHBOUR.id, n], ints[_NEIGHBOUR.kind, n] = codes[_FROM_ID[kind], i], kind
        ints[_NEIGHBOUR.model, n], ints[_NEIGHBOUR.link, n] = model, -1
        write_names(codes, kind, i, numbers, ints, n)
        floats[_NEIGHBOUR.heading, n] = table[_FROM_YAW[kind], i]
        for k in range(3):
            floats[_NEIGHBOUR.x + k, n] = table[_FROM_X[kind] + k, i]
            floats[_NEIGHBOUR.velocity + k, n] = floats[_NEIGHBOUR.acceleration + k, n] = 0.0
        for k in range(6):
            if kind == _OBSTACLE:
                floats[_NEIGHBOUR.length + k, n] = table[_OBSTACLE_AT.length + k, i] if k < 3 else 0.0
            else:
                floats[_NEIGHBOUR.length + k, n] = person_size[model, k] if kind == _PERSON else vehicle_size[model, k]
        if kind == _VEHICLE:
            write_vehicle_motion(table, codes, i, floats, n)
        elif kind == _NPC and codes[_TRAFFIC.present, i] == _ON_LANE:
            write_lane_motion(table, codes, link_length, i, floats, ints, n)
        else:
            write_free_motion(table, kind, i, floats, n)
        for k in range(_WIDTH):
            if not abs(floats[k, n]) <= MAX_REPORTED_NUMBER:
                floats[k, n] = 0.0
    return most


@inner_kernel
def select(
    unseen: int,
    own: int,
    asked: IntArray,
    tables: FloatTables,
    wholes: IntTables,
    gap: FloatArray,
    kinds: IntArray,
    rows: IntArray,
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
            if kind == _NPC and (codes[_TRAFFIC.present, i] == _OFF_MAP or codes[_TRAFFIC.plan_of_ego, i] != 0):
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
def write_names(codes: IntArray, kind: int, i: int, numbers: IntArray, ints: IntArray, n: int) -> None:
    """Write the numbers by which messages report an actor.

    Args:
        codes: the int block of its kind.
        kind: `BodyKind`.
        i: row of the actor.
        numbers: the int block of `NumberTable`.
        ints: the int block of `NeighbourState`, written.
        n: row there.
    """
    actor = codes[_FROM_ID[kind], i]
    row, end = 0, int(numbers.shape[1])
    while row < end:
        middle = (row + end) // 2
        if numbers[_NUMBER_TABLE.actor, middle] < actor:
            row = middle + 1
        else:
            end = middle
    told, number = actor, numbers[_NUMBER_TABLE.number, row] if row < numbers.shape[1] else 0
    if kind == _GHOST and codes[_GHOST_AT.is_told, i] != 0:
        told = codes[_GHOST_AT.alias, i]
        if -LAST_NUMBER <= told <= LAST_NUMBER:
            number = told
    ints[_NEIGHBOUR.told, n], ints[_NEIGHBOUR.number, n] = told, number


@inner_kernel
def write_vehicle_motion(vehicle: FloatArray, codes: IntArray, i: int, floats: FloatArray, n: int) -> None:
    """Write the motion of a vehicle with full dynamics. A paused one is written as standing; its motion waits."""
    if codes[_VEHICLE_AT.paused, i] == 0:
        for k in range(3):
            floats[_NEIGHBOUR.velocity + k, n] = vehicle[_FROM_VX[_VEHICLE] + k, i]
            floats[_NEIGHBOUR.acceleration + k, n] = vehicle[_VEHICLE_AT.acceleration + k, i]


@inner_kernel
def write_lane_motion(
    traffic: FloatArray, codes: IntArray, link_length: FloatArray, i: int, floats: FloatArray, ints: IntArray, n: int
) -> None:
    """Write motion and link of an NPC vehicle that drives on its lane.

    The link is the one under the body origin; in a lane change the old one up to the middle of the way.
    """
    speed, acceleration = traffic[_TRAFFIC.speed, i], traffic[_TRAFFIC.acceleration, i]
    floats[_NEIGHBOUR.velocity, n] = speed
    # a vehicle that stands is not slowed down any more, whatever its driver decided last
    floats[_NEIGHBOUR.acceleration, n] = acceleration if speed > 0.0 else max(acceleration, 0.0)
    floats[_NEIGHBOUR.acceleration + 1, n] = speed * traffic[_TRAFFIC.yaw_rate, i]
    s = traffic[_TRAFFIC.s, i] - floats[_NEIGHBOUR.front_overhang, n] - floats[_NEIGHBOUR.front_overhang + 1, n]
    link = codes[_TRAFFIC.link, i]
    if codes[_TRAFFIC.change_from, i] >= 0:
        if s - traffic[_TRAFFIC.change_start, i] < 0.5 * traffic[_TRAFFIC.change_length, i]:
            link = codes[_TRAFFIC.change_from, i]
    elif s < 0.0 and codes[_TRAFFIC.previous, i] >= 0:
        link = codes[_TRAFFIC.previous, i]
        if s + link_length[link] < 0.0 and codes[_TRAFFIC.before_previous, i] >= 0:
            link = codes[_TRAFFIC.before_previous, i]
    ints[_NEIGHBOUR.link, n] = link


@inner_kernel
def write_free_motion(table: FloatArray, kind: int, i: int, floats: FloatArray, n: int) -> None:
    """Write the motion of an actor that is known by its velocity in the map."""
    yaw, vx, vy = floats[_NEIGHBOUR.heading, n], table[_FROM_VX[kind], i], table[_FROM_VX[kind] + 1, i]
    c, s = cos(yaw), sin(yaw)
    floats[_NEIGHBOUR.velocity, n], floats[_NEIGHBOUR.velocity + 1, n] = c * vx + s * vy, c * vy - s * vx
    if kind == _NPC:
        # one that slides is known by its centre of gravity, the middle of its box
        middle = (
            floats[_NEIGHBOUR.front_overhang, n]
            + floats[_NEIGHBOUR.front_overhang + 1, n]
            - 0.5 * floats[_NEIGHBOUR.length, n]
        )
        floats[_NEIGHBOUR.velocity + 1, n] -= table[_TRAFFIC.yaw_rate, i] * middle
    elif kind == _OBSTACLE:
        floats[_NEIGHBOUR.velocity + 2, n] = table[_OBSTACLE_AT.velocity_z, i]
        floats[_NEIGHBOUR.acceleration + 2, n] = table[_OBSTACLE_AT.acceleration_z, i]
    ax, ay = table[_FROM_AX[kind], i], table[_FROM_AX[kind] + 1, i]
    floats[_NEIGHBOUR.acceleration, n], floats[_NEIGHBOUR.acceleration + 1, n] = c * ax + s * ay, c * ay - s * ax
