"""The reference line of a road in plan (ASAM OpenDRIVE 1.8, 9)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.curve import CurvePoints, curve_of
from dorosim.road.opendrive.plan_record import PlanGeometry


class ReferenceLine:
    """The geometries of a plan view, one after the other.

    Each has its own place in the map, as its record gives it; gaps between them are not closed.

    Args:
        geometries: at least one, ordered by s.

    Attributes:
        starts: `(G,)` where each begins along the road [m].
    """

    def __init__(self, geometries: Sequence[PlanGeometry]) -> None:
        self._geometries = tuple(geometries)
        self.starts = np.array([one.s for one in geometries])
        self._curves = tuple(curve_of(one) for one in geometries)

    def at(self, s: FloatArray) -> CurvePoints:
        """Points at lengths along the road.

        Args:
            s: `(N,)` [m], in any order. Before the first geometry and behind the last one these count.

        Returns:
            x, y in map [m], heading counter-clockwise from the x axis [rad], not brought into one turn, and curvature,
            left positive [1/m].
        """
        piece = np.maximum(np.searchsorted(self.starts, s, side="right") - 1, 0)
        if not len(s) or (piece == piece[0]).all():  # a section mostly lies in one curve
            return self._piece_at(int(piece[0]) if len(s) else 0, s)
        found = np.empty((4, len(s)))
        order = np.argsort(piece, kind="stable")
        for here in np.split(order, np.flatnonzero(np.diff(piece[order])) + 1):
            found[:, here] = self._piece_at(int(piece[here[0]]), s[here])
        return CurvePoints(*found)

    def _piece_at(self, number: int, s: FloatArray) -> CurvePoints:
        """Points at lengths along the road `(N,)` [m] by one geometry."""
        start = self._geometries[number]
        u, v, heading, curvature = self._curves[number].at(s - start.s)
        cosine, sine = math.cos(start.hdg), math.sin(start.hdg)
        x, y = start.x + u * cosine - v * sine, start.y + u * sine + v * cosine
        return CurvePoints(x, y, start.hdg + heading, curvature)
