"""Buses, trucks and robots: boxes with rounded edges, windows, wheels and lamps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dorosim.ground.mesh import Mesh, box_mesh, quad_mesh
from dorosim.sensor.scene.actor.solid import cylinder, fitted, loft
from dorosim.sensor.scene.actor.wheel import arch, plain_wheel, wheel
from dorosim.sensor.scene.material import Material
from dorosim.world.vehicle.model import GroundVehicle, VehicleModel

_LAMP_DEPTH = 0.03


def round_box(low: Sequence[float], high: Sequence[float], edge: float, material: int, top: int | None = None) -> Mesh:
    """A box whose edges are cut by `edge` [m]; its top may be of another material."""
    x0, y0, z0 = low
    x1, y1, z1 = high

    def ring(x: float, inset: float) -> list[tuple[float, float, float]]:
        a, b, c, d = y0 + inset, y1 - inset, z0 + inset, z1 - inset
        e = edge
        shape = [(a + e, c), (b - e, c), (b, c + e), (b, d - e), (b - e, d), (a + e, d), (a, d - e), (a, c + e)]
        return [(x, y, z) for y, z in shape]

    rings = [ring(x0, edge), ring(x0 + edge, 0.0), ring(x1 - edge, 0.0), ring(x1, edge)]
    patches = np.full((3, 8), material)
    if top is not None:
        patches[:, 4] = top
    return loft(rings, patches, cap=material)


def _pair(x: float, y: tuple[float, float], z: tuple[float, float], material: int, facing: float) -> Mesh:
    """A lamp on either side, on a wall across x; turn signals are of their own side [m]."""
    half = (_LAMP_DEPTH, 0.5 * (y[1] - y[0]), 0.5 * (z[1] - z[0]))
    parts = []
    for side in (1.0, -1.0):
        other = Material.RIGHT_LAMP if material == Material.LEFT_LAMP and side < 0 else material
        centre = (x - 0.4 * facing * _LAMP_DEPTH, side * 0.5 * (y[0] + y[1]), 0.5 * (z[0] + z[1]))
        parts.append(box_mesh(half, other, centre))
    return Mesh.joined(parts)


def _tail_lamps(x: float, half: float, z: float, size: float) -> list[Mesh]:
    """Lamps of a rear wall at x, about height z [m]."""
    rows = (
        (Material.LEFT_LAMP, 2.0),
        (Material.BRAKE_LAMP, 1.0),
        (Material.TAIL_LAMP, 0.0),
        (Material.REVERSE_LAMP, -1.0),
    )
    return [
        _pair(x, (half - 1.3 * size, half - 0.4 * size), (z + k * size, z + (k + 0.9) * size), material, -1.0)
        for material, k in rows
    ]


def _head_lamps(x: float, half: float, z: float, size: float) -> list[Mesh]:
    """Lamps of a front wall at x, about height z [m]."""
    return [
        _pair(x, (half - 2.2 * size, half - 0.9 * size), (z, z + size), Material.HEAD_LAMP, 1.0),
        _pair(x, (half - 0.8 * size, half - 0.3 * size), (z, z + size), Material.LEFT_LAMP, 1.0),
    ]


def _along(x: tuple[float, float], y: float, z: tuple[float, float]) -> list[tuple[float, float, float]]:
    """A pane in a side wall at y, from one x and z to the other [m]."""
    return [(x[0], y, z[0]), (x[1], y, z[0]), (x[1], y, z[1]), (x[0], y, z[1])]


def _across(x: float, half: float, z: tuple[float, float]) -> list[tuple[float, float, float]]:
    """A pane in a front or rear wall at x, up to `half` to either side, from one z to the other [m]."""
    return [(x, -half, z[0]), (x, half, z[0]), (x, half, z[1]), (x, -half, z[1])]


def _windows(x: Sequence[float], y: float, z: tuple[float, float]) -> Mesh:
    """Windows on both sides between the pillars at x [m]."""
    corners = [_along((a + 0.05, b - 0.05), side, z) for a, b in pairwise(x) for side in (y, -y)]
    return quad_mesh(corners, Material.GLASS)


def _wheels(model: VehicleModel, radius: float, width: float, floor: float, places: Sequence[float]) -> list[Mesh]:
    half = 0.5 * model.width
    parts = []
    for x in places:
        for side in (half, -half):
            parts.append(wheel(x, side, radius, width))
            parts.append(arch(x, side * 0.993, 1.14 * radius, floor))
    return parts


def _box_of(model: VehicleModel) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], ...]:
    low = np.array((-model.rear_overhang, -0.5 * model.width, 0.0))
    return low, np.add(low, (model.length, model.width, model.height))


def bus_mesh(model: VehicleModel) -> Mesh:
    """A bus: one long body with a band of windows, doors on the right, a destination board."""
    low, high = _box_of(model)
    half = 0.5 * model.width * 0.985
    tall, back, front = model.height, low[0], high[0]
    window = (0.40 * tall, 0.80 * tall)
    skin = half + 0.01
    pillars = np.linspace(back + 0.5, front - 0.4, 8).tolist()
    body = round_box((back, -half, 0.1 * tall), (front, half, tall), 0.09, Material.PAINT)
    stripe = [_along((back + 0.2, front - 0.2), y, (0.30 * tall, 0.36 * tall)) for y in (skin, -skin)]
    screen = _across(front + 0.01, 0.88 * half, (0.36 * tall, 0.80 * tall))
    board = _across(front + 0.012, 0.6 * half, (0.83 * tall, 0.93 * tall))
    rear = _across(back - 0.01, 0.75 * half, (0.52 * tall, 0.82 * tall))
    doors = [
        _along((x, x + 1.2), -skin - 0.008, (0.13 * tall, 0.79 * tall)) for x in (front - 1.9, 0.5 * (front + back))
    ]
    unit = 0.14
    parts = [
        body,
        _windows(pillars, skin, window),
        quad_mesh(stripe, Material.SECOND_PAINT),
        quad_mesh([screen, rear], Material.GLASS),
        quad_mesh([board], Material.PLASTIC),
        quad_mesh(doors, Material.GLASS),
        box_mesh((1.4, 0.7, 0.06), Material.PAINT, (0.3 * front, 0.0, tall - 0.03)),
        *_wheels(model, 0.145 * tall, 0.30, 0.1 * tall, (0.0, model.wheelbase)),
        *_head_lamps(front, half, 0.17 * tall, 0.2),
        *_tail_lamps(back, half, 0.22 * tall, unit),
    ]
    parts += [
        box_mesh((0.06, 0.09, 0.22), Material.PLASTIC, (front - 0.1, side * (half - 0.08), 0.72 * tall))
        for side in (1.0, -1.0)
    ]
    return fitted(Mesh.joined(parts), low, high)


def truck_mesh(model: VehicleModel) -> Mesh:
    """A truck whose cab sits over its front axle, with a box body behind."""
    low, high = _box_of(model)
    half, tall, back, front = 0.5 * model.width * 0.985, model.height, low[0], high[0]
    cab = front - 0.30 * model.length
    foot, waist, roof = 0.17 * tall, 0.52 * tall, 0.95 * tall
    profile = [
        (cab, foot),
        (front - 0.02, foot),
        (front, 0.30 * tall),
        (front - 0.04, waist),
        (front - 0.42, roof - 0.03),
        (front - 0.55, roof),
        (cab, roof),
    ]
    sides = [[(x, y, z) for x, z in profile] for y in (-half, -half + 0.06, half - 0.06, half)]
    sides[0], sides[3] = (
        [(x - 0.03 * (x > cab + 0.1), y, z - 0.03 * (z > waist)) for x, y, z in s] for s in (sides[0], sides[3])
    )
    patches = np.full((3, len(profile)), Material.PAINT)
    patches[1, 3] = Material.GLASS
    door = [
        [(cab + 0.35, y, waist), (front - 0.16, y, waist), (front - 0.47, y, 0.88 * tall), (cab + 0.35, y, 0.88 * tall)]
        for y in (half + 0.01, -half - 0.01)
    ]
    box = round_box((back, -half, 0.42 * tall), (cab - 0.06, half, tall), 0.03, Material.SECOND_PAINT)
    grille = _across(front + 0.012, 0.6 * half, (0.25 * tall, 0.33 * tall))
    radius = 0.155 * tall
    parts = [
        loft(sides, patches, cap=Material.PAINT),
        quad_mesh(door, Material.GLASS),
        quad_mesh([grille], Material.PLASTIC),
        box,
        box_mesh(
            (0.5 * (cab - back), 0.38 * half, 0.06 * tall), Material.PLASTIC, (0.5 * (cab + back), 0, 0.32 * tall)
        ),
        box_mesh((0.03, half, 0.05), Material.PLASTIC, (back + 0.04, 0, 0.25 * tall)),
        box_mesh((0.06, 0.8 * half, 0.06), Material.PLASTIC, (front - 0.06, 0, 0.18 * tall)),
        *[wheel(x, side * 0.5 * model.width, radius, 0.19) for x in (0.0, model.wheelbase) for side in (1.0, -1.0)],
        *[arch(model.wheelbase, side * 0.5 * model.width * 0.99, 1.15 * radius, foot) for side in (1.0, -1.0)],
        *_head_lamps(front - 0.01, half, 0.33 * tall, 0.13),
        *_tail_lamps(back, half, 0.27 * tall, 0.06),
    ]
    parts += [
        box_mesh((0.03, 0.06, 0.14), Material.PLASTIC, (front - 0.15, side * (half - 0.05), 0.62 * tall))
        for side in (1.0, -1.0)
    ]
    return fitted(Mesh.joined(parts), low, high)


def robot_mesh(model: VehicleModel) -> Mesh:
    """A platform on wheels: from a vacuum-sized robot to an eight-axle transporter."""
    low, high = _box_of(model)
    places = [at for at, _ in model.axles] if isinstance(model, GroundVehicle) and model.axles else [0.0]
    if places == [0.0]:
        places = [0.0, model.wheelbase]
    gap = min(np.diff(sorted(set(places))).min(), model.length) if len(set(places)) > 1 else model.length
    radius = min(0.45 * model.height, 0.42 * gap, 0.55)
    half, thick = 0.5 * model.width, min(0.22 * model.width, 0.45)
    body = half - 0.9 * thick
    edge = 0.06 * model.height
    deck = 0.62 * model.height
    parts = [
        round_box((low[0], -body, 0.35 * model.height), (high[0], body, 0.85 * deck), edge, Material.PLASTIC),
        round_box(
            (low[0] + edge, -0.97 * half, 0.8 * deck), (high[0] - edge, 0.97 * half, deck), 0.3 * edge, Material.PAINT
        ),
        round_box(
            (low[0] + 0.22 * model.length, -0.55 * half, deck),
            (high[0] - 0.12 * model.length, 0.55 * half, 0.9 * model.height),
            edge,
            Material.SECOND_PAINT,
            Material.STEEL,
        ),
        cylinder(
            (high[0] - 0.3 * model.length, 0.0, 0.88 * model.height),
            (high[0] - 0.3 * model.length, 0.0, model.height),
            0.16 * min(model.length, model.width),
            Material.PLASTIC,
        ),
    ]
    parts += [plain_wheel(x, side * (half - 0.5 * thick), radius, thick) for x in places for side in (1.0, -1.0)]
    unit = 0.12 * min(model.height, 2.0 * model.width)
    z = (0.42 * model.height, 0.42 * model.height + unit)
    parts += [
        _pair(high[0], (0.5 * body, 0.9 * body), z, Material.HEAD_LAMP, 1.0),
        _pair(low[0], (0.5 * body, 0.7 * body), z, Material.BRAKE_LAMP, -1.0),
        _pair(low[0], (0.72 * body, 0.9 * body), z, Material.LEFT_LAMP, -1.0),
    ]
    return fitted(Mesh.joined(parts), low, high)
