"""Boxes that move: when two meet, how far they are apart, and whether one comes where another has been."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.scenario.criterion.moment import Body
from dorosim.scenario.openscenario.engine.distance import Point, gap_between, overlap


def time_to_overlap(one: Body, other: Body) -> float:
    """Time until two boxes overlap in plan if their velocities and headings stay [s]; infinite for never, 0 for now."""
    own, theirs = one.corners(), other.corners()
    vx, vy = other.velocity_x - one.velocity_x, other.velocity_y - one.velocity_y
    begin, end = 0.0, math.inf
    for nx, ny in (*_axes(one), *_axes(other)):
        low, high = _interval(own, nx, ny)
        bottom, top = _interval(theirs, nx, ny)
        speed = vx * nx + vy * ny
        if abs(speed) < _STILL:
            if top <= low or bottom >= high:
                return math.inf
            continue
        enter, leave = sorted(((low - top) / speed, (high - bottom) / speed))
        begin, end = max(begin, enter), min(end, leave)
        if begin >= end:
            return math.inf
    return begin


_STILL = 1e-12


def distance_between(one: Body, other: Body) -> float:
    """The distance between two boxes in plan [m], 0 where they overlap."""
    return gap_between(one.corners(), other.corners())


def overlaps_of(outline: list[Point], radius: float, poses: FloatArray, box: Body) -> np.ndarray:
    """Which of many poses of a box overlap an outline in plan.

    Args:
        outline: `(4)` corners of a box in the map [m].
        radius: no corner of the outline is further from its middle [m].
        poses: `(N, 3)` x, y and heading of the box's body origin in the map [m, rad].
        box: the body that has the box.

    Returns:
        `(N,)` of bool.
    """
    found = np.zeros(len(poses), np.bool_)
    middle = np.mean(np.array(outline), axis=0)
    away = np.hypot(poses[:, 0] - middle[0], poses[:, 1] - middle[1])
    for row in np.flatnonzero(away <= radius + box.radius).tolist():
        x, y, heading = poses[row].tolist()
        found[row] = overlap(outline, box.corners_at(x, y, heading))
    return found


def _axes(body: Body) -> tuple[Point, Point]:
    """The directions of the sides of a box."""
    cosine, sine = math.cos(body.heading), math.sin(body.heading)
    return (cosine, sine), (-sine, cosine)


def _interval(points: list[Point], nx: float, ny: float) -> tuple[float, float]:
    """The ends of an outline along a direction."""
    along = [x * nx + y * ny for x, y in points]
    return min(along), max(along)
