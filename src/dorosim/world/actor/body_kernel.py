"""Bodies of NPC vehicles and pedestrians."""

from __future__ import annotations

from math import cos, sin

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import kernel
from dorosim.world.collision.body import PEDESTRIAN_DRAG_FACTOR, VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.traffic.state import Presence, TrafficState

_B, _T, _S = BodyTable, TrafficState, PedestrianState
_X, _Y, _Z, _YAW = _B.x.index, _B.y.index, _B.z.index, _B.yaw.index
_HALF_LENGTH, _HALF_WIDTH, _HALF_HEIGHT = _B.half_length.index, _B.half_width.index, _B.half_height.index
_VX, _VY, _TURN = _B.velocity_x.index, _B.velocity_y.index, _B.yaw_rate.index
_MASS, _DRAG = _B.mass.index, _B.drag_factor.index
_ID, _KIND, _MOVABLE = _B.id.index, _B.kind.index, _B.movable.index
_NPC, _PEDESTRIAN = int(BodyKind.NPC), int(BodyKind.PEDESTRIAN)
_NPC_MODEL = _T.model.index
_NPC_YAW = _T.yaw.index
_NPC_YAW_RATE = _T.yaw_rate.index
_NPC_SPEED = _T.speed.index
_NPC_WHEELBASE = _T.wheelbase.index
_NPC_FRONT_OVERHANG = _T.front_overhang.index
_NPC_LENGTH = _T.length.index
_NPC_X = _T.x.index
_NPC_Y = _T.y.index
_NPC_Z = _T.z.index
_NPC_WIDTH = _T.width.index
_NPC_PRESENT = _T.present.index
_NPC_PLAN_OF_EGO = _T.plan_of_ego.index
_OFF_MAP, _ON_LANE = int(Presence.OFF_MAP), int(Presence.ON_LANE)
_NPC_SLIDE_X = _T.slide_x.index
_NPC_SLIDE_Y = _T.slide_y.index
_NPC_ID = _T.id.index
_PERSON_MODEL = _S.model.index
_PERSON_X = _S.x.index
_PERSON_Y = _S.y.index
_PERSON_Z = _S.z.index
_PERSON_YAW = _S.yaw.index
_PERSON_VELOCITY_X = _S.velocity_x.index
_PERSON_VELOCITY_Y = _S.velocity_y.index
_PERSON_YAW_RATE = _S.yaw_rate.index
_PERSON_ID = _S.id.index
_PERSON_STAGE, _DOWN = _S.stage.index, int(Stage.DOWN)


@kernel
def write_npc_bodies(
    state: RealArray,
    whole: WholeArray,
    size: RealArray,
    real: RealArray,
    whole_body: WholeArray,
    start: int,
    on_lane: bool,
    rows: WholeArray,
) -> tuple[int, int]:
    """Write the bodies of NPC vehicles. Their centre of gravity is the middle of the box.

    Args:
        state: the real block of `TrafficState`, writable; it is only read.
        whole: its whole block, likewise.
        size: `(models, 5)` length, width, height [m], mass [kg], and from the body origin to the middle [m]; read-only.
        real: the real block of `BodyTable`, written.
        whole_body: its whole block, written.
        start: row of the first body.
        on_lane: whether those count that drive on their lanes.
        rows: `(N,)` written: the row of the vehicle of each body.

    Returns:
        how many bodies there are, and how many of them are off their lanes.
    """
    count = off = 0
    for i in range(state.shape[1]):
        presence = whole[_NPC_PRESENT, i]
        if whole[_NPC_PLAN_OF_EGO, i] != 0 or presence == _OFF_MAP or (presence == _ON_LANE and not on_lane):
            continue
        k = start + count
        rows[count] = i
        count += 1
        model = whole[_NPC_MODEL, i]
        yaw, turn, speed = state[_NPC_YAW, i], state[_NPC_YAW_RATE, i], state[_NPC_SPEED, i]
        c, s = cos(yaw), sin(yaw)
        middle = state[_NPC_WHEELBASE, i] + state[_NPC_FRONT_OVERHANG, i] - 0.5 * state[_NPC_LENGTH, i]
        real[_X, k], real[_Y, k] = state[_NPC_X, i] + middle * c, state[_NPC_Y, i] + middle * s
        real[_Z, k] = state[_NPC_Z, i] + 0.5 * size[model, 2]
        real[_YAW, k] = yaw
        real[_HALF_LENGTH, k] = 0.5 * state[_NPC_LENGTH, i]
        real[_HALF_WIDTH, k] = 0.5 * state[_NPC_WIDTH, i]
        real[_HALF_HEIGHT, k] = 0.5 * size[model, 2]
        if presence == _ON_LANE:
            real[_VX, k], real[_VY, k] = speed * c - turn * middle * s, speed * s + turn * middle * c
        else:
            off += 1
            real[_VX, k], real[_VY, k] = state[_NPC_SLIDE_X, i], state[_NPC_SLIDE_Y, i]
        real[_TURN, k] = turn
        real[_MASS, k] = size[model, 3]
        real[_DRAG, k] = VEHICLE_DRAG_FACTOR
        whole_body[_ID, k], whole_body[_KIND, k], whole_body[_MOVABLE, k] = whole[_NPC_ID, i], _NPC, 1
    return count, off


@kernel
def write_person_bodies(
    state: RealArray, whole: WholeArray, size: RealArray, real: RealArray, whole_body: WholeArray, start: int
) -> int:
    """Write the bodies of all pedestrians.

    Args:
        state: the real block of `PedestrianState`, writable; it is only read.
        whole: its whole block, likewise.
        size: `(models, 4)` length, width, height [m] and mass [kg]; read-only.
        real: the real block of `BodyTable`, written.
        whole_body: its whole block, written.
        start: row of the first body.

    Returns:
        how many of them were knocked down.
    """
    down = 0
    for i in range(state.shape[1]):
        down += whole[_PERSON_STAGE, i] == _DOWN
        k, model = start + i, whole[_PERSON_MODEL, i]
        real[_X, k], real[_Y, k] = state[_PERSON_X, i], state[_PERSON_Y, i]
        real[_Z, k] = state[_PERSON_Z, i] + 0.5 * size[model, 2]
        real[_YAW, k] = state[_PERSON_YAW, i]
        real[_HALF_LENGTH, k], real[_HALF_WIDTH, k] = 0.5 * size[model, 0], 0.5 * size[model, 1]
        real[_HALF_HEIGHT, k], real[_MASS, k] = 0.5 * size[model, 2], size[model, 3]
        real[_VX, k], real[_VY, k] = state[_PERSON_VELOCITY_X, i], state[_PERSON_VELOCITY_Y, i]
        real[_TURN, k] = state[_PERSON_YAW_RATE, i]
        real[_DRAG, k] = PEDESTRIAN_DRAG_FACTOR
        whole_body[_ID, k], whole_body[_KIND, k], whole_body[_MOVABLE, k] = whole[_PERSON_ID, i], _PEDESTRIAN, 1
    return down
