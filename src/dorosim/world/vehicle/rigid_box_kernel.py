"""A rigid box in space: its motion, its energy, and impulses at its points.

Impulses at points act one after another until they agree (E. Catto, "Iterative dynamics with temporal coherence",
GDC 2005; D. Baraff, "An introduction to physically based modeling", SIGGRAPH 1997), with Coulomb's friction.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.physics import GRAVITY


class RigidBox(NamedTuple):
    """Arrays of one box in a tick.

    Attributes:
        rotation: `(3, 3)` from body to map.
        place: `(3,)` centre of gravity in map [m].
        speed: `(3,)` of it in map [m/s].
        rate: `(3,)` in map [rad/s].
        inertia: `(3,)` about the axes of the body [kg m²].
        arm: `(POINTS, 3)` from the centre of gravity in the body [m].
        reach: `(POINTS, 3)` the same in map.
        normal: `(POINTS, 3)` of the ground below each point.
        gap: `(POINTS,)` its distance from the ground along the normal [m].
        pressed: `(POINTS, 3)` impulses along normal and two tangents so far [N s].
        tangent: `(POINTS, 2, 3)` directions in which friction acts.
        limit: `(POINTS, 2)` its coefficients along them.
        target: `(POINTS,)` least speed away from the ground after the step [m/s].
        inverse: `(3, 3)` inverse of the inertia tensor in map.
    """

    rotation: FloatArray
    place: FloatArray
    speed: FloatArray
    rate: FloatArray
    inertia: FloatArray
    arm: FloatArray
    reach: FloatArray
    normal: FloatArray
    gap: FloatArray
    pressed: FloatArray
    tangent: FloatArray
    limit: FloatArray
    target: FloatArray
    inverse: FloatArray


@inner_kernel
def write_rotation(out: FloatArray, roll: float, pitch: float, yaw: float) -> None:
    """The matrix from body to map of angles that turn about z, y and x in this order (REP-103)."""
    cr, sr, cp, sp, cy, sy = cos(roll), sin(roll), cos(pitch), sin(pitch), cos(yaw), sin(yaw)
    out[0, 0], out[0, 1], out[0, 2] = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    out[1, 0], out[1, 1], out[1, 2] = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    out[2, 0], out[2, 1], out[2, 2] = -sp, cp * sr, cp * cr


@inner_kernel
def turned(t: RigidBox, k: int, x: float, y: float, z: float) -> float:
    """Component `k` in map of a vector of the body."""
    component: float = t.rotation[k, 0] * x + t.rotation[k, 1] * y + t.rotation[k, 2] * z
    return component


@inner_kernel
def turn(rotation: FloatArray, rate: FloatArray, dt: float) -> None:
    """Turn a matrix by a rate in map for a time, by Rodrigues' formula; its rows stay orthonormal."""
    angle = sqrt(rate[0] ** 2 + rate[1] ** 2 + rate[2] ** 2) * dt
    if angle < 1e-12:
        return
    kx, ky, kz = rate[0] * dt / angle, rate[1] * dt / angle, rate[2] * dt / angle
    c, s = cos(angle), sin(angle)
    for j in range(3):
        x, y, z = rotation[0, j], rotation[1, j], rotation[2, j]
        along = (kx * x + ky * y + kz * z) * (1.0 - c)
        rotation[0, j] = x * c + (ky * z - kz * y) * s + kx * along
        rotation[1, j] = y * c + (kz * x - kx * z) * s + ky * along
        rotation[2, j] = z * c + (kx * y - ky * x) * s + kz * along


