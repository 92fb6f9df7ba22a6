"""Boxes of actors in a picture: eight corners in space, bounds in the picture, and how much is hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.sensor.camera.box_kernel import count_covered
from dorosim.sensor.camera.lens import Lens
from dorosim.sensor.camera.palette import instance_colour
from dorosim.sensor.camera.ray_packet import Aim, Plane
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.pool import Pool, SerialPool
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.semantic import COLOUR, Semantic

IntArray = NDArray[np.int64]

SIGNS: Final = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
"""`(8, 3)` corners of a box: the bits of a corner's number are front (4), left (2) and top (1)."""
EDGES: Final = np.array([(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit])
"""`(12, 2)` edges: they join corners whose numbers differ in one bit (facts/udp-wire.md, 5.2)."""
_BENT_POINTS: Final = 9
"""Points along an edge that a lens bends; straight edges need their ends only."""
_NO_CLASS: Final = int(Semantic.ETC)
_LEFT_OUT: Final = (int(Semantic.TRAFFIC_LIGHT), int(Semantic.ROAD_SIGN))


@dataclass(frozen=True, slots=True, eq=False)
class BoundingBoxes:
    """Actors that are seen in a picture, nearest first.

    Attributes:
        actor: `(N,)` ids. label: `(N,)` `Semantic`.
        corners: `(N, 8, 3)` in the optical frame (x right, y down, z forward) [m]; corner numbers as in `SIGNS`.
        bounds: `(N, 4)` xmin, ymin, xmax, ymax of the corners in the picture, cut at its border [pixels].
        visible: `(N,)` pixels that show the actor.
        covered: `(N,)` pixels that would show it if nothing stood in front.
    """

    actor: IntArray
    label: IntArray
    corners: FloatArray
    bounds: FloatArray
    visible: IntArray
    covered: IntArray

    @classmethod
    def none(cls) -> Self:
        """No boxes."""
        empty = np.zeros(0, np.int64)
        return cls(empty, empty, np.zeros((0, 8, 3)), np.zeros((0, 4)), empty, empty)

    @property
    def own_colour(self) -> NDArray[np.uint8]:
        """`(N, 3)` that they have in pictures of instances."""
        return instance_colour(self.actor)

    @property
    def class_colour(self) -> NDArray[np.uint8]:
        """`(N, 3)` of their classes."""
        colours: NDArray[np.uint8] = COLOUR[self.label]
        return colours


def boxes_of(
    view: View,
    lens: Lens,
    aim: Aim,
    plane: Plane,
    seen: NDArray[np.int32],
    settings: CameraModel,
    pool: Pool | None = None,
) -> BoundingBoxes:
    """The boxes of the actors that a picture shows.

    Args:
        view: the scene.
        lens: of the camera.
        aim: where it looks.
        plane: what it saw.
        seen: `(A,)` pixels of each row of the view.
        settings: of the camera.
        pool: workers.
    """
    wanted = (seen >= settings.smallest_box) & (view.actor != 0)
    for left_out in _LEFT_OUT:
        wanted &= view.label != left_out
    rows = np.flatnonzero(wanted)
    if not len(rows):
        return BoundingBoxes.none()
    corners = corners_of(view, rows, aim)
    bounds = bounds_of(corners, lens, settings.near)
    order = np.argsort((corners.mean(axis=1) ** 2).sum(axis=1), kind="stable")
    rows, corners, bounds = rows[order], corners[order], bounds[order]
    reach = np.column_stack((corners[..., 2].min(axis=1), corners[..., 2].max(axis=1))).astype(np.float32)
    window = pixel_window(bounds, lens)
    workers = pool or SerialPool()

    def hidden_in(part: int) -> IntArray:
        return count_covered(view, aim, plane, rows, window, reach, part, workers.threads)

    hidden: IntArray = np.array(workers.map(hidden_in, range(workers.threads))).sum(axis=0)
    visible = seen[rows].astype(np.int64)
    label = view.label[rows]
    return BoundingBoxes(
        view.actor[rows], np.where(label < 0, _NO_CLASS, label), corners, bounds, visible, visible + hidden
    )


def corners_of(view: View, rows: IntArray, aim: Aim) -> FloatArray:
    """Corners of the boxes of some instances, `(N, 8, 3)` in the optical frame [m]."""
    model = view.centre[rows, None, :] + SIGNS * view.half_size[rows, None, :]
    move = view.transform[rows].astype(float)
    local = np.einsum("nij,nkj->nki", move[:, :, :3], model) + move[:, None, :, 3] - aim.place
    optical: FloatArray = local @ aim.axes.T.astype(float)
    return optical


def bounds_of(corners: FloatArray, lens: Lens, near: float) -> FloatArray:
    """Where boxes are in the picture.

    The parts of edges behind the camera are cut off, at the plane that nothing nearer than is seen.

    Args:
        corners: `(N, 8, 3)` in the optical frame [m].
        lens: of the camera.
        near: depth of that plane [m].

    Returns:
        `(N, 4)` xmin, ymin, xmax, ymax [pixels], cut at the border of the picture; all 0 for a box behind the camera.
    """
    start, end = corners[:, EDGES[:, 0]], corners[:, EDGES[:, 1]]
    a, b = start[..., 2] - near, end[..., 2] - near
    ahead: NDArray[np.bool_] = (a > 0.0) | (b > 0.0)
    crossing = (a > 0.0) != (b > 0.0)
    cut = a / np.where(crossing, a - b, 1.0)
    first, last = np.where(a > 0.0, 0.0, cut), np.where(b > 0.0, 1.0, cut)
    share = np.linspace(0.0, 1.0, _BENT_POINTS if lens.distorts else 2)
    along = first[..., None] + (last - first)[..., None] * share
    points = start[..., None, :] + along[..., None] * (end - start)[..., None, :]
    points = np.where(ahead[..., None, None], points, (0.0, 0.0, 1.0))
    pixels = lens.pixel_from_point(points)
    inside = ahead[..., None, None]
    low = np.where(inside, pixels, np.inf).min(axis=(1, 2))
    high = np.where(inside, pixels, -np.inf).max(axis=(1, 2))
    bounds = np.concatenate((np.clip(low, 0.0, lens.size), np.clip(high, 0.0, lens.size)), axis=1)
    return np.where(np.any(ahead, axis=1, keepdims=True), bounds, 0.0)


def pixel_window(bounds: FloatArray, lens: Lens) -> IntArray:
    """The pixels whose centres bounds hold, `(N, 4)`: first column and row, and those behind the last."""
    low = np.floor(bounds[:, :2])
    high = np.minimum(np.ceil(bounds[:, 2:]) + 1.0, lens.size)
    return np.concatenate((np.maximum(low - 1.0, 0.0), high), axis=1).astype(np.int64)
