"""Traffic lights on poles, their lamps, and signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.mesh import Mesh, box_mesh, fan
from dorosim.road.mgeo.record import TrafficSign
from dorosim.road.scenery.pole import FOOT_DEPTH
from dorosim.road.scenery.sign import PLATE_OFFSET, POST_RADIUS, ROUND, SQUARE, STOP_CODE, TRIANGLE
from dorosim.road.scenery.signal import (
    ARM_RADII,
    CAR_POST,
    CAR_POST_RADII,
    LENS_PITCH,
    LENS_RADIUS,
    MAST,
    MAST_RADII,
    NO_SUPPORT,
    WALK_LENS_PITCH,
    WALK_LENS_RADIUS,
    WALK_POST,
    WALK_POST_RADII,
    arm_points,
    lamps_of,
    pole_top,
)
from dorosim.road.scenery.table import ObjectTable
from dorosim.road.signal import Lamp as SignalLamp
from dorosim.road.signal import Light, lamps_from_colour
from dorosim.sensor.scene.actor.solid import cylinder, limb
from dorosim.sensor.scene.material import FIRST_SIGNAL, Material, MaterialProperties
from dorosim.sensor.scene.semantic import Semantic

_SHINE = {"red": (4.5, 0.05, 0.04), "yellow": (4.5, 2.4, 0.1)}
_GREEN_SHINE = (0.15, 4.0, 2.0)
_DARK = {"red": (0.10, 0.012, 0.01), "yellow": (0.11, 0.075, 0.01)}
_GREEN_DARK = (0.01, 0.075, 0.05)

_SPEED = "224"
"""Sign number of the Korean Road Traffic Act, enforcement rule, annex 6."""
_ARROWS = frozenset({"left", "right", "uturn"})


@dataclass(frozen=True, slots=True, eq=False)
class SignalLamps:
    """The lamps of traffic lights; each has a material of its own, from `FIRST_SIGNAL` on.

    Attributes:
        light: `(K,)` row of the light in the network.
        lamp: `(K,)` its bit (`road.signal.Lamp`).
        albedo: `(K, 3)` when dark. emission: `(K, 3)` when lit; both linear.
    """

    light: NDArray[np.int64]
    lamp: NDArray[np.int64]
    albedo: FloatArray
    emission: FloatArray

    def materials(self) -> list[MaterialProperties]:
        """Their materials, dark."""
        return [
            MaterialProperties((row[0], row[1], row[2]), 0.5, Semantic.TRAFFIC_LIGHT) for row in self.albedo.tolist()
        ]


def signal_meshes(lights: Sequence[Light], objects: ObjectTable, rows: IntArray) -> tuple[list[Mesh], SignalLamps]:
    """All heads with what they hang on, a mesh for each row, and their lamps.

    Args:
        lights: of the map.
        objects: of the scenery.
        rows: `(N,)` those of lights.
    """
    meshes: list[Mesh] = []
    lamps: list[tuple[int, int]] = []
    albedo: list[tuple[float, float, float]] = []
    emission: list[tuple[float, float, float]] = []
    for row in rows.tolist():
        source = int(objects.source[row])
        light = lights[source]
        names = lamps_of(light)
        place = np.array((objects.head_x[row], objects.head_y[row], objects.head_z[row]))
        facing = np.array((np.cos(light.heading), np.sin(light.heading), 0.0))
        across = np.array((-facing[1], facing[0], 0.0))  # to the right of a viewer that looks at the light
        upright = light.kind == "pedestrian"
        lens, pitch = (WALK_LENS_RADIUS, WALK_LENS_PITCH) if upright else (LENS_RADIUS, LENS_PITCH)
        line = np.array((0.0, 0.0, -1.0)) if upright else across
        half = 0.5 * np.array((objects.head_length[row], objects.head_width[row], objects.head_height[row]))
        axes = np.array((facing, across, (0.0, 0.0, 1.0)))
        parts = [_oriented_box(place, axes, half, Material.SIGNAL_HOUSING), _support(objects, row, place)]
        for number, name in enumerate(names):
            middle = place + (number - 0.5 * (len(names) - 1)) * pitch * line + 0.11 * facing
            parts.append(_lens(middle, facing, lens, FIRST_SIGNAL + len(lamps), arrow=name in _ARROWS))
            parts.append(_visor(middle, facing, lens))
            lamps.append((source, int(lamps_from_colour(name) or SignalLamp.GREEN)))
            albedo.append(_DARK.get(name, _GREEN_DARK))
            emission.append(_SHINE.get(name, _GREEN_SHINE))
        meshes.append(Mesh.joined(parts))
    table = np.array(lamps, np.int64).reshape(-1, 2)
    found = SignalLamps(
        np.ascontiguousarray(table[:, 0]),
        np.ascontiguousarray(table[:, 1]),
        np.array(albedo).reshape(-1, 3),
        np.array(emission).reshape(-1, 3),
    )
    return meshes, found


def _oriented_box(middle: FloatArray, axes: FloatArray, half: FloatArray, material: int) -> Mesh:
    """A box along three axes `(3, 3)`, one a row."""
    matrix = np.column_stack((np.asarray(axes).T, middle))
    return box_mesh(half, material).transformed(matrix)


def _lens(middle: FloatArray, facing: FloatArray, radius: float, material: int, *, arrow: bool) -> Mesh:
    """A lens that bulges a little; an arrow is a smaller one of six sides."""
    sides = 6 if arrow else 14
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    across = np.array((-facing[1], facing[0], 0.0))
    size = radius * (0.8 if arrow else 0.95)
    return fan(middle + size * _on_wall(_circle(turn), across), material, apex=middle + 0.25 * radius * facing)


def _circle(angle: FloatArray) -> FloatArray:
    """Points `(N, 2)` on a circle of radius 1."""
    return np.column_stack((np.cos(angle), np.sin(angle)))


def _on_wall(points: FloatArray, across: FloatArray) -> FloatArray:
    """Points `(N, 2)` of an upright plane, along `across` and up, as vectors `(N, 3)`."""
    return np.asarray(points[:, :1] * across + points[:, 1:] * (0.0, 0.0, 1.0))


def _visor(middle: FloatArray, facing: FloatArray, radius: float) -> Mesh:
    """The hood over a lens."""
    turn = np.linspace(0.05 * np.pi, 0.95 * np.pi, 7)
    across = np.array((-facing[1], facing[0], 0.0))
    ring = 1.05 * radius * _on_wall(_circle(turn), across)
    near, far = middle + ring - 0.02 * facing, middle + ring + 0.2 * facing
    count = len(turn)
    index = np.arange(count - 1)
    a, b, c, d = index, index + 1, index + 1 + count, index + count
    faces = np.concatenate((np.column_stack((a, b, c)), np.column_stack((a, c, d))))
    return Mesh.of(np.vstack((near, far)), faces, Material.SIGNAL_HOUSING)


_POLES = {WALK_POST: (WALK_POST_RADII, 8), CAR_POST: (CAR_POST_RADII, 8), MAST: (MAST_RADII, 10)}
"""Radii and sides of poles."""


def _support(objects: ObjectTable, row: int, head: FloatArray) -> Mesh:
    """The pole that a head hangs on, with an arm where it stands beside."""
    variant = int(objects.variant[row])
    if variant == NO_SUPPORT:
        return Mesh.empty()
    x, y, z = float(objects.x[row]), float(objects.y[row]), float(objects.z[row])
    radii, sides = _POLES[variant]
    top = float(pole_top(objects, np.array([row]))[0])
    pole = limb([(x, y, z - FOOT_DEPTH), (x, y, top)], radii, Material.POLE, sides)
    if variant != MAST:
        return pole
    arm = arm_points(np.array((x, y, z)), head, float(objects.heading[row]))
    return Mesh.joined([pole, limb(arm, ARM_RADII, Material.POLE, 8)])


def sign_meshes(signs: Sequence[TrafficSign], objects: ObjectTable, rows: IntArray) -> list[Mesh]:
    """Signs on their posts; rows `(N,)` of `objects`."""
    return [_sign(signs[int(objects.source[row])], objects, row) for row in rows.tolist()]


def _sign(sign: TrafficSign, objects: ObjectTable, row: int) -> Mesh:
    heading = float(objects.heading[row])
    facing = np.array((np.cos(heading), np.sin(heading), 0.0))
    across = np.array((-np.sin(heading), np.cos(heading), 0.0))
    middle = np.array((objects.head_x[row], objects.head_y[row], objects.head_z[row])) - PLATE_OFFSET * facing
    code = sign.sub_type[0] if sign.sub_type else ""
    size = 0.5 * float(objects.head_width[row])
    foot = float(objects.x[row]), float(objects.y[row]), float(objects.z[row])
    top = foot[2] + float(objects.height[row])
    pole = cylinder((*foot[:2], foot[2] - FOOT_DEPTH), (*foot[:2], top), POST_RADIUS, Material.POLE, 8)

    def plate(radius: float, sides: int, turn: float, out: float, material: int) -> Mesh:
        angle = turn + np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
        return fan(middle + out * facing + radius * _on_wall(_circle(angle), across), material)

    sides, turn = _OUTLINES[int(objects.variant[row])] if code != STOP_CODE else (8, np.pi / 8)
    blue = code[:1] == "3"
    face = Material.SIGN_BLUE if blue else Material.SIGN_RED
    parts = [pole, plate(1.02 * size, sides, turn, 0.045, Material.SIGN_BACK), plate(size, sides, turn, 0.06, face)]
    if code == STOP_CODE:
        bar = np.array([(-0.6, -0.13), (0.6, -0.13), (0.6, 0.13), (-0.6, 0.13)]) * size
        parts.append(fan(middle + 0.075 * facing + _on_wall(bar, across), Material.SIGN_FACE))
    elif not blue:
        parts.append(plate(0.76 * size, sides, turn, 0.075, Material.SIGN_FACE))
        if code == _SPEED:
            parts += _digits(sign.value, middle + 0.09 * facing, across, size)
    else:
        tip = np.array(
            [(-0.12, -0.55), (0.12, -0.55), (0.12, 0.1), (0.32, 0.1), (0.0, 0.55), (-0.32, 0.1), (-0.12, 0.1)]
        )
        parts.append(fan(middle + 0.075 * facing + size * _on_wall(tip, across), Material.SIGN_FACE))
    return Mesh.joined(parts)


_OUTLINES = {ROUND: (24, 0.0), SQUARE: (4, np.pi / 4), TRIANGLE: (3, -np.pi / 2)}
"""Corners of plates, and the angle of the first."""
_SEGMENTS = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc",
    "5": "afgcd", "6": "afgedc", "7": "abc", "8": "abcdefg", "9": "abfgcd",
}  # fmt: skip
_STROKES = {
    "a": (0.0, 1.0, 1.0, 1.0), "b": (1.0, 1.0, 1.0, 0.5), "c": (1.0, 0.5, 1.0, 0.0), "d": (0.0, 0.0, 1.0, 0.0),
    "e": (0.0, 0.5, 0.0, 0.0), "f": (0.0, 1.0, 0.0, 0.5), "g": (0.0, 0.5, 1.0, 0.5),
}  # fmt: skip
"""Digits as seven strokes: from x, y to x, y in shares of width and height."""


def _digits(text: str, middle: FloatArray, across: FloatArray, size: float) -> list[Mesh]:
    """A number as strokes."""
    digits = [letter for letter in text if letter in _SEGMENTS][:3]
    wide, tall, thick = 0.3 * size, 0.66 * size, 0.055 * size
    pitch = wide + 0.2 * size
    parts = []
    for number, digit in enumerate(digits):
        left = (number - 0.5 * len(digits)) * pitch + 0.1 * size
        for name in _SEGMENTS[digit]:
            x0, y0, x1, y1 = _STROKES[name]
            low = (left + min(x0, x1) * wide - thick, (min(y0, y1) - 0.5) * tall - thick)
            high = (left + max(x0, x1) * wide + thick, (max(y0, y1) - 0.5) * tall + thick)
            box = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
            parts.append(fan(middle + _on_wall(box, across), Material.PLASTIC))
    return parts
