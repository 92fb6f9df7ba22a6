"""Vectors of the map in the frames of bodies, and what a body does between two ticks."""

from __future__ import annotations

import math
from enum import IntEnum

from dorosim.ground.jit import inner_kernel
from dorosim.road.opendrive.course_place_kernel import half_turn

_STANDS = 1e-6
"""A body slower than this has no direction [m/s]."""


class Part(IntEnum):
    """Which part of a vector is meant, in the body frame."""

    ALL = 0
    LONGITUDINAL = 1
    LATERAL = 2
    VERTICAL = 3


@inner_kernel
def planar_length(x: float, y: float) -> float:
    """Length of a vector in plan [m]."""
    return math.sqrt(x * x + y * y)


@inner_kernel
def vector_part(heading: float, x: float, y: float, z: float, part: int) -> float:
    """A `Part` of a vector of the map, in the frame of a body of a heading [rad]; ALL is its length."""
    cosine, sine = math.cos(heading), math.sin(heading)
    if part == Part.LONGITUDINAL:
        return x * cosine + y * sine
    if part == Part.LATERAL:
        return y * cosine - x * sine
    return z if part == Part.VERTICAL else math.sqrt(x * x + y * y + z * z)


@inner_kernel
def in_body_frame(x: float, y: float, heading: float, at_x: float, at_y: float) -> tuple[float, float]:
    """A point in the frame of a body at x, y [m]: ahead and to the left."""
    dx, dy = at_x - x, at_y - y
    cosine, sine = math.cos(heading), math.sin(heading)
    return dx * cosine + dy * sine, dy * cosine - dx * sine


Derived = tuple[float, float, float, float, float, float, float, float]
"""Velocity, acceleration (3 each), yaw rate, and the way since the last tick [m, s, rad]."""


@inner_kernel
def derived(
    x: float,
    y: float,
    z: float,
    heading: float,
    before: tuple[float, float, float, float, float, float, float],
    dt: float,
) -> Derived:
    """What a body did in a tick, from its poses: velocity, acceleration, yaw rate and way.

    Args:
        x: east, in map [m].
        y: north.
        z: up.
        heading: [rad].
        before: x, y, z, heading and the three parts of the velocity at the last tick.
        dt: length of the tick [s], not 0.
    """
    x0, y0, z0, heading0, vx, vy, vz = before
    velocity_x, velocity_y, velocity_z = (x - x0) / dt, (y - y0) / dt, (z - z0) / dt
    return (
        velocity_x,
        velocity_y,
        velocity_z,
        (velocity_x - vx) / dt,
        (velocity_y - vy) / dt,
        (velocity_z - vz) / dt,
        half_turn(heading - heading0) / dt,
        planar_length(x - x0, y - y0),
    )


@inner_kernel
def space_length(x: float, y: float, z: float) -> float:
    """Length of a vector [m]."""
    return math.sqrt(x * x + y * y + z * z)


@inner_kernel
def over_speed(vx: float, vy: float, speed: float, ox: float, oy: float, other: float) -> float:
    """How much faster a body is than another one, along that one's velocity [m/s]; velocities and speeds of both."""
    length = planar_length(ox, oy)
    if length < _STANDS:
        return speed
    along = (vx * ox + vy * oy) / length
    return math.copysign(1.0, speed) * math.copysign(1.0, along) * (along - abs(other))
