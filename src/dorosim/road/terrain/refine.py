"""Refines triangles where a distance bends between their corners: medians and islands narrower than a triangle.

Whether and where an edge is split depends on nothing but the edge, so the triangles on both sides of it agree, and no
gap opens between them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray

IndexArray = NDArray[np.int64]

_TESTED = np.arange(1, 4) / 4.0
"""Where along an edge the distance is compared with the straight line between its ends."""
_TOLERANCE = 0.1
"""By so much it may differ from that line [m]."""
_MIN_EDGE = 0.35
"""Edges that are shorter are not split [m]."""
_ROUNDS = 4


def refined(
    node: FloatArray, triangle: IndexArray, distance: Callable[[FloatArray], FloatArray], low: float, high: float
) -> tuple[FloatArray, IndexArray, FloatArray]:
    """Split triangles until a distance from something is nearly linear on them, where it lies in a range.

    Args:
        node: corners `(N, 2)` [m].
        triangle: `(T, 3)` rows of `node`.
        distance: of points `(n, 2)`, gives `(n,)` [m].
        low: edges that lie all below do not matter [m].
        high: nor do those that lie all above [m].

    Returns:
        Nodes `(N', 2)`, the given ones first; triangles `(T', 3)`; the distance at the nodes `(N',)`.
    """
    value = distance(node)
    fresh = np.ones(len(triangle), np.bool_)  # a triangle that nothing split is done, as its edges are
    for _ in range(_ROUNDS):
        sides = np.sort(triangle[:, [(0, 1), (1, 2), (2, 0)]].reshape(-1, 2), axis=1)
        key, place = np.unique(sides[:, 0] * len(node) + sides[:, 1], return_inverse=True)
        tested = np.zeros(len(key), np.bool_)
        tested[place.reshape(-1, 3)[fresh]] = True
        edge = np.column_stack((key // len(node), key % len(node)))
        rows = np.flatnonzero(tested)
        share = _split_at(node, value, edge[rows], distance, low, high)
        rows, share = rows[share > 0.0], share[share > 0.0]
        if not len(rows):
            break
        number = np.full(len(key), -1)
        number[rows] = len(node) + np.arange(len(rows))
        a, b = node[edge[rows, 0]], node[edge[rows, 1]]
        added = a + share[:, None] * (b - a)
        node, value = np.concatenate((node, added)), np.concatenate((value, distance(added)))
        triangle, fresh = _divided(triangle, number[place].reshape(-1, 3))
    return node, triangle, value


def _split_at(
    node: FloatArray,
    value: FloatArray,
    edge: IndexArray,
    distance: Callable[[FloatArray], FloatArray],
    low: float,
    high: float,
) -> FloatArray:
    """Where along edges `(E, 2)` the distance is farthest from linear, as shares `(E,)`; 0 where it is near enough."""
    a, b = node[edge[:, 0]], node[edge[:, 1]]
    found = np.zeros(len(edge))
    length, both = np.hypot(*(b - a).T), value[edge].sum(axis=1)  # a distance changes no faster than the place
    long = np.flatnonzero((length > _MIN_EDGE) & (both + length > 2.0 * low) & (both - length < 2.0 * high))
    if not len(long):
        return found
    points = a[long, None] + _TESTED[:, None] * (b - a)[long, None]
    sampled = distance(points.reshape(-1, 2)).reshape(len(long), -1)
    first, last = value[edge[long, 0], None], value[edge[long, 1], None]
    off = np.abs(sampled - first - _TESTED * (last - first))
    seen = np.concatenate((sampled, first, last), axis=1)
    bent = (off.max(axis=1) > _TOLERANCE) & (seen.max(axis=1) > low) & (seen.min(axis=1) < high)
    found[long[bent]] = _TESTED[off[bent].argmax(axis=1)]
    return found


def _divided(triangle: IndexArray, middle: IndexArray) -> tuple[IndexArray, NDArray[np.bool_]]:
    """Triangles `(T, 3)` divided at the nodes on their sides `(T, 3)`, -1 for none; and which of them are new.

    Side k goes from corner k to the next.
    """
    count = (middle >= 0).sum(axis=1)
    parts = [triangle[count == 0]]
    for number in (1, 2, 3):
        some = np.flatnonzero(count == number)
        # turned so that with one node it lies on side 0, and with two there is none on side 2
        turn = (middle[some] >= 0).argmax(axis=1) if number == 1 else (middle[some].argmin(axis=1) + 1) % 3
        order = (turn[:, None] + np.arange(3)) % 3
        a, b, c = np.take_along_axis(triangle[some], order, axis=1).T
        ab, bc, ca = np.take_along_axis(middle[some], order, axis=1).T
        if number == 1:
            pieces = [(a, ab, c), (ab, b, c)]
        elif number == 2:
            pieces = [(ab, b, bc), (a, ab, bc), (a, bc, c)]
        else:
            pieces = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        parts += [np.column_stack(piece) for piece in pieces]
    whole = np.concatenate(parts)
    return whole, np.arange(len(whole)) >= len(parts[0])
