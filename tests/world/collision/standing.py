"""Scenery made by hand, and worlds with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dorosim.road.scenery.table import ObjectKind, ObjectTable, PartTable, Scenery
from dorosim.world.snapshot import STATE_FIELDS, Snapshot
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.world.world import World, street

Wall = tuple[float, float, float, float, float]
"""Middle x, y, yaw, length, width; from 1 m below the ground to 3 m above it."""
CAR = "2016_Hyundai_Ioniq"


def scenery_of(walls: Sequence[Wall], breakaway_speed: float = 0.0, mass: float = 0.0) -> Scenery:
    """One object with one part for each wall."""
    objects, parts = ObjectTable.zeros(len(walls)), PartTable.zeros(len(walls))
    for row, (x, y, yaw, length, width) in enumerate(walls):
        objects.x[row], objects.y[row], objects.heading[row] = x, y, yaw
        objects.length[row], objects.width[row], objects.height[row] = length, width, 3.0
        parts.x[row], parts.y[row], parts.z[row], parts.yaw[row] = x, y, 1.0, yaw
        parts.half_length[row], parts.half_width[row], parts.half_height[row] = 0.5 * length, 0.5 * width, 2.0
        parts.object[row] = row
    objects.kind[:], objects.source[:] = ObjectKind.SIGN, -1
    objects.breakaway_speed[:], objects.mass[:] = breakaway_speed, mass
    return Scenery(objects.freeze(), parts.freeze())


def world_among(scenery: Scenery, *egos: tuple[float, float, float], tick_ms: float = 10.0) -> World:
    """The level street with scenery, and cars at x, y with a heading, in neutral and without brake."""
    world = World(replace(street(tick_ms), scenery=scenery), [(CAR, (x, y, 0.0), yaw) for x, y, yaw in egos])
    for row in range(len(egos)):
        # out of gear, so that no engine adds energy
        world.do(DriveVehicle(row + 1, ControlKind.PEDALS, gear=Gear.N))
    world.now = changed(world.now, brake=0.0)
    return world


def changed(now: Snapshot, **columns: object) -> Snapshot:
    """The snapshot with columns of its vehicles set to other values."""
    vehicle = now.vehicle.copy()
    for name, values in columns.items():
        getattr(vehicle, name)[:] = values
    return Snapshot(**{name: getattr(now, name) for name in STATE_FIELDS} | {"vehicle": vehicle.freeze()})


def motion_energy(now: Snapshot) -> float:
    """Energy of the motion of all vehicles in the plane [J]."""
    parameter, vehicle = now.parameter, now.vehicle
    spin = vehicle.angular_velocity[2]
    across = vehicle.velocity_y + parameter.rear_distance * spin
    speed2 = vehicle.velocity_x**2 + across**2
    return float((0.5 * parameter.mass * speed2 + 0.5 * parameter.yaw_inertia * spin**2).sum())


def deepest(now: Snapshot, scenery: Scenery, rows: Sequence[int] | None = None) -> float:
    """How deep a vehicle of some rows, of all if none are given, is inside of a part [m]; negative where none is."""
    deep = -np.inf
    parts, gone = scenery.parts, set(now.displaced.object.tolist())
    vehicle, parameter = now.vehicle, now.parameter
    for row in range(vehicle.rows) if rows is None else rows:
        yaw = float(vehicle.yaw[row])
        middle = 0.5 * float(parameter.wheelbase[row] + parameter.front_overhang[row] - parameter.rear_overhang[row])
        x, y = vehicle.x[row] + middle * np.cos(yaw), vehicle.y[row] + middle * np.sin(yaw)
        car = _corners(float(x), float(y), yaw, 0.5 * float(parameter.length[row]), 0.5 * float(parameter.width[row]))
        near = (
            np.hypot(parts.x - x, parts.y - y) < np.hypot(parts.half_length, parts.half_width) + parameter.length[row]
        )
        near &= (parts.z - parts.half_height < vehicle.z[row] + parameter.height[row]) & (
            parts.z + parts.half_height > vehicle.z[row]
        )
        for part in np.flatnonzero(near).tolist():
            if int(parts.object[part]) in gone:
                continue
            box = parts.x[part], parts.y[part], parts.yaw[part], parts.half_length[part], parts.half_width[part]
            deep = max(deep, _depth(car, _corners(*map(float, box))))
    return float(deep)


def _corners(x: float, y: float, yaw: float, a: float, b: float) -> np.ndarray:
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([(x + u * c - v * s, y + u * s + v * c) for u, v in ((-a, -b), (a, -b), (a, b), (-a, b))])


def _depth(one: np.ndarray, other: np.ndarray) -> float:
    depth = np.inf
    for ring in (one, other):
        for way in (ring[1] - ring[0], ring[2] - ring[1]):
            axis = way / np.hypot(*way)
            a, b = one @ axis, other @ axis
            depth = min(depth, a.max() - b.min(), b.max() - a.min())
    return float(depth)
