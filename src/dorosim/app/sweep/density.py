"""Densities of parameters: values that are drawn from them, and how likely values are."""

from __future__ import annotations

import math
from statistics import NormalDist

from dorosim.app.sweep.plan import Axis, Density


def value_at(axis: Axis, density: Density, share: float) -> float:
    """The value below which a share of a density lies.

    Args:
        axis: has the bounds.
        density: over them.
        share: 0 to 1.
    """
    if density.kind == "uniform":
        return axis.low + share * (axis.high - axis.low)
    normal = NormalDist(density.mean, density.deviation)
    below, above = normal.cdf(axis.low), normal.cdf(axis.high)
    wanted = min(max(below + share * (above - below), 1e-300), 1.0 - 1e-16)
    return min(max(normal.inv_cdf(wanted), axis.low), axis.high)


def density_at(axis: Axis, density: Density, value: float) -> float:
    """How likely a value between the bounds is [1 / unit of the parameter]."""
    if density.kind == "uniform":
        return 1.0 / (axis.high - axis.low)
    normal = NormalDist(density.mean, density.deviation)
    inside = normal.cdf(axis.high) - normal.cdf(axis.low)
    return normal.pdf(value) / inside if inside > 0.0 else math.nan
