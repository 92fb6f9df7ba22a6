"""A small map of the lanes about an actor, with all actors on it, as a picture: north is up."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.actor import ActorKind
from dorosim.bridge.actor_state import ActorReader
from dorosim.road.network import RoadNetwork
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

MAP_SIDE = 220
"""Of the picture [pixels]."""
_SPACING = 1.5
"""Distance of the points by which lanes are drawn [m]."""
_BACK, _LANE = (38, 42, 48), (150, 156, 164)
_COLOURS = {
    ActorKind.EGO: (60, 160, 255),
    ActorKind.NPC: (255, 190, 60),
    ActorKind.GHOST: (200, 130, 255),
    ActorKind.PEDESTRIAN: (120, 230, 120),
}
_OTHER, _FOLLOWED = (230, 230, 230), (0, 220, 255)
_DOT, _MARK = 1, 3
"""Half sides of the marks of actors and of the followed one [pixels]."""
_AHEAD = 12
"""Length of the line that shows where the followed actor looks [pixels]."""


class MiniMap:
    """Draws the map of a run.

    Args:
        scene: of the run.
    """

    def __init__(self, scene: Scene) -> None:
        self._reader = ActorReader(scene)
        self._points = lane_points(scene.network)

    def picture(self, now: Snapshot, followed: int, reach: float) -> NDArray[np.uint8] | None:
        """The map about an actor.

        Args:
            now: what is shown.
            followed: id of the actor.
            reach: half of what the picture is wide [m]; infinite for the whole map.

        Returns:
            `(MAP_SIDE, MAP_SIDE, 3)` red, green, blue; None where the actor is gone, or the map has no lanes.
        """
        actor = self._reader.state(now, followed)
        if actor is None or not len(self._points):
            return None
        middle = np.array(actor.position[:2], np.float64)
        if math.isinf(reach):
            low, high = self._points.min(axis=0), self._points.max(axis=0)
            middle, reach = 0.5 * (low + high), max(0.5 * float((high - low).max()), 1.0) * 1.05
        image = np.full((MAP_SIDE, MAP_SIDE, 3), _BACK, np.uint8)
        scale = 0.5 * MAP_SIDE / reach
        column, row = _pixels(self._points, middle, scale)
        inside = (column >= 0) & (column < MAP_SIDE) & (row >= 0) & (row < MAP_SIDE)
        image[row[inside], column[inside]] = _LANE
        for one in self._reader.states(now):
            if one.id != followed:
                _mark(image, one.position, middle, scale, _DOT, _COLOURS.get(one.kind, _OTHER))
        c, s = math.cos(actor.rotation[2]), math.sin(actor.rotation[2])
        for step in range(_AHEAD):
            ahead = (actor.position[0] + c * step / scale, actor.position[1] + s * step / scale)
            _mark(image, ahead, middle, scale, 0, _FOLLOWED)
        _mark(image, actor.position, middle, scale, _MARK, _FOLLOWED)
        return image


def lane_points(network: RoadNetwork) -> NDArray[np.float64]:
    """Points `(N, 2)` close to each other along the middles of all lanes for vehicles, in map [m]."""
    lines, parts = network.lines, [np.zeros((0, 2))]
    for link in np.flatnonzero(network.link_drivable).tolist():
        rows = slice(int(lines.first[link]), int(lines.first[link + 1]))
        arc = lines.arc[rows]
        if len(arc) < 2:
            continue
        at = np.arange(arc[0], arc[-1], _SPACING)
        parts.append(np.column_stack([np.interp(at, arc, lines.points[rows, axis]) for axis in (0, 1)]))
    return np.concatenate(parts)


def _pixels(
    points: NDArray[np.float64], middle: NDArray[np.float64], scale: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Columns and rows `(N,)` of points `(N, 2)` in map [m], also outside of the picture."""
    place = np.clip((points - middle) * scale, -4.0 * MAP_SIDE, 4.0 * MAP_SIDE)
    column = np.floor(0.5 * MAP_SIDE + place[:, 0]).astype(np.int64)
    row = np.floor(0.5 * MAP_SIDE - place[:, 1]).astype(np.int64)
    return column, row


def _mark(
    image: NDArray[np.uint8],
    place: tuple[float, ...],
    middle: NDArray[np.float64],
    scale: float,
    half: int,
    colour: tuple[int, int, int],
) -> None:
    """Fill a square about a place, as far as it lies in the picture."""
    (column,), (row,) = _pixels(np.array([place[:2]], np.float64), middle, scale)
    image[max(row - half, 0) : max(row + half + 1, 0), max(column - half, 0) : max(column + half + 1, 0)] = colour
