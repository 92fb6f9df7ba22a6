"""Where objects of OpenDRIVE are in the map: their frame, their box, and their outlines (ASAM OpenDRIVE 1.8, 13)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.object_record import OdrObject, OdrOutline


class ObjectFrame(NamedTuple):
    """The frame of an object: u ahead, v to the left.

    Attributes:
        x, y, z: of its origin in map [m]. heading: of u in map [rad].
    """

    x: float
    y: float
    z: float
    heading: float

    def point(self, u: float, v: float, z: float = 0.0) -> tuple[float, float, float]:
        """A place in map [m] of one in this frame [m]."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return self.x + c * u - s * v, self.y + s * u + c * v, self.z + z


def frame_of(lines: RoadLines, one: OdrObject) -> ObjectFrame:
    """The frame of an object on its road; it stands upright whatever its pitch and roll."""
    return frames_of(lines, [one])[0]


def frames_of(lines: RoadLines, objects: Sequence[OdrObject]) -> list[ObjectFrame]:
    """The frames of objects on a road."""
    if not objects:
        return []
    places = lines.places_at(np.array([one.s for one in objects]), np.array([one.t for one in objects]))
    return [
        ObjectFrame(x, y, z + one.z_offset, heading + one.hdg)
        for one, (x, y, z, heading) in zip(objects, places.tolist(), strict=True)
    ]


def outline_of(lines: RoadLines, frame: ObjectFrame, outline: OdrOutline) -> tuple[FloatArray, FloatArray]:
    """Corners of an outline `(N, 3)` in map [m], and the height of what stands at each `(N,)` [m].

    A last corner that repeats the first is left out.

    Args:
        lines: of the object's road.
        frame: of the object.
        outline: of the object.
    """
    corners = outline.corners
    first, second, z = np.array([(one.first, one.second, one.z) for one in corners], np.float64).reshape(-1, 3).T
    local = np.array([one.local for one in corners], np.bool_)
    c, s = math.cos(frame.heading), math.sin(frame.heading)
    found = np.column_stack((frame.x + c * first - s * second, frame.y + s * first + c * second, frame.z + z))
    if not local.all():
        found[~local] = lines.places_at(first[~local], second[~local])[:, :3]
        found[~local, 2] += z[~local]
    height = np.array([corner.height for corner in outline.corners], np.float64)
    if len(found) > 1 and math.dist(found[0], found[-1]) < 1e-3:
        return found[:-1], height[:-1]
    return found, height


def box_of(frame: ObjectFrame, length: float, width: float) -> FloatArray:
    """Corners `(4, 3)` in map [m], counter-clockwise, of a box around the origin of a frame."""
    u, v = 0.5 * length, 0.5 * width
    return np.array([frame.point(*corner) for corner in ((-u, -v), (u, -v), (u, v), (-u, v))])


def outer_outlines(one: OdrObject) -> list[OdrOutline]:
    """The outlines of an object that are areas of its own, not holes or parts of others."""
    closed = [outline for outline in one.outlines if outline.closed and len(outline.corners) >= 3]
    return [outline for outline in closed if outline.outer] or closed[:1]
