"""Piecewise cubics along a road: elevation, superelevation, lane offset, widths (ASAM OpenDRIVE 1.8, 10 and 11)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.lane_record import Cubic


class Profile:
    """A function of s in pieces, each a cubic from its own start on.

    The first piece counts before its start too, and without pieces the function is 0. At the start of a piece that
    piece counts. Of pieces with one start the last one does.

    Args:
        pieces: ordered by s.
        origin: added to the starts [m], for those that count from the start of a lane section.
    """

    __slots__ = ("coefficients", "starts")

    def __init__(self, pieces: Sequence[Cubic], origin: float = 0.0) -> None:
        self.starts = np.array([one.s + origin for one in pieces])
        self.coefficients = np.array([(one.a, one.b, one.c, one.d) for one in pieces]).reshape(-1, 4)

    def __bool__(self) -> bool:
        """Whether there is any piece."""
        return len(self.starts) > 0

    def at(self, s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The value and its derivative at `s` `(N,)` [m], each `(N,)`."""
        if len(self.starts) <= 1:  # nearly all are none, or one for the whole road
            a, b, c, d = self.coefficients[0].tolist() if self else (0.0, 0.0, 0.0, 0.0)
            if b == c == d == 0.0:
                return np.full(len(s), a), np.zeros(len(s))
            ds = s - self.starts[0]
            return a + ds * (b + ds * (c + ds * d)), b + ds * (2.0 * c + ds * 3.0 * d)
        piece = np.maximum(np.searchsorted(self.starts, s, side="right") - 1, 0)
        a, b, c, d = self.coefficients[piece].T
        ds = s - self.starts[piece]
        return a + ds * (b + ds * (c + ds * d)), b + ds * (2.0 * c + ds * 3.0 * d)
