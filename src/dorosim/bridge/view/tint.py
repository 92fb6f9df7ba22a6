"""Colours of materials as a screen shows them: measured albedos are dark, since the sun is bright."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

LIFT = 0.8
"""Exponent that lifts dark albedos, so that tyres, asphalt and grass can be told apart by day and by night."""


def screen_albedo(albedo: ArrayLike) -> NDArray[np.uint8]:
    """Linear colours `(N, 3)`, 0 to 255, that the page's lights fall on."""
    return np.asarray(np.round(255.0 * np.clip(np.asarray(albedo, np.float64), 0.0, 1.0) ** LIFT), np.uint8)
