"""How lamps spread their light: the share of the greatest intensity that goes into a direction."""

from __future__ import annotations

from typing import Final

import numpy as np

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.scene.light_source import Beam

LOW, HIGH, STREET, PANE = (np.float32(beam) for beam in (Beam.LOW_BEAM, Beam.HIGH_BEAM, Beam.STREET, Beam.PANE))
CUTOFF: Final = -0.01
"""Slope of the upper edge of low beams (UN Regulation No. 48: 1 to 1.5 % down)."""


@inner_kernel
def low_beam(ahead: np.float32, side: np.float32, rise: np.float32) -> np.float32:
    """The share of its greatest intensity that a low beam throws into a direction.

    It ends at a sharp edge, which rises to the right, where the traffic keeps to the right (UN Regulation No. 112).

    Args:
        ahead: cosine to the forward direction.
        side: the same to the left.
        rise: the same to above.
    """
    zero, one, kink_end = np.float32(0.0), np.float32(1.0), np.float32(0.05)
    per_front = one / (ahead if ahead > np.float32(0.02) else np.float32(0.02))
    across, up = side * per_front, rise * per_front
    kink = across * np.float32(-0.2)
    kink = kink if kink > zero else zero
    over = up - np.float32(CUTOFF) - (kink if kink < kink_end else kink_end)
    below = over * np.float32(1.0 / 0.09)
    depth = one / (one + below * below)
    depth = depth * depth
    edge = one - over * np.float32(70.0)
    edge = edge if edge > zero else zero
    tall = depth if over < zero else edge * edge * edge
    wide = across * np.float32(1.0 / 0.55)
    wide = one / (one + wide * wide)
    shape = wide * wide * (tall * np.float32(0.98) + np.float32(0.02))
    return shape if ahead > zero else zero


@inner_kernel
def high_beam(ahead: np.float32, side: np.float32, rise: np.float32) -> np.float32:
    """The same of a high beam: a narrow spot."""
    one = np.float32(1.0)
    per_front = one / (ahead if ahead > np.float32(0.02) else np.float32(0.02))
    a = side * per_front * np.float32(1.0 / 0.13)
    b = (rise * per_front + np.float32(0.005)) * np.float32(1.0 / 0.06)
    shape = one / (one + a * a + b * b)
    return shape * shape if ahead > np.float32(0.0) else np.float32(0.0)


@inner_kernel
def street_beam(ahead: np.float32) -> np.float32:
    """The same of a street lamp: more to the sides than down, and nothing near the level (EN 13201-3)."""
    zero, one = np.float32(0.0), np.float32(1.0)
    part = (ahead - np.float32(0.12)) * np.float32(1.0 / 0.3)
    part = part if part > zero else zero
    part = part if part < one else one
    return part * part * (np.float32(0.6) + np.float32(1.1) * (one - ahead))


@inner_kernel
def shape_of_beam(beam: np.float32, ahead: np.float32, side: np.float32, rise: np.float32) -> np.float32:
    """The share of its greatest intensity that a lamp of any `Beam` throws into a direction; see `low_beam`."""
    if beam == LOW:
        return low_beam(ahead, side, rise)
    if beam == HIGH:
        return high_beam(ahead, side, rise)
    if beam == STREET:
        return street_beam(ahead)
    if beam == PANE:
        return abs(ahead)
    return max(ahead, np.float32(0.0))
