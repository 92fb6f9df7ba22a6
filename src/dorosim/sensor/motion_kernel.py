"""Where a sensor is and what it feels, from the motion of the body that carries it."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.physics import GRAVITY


@inner_kernel
def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """The vector product of two vectors `(3,)`."""
    found = np.empty(3)
    found[0] = a[1] * b[2] - a[2] * b[1]
    found[1] = a[2] * b[0] - a[0] * b[2]
    found[2] = a[0] * b[1] - a[1] * b[0]
    return found


@inner_kernel
def turned(rotation: FloatArray, vector: FloatArray) -> FloatArray:
    """A vector `(3,)` of the inner frame in the outer one."""
    found = np.empty(3)
    for i in range(3):
        found[i] = rotation[i, 0] * vector[0] + rotation[i, 1] * vector[1] + rotation[i, 2] * vector[2]
    return found


@inner_kernel
def turned_back(rotation: FloatArray, vector: FloatArray) -> FloatArray:
    """A vector `(3,)` of the outer frame in the inner one."""
    found = np.empty(3)
    for i in range(3):
        found[i] = rotation[0, i] * vector[0] + rotation[1, i] * vector[1] + rotation[2, i] * vector[2]
    return found


@kernel
def move_fixture(
    position: FloatArray,
    rotation: FloatArray,
    velocity: FloatArray,
    rate: FloatArray,
    acceleration: FloatArray,
    rate_change: FloatArray,
    place: FloatArray,
    turn: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """The motion of a sensor on a rigid body.

    Acceleration: a + alpha x r + omega x (omega x r) (J. Meriam and L. Kraige, "Engineering Mechanics: Dynamics",
    chapter 7, motion relative to a point of the body); an accelerometer feels it less gravity.

    Args:
        position: `(3,)` of the body origin in map [m].
        rotation: `(3, 3)` map_from_body.
        velocity: `(3,)` of the origin, like all that follows in the body frame [m/s].
        rate: `(3,)` angular velocity [rad/s].
        acceleration: `(3,)` of the origin, without gravity [m/s²].
        rate_change: `(3,)` angular acceleration [rad/s²].
        place: `(3,)` of the sensor [m].
        turn: `(3, 3)` body_from_sensor.

    Returns:
        position in map `(3,)` [m], map_from_sensor `(3, 3)`, velocity in map `(3,)` [m/s], angular velocity `(3,)`
        [rad/s] and specific force `(3,)` [m/s²] in the sensor frame.
    """
    swing = cross(rate, place)
    felt = acceleration + cross(rate_change, place) + cross(rate, swing) + GRAVITY * rotation[2]
    whole_turn = np.empty((3, 3))
    for i in range(3):
        for k in range(3):
            whole_turn[i, k] = rotation[i, 0] * turn[0, k] + rotation[i, 1] * turn[1, k] + rotation[i, 2] * turn[2, k]
    return (
        position + turned(rotation, place),
        whole_turn,
        turned(rotation, velocity + swing),
        turned_back(turn, rate),
        turned_back(turn, felt),
    )
