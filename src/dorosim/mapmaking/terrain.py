"""The ground of a town: a few smooth hills and hollows.

Every lane of the town at ground level takes its height from this one function of position, so streets, junctions
and turn lanes meet at equal heights and equal slopes wherever they touch.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.mapmaking.curve import Reals

_STEEPEST = math.exp(-0.5)
"""Steepest slope of a Gaussian hill of unit height and width."""


class HillyGround:
    """A sum of Gaussian hills.

    Args:
        hills: rows of (x, y, width, height) [m].
    """

    def __init__(self, hills: Reals) -> None:
        self._hills = hills

    def height(self, x: Reals, y: Reals) -> Reals:
        """Height of the ground [m] at map positions `(N,)`."""
        total = np.zeros(len(x))
        for hill_x, hill_y, width, height in self._hills.tolist():
            total += height * np.exp(-0.5 * ((x - hill_x) ** 2 + (y - hill_y) ** 2) / width**2)
        return total


def shape_terrain(half_width: float, half_height: float, grade: float, noise: Noise) -> HillyGround:
    """Hills for a town of the given half extents [m].

    One main hill near the avenue, west or east of the centre, has the given steepest slope (rise over run); a hollow
    and a low swell elsewhere keep half of it, so that no place is much steeper.
    """
    random = noise.stream("terrain")
    side = 1.0 if random.random() < 0.5 else -1.0
    reach = min(half_width, half_height)
    rows = []
    for along, across, share, sign in ((0.26, 0.18, 1.0, 1.0), (-0.5, -0.5, 0.5, -1.0), (0.55, -0.6, 0.45, 1.0)):
        width = reach * random.uniform(0.3, 0.38)
        height = sign * share * grade * width / _STEEPEST
        x = side * half_width * (along + random.uniform(-0.06, 0.06))
        y = half_height * (across + random.uniform(-0.06, 0.06))
        rows.append((x, y, width, height))
    return HillyGround(np.array(rows))
