"""The reference line of a road in plan (ASAM OpenDRIVE 1.8, 9)."""

from __future__ import annotations

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
        found = np.empty((4, len(s)))
        piece = np.maximum(np.searchsorted(self.starts, s, side="right") - 1, 0)
        for number in np.unique(piece):
            here = np.flatnonzero(piece == number)
            start = self._geometries[number]
            u, v, heading, curvature = self._curves[number].at(s[here] - start.s)
            cosine, sine = np.cos(start.hdg), np.sin(start.hdg)
            found[0, here] = start.x + u * cosine - v * sine
            found[1, here] = start.y + u * sine + v * cosine
            found[2, here] = start.hdg + heading
            found[3, here] = curvature
        return CurvePoints(*found)
