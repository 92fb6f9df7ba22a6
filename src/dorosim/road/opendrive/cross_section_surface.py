"""The height of a road beside its reference line by strips (ASAM OpenDRIVE 1.8, 10.5.4)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.profile import Profile
from dorosim.road.opendrive.record import OdrCrossSectionSurface, OdrSurfaceStrip


class _Strip(NamedTuple):
    """The profiles of a strip along the road: its width, and the coefficients of its height by powers of dt."""

    width: Profile
    powers: tuple[Profile, Profile, Profile, Profile]
    relative: bool

    def height_at(self, s: FloatArray, dt: FloatArray) -> FloatArray:
        """Height [m] `(N,)` at `s` `(N,)` and so far from where the strip begins `(N,)` [m]."""
        constant, linear, quadratic, cubic = (one.at(s)[0] for one in self.powers)
        return constant + dt * (linear + dt * (quadratic + dt * cubic))


class CrossSectionSurface:
    """Strips side by side: an inner and an outer one to the left, and as many to the right.

    Args:
        surface: of a road.
    """

    def __init__(self, surface: OdrCrossSectionSurface) -> None:
        self._offset = Profile(surface.t_offsets)
        self._strips = {one.id: _strip(one) for one in surface.strips}

    @property
    def starts(self) -> FloatArray:
        """Places `(N,)` at which a cubic of it begins along the road [m]."""
        profiles = [one for strip in self._strips.values() for one in (strip.width, *strip.powers)]
        return np.concatenate([self._offset.starts, *(one.starts for one in profiles)])

    def height_at(self, s: FloatArray, t: FloatArray) -> FloatArray:
        """Height over the reference line [m] `(N,)` at `s` `(N,)` and `t` `(N,)` [m]."""
        away = t - self._offset.at(s)[0]
        height = np.zeros(len(s))
        for side in (1, -1):
            inner, outer = self._strips.get(side), self._strips.get(2 * side)
            here = away > 0.0 if side > 0 else away <= 0.0
            if inner is None or not here.any():
                continue
            at_s, dt = s[here], away[here]
            edge = side * inner.width.at(at_s)[0]
            found = inner.height_at(at_s, dt)
            if outer is not None:
                beyond = inner.height_at(at_s, edge) if outer.relative else np.zeros(len(at_s))
                found = np.where(side * dt > side * edge, beyond + outer.height_at(at_s, dt - edge), found)
            height[here] = found
        return height


def _strip(one: OdrSurfaceStrip) -> _Strip:
    """The profiles of a strip."""
    powers = (Profile(one.constants), Profile(one.linears), Profile(one.quadratics), Profile(one.cubics))
    return _Strip(Profile(one.widths), powers, one.mode == "relative")
