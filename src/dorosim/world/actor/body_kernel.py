"""Bodies of NPC vehicles and pedestrians."""

from __future__ import annotations

from math import cos, sin

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import kernel
from dorosim.world.collision.body import PEDESTRIAN_DRAG_FACTOR, VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.traffic.state import Presence, TrafficState

_TRAFFIC = TrafficState.at
_PEDESTRIAN_AT = PedestrianState.at
_BODY = BodyTable.at

_NPC, _PEDESTRIAN = int(BodyKind.NPC), int(BodyKind.PEDESTRIAN)
_OFF_MAP, _ON_LANE = int(Presence.OFF_MAP), int(Presence.ON_LANE)
_DOWN = int(Stage.DOWN)


@kernel
def write_npc_bodies(
    state: FloatArray,
    ints: IntArray,
    size: FloatArray,
    floats: FloatArray,
    int_body: IntArray,
    start: int,
    on_lane: bool,
    rows: IntArray,
) -> tuple[int, int]:
    """Write the bodies of NPC vehicles. Their centre of gravity is the middle of the box.

    Args:
        state: the float block of `TrafficState`, writable; it is only read.
        ints: its int block, likewise.
        size: `(models, 5)` length, width, height [m], mass [kg], and from the body origin to the middle [m]; read-only.
        floats: the float block of `BodyTable`, written.
        int_body: its int block, written.
        start: row of the first body.
        on_lane: whether those count that drive on their lanes.
        rows: `(N,)` written: the row of the vehicle of each body.

    Returns:
        how many bodies there are, and how many of them are off their lanes.
    """
    count = off = 0
    for i in range(state.shape[1]):
        presence = ints[_TRAFFIC.present, i]
        if ints[_TRAFFIC.plan_of_ego, i] != 0 or presence == _OFF_MAP or (presence == _ON_LANE and not on_lane):
            continue
        k = start + count
        rows[count] = i
        count += 1
        model = ints[_TRAFFIC.model, i]
        yaw, yaw_rate, speed = state[_TRAFFIC.yaw, i], state[_TRAFFIC.yaw_rate, i], state[_TRAFFIC.speed, i]
        c, s = cos(yaw), sin(yaw)
        middle = state[_TRAFFIC.wheelbase, i] + state[_TRAFFIC.front_overhang, i] - 0.5 * state[_TRAFFIC.length, i]
        floats[_BODY.x, k], floats[_BODY.y, k] = state[_TRAFFIC.x, i] + middle * c, state[_TRAFFIC.y, i] + middle * s
        floats[_BODY.z, k] = state[_TRAFFIC.z, i] + 0.5 * size[model, 2]
        floats[_BODY.yaw, k] = yaw
        floats[_BODY.half_length, k] = 0.5 * state[_TRAFFIC.length, i]
        floats[_BODY.half_width, k] = 0.5 * state[_TRAFFIC.width, i]
        floats[_BODY.half_height, k] = 0.5 * size[model, 2]
        if presence == _ON_LANE:
            floats[_BODY.velocity_x, k] = speed * c - yaw_rate * middle * s
            floats[_BODY.velocity_y, k] = speed * s + yaw_rate * middle * c
        else:
            off += 1
            floats[_BODY.velocity_x, k] = state[_TRAFFIC.slide_x, i]
            floats[_BODY.velocity_y, k] = state[_TRAFFIC.slide_y, i]
        floats[_BODY.yaw_rate, k] = yaw_rate
        floats[_BODY.mass, k] = size[model, 3]
        floats[_BODY.drag_factor, k] = VEHICLE_DRAG_FACTOR
        int_body[_BODY.id, k], int_body[_BODY.kind, k], int_body[_BODY.movable, k] = ints[_TRAFFIC.id, i], _NPC, 1
    return count, off


@kernel
def write_person_bodies(
    state: FloatArray, ints: IntArray, size: FloatArray, floats: FloatArray, int_body: IntArray, start: int
) -> int:
    """Write the bodies of all pedestrians.

    Args:
        state: the float block of `PedestrianState`, writable; it is only read.
        ints: its int block, likewise.
        size: `(models, 4)` length, width, height [m] and mass [kg]; read-only.
        floats: the float block of `BodyTable`, written.
        int_body: its int block, written.
        start: row of the first body.

    Returns:
        how many of them were knocked down.
    """
    down = 0
    for i in range(state.shape[1]):
        down += ints[_PEDESTRIAN_AT.stage, i] == _DOWN
        k, model = start + i, ints[_PEDESTRIAN_AT.model, i]
        floats[_BODY.x, k], floats[_BODY.y, k] = state[_PEDESTRIAN_AT.x, i], state[_PEDESTRIAN_AT.y, i]
        # one that was hit goes down from its height to its length, and takes as much room along the ground instead
        c, s = cos(state[_PEDESTRIAN_AT.fall_angle, i]), abs(sin(state[_PEDESTRIAN_AT.fall_angle, i]))
        length, height = c * size[model, 0] + s * size[model, 2], c * size[model, 2] + s * size[model, 0]
        floats[_BODY.z, k] = state[_PEDESTRIAN_AT.z, i] + 0.5 * height
        floats[_BODY.yaw, k] = state[_PEDESTRIAN_AT.yaw, i]
        floats[_BODY.half_length, k], floats[_BODY.half_width, k] = 0.5 * length, 0.5 * size[model, 1]
        floats[_BODY.half_height, k], floats[_BODY.mass, k] = 0.5 * height, size[model, 3]
        floats[_BODY.velocity_x, k] = state[_PEDESTRIAN_AT.velocity_x, i]
        floats[_BODY.velocity_y, k] = state[_PEDESTRIAN_AT.velocity_y, i]
        floats[_BODY.yaw_rate, k] = state[_PEDESTRIAN_AT.yaw_rate, i]
        floats[_BODY.drag_factor, k] = PEDESTRIAN_DRAG_FACTOR
        int_body[_BODY.id, k] = ints[_PEDESTRIAN_AT.id, i]
        int_body[_BODY.kind, k], int_body[_BODY.movable, k] = _PEDESTRIAN, 1
    return down
