"""The height of a road beside its reference line: superelevation, crossfall, shape (ASAM OpenDRIVE 1.8, 10)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.cross_section_surface import CrossSectionSurface
from dorosim.road.opendrive.lane_record import Cubic
from dorosim.road.opendrive.profile import Profile
from dorosim.road.opendrive.record import LateralShape, OdrCrossfall, OdrRoad

_MAX_SLOPE = 1.5
"""A road that stands steeper than this [rad] is taken to be so steep, since its tangent has to stay finite."""


class CrossSection:
    """How the surface of a road lies across it.

    Lateral distances t are level, as in the reference engine: superelevation lifts a point by its tangent and does not
    draw it nearer to the reference line.

    Args:
        road: of the file.
    """

    def __init__(self, road: OdrRoad) -> None:
        self._superelevation = Profile(road.superelevations)
        self._crossfalls = {
            side: Profile([_cubic(one) for one in road.crossfalls if one.side in (side, "both")])
            for side in ("left", "right")
        }
        groups = groupby(road.shapes, key=lambda one: one.s)
        surface = road.cross_section_surface
        self._surface = None if surface is None else CrossSectionSurface(surface)
        self._shapes = [(s, _shape_profile(list(group))) for s, group in groups]

    @property
    def starts(self) -> FloatArray:
        """Places `(N,)` at which something of it begins along the road [m]."""
        profiles = (self._superelevation, *self._crossfalls.values())
        surface = np.zeros(0) if self._surface is None else self._surface.starts
        return np.concatenate([*(one.starts for one in profiles), [s for s, _ in self._shapes], surface])

    def roll_at(self, s: FloatArray) -> FloatArray:
        """Superelevation at `s` `(N,)`: [rad], positive where the left side is higher."""
        if not self._superelevation:
            return np.zeros(len(s))
        return np.clip(self._superelevation.at(s)[0], -_MAX_SLOPE, _MAX_SLOPE)

    def height_at(self, s: FloatArray, t: FloatArray) -> FloatArray:
        """Height over the reference line [m] `(N,)` at `s` `(N,)` and `t` `(N,)` [m]."""
        height = np.tan(self.roll_at(s)) * t if self._superelevation else np.zeros(len(s))
        for side, sign in (("left", 1.0), ("right", -1.0)):
            if self._crossfalls[side]:
                slope = np.clip(self._crossfalls[side].at(s)[0], -_MAX_SLOPE, _MAX_SLOPE)
                height = height - np.tan(slope) * np.maximum(sign * t, 0.0)
        return height + self.relief_at(s, t) if self._surface is not None or self._shapes else height

    def relief_at(self, s: FloatArray, t: FloatArray) -> FloatArray:
        """The part of that height which shapes and strips make [m] `(N,)`."""
        height = np.zeros(len(s)) if self._surface is None else self._surface.height_at(s, t)
        return height + self._shape_at(s, t) if self._shapes else height

    def _shape_at(self, s: FloatArray, t: FloatArray) -> FloatArray:
        """Height by the shapes: linear in s between two cross sections, that of the nearest one beyond them."""
        starts = np.array([start for start, _ in self._shapes])
        before = np.clip(np.searchsorted(starts, s, side="right") - 1, 0, len(starts) - 1)
        after = np.minimum(before + 1, len(starts) - 1)
        gap = starts[after] - starts[before]
        share = np.clip(np.where(gap > 0.0, s - starts[before], 0.0) / np.where(gap > 0.0, gap, 1.0), 0.0, 1.0)
        height = np.zeros_like(s)
        for number in np.unique(np.concatenate([before, after])):
            weight = np.where(before == number, 1.0 - share, 0.0) + np.where(after == number, share, 0.0)
            weight = np.where((before == number) & (after == number), 1.0, weight)
            here = weight > 0.0
            height[here] += weight[here] * self._shapes[number][1].at(t[here])[0]
        return height


def _cubic(crossfall: OdrCrossfall) -> Cubic:
    """The cubic of a crossfall."""
    return Cubic(s=crossfall.s, a=crossfall.a, b=crossfall.b, c=crossfall.c, d=crossfall.d)


def _shape_profile(shapes: Sequence[LateralShape]) -> Profile:
    """The height over t of one cross section; t may be negative, which the record of a cubic along the road is not."""
    return Profile([Cubic(s=one.t, a=one.a, b=one.b, c=one.c, d=one.d) for one in shapes])
