"""Decks of bridges and the parapets beside them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.road import lane_strips

DECK_THICKNESS = 0.8
"""Of a bridge [m]."""
PARAPET_HEIGHT = 1.0
"""Of the walls at its sides, above the road [m]."""
_BESIDE = 0.8
"""A lane within this distance of an edge [m] makes it no side of the bridge."""


def deck_pieces(field: RoadField) -> Iterator[FloatArray]:
    """Left edge, middle and right edge `(n, 3, 3)` in map [m] of each piece of a lane that lies on a bridge."""
    for _, rows, across in lane_strips(field):
        for first, last in _runs(field.bridge[rows][:-1]):
            yield across[first : last + 2]


def parapets(field: RoadField) -> FloatArray:
    """Foot and top of the parapets `(N, 2, 2, 3)`: two ends of each piece, low then high, in map [m].

    They reach from the underside of the deck to `PARAPET_HEIGHT` above its edge, at edges beside which no other lane
    lies.
    """
    found = [np.zeros((0, 2, 2, 3))]
    for piece in deck_pieces(field):
        for side, other in ((0, 1), (2, 1)):
            edge = piece[:, side]
            outward = edge[:, :2] - piece[:, other, :2]
            outward /= np.maximum(np.hypot(outward[:, 0], outward[:, 1]), 1e-6)[:, None]
            free = field.beside_deck(edge[:, :2] + _BESIDE * outward)
            wall = np.stack((edge - (0.0, 0.0, DECK_THICKNESS), np.add(edge, (0.0, 0.0, PARAPET_HEIGHT))), axis=1)
            found.append(np.stack((wall[:-1], wall[1:]), axis=1)[free[:-1] & free[1:]])
    return np.concatenate(found)


def _runs(flag: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    edge = np.flatnonzero(np.diff(np.concatenate(([False], flag, [False])).astype(np.int8)))
    return [(int(a), int(b) - 1) for a, b in edge.reshape(-1, 2)]