@inner_kernel
def write_inverse(t: RigidBox) -> None:
    """The inverse inertia tensor in map of the box as it lies."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += t.rotation[i, k] * t.rotation[j, k] / t.inertia[k]
            t.inverse[i, j] = total


@inner_kernel
def spin_energy(t: RigidBox) -> float:
    """Energy of the rotation [J]."""
    total = 0.0
    for k in range(3):
        rate = t.rotation[0, k] * t.rate[0] + t.rotation[1, k] * t.rate[1] + t.rotation[2, k] * t.rate[2]
        total += 0.5 * t.inertia[k] * rate * rate
    return total


@inner_kernel
def energy(t: RigidBox, mass: float) -> float:
    """Energy of motion and height [J]."""
    square = t.speed[0] ** 2 + t.speed[1] ** 2 + t.speed[2] ** 2
    total: float = spin_energy(t) + mass * (0.5 * square + GRAVITY * t.place[2])
    return total


@inner_kernel
def speed_along(t: RigidBox, p: int, x: float, y: float, z: float) -> float:
    """Speed of a point along a direction [m/s]."""
    rx, ry, rz = t.reach[p, 0], t.reach[p, 1], t.reach[p, 2]
    wx, wy, wz = t.rate[0], t.rate[1], t.rate[2]
    vx, vy, vz = t.speed[0] + wy * rz - wz * ry, t.speed[1] + wz * rx - wx * rz, t.speed[2] + wx * ry - wy * rx
    along: float = vx * x + vy * y + vz * z
    return along


@inner_kernel
def push(t: RigidBox, p: int, mass: float, x: float, y: float, z: float, wanted: float) -> float:
    """Impulse along a direction at a point that changes its speed there by so much [N s]."""
    rx, ry, rz = t.reach[p, 0], t.reach[p, 1], t.reach[p, 2]
    mx, my, mz = ry * z - rz * y, rz * x - rx * z, rx * y - ry * x
    ix = t.inverse[0, 0] * mx + t.inverse[0, 1] * my + t.inverse[0, 2] * mz
    iy = t.inverse[1, 0] * mx + t.inverse[1, 1] * my + t.inverse[1, 2] * mz
    iz = t.inverse[2, 0] * mx + t.inverse[2, 1] * my + t.inverse[2, 2] * mz
    size: float = wanted / (1.0 / mass + mx * ix + my * iy + mz * iz)
    return size


@inner_kernel
def apply(t: RigidBox, p: int, mass: float, x: float, y: float, z: float, size: float) -> None:
    """Apply an impulse along a direction at a point [N s]."""
    rx, ry, rz = t.reach[p, 0], t.reach[p, 1], t.reach[p, 2]
    t.speed[0] += size * x / mass
    t.speed[1] += size * y / mass
    t.speed[2] += size * z / mass
    mx, my, mz = size * (ry * z - rz * y), size * (rz * x - rx * z), size * (rx * y - ry * x)
    for k in range(3):
        t.rate[k] += t.inverse[k, 0] * mx + t.inverse[k, 1] * my + t.inverse[k, 2] * mz


@inner_kernel
def press_again(t: RigidBox, p: int, mass: float) -> None:
    """The impulses of the step before at a point: most contacts last."""
    apply(t, p, mass, t.normal[p, 0], t.normal[p, 1], t.normal[p, 2], t.pressed[p, 0])
    for k in range(2):
        apply(t, p, mass, t.tangent[p, k, 0], t.tangent[p, k, 1], t.tangent[p, k, 2], t.pressed[p, 1 + k])


@inner_kernel
def press(t: RigidBox, p: int, mass: float) -> None:
    """One impulse at a point: out of the ground, then against sliding."""
    x, y, z = t.normal[p, 0], t.normal[p, 1], t.normal[p, 2]
    size = push(t, p, mass, x, y, z, t.target[p] - speed_along(t, p, x, y, z))
    size = max(size, -t.pressed[p, 0])
    t.pressed[p, 0] += size
    apply(t, p, mass, x, y, z, size)
    for k in range(2):
        x, y, z = t.tangent[p, k, 0], t.tangent[p, k, 1], t.tangent[p, k, 2]
        size = push(t, p, mass, x, y, z, -speed_along(t, p, x, y, z))
        most = t.limit[p, k] * t.pressed[p, 0]
        size = min(max(t.pressed[p, 1 + k] + size, -most), most) - t.pressed[p, 1 + k]
        t.pressed[p, 1 + k] += size
        apply(t, p, mass, x, y, z, size)


@inner_kernel
def pay(t: RigidBox, mass: float, most: float) -> None:
    """Slow the box down until its energy is no more than it was [J]; if it cannot pay by its motion, it sinks."""
    rise = energy(t, mass) - most
    if rise <= 0.0:
        return
    moving = energy(t, mass) - mass * GRAVITY * t.place[2]
    scale = sqrt(max(moving - rise, 0.0) / moving) if moving > 0.0 else 0.0
    for k in range(3):
        t.speed[k] *= scale
        t.rate[k] *= scale
    rest = energy(t, mass) - most
    if rest > 0.0:
        t.place[2] -= rest / (mass * GRAVITY)
