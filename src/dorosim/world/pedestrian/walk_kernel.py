"""How pedestrians walk.

The drive towards the goal is that of the social force model (D. Helbing, P. Molnar, "Social force model for pedestrian
dynamics", Phys. Rev. E 51 (1995) 4282): (desired velocity - velocity) / RELAXATION.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.pedestrian.activity_kernel import BRAKING, RELAXATION, WalkScene, bare_scene, change_stage, wish_of
from dorosim.world.pedestrian.crowd_kernel import MOST_REPULSION, push_of_all, sort_into_cells
from dorosim.world.pedestrian.state import PedestrianState, Stage

MOST_ACCELERATION = 4.0
"""Largest acceleration of a pedestrian [m/s^2]; a sprint starts with about as much."""
FASTEST = 1.3
"""Highest speed to which others push a pedestrian, over the speed that it wants or its desired speed, whichever is
more (Helbing and Molnar 1995)."""
TURNING = 3.0
"""Largest yaw rate of a pedestrian [rad/s]."""
LONGEST_STEP = 0.05
"""Longest integration step [s]."""

_S = PedestrianState
_X, _Y, _YAW, _SPEED = _S.x.index, _S.y.index, _S.yaw.index, _S.speed.index
_VX, _VY, _AX, _AY = _S.velocity_x.index, _S.velocity_y.index, _S.acceleration_x.index, _S.acceleration_y.index
_YAW_RATE, _DESIRED, _WALKED = _S.yaw_rate.index, _S.desired_speed.index, _S.walked.index
_WALL_X, _WALL_Y = _S.wall_x.index, _S.wall_y.index
_STAGE, _PAUSED = _S.stage.index, _S.paused.index
_DOWN = int(Stage.DOWN)
_IDLE, _LED = int(Stage.IDLE), int(Stage.LED)
_REST = _S.rest.index


@inner_kernel
def move(real: RealArray, i: int, accel_x: float, accel_y: float, fastest: float, dt: float) -> None:
    """Integrate one pedestrian over a step: velocity first, then the position with it, never into a wall."""
    old_x, old_y = real[_VX, i], real[_VY, i]
    vx, vy = old_x + accel_x * dt, old_y + accel_y * dt
    into = vx * real[_WALL_X, i] + vy * real[_WALL_Y, i]
    if into < 0.0:
        vx, vy = vx - into * real[_WALL_X, i], vy - into * real[_WALL_Y, i]
    speed = math.hypot(vx, vy)
    if speed > fastest:
        vx, vy, speed = vx * fastest / speed, vy * fastest / speed, fastest
    if speed < 1e-3 and accel_x * old_x + accel_y * old_y <= 0.0:
        vx, vy, speed = 0.0, 0.0, 0.0
    real[_VX, i], real[_VY, i], real[_SPEED, i] = vx, vy, speed
    real[_AX, i], real[_AY, i] = (vx - old_x) / dt, (vy - old_y) / dt
    real[_X, i] += vx * dt
    real[_Y, i] += vy * dt
    real[_WALKED, i] += speed * dt


@inner_kernel
def wrapped(angle: float) -> float:
    """An angle, -pi to pi [rad]."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inner_kernel
def turn(real: RealArray, i: int, way_x: float, way_y: float, dt: float) -> None:
    """Turn one pedestrian to the direction in which it goes, or wants to go if it is slow."""
    if real[_SPEED, i] > 0.3:
        way_x, way_y = real[_VX, i], real[_VY, i]
    before = real[_YAW, i]
    if way_x != 0.0 or way_y != 0.0:
        error = wrapped(math.atan2(way_y, way_x) - before)
        step = min(max(error, -TURNING * dt), TURNING * dt)
        real[_YAW, i] = wrapped(before + step)
        real[_YAW_RATE, i] = step / dt
    else:
        real[_YAW_RATE, i] = 0.0


@inner_kernel
def walk(real: RealArray, i: int, wish: RealArray, force: RealArray, h: float) -> None:
    """Let one pedestrian go where it wants to, as far as others let it."""
    slows = wish[2, i] < min(real[_SPEED, i], real[_DESIRED, i])
    relaxation = BRAKING if slows else RELAXATION
    accel_x = (wish[0, i] * wish[2, i] - real[_VX, i]) / relaxation
    accel_y = (wish[1, i] * wish[2, i] - real[_VY, i]) / relaxation
    size = math.hypot(accel_x, accel_y)
    if size > MOST_ACCELERATION:
        accel_x, accel_y = accel_x * MOST_ACCELERATION / size, accel_y * MOST_ACCELERATION / size
    push_x, push_y = force[0, i], force[1, i]
    size = math.hypot(push_x, push_y)
    if size > MOST_REPULSION:
        push_x, push_y = push_x * MOST_REPULSION / size, push_y * MOST_REPULSION / size
    move(real, i, accel_x + push_x, accel_y + push_y, FASTEST * max(wish[2, i], real[_DESIRED, i]), h)
    turn(real, i, wish[0, i], wish[1, i], h)


@kernel
def walk_pedestrians(real: RealArray, whole: WholeArray, scene: WalkScene, seed: int, dt: float) -> None:
    """Let all pedestrians walk for a time.

    All decide and push by where all are at the beginning of an integration step, so the order of rows does not matter.
    A pedestrian that has not started is not moved by others.

    Args:
        real: `PedestrianState.real`, in and out.
        whole: `PedestrianState.whole`, in and out.
        scene: what they read.
        seed: of their choices.
        dt: how long [s].
    """
    count = real.shape[1]
    mask = 15
    while mask < 2 * count:
        mask = 2 * mask + 1
    cell, first, member = np.empty((2, count), np.int64), np.empty(mask + 2, np.int64), np.empty(count, np.int64)
    wish, force = np.empty((3, count)), np.empty((2, count))
    real, whole, scene = bare(real), bare(whole), bare_scene(scene)
    steps = max(math.ceil(dt / LONGEST_STEP - 1e-9), 1)
    h = dt / steps
    for _ in range(steps):
        sort_into_cells(real, mask, cell, first, member)
        for i in range(count):
            wish[0, i], wish[1, i], wish[2, i] = 0.0, 0.0, 0.0
            if whole[_PAUSED, i] == 0 and whole[_STAGE, i] != _LED:
                change_stage(real, whole, scene, i, h, seed)
                wish[0, i], wish[1, i], wish[2, i] = wish_of(real, whole, scene, i)
        for i in range(count):
            force[0, i], force[1, i] = 0.0, 0.0
            if whole[_PAUSED, i] == 0 and whole[_STAGE, i] != _IDLE and whole[_STAGE, i] != _LED:
                force[0, i], force[1, i], limit = push_of_all(
                    real, whole, scene.radius, i, wish[0, i], wish[1, i], mask, cell, first, member
                )
                wish[2, i] = min(wish[2, i], limit)
        for i in range(count):
            if whole[_STAGE, i] == _DOWN:
                # a pedestrian that was hit moves by the law of collisions
                continue
            if whole[_STAGE, i] == _LED and whole[_PAUSED, i] == 0:
                # the command has put it where it is at the end of this tick
                real[_REST, i] = max(real[_REST, i] - h, 0.0)
                if real[_REST, i] > 0.0:
                    continue
            if whole[_PAUSED, i] != 0 or whole[_STAGE, i] == _LED:
                real[_VX, i], real[_VY, i], real[_SPEED, i], real[_YAW_RATE, i] = 0.0, 0.0, 0.0, 0.0
                real[_AX, i], real[_AY, i] = 0.0, 0.0
                continue
            walk(real, i, wish, force, h)
