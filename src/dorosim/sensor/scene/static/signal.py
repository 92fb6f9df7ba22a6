"""Traffic lights on poles, their lamps, and signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh, box_mesh, fan
from dorosim.road.mgeo.record import MGeoMap, TrafficSign
from dorosim.road.signal import Lamp as SignalLamp
from dorosim.road.signal import Light, lamps_from_colour
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.terrain import Terrain
from dorosim.sensor.scene.actor.solid import cylinder, limb
from dorosim.sensor.scene.material import FIRST_SIGNAL, Material, MaterialProperties
from dorosim.sensor.scene.semantic import Semantic

_LENS, _PITCH = 0.15, 0.36
"""Radius of a lens of 300 mm, and from one to the next [m] (Korean standard of traffic signals)."""
_WALK_LENS = 0.105
_LOWEST_HEAD = 2.2
"""Heads that a map puts lower than this above the ground hang at `_USUAL` [m]."""
_USUAL = {"pedestrian": 2.6}
_USUAL_CAR = 5.2
_MAX_POLE_DISTANCE = 16.0
_SHINE = {"red": (4.5, 0.05, 0.04), "yellow": (4.5, 2.4, 0.1)}
_GREEN_SHINE = (0.15, 4.0, 2.0)
_DARK = {"red": (0.10, 0.012, 0.01), "yellow": (0.11, 0.075, 0.01)}
_GREEN_DARK = (0.01, 0.075, 0.05)

_SPEED, _STOP, _YIELD = "224", "227", "228"
"""Sign numbers of the Korean Road Traffic Act, enforcement rule, annex 6; those from 300 on are blue."""
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


def signal_meshes(lights: Sequence[Light], field: RoadField, ground: Terrain) -> tuple[list[Mesh], SignalLamps]:
    """All heads with their poles, and their lamps."""
    meshes: list[Mesh] = []
    rows: list[tuple[int, int]] = []
    albedo: list[tuple[float, float, float]] = []
    emission: list[tuple[float, float, float]] = []
    points = np.array([light.point for light in lights], np.float64).reshape(-1, 3)
    base = ground.height(points)
    for row, light in enumerate(lights):
        names = light.lamps or (("red", "green") if light.kind == "pedestrian" else ("red", "yellow", "green"))
        place = _hung(light, points[row], float(base[row]))
        facing = np.array((np.cos(light.heading), np.sin(light.heading), 0.0))
        across = np.array((-facing[1], facing[0], 0.0))  # to the right of a viewer that looks at the light
        upright = light.kind == "pedestrian"
        lens, pitch = (_WALK_LENS, 2.4 * _WALK_LENS) if upright else (_LENS, _PITCH)
        line = np.array((0.0, 0.0, -1.0)) if upright else across
        half = 0.5 * pitch * len(names) + 0.03
        meshes.append(_housing(place, facing, across, line, half, lens))
        for number, name in enumerate(names):
            middle = place + (number - 0.5 * (len(names) - 1)) * pitch * line + 0.11 * facing
            meshes.append(_lens(middle, facing, lens, FIRST_SIGNAL + len(rows), arrow=name in _ARROWS))
            meshes.append(_visor(middle, facing, lens))
            rows.append((row, int(lamps_from_colour(name) or SignalLamp.GREEN)))
            albedo.append(_DARK.get(name, _GREEN_DARK))
            emission.append(_SHINE.get(name, _GREEN_SHINE))
        meshes.append(_pole(place, across, upright, field, ground, float(base[row])))
    table = np.array(rows, np.int64).reshape(-1, 2)
    lamps = SignalLamps(
        np.ascontiguousarray(table[:, 0]),
        np.ascontiguousarray(table[:, 1]),
        np.array(albedo).reshape(-1, 3),
        np.array(emission).reshape(-1, 3),
    )
    return meshes, lamps


def _hung(light: Light, point: FloatArray, base: float) -> FloatArray:
    """Where a head hangs: where the map says, if that is above the ground."""
    if point[2] - base >= _LOWEST_HEAD:
        return point
    return np.array((point[0], point[1], base + _USUAL.get(light.kind, _USUAL_CAR)))


def _oriented_box(middle: FloatArray, axes: FloatArray, half: tuple[float, float, float], material: int) -> Mesh:
    """A box along three axes `(3, 3)`, one a row."""
    matrix = np.column_stack((np.asarray(axes).T, middle))
    return box_mesh(half, material).transformed(matrix)


def _housing(
    place: FloatArray, facing: FloatArray, across: FloatArray, line: FloatArray, half: float, lens: float
) -> Mesh:
    """The box behind the lenses, and for cars a backboard."""
    other = np.array((0.0, 0.0, 1.0)) if abs(line[2]) < 0.5 else across
    axes = np.array((facing, line, other))
    return _oriented_box(place, axes, (0.1, half, lens + 0.05), Material.SIGNAL_HOUSING)


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


def _pole(place: FloatArray, across: FloatArray, upright: bool, field: RoadField, ground: Terrain, base: float) -> Mesh:
    """A pole beside the road, with an arm to the head if that hangs above the road."""
    steps = np.arange(0.0, _MAX_POLE_DISTANCE, 0.4)
    for side in (1.0, -1.0):
        spots = place[:2] + side * steps[:, None] * across[:2]
        free = np.flatnonzero(field.distance(spots) > 0.5)
        if len(free):
            break
    else:
        return Mesh.empty()
    foot = spots[free[0]]
    z = float(ground.height(np.array([(foot[0], foot[1], base)]))[0]) if free[0] else base
    behind = place - 0.12 * np.array((across[1], -across[0], 0.0))
    if upright or free[0] == 0:
        at, radii = (foot, (0.06, 0.05)) if upright else (behind, (0.09, 0.07))
        return limb([(at[0], at[1], z - 0.3), (at[0], at[1], place[2] + 0.35)], radii, Material.POLE, 8)
    arm, tip = place[2], behind
    high = np.array((foot[0], foot[1], arm + 0.15))
    mast = limb([(foot[0], foot[1], z - 0.3), (foot[0], foot[1], arm + 0.5)], (0.13, 0.1), Material.POLE, 10)
    boom = limb([high, 0.5 * (high + tip) + (0.0, 0.0, 0.06), tip], (0.08, 0.065, 0.05), Material.POLE, 8)
    return Mesh.joined([mast, boom])


def sign_meshes(town: MGeoMap, ground: Terrain) -> list[Mesh]:
    """All signs on their poles."""
    points = np.array([sign.point for sign in town.traffic_signs], np.float64).reshape(-1, 3)
    base = ground.height(points)
    return [_sign(sign, points[row], float(base[row])) for row, sign in enumerate(town.traffic_signs)]


def _sign(sign: TrafficSign, point: FloatArray, base: float) -> Mesh:
    heading = np.radians(sign.heading)
    facing = np.array((np.cos(heading), np.sin(heading), 0.0))
    across = np.array((-np.sin(heading), np.cos(heading), 0.0))
    height = point[2] if point[2] > base + 1.5 else base + 2.2
    middle = np.array((point[0], point[1], height))
    code = sign.sub_type[0] if sign.sub_type else ""
    size = 0.5 * (sign.width or 0.6)
    pole = cylinder(
        (point[0], point[1], base - 0.3), (point[0], point[1], height + 1.05 * size), 0.038, Material.POLE, 8
    )

    def plate(radius: float, sides: int, turn: float, out: float, material: int) -> Mesh:
        angle = turn + np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
        return fan(middle + out * facing + radius * _on_wall(_circle(angle), across), material)

    sides, turn = {_STOP: (8, np.pi / 8), _YIELD: (3, -np.pi / 2)}.get(code, (24, 0.0))
    blue = code[:1] == "3"
    if blue and code != "304":
        sides, turn = 4, np.pi / 4
    face = Material.SIGN_BLUE if blue else Material.SIGN_RED
    parts = [pole, plate(1.02 * size, sides, turn, 0.045, Material.SIGN_BACK), plate(size, sides, turn, 0.06, face)]
    if code == _STOP:
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
