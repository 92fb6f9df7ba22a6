"""How far points are beside a line: a reference path, or a trajectory that was sent."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file

AGAINST = 6.0
"""Where lines cross or come back, one against the heading counts as so much farther at most [m]."""
MAX_LINE_FILE_SIZE = 64 << 20
"""Bytes of the largest file that is taken for a path."""
_AT_A_TIME = 512


def offsets_from_line(points: FloatArray, heading: FloatArray, line: FloatArray) -> FloatArray:
    """Distances of points from a line in the plan, left of it positive.

    Args:
        points: `(N, 2)` in map [m].
        heading: `(N,)` of what is there [rad]: pieces in this direction are preferred.
        line: `(M, 2)` in map [m], at least two points.

    Returns:
        `(N,)` [m]; NaN before the line's start and beyond its end.
    """
    start, along = line[:-1], np.diff(line, axis=0)
    length = np.hypot(along[:, 0], along[:, 1])
    start, along, length = start[length > 0.0], along[length > 0.0], length[length > 0.0]
    found = np.full(len(points), np.nan)
    if not len(length):
        return found
    closed = bool((line[0] == line[-1]).all())
    unit = along / length[:, None]
    for first in range(0, len(points), _AT_A_TIME):
        part = slice(first, first + _AT_A_TIME)
        offset = points[part, None, :] - start
        forward = offset[..., 0] * unit[:, 0] + offset[..., 1] * unit[:, 1]
        left = offset[..., 1] * unit[:, 0] - offset[..., 0] * unit[:, 1]
        beyond = forward - np.clip(forward, 0.0, length)
        facing = np.cos(heading[part])[:, None] * unit[:, 0] + np.sin(heading[part])[:, None] * unit[:, 1]
        cost = np.hypot(left, beyond) + AGAINST * 0.5 * (1.0 - facing)
        best = np.argmin(cost, axis=1)
        row = np.arange(len(best))
        over, side = beyond[row, best], left[row, best]
        # between two pieces of a bend a point is beyond one and before the other
        distance = np.copysign(np.hypot(side, over), side)
        ends = ((best == 0) & (over < -1e-9)) | ((best == len(length) - 1) & (over > 1e-9))
        found[part] = np.where(ends & (not closed), np.nan, distance)
    return found


def read_line(path: Path) -> FloatArray:
    """A line of a CSV file with columns x and y in map [m], whatever others there are.

    One whose ends are about as near to one another as its points are is closed.

    Returns:
        `(M, 2)` in map [m].

    Raises:
        InputError: the file cannot be read, or holds no line.
    """
    content = read_file(path, MAX_LINE_FILE_SIZE)
    cure = "give a CSV file with a first line x,y and a line for each point [m]"
    try:
        text = content.decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(str(path), "", f"is not a CSV file: {error}", cure) from None
    if not rows or not {"x", "y"} <= set(rows[0]):
        raise InputError(str(path), "line 1", "there are no columns x and y", cure)
    points = np.empty((len(rows), 2))
    for number, row in enumerate(rows):
        try:
            points[number] = float(row["x"]), float(row["y"])
        except (TypeError, ValueError):
            raise InputError(str(path), f"line {number + 2}", "x and y are not two numbers", cure) from None
        if not all(map(math.isfinite, points[number])):
            raise InputError(str(path), f"line {number + 2}", "x and y are not finite", cure)
    step = np.hypot(*np.diff(points, axis=0).T)
    if not (step > 0.0).any():
        raise InputError(str(path), "", "a line needs two points or more", cure)
    if len(points) > 2 and math.dist(points[0], points[-1]) < 2.0 * float(np.median(step)):
        points = np.concatenate((points, points[:1]))
    return points
