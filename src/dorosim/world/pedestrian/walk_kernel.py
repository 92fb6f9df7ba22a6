"""How pedestrians walk.

The drive towards the goal is that of the social force model (D. Helbing, P. Molnar, "Social force model for pedestrian
dynamics", Phys. Rev. E 51 (1995) 4282): (desired velocity - velocity) / RELAXATION_TIME.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.pedestrian.activity_kernel import (
    BRAKING_RELAXATION_TIME,
    RELAXATION_TIME,
    WalkScene,
    change_stage,
    wish_of,
)
from dorosim.world.pedestrian.crowd_kernel import CLOSE_GAP, MAX_REPULSION, push_of_all, sort_into_cells
from dorosim.world.pedestrian.separation_kernel import separate
from dorosim.world.pedestrian.state import PedestrianState, Stage

_PEDESTRIAN = PedestrianState.at

MAX_PEDESTRIAN_ACCELERATION = 4.0
"""Largest acceleration of a pedestrian [m/s^2]; a sprint starts with about as much."""
MAX_PUSHED_SPEED_RATIO = 1.3
"""Highest speed to which others push a pedestrian, over the speed that it wants or its desired speed, whichever is
more (Helbing and Molnar 1995)."""
MAX_PEDESTRIAN_YAW_RATE = 3.0
"""Largest yaw rate of a pedestrian [rad/s]."""
FALL_TIME = 0.6
"""How long one that was hit takes to lie [s]: an upright rod of 1.7 m that is pushed falls in 0.5 to 0.8 s."""
MAX_INTEGRATION_STEP = 0.05
"""Longest integration step [s]."""

_MOTION = (
    *(_PEDESTRIAN.velocity_x, _PEDESTRIAN.velocity_y, _PEDESTRIAN.speed, _PEDESTRIAN.yaw_rate),
    *(_PEDESTRIAN.acceleration_x, _PEDESTRIAN.acceleration_y),
)
_DOWN = int(Stage.DOWN)
_IDLE, _LED = int(Stage.IDLE), int(Stage.LED)


@inner_kernel
def move(floats: FloatArray, i: int, accel_x: float, accel_y: float, fastest: float, dt: float) -> None:
    """Integrate one pedestrian over a step: velocity first, then the position with it, never into a wall."""
    old_x, old_y = floats[_PEDESTRIAN.velocity_x, i], floats[_PEDESTRIAN.velocity_y, i]
    vx, vy = old_x + accel_x * dt, old_y + accel_y * dt
    into = vx * floats[_PEDESTRIAN.wall_x, i] + vy * floats[_PEDESTRIAN.wall_y, i]
    if into < 0.0:
        vx, vy = vx - into * floats[_PEDESTRIAN.wall_x, i], vy - into * floats[_PEDESTRIAN.wall_y, i]
    speed = math.hypot(vx, vy)
    if speed > fastest:
        vx, vy, speed = vx * fastest / speed, vy * fastest / speed, fastest
    if speed < 1e-3 and accel_x * old_x + accel_y * old_y <= 0.0:
        vx, vy, speed = 0.0, 0.0, 0.0
    floats[_PEDESTRIAN.velocity_x, i], floats[_PEDESTRIAN.velocity_y, i], floats[_PEDESTRIAN.speed, i] = vx, vy, speed
    floats[_PEDESTRIAN.acceleration_x, i], floats[_PEDESTRIAN.acceleration_y, i] = (vx - old_x) / dt, (vy - old_y) / dt
    floats[_PEDESTRIAN.x, i] += vx * dt
    floats[_PEDESTRIAN.y, i] += vy * dt
    floats[_PEDESTRIAN.walked, i] += speed * dt


@inner_kernel
def wrapped(angle: float) -> float:
    """An angle, -pi to pi [rad]."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inner_kernel
def turn(floats: FloatArray, i: int, way_x: float, way_y: float, dt: float) -> None:
    """Turn one pedestrian to the direction in which it goes, or wants to go if it is slow."""
    if floats[_PEDESTRIAN.speed, i] > 0.3:
        way_x, way_y = floats[_PEDESTRIAN.velocity_x, i], floats[_PEDESTRIAN.velocity_y, i]
    before = floats[_PEDESTRIAN.yaw, i]
    if way_x != 0.0 or way_y != 0.0:
        error = wrapped(math.atan2(way_y, way_x) - before)
        step = min(max(error, -MAX_PEDESTRIAN_YAW_RATE * dt), MAX_PEDESTRIAN_YAW_RATE * dt)
        floats[_PEDESTRIAN.yaw, i] = wrapped(before + step)
        floats[_PEDESTRIAN.yaw_rate, i] = step / dt
    else:
        floats[_PEDESTRIAN.yaw_rate, i] = 0.0


