"""Bodies that slide to rest without a driver: vehicles off their lanes, pedestrians that were hit, obstacles."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.physics import GRAVITY
from dorosim.world.collision.body import BodyTable

SUPPORT = 0.6
"""The four points on which a body slides, as a share of its half sizes: about where a car has its wheels."""


def slide_bodies(bodies: BodyTable, rows: IntArray, dt: float, friction: FloatArray | float = 1.0) -> None:
    """Move free bodies by one tick, slowed down by friction with the ground.

    A quarter of the weight rests on each of four points; friction opposes the velocity of each, so turning and
    sliding slow each other down, as in models of post-impact motion (R. M. Brach and R. M. Brach, "Vehicle Accident
    Analysis and Reconstruction Methods", 2nd ed. (2011), chapter 7, with all wheels locked). Explicit Euler; a body
    rests once every point would stop within the tick.

    Args:
        bodies: the table, written.
        rows: `(n,)` which bodies are free.
        dt: the tick [s].
        friction: `(n,)` of the ground, over that of dry asphalt.
    """
    if not len(rows):
        return
    c, s = np.cos(bodies.yaw[rows]), np.sin(bodies.yaw[rows])
    along = SUPPORT * bodies.half_length[rows] * _ALONG - bodies.cg_forward[rows]
    across = SUPPORT * bodies.half_width[rows] * _ACROSS
    arm_x, arm_y = c * along - s * across, s * along + c * across
    vx, vy, yaw_rate = bodies.velocity_x[rows], bodies.velocity_y[rows], bodies.yaw_rate[rows]
    speed_x, speed_y = vx - yaw_rate * arm_y, vy + yaw_rate * arm_x
    speed = np.hypot(speed_x, speed_y)
    slowing = bodies.drag_factor[rows] * GRAVITY * friction
    share = 0.25 * slowing / np.maximum(speed, 1e-12)
    change_x, change_y = -share * speed_x, -share * speed_y
    size = (bodies.half_length[rows] ** 2 + bodies.half_width[rows] ** 2) / 3.0
    gyration = np.where(bodies.inertia[rows] > 0.0, bodies.inertia[rows] / np.maximum(bodies.mass[rows], 1e-9), size)
    rests = (speed <= slowing * dt).all(axis=0)
    new_vx = np.where(rests, 0.0, vx + change_x.sum(axis=0) * dt)
    new_vy = np.where(rests, 0.0, vy + change_y.sum(axis=0) * dt)
    new_yaw_rate = np.where(rests, 0.0, yaw_rate + (arm_x * change_y - arm_y * change_x).sum(axis=0) / gyration * dt)
    cg = bodies.cg_forward[rows]
    x = bodies.x[rows] + c * cg + 0.5 * (vx + new_vx) * dt
    y = bodies.y[rows] + s * cg + 0.5 * (vy + new_vy) * dt
    yaw = bodies.yaw[rows] + 0.5 * (yaw_rate + new_yaw_rate) * dt
    bodies.x[rows], bodies.y[rows], bodies.yaw[rows] = x - np.cos(yaw) * cg, y - np.sin(yaw) * cg, yaw
    bodies.velocity_x[rows], bodies.velocity_y[rows], bodies.yaw_rate[rows] = new_vx, new_vy, new_yaw_rate


_ALONG = np.array([[1.0], [1.0], [-1.0], [-1.0]])
_ACROSS = np.array([[1.0], [-1.0], [1.0], [-1.0]])
_ALONG.flags.writeable = _ACROSS.flags.writeable = False
