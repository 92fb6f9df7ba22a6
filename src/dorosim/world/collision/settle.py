"""Bodies without a driver follow the ground: vehicles and obstacles that were hit, people who fell."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.physics import GRAVITY
from dorosim.road.terrain.terrain import Terrain
from dorosim.world.obstacle.state import ObstacleState
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.traffic.state import TrafficState

TILT_LAG = 0.15
"""Time constant with which a body takes the slope of the ground [s]."""


def settle_vehicles(traffic: TrafficState, rows: IntArray, terrain: Terrain, dt: float) -> None:
    """Let NPC vehicles off their lanes stand on the ground, in height and attitude, or fall to it.

    Args:
        traffic: the writable table.
        rows: `(n,)` which of them.
        terrain: the ground.
        dt: the tick [s].
    """
    place = np.column_stack((traffic.x[rows], traffic.y[rows], traffic.z[rows]))
    height, slope, _ = terrain.query(place)
    traffic.z[rows], fall_speed = fallen(traffic.z[rows], traffic.fall_speed[rows], height, dt)
    traffic.fall_speed[rows] = fall_speed
    pitch, roll = _attitude(traffic.yaw[rows], slope)
    share = _tilted_share(dt, traffic.slide_x[rows], traffic.slide_y[rows], traffic.yaw_rate[rows], fall_speed)
    traffic.pitch[rows] += share * (pitch - traffic.pitch[rows])
    traffic.roll[rows] += share * (roll - traffic.roll[rows])


def settle_obstacles(obstacles: ObstacleState, rows: IntArray, terrain: Terrain, dt: float) -> None:
    """The same of obstacles that were hit."""
    place = np.column_stack((obstacles.x[rows], obstacles.y[rows], obstacles.z[rows]))
    height, slope, _ = terrain.query(place)
    obstacles.z[rows], fall_speed = fallen(obstacles.z[rows], -obstacles.velocity_z[rows], height, dt)
    obstacles.velocity_z[rows] = -fall_speed
    pitch, roll = _attitude(obstacles.yaw[rows], slope)
    motion = obstacles.velocity_x[rows], obstacles.velocity_y[rows], obstacles.yaw_rate[rows]
    share = _tilted_share(dt, *motion, fall_speed)
    obstacles.pitch[rows] += share * (pitch - obstacles.pitch[rows])
    obstacles.roll[rows] += share * (roll - obstacles.roll[rows])


def settle_people(people: PedestrianState, rows: IntArray, terrain: Terrain, dt: float) -> None:
    """The same of people who fell; they lie along the ground whatever its slope."""
    place = np.column_stack((people.x[rows], people.y[rows], people.z[rows]))
    height = terrain.height(place)
    people.z[rows], people.fall_speed[rows] = fallen(people.z[rows], people.fall_speed[rows], height, dt)


def fallen(z: FloatArray, fall_speed: FloatArray, ground: FloatArray, dt: float) -> tuple[FloatArray, FloatArray]:
    """Heights [m] and speeds downwards [m/s] `(n,)` of bodies after a tick: on the ground, or on the way to it."""
    speed = np.maximum(fall_speed, 0.0) + GRAVITY * dt
    after = np.maximum(z - speed * dt, ground)
    return after, np.where(after > ground, speed, 0.0)


def _tilted_share(dt: float, *motion: FloatArray) -> FloatArray:
    """By which share `(n,)` of what is left bodies take the slope in a tick: wholly where they have come to rest.

    Nobody looks at bodies that rest any more, so they must not be left halfway.
    """
    rests = ~np.any(motion, axis=0)
    return np.where(rests, 1.0, dt / (TILT_LAG + dt))


def _attitude(yaw: FloatArray, slope: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pitch and roll `(n,)` of bodies that stand on ground of a slope `(n, 2)` at a heading (REP-103)."""
    c, s = np.cos(yaw), np.sin(yaw)
    along, across = slope[:, 0] * c + slope[:, 1] * s, slope[:, 1] * c - slope[:, 0] * s
    pitch = -np.arctan(along)
    return pitch, np.arctan(across * np.cos(pitch))
