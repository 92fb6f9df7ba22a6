"""Bumps of rough ground: heights that belong to places of the map, the same in every run."""

from __future__ import annotations

import math
from math import floor

import numpy as np

from dorosim.ground.jit import inner_kernel
from dorosim.road.surface_kind import SurfaceKind

BUMPS = np.array(
    [math.sqrt(max(kind.properties.roughness - 64e-6, 0.0) * 0.01 * (1 / 0.2 - 1 / 2.0)) for kind in SurfaceKind]
)
"""Standard deviation of the bumps of each `SurfaceKind` [m]: the integral of its spectrum (ISO 8608), which falls with
the square of the frequency, from 0.2 to 2 cycles per metre. Roads count as smooth."""


@inner_kernel
def lattice(column: int, row: int) -> float:
    """A number of -1 to 1 that belongs to a place; the same in every run."""
    mixed = (column * 73856093) ^ (row * 19349663)
    mixed = (mixed ^ (mixed >> 13)) * 1274126177
    return ((mixed ^ (mixed >> 16)) & 0xFFFF) / 32767.5 - 1.0


@inner_kernel
def bumps(x: float, y: float) -> float:
    """Height of bumps at a place of the map, of standard deviation 1, with wavelengths of about a metre and more."""
    total = 0.0
    for side, share in ((0.6, 1.2), (1.7, 2.0)):
        u, v = x / side, y / side
        i, j = floor(u), floor(v)
        u, v = u - i, v - j
        u, v = u * u * (3.0 - 2.0 * u), v * v * (3.0 - 2.0 * v)
        near = lattice(i, j) + u * (lattice(i + 1, j) - lattice(i, j))
        far = lattice(i, j + 1) + u * (lattice(i + 1, j + 1) - lattice(i, j + 1))
        total += share * (near + v * (far - near))
    return total