@inner_kernel
def walk(floats: FloatArray, i: int, wish: FloatArray, force: FloatArray, h: float) -> None:
    """Let one pedestrian go where it wants to, as far as others let it."""
    slows = wish[2, i] < min(floats[_PEDESTRIAN.speed, i], floats[_PEDESTRIAN.desired_speed, i])
    relaxation = BRAKING_RELAXATION_TIME if slows else RELAXATION_TIME
    accel_x = (wish[0, i] * wish[2, i] - floats[_PEDESTRIAN.velocity_x, i]) / relaxation
    accel_y = (wish[1, i] * wish[2, i] - floats[_PEDESTRIAN.velocity_y, i]) / relaxation
    size = math.hypot(accel_x, accel_y)
    if size > MAX_PEDESTRIAN_ACCELERATION:
        accel_x, accel_y = accel_x * MAX_PEDESTRIAN_ACCELERATION / size, accel_y * MAX_PEDESTRIAN_ACCELERATION / size
    push_x, push_y = force[0, i], force[1, i]
    size = math.hypot(push_x, push_y)
    if size > MAX_REPULSION:
        push_x, push_y = push_x * MAX_REPULSION / size, push_y * MAX_REPULSION / size
    fastest = MAX_PUSHED_SPEED_RATIO * max(wish[2, i], floats[_PEDESTRIAN.desired_speed, i])
    move(floats, i, accel_x + push_x, accel_y + push_y, fastest, h)
    turn(floats, i, wish[0, i], wish[1, i], h)


@inner_kernel
def fall(floats: FloatArray, i: int, h: float) -> None:
    """Let one that was hit go down: the way that it is thrown, on its face or on its back."""
    angle = floats[_PEDESTRIAN.fall_angle, i]
    if angle == 0.0:
        yaw = floats[_PEDESTRIAN.yaw, i]
        ahead = floats[_PEDESTRIAN.velocity_x, i] * math.cos(yaw) + floats[_PEDESTRIAN.velocity_y, i] * math.sin(yaw)
        angle = -1e-9 if ahead < 0.0 else 1e-9
    step = min(h * 0.5 * math.pi / FALL_TIME, 0.5 * math.pi - abs(angle))
    floats[_PEDESTRIAN.fall_angle, i] = angle + step if angle > 0.0 else angle - step


@inner_kernel
def advance(floats: FloatArray, ints: IntArray, i: int, wish: FloatArray, force: FloatArray, h: float) -> None:
    """Let one pedestrian walk for a step, or stand where it is paused or led by commands."""
    stage, paused = ints[_PEDESTRIAN.stage, i], ints[_PEDESTRIAN.paused, i] != 0
    if stage == _DOWN:
        # a pedestrian that was hit moves by the law of collisions
        fall(floats, i, h)
        return
    floats[_PEDESTRIAN.fall_angle, i] = 0.0
    if stage == _LED and not paused:
        # the command has put it where it is at the end of this tick
        floats[_PEDESTRIAN.rest, i] = max(floats[_PEDESTRIAN.rest, i] - h, 0.0)
        if floats[_PEDESTRIAN.rest, i] > 0.0:
            return
    if paused or stage == _LED:
        for column in _MOTION:
            floats[column, i] = 0.0
    else:
        walk(floats, i, wish, force, h)


@kernel
def walk_pedestrians(floats: FloatArray, ints: IntArray, scene: WalkScene, seed: int, dt: float) -> None:
    """Let all pedestrians walk for a time.

    All decide and push by where all are at the beginning of an integration step, so the order of rows does not matter.
    A pedestrian that has not started is not moved by others.

    Args:
        floats: `PedestrianState.floats`, in and out.
        ints: `PedestrianState.ints`, in and out.
        scene: what they read.
        seed: of their choices.
        dt: how long [s].
    """
    count = floats.shape[1]
    mask = 15
    while mask < 2 * count:
        mask = 2 * mask + 1
    cell, first, member = np.empty((2, count), np.int64), np.empty(mask + 2, np.int64), np.empty(count, np.int64)
    wish, force = np.empty((3, count)), np.empty((2, count))
    floats, ints, scene = bare(floats), bare(ints), bare(scene)
    steps = max(math.ceil(dt / MAX_INTEGRATION_STEP - 1e-9), 1)
    h = dt / steps
    for _ in range(steps):
        sort_into_cells(floats, mask, cell, first, member)
        for i in range(count):
            wish[0, i], wish[1, i], wish[2, i] = 0.0, 0.0, 0.0
            if ints[_PEDESTRIAN.paused, i] == 0 and ints[_PEDESTRIAN.stage, i] != _LED:
                change_stage(floats, ints, scene, i, h, seed)
                wish[0, i], wish[1, i], wish[2, i] = wish_of(floats, ints, scene, i)
        least = math.inf
        for i in range(count):
            force[0, i], force[1, i] = 0.0, 0.0
            stage = ints[_PEDESTRIAN.stage, i]
            if ints[_PEDESTRIAN.paused, i] == 0 and stage != _IDLE and stage != _LED:
                force[0, i], force[1, i], limit, gap = push_of_all(
                    floats, ints, scene.radius, i, wish[0, i], wish[1, i], mask, cell, first, member
                )
                wish[2, i], least = min(wish[2, i], limit), min(least, gap)
        for i in range(count):
            advance(floats, ints, i, wish, force, h)
        if least < CLOSE_GAP:
            separate(floats, ints, scene.radius, mask, cell, first, member, force)
