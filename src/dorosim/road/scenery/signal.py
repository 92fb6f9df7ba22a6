"""Traffic lights: where their heads hang, and on what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.scenery.pole import BREAKAWAY_SPEED, FOOT_DEPTH, foot_beside_road, tube_mass
from dorosim.road.scenery.table import ObjectKind, ObjectTable, PartTable, joined_parts
from dorosim.road.scenery.tree import SQUARE_FOR_ROUND
from dorosim.road.signal import Light
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.terrain import Terrain

LENS_RADIUS, LENS_PITCH = 0.15, 0.36
"""Radius of a lens of 300 mm, and from one to the next [m] (Korean standard of traffic signals)."""
WALK_LENS_RADIUS, WALK_LENS_PITCH = 0.105, 0.252
"""The same of lights for people."""
HEAD_HALF_DEPTH = 0.1
HEAD_MARGIN = 0.05
"""The housing reaches so far beyond its lenses, to the sides of their row [m], and `HEAD_END` beyond its ends."""
HEAD_END = 0.03
HEAD_OFFSET = 0.12
"""Poles and arms meet a head this far behind its middle [m]."""
NO_SUPPORT, WALK_POST, CAR_POST, MAST = range(4)
"""What a head hangs on: `ObjectTable.variant` of a light."""
WALK_POST_RADII, CAR_POST_RADII, MAST_RADII = (0.06, 0.05), (0.09, 0.07), (0.13, 0.1)
"""Radius of each pole at its foot and its top [m]."""
ARM_RADII = (0.08, 0.065, 0.05)
"""Radius of an arm at the mast, in its middle and at the head [m]."""
ARM_RISE, ARM_SAG = 0.15, 0.06
"""The arm begins so far above the head, and bends up so far in its middle [m]."""
POST_ABOVE, MAST_ABOVE = 0.35, 0.5
"""Poles end so far above the middle of the head [m]."""
_LOWEST_HEAD = 2.2
"""Heads that a map puts lower than this above the ground hang at `_USUAL_WALK_HEAD` or `_USUAL_CAR_HEAD` [m]."""
_USUAL_WALK_HEAD, _USUAL_CAR_HEAD = 2.6, 5.2
_WALK_HEAD_MASS = 9.0
"""Mass of a head for people with its lenses [kg]."""


def lamps_of(light: Light) -> tuple[str, ...]:
    """The map's names of the lamps of a light; those that are usual where it names none."""
    return light.lamps or (("red", "green") if light.kind == "pedestrian" else ("red", "yellow", "green"))


def place_signals(lights: Sequence[Light], field: RoadField, terrain: Terrain) -> ObjectTable:
    """The lights of a map. A light for people stands beside the road with its post, others hang where the map says."""
    found = ObjectTable.zeros(len(lights))
    points = np.array([light.point for light in lights], np.float64).reshape(-1, 3)
    base = terrain.height(points) if len(lights) else np.zeros(0)
    found.heading[:] = [light.heading for light in lights]
    head, foot = points.copy(), points.copy()
    for row, light in enumerate(lights):
        facing = np.array((np.cos(light.heading), np.sin(light.heading)))
        across = np.array((-facing[1], facing[0]))
        if light.kind == "pedestrian":
            usual, support = _USUAL_WALK_HEAD, WALK_POST
        else:
            usual, support = _USUAL_CAR_HEAD, CAR_POST
        if points[row, 2] - base[row] < _LOWEST_HEAD:
            head[row, 2] = base[row] + usual
        beside = foot_beside_road(field, points[row, :2], across)
        if beside is None:
            support = NO_SUPPORT
        elif support == WALK_POST:
            head[row, :2] = beside
            foot[row, :2] = beside - HEAD_OFFSET * facing
        elif np.hypot(*(beside - points[row, :2])) > 0.0:
            support, foot[row, :2] = MAST, beside
        else:
            foot[row, :2] = beside - HEAD_OFFSET * facing
        found.variant[row] = support
    found.z[:] = terrain.height(foot) if len(lights) else base
    found.x[:], found.y[:] = foot[:, :2].T
    found.head_x[:], found.head_y[:], found.head_z[:] = head.T
    _write_sizes(found, lights)
    found.kind[:], found.source[:] = ObjectKind.SIGNAL, np.arange(len(lights))
    return found


