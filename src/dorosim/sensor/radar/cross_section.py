"""Radar cross-sections by kind, size and aspect, at 76 to 81 GHz.

A body's cross-section goes with its area as seen from the radar, and grows where one of its sides is met head on:

    sigma = sigma_0 + 10 lg(area / 2.7 m²) + flash(angle off the nearest side)    [dBsm]

with 2.7 m² the rear of a car. `sigma_0` is set such that a car's rear is about 10 dBsm and its side half an order more,
a truck's rear about 15, as commonly measured, and an adult about -8 dBsm (N. Yamada, Y. Tanaka, K. Nishikawa, "Radar
cross section for pedestrian in 76GHz band", EuMC 2005). The width of the flash is an estimate.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.collision.body import ACTOR_KINDS, BodyKind

REFERENCE_AREA = 2.7
"""[m²]"""
_BASE_AND_FLASH = {
    BodyKind.EGO: (5.0, 5.0),
    BodyKind.NPC: (5.0, 5.0),
    BodyKind.GHOST: (5.0, 5.0),
    BodyKind.PEDESTRIAN: (-3.0, 0.0),
    BodyKind.OBSTACLE: (0.0, 3.0),
}
"""sigma_0 of each kind [dBsm], and what a side adds that is met head on [dB]."""
FLASH_WIDTH = float(np.radians(8.0))
"""Angle off a side at which its flash is down to 1/e [rad]."""
_BASES, _FLASHES = np.array([_BASE_AND_FLASH[kind] for kind in ACTOR_KINDS]).T


def cross_section(kind: IntArray, size: FloatArray, aspect: FloatArray) -> FloatArray:
    """Radar cross-sections.

    Args:
        kind: `(N,)` `BodyKind`.
        size: `(N, 3)` length, width, height [m].
        aspect: `(N,)` direction to the radar in the body's xy plane, from its nose, left positive [rad].

    Returns:
        `(N,)` [dBsm].
    """
    along, across = np.abs(np.cos(aspect)), np.abs(np.sin(aspect))
    area = np.maximum((size[:, 0] * across + size[:, 1] * along) * size[:, 2], 1e-4)
    off_side = np.arctan2(np.minimum(along, across), np.maximum(along, across))
    flash = _FLASHES[kind] * np.exp(-((off_side / FLASH_WIDTH) ** 2))
    found: FloatArray = _BASES[kind] + 10.0 * np.log10(area / REFERENCE_AREA) + flash
    return found
