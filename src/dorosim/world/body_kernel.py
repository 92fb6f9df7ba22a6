"""Bodies of NPC vehicles and pedestrians."""

from __future__ import annotations

from math import cos, sin

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import kernel
from dorosim.world.collision.body import PEDESTRIAN_DRAG_FACTOR, VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.traffic.state import TrafficState

_B, _T, _S = BodyTable, TrafficState, PedestrianState
_X, _Y, _Z, _YAW = _B.x.index, _B.y.index, _B.z.index, _B.yaw.index
_HALF_LENGTH, _HALF_WIDTH, _HALF_HEIGHT = _B.half_length.index, _B.half_width.index, _B.half_height.index
_VX, _VY, _TURN = _B.velocity_x.index, _B.velocity_y.index, _B.yaw_rate.index
_MASS, _DRAG = _B.mass.index, _B.drag_factor.index
_ID, _KIND, _MOVABLE = _B.id.index, _B.kind.index, _B.movable.index
_NPC, _PEDESTRIAN = int(BodyKind.NPC), int(BodyKind.PEDESTRIAN)


@kernel
def write_npc_bodies(
    state: RealArray,
    whole: WholeArray,
    rows: WholeArray,
    size: RealArray,
    real: RealArray,
    whole_body: WholeArray,
    start: int,
) -> None:
    """Write the bodies of some NPC vehicles. Their centre of gravity is the middle of the box.

    Args:
        state: the real block of `TrafficState`, read-only.
        whole: its whole block, read-only.
        rows: `(n,)` rows of it, writable; they are only read.
        size: `(models, 5)` length, width, height [m], mass [kg], and from the body origin to the middle [m]; read-only.
        real: the real block of `BodyTable`, written.
        whole_body: its whole block, written.
        start: row of the first body.
    """
    for n in range(len(rows)):
        i, k = rows[n], start + n
        model = whole[_T.model.index, i]
        yaw, turn, speed = state[_T.yaw.index, i], state[_T.yaw_rate.index, i], state[_T.speed.index, i]
        c, s = cos(yaw), sin(yaw)
        middle = state[_T.wheelbase.index, i] + state[_T.front_overhang.index, i] - 0.5 * state[_T.length.index, i]
        real[_X, k], real[_Y, k] = state[_T.x.index, i] + middle * c, state[_T.y.index, i] + middle * s
        real[_Z, k] = state[_T.z.index, i] + 0.5 * size[model, 2]
        real[_YAW, k] = yaw
        real[_HALF_LENGTH, k] = 0.5 * state[_T.length.index, i]
        real[_HALF_WIDTH, k] = 0.5 * state[_T.width.index, i]
        real[_HALF_HEIGHT, k] = 0.5 * size[model, 2]
        if whole[_T.present.index, i] == 2:
            real[_VX, k], real[_VY, k] = state[_T.slide_x.index, i], state[_T.slide_y.index, i]
        else:
            real[_VX, k] = speed * c - turn * middle * s
            real[_VY, k] = speed * s + turn * middle * c
        real[_TURN, k] = turn
        real[_MASS, k] = size[model, 3]
        real[_DRAG, k] = VEHICLE_DRAG_FACTOR
        whole_body[_ID, k], whole_body[_KIND, k], whole_body[_MOVABLE, k] = whole[_T.id.index, i], _NPC, 1


@kernel
def write_person_bodies(
    state: RealArray, whole: WholeArray, size: RealArray, real: RealArray, whole_body: WholeArray, start: int
) -> None:
    """Write the bodies of all pedestrians.

    Args:
        state: the real block of `PedestrianState`, read-only.
        whole: its whole block, read-only.
        size: `(models, 4)` length, width, height [m] and mass [kg]; read-only.
        real: the real block of `BodyTable`, written.
        whole_body: its whole block, written.
        start: row of the first body.
    """
    for i in range(state.shape[1]):
        k, model = start + i, whole[_S.model.index, i]
        real[_X, k], real[_Y, k] = state[_S.x.index, i], state[_S.y.index, i]
        real[_Z, k] = state[_S.z.index, i] + 0.5 * size[model, 2]
        real[_YAW, k] = state[_S.yaw.index, i]
        real[_HALF_LENGTH, k], real[_HALF_WIDTH, k] = 0.5 * size[model, 0], 0.5 * size[model, 1]
        real[_HALF_HEIGHT, k], real[_MASS, k] = 0.5 * size[model, 2], size[model, 3]
        real[_VX, k], real[_VY, k] = state[_S.velocity_x.index, i], state[_S.velocity_y.index, i]
        real[_TURN, k] = state[_S.yaw_rate.index, i]
        real[_DRAG, k] = PEDESTRIAN_DRAG_FACTOR
        whole_body[_ID, k], whole_body[_KIND, k], whole_body[_MOVABLE, k] = whole[_S.id.index, i], _PEDESTRIAN, 1