def _write_sizes(found: ObjectTable, lights: Sequence[Light]) -> None:
    walk = np.array([light.kind == "pedestrian" for light in lights], np.bool_)
    count = np.array([len(lamps_of(light)) for light in lights], np.int64)
    pitch, lens = np.where(walk, WALK_LENS_PITCH, LENS_PITCH), np.where(walk, WALK_LENS_RADIUS, LENS_RADIUS)
    along, other = pitch * count + 2.0 * HEAD_END, 2.0 * (lens + HEAD_MARGIN)
    found.head_length[:] = 2.0 * HEAD_HALF_DEPTH
    found.head_width[:], found.head_height[:] = np.where(walk, other, along), np.where(walk, along, other)
    above = np.where(found.variant == MAST, MAST_ABOVE, POST_ABOVE)
    found.length[:], found.width[:] = 2.0 * HEAD_HALF_DEPTH, found.head_width
    found.height[:] = found.head_z - found.z + np.maximum(above, 0.5 * found.head_height)
    thin = found.variant == WALK_POST
    post = tube_mass(0.5 * sum(WALK_POST_RADII), 1.0) * (found.height + FOOT_DEPTH)
    found.mass[:] = np.where(thin, post + _WALK_HEAD_MASS, 0.0)
    found.breakaway_speed[:] = np.where(thin, BREAKAWAY_SPEED, 0.0)


def pole_top(objects: ObjectTable, rows: IntArray) -> FloatArray:
    """`(N,)` heights in the map at which the poles of lights end [m]; rows `(N,)` of `objects`."""
    return objects.head_z[rows] + np.where(objects.variant[rows] == MAST, MAST_ABOVE, POST_ABOVE)


def arm_points(foot: FloatArray, head: FloatArray, heading: float) -> FloatArray:
    """`(3, 3)` where an arm begins at its mast, its middle, and where it ends behind the head, in map [m]."""
    high = np.array((foot[0], foot[1], head[2] + ARM_RISE))
    tip = head - HEAD_OFFSET * np.array((np.cos(heading), np.sin(heading), 0.0))
    return np.array((high, 0.5 * (high + tip) + (0.0, 0.0, ARM_SAG), tip))


def signal_parts(objects: ObjectTable, rows: IntArray) -> PartTable:
    """Poles, arms and housings of lights; rows `(N,)` of `objects`. Lenses and their hoods are no parts."""
    head = PartTable.zeros(len(rows))
    head.x[:], head.y[:], head.z[:] = objects.head_x[rows], objects.head_y[rows], objects.head_z[rows]
    head.yaw[:], head.object[:] = objects.heading[rows], rows
    head.half_length[:] = 0.5 * objects.head_length[rows]
    head.half_width[:], head.half_height[:] = 0.5 * objects.head_width[rows], 0.5 * objects.head_height[rows]
    parts = [head]
    for variant, radii in ((WALK_POST, WALK_POST_RADII), (CAR_POST, CAR_POST_RADII), (MAST, MAST_RADII)):
        some = rows[objects.variant[rows] == variant]
        pole = PartTable.zeros(len(some))
        bottom, top = objects.z[some] - FOOT_DEPTH, pole_top(objects, some)
        pole.x[:], pole.y[:], pole.yaw[:] = objects.x[some], objects.y[some], objects.heading[some]
        pole.z[:], pole.half_height[:] = 0.5 * (top + bottom), 0.5 * (top - bottom)
        pole.half_length[:] = pole.half_width[:] = SQUARE_FOR_ROUND * 0.5 * sum(radii)
        pole.object[:] = some
        parts.append(pole)
        if variant == MAST:
            parts.append(_arms(objects, some))
    return joined_parts(parts)


def _arms(objects: ObjectTable, rows: IntArray) -> PartTable:
    """Arms as four boxes each: the half at the mast is nearly level, the other falls to the head."""
    parts = PartTable.zeros(4 * len(rows))
    for number, row in enumerate(rows.tolist()):
        foot = np.array((objects.x[row], objects.y[row], objects.z[row]))
        head = np.array((objects.head_x[row], objects.head_y[row], objects.head_z[row]))
        high, middle, tip = arm_points(foot, head, float(objects.heading[row]))
        share = np.array((0.0, 1.0, 2.0)) / 3.0
        begin = np.vstack((high, middle + share[:, None] * (tip - middle)))
        end = np.vstack((begin[1:], tip))
        at = slice(4 * number, 4 * number + 4)
        way = end - begin
        parts.x[at], parts.y[at], parts.z[at] = (0.5 * (begin + end)).T
        parts.yaw[at] = np.arctan2(way[:, 1], way[:, 0])
        parts.half_length[at] = 0.5 * np.hypot(way[:, 0], way[:, 1])
        radius = np.array((sum(ARM_RADII[:2]), *(2.0 * np.interp((1, 3, 5), (0, 6), ARM_RADII[1:])))) / 2.0
        parts.half_width[at] = SQUARE_FOR_ROUND * radius
        parts.half_height[at] = SQUARE_FOR_ROUND * radius + 0.25 * np.abs(way[:, 2])
        parts.object[at] = row
    return parts
