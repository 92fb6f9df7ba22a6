"""Drops of rain on the lens: each shows a wide view, upside down, as a small lens does.

Drops stay in their places for some seconds each and then are gone; where and how large the next one is comes from the
noise at the address of the drop's place and turn, so that every tick can be seen alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.noise import Noise
from dorosim.world.environment.atmosphere import MM_PER_HOUR

MAX_LENS_DROPS: Final = 48
FULL_LENS: Final = 40.0 * MM_PER_HOUR
"""Rain at which a lens has as many drops [m/s]."""
MIN_DROP_TIME, MAX_DROP_TIME = 3.0, 9.0
"""How long drops stay [s]."""
MIN_DROP_RADIUS, MAX_DROP_RADIUS = 0.008, 0.035
"""Of the picture's width: drops of 1 to 4 mm on a cover glass close before the lens."""
_BEND: Final = 2.2
"""How far a drop's edge looks to the other side, over its radius as seen in the picture times the half picture."""


def lens_drop_count(rain: float) -> int:
    """How many drops are on a lens at a rate of rain [m/s]."""
    return round(MAX_LENS_DROPS * min(rain / FULL_LENS, 1.0) ** 0.6) if rain > 0.0 else 0


def drops_on_lens(noise: Noise, name: str, time: float, rain: float) -> NDArray[np.float64]:
    """The drops at a time, `(N, 3)`: middle and radius, in widths of the picture from its upper left corner.

    Args:
        noise: of the run.
        name: of the drops, as "sensor/3/lens".
        time: simulated [s].
        rain: rate [m/s].
    """
    found = np.zeros((lens_drop_count(rain), 3))
    for number in range(len(found)):
        stay, shift = noise.stream(f"{name}/{number}").uniform((MIN_DROP_TIME, 0.0), (MAX_DROP_TIME, 1.0))
        turn, part = divmod(time / stay + shift, 1.0)
        x, y, size = noise.stream(f"{name}/{number}", 1 + int(turn)).uniform(size=3)
        radius = MIN_DROP_RADIUS + (MAX_DROP_RADIUS - MIN_DROP_RADIUS) * size**3
        found[number] = x, y + 0.04 * part * part, radius  # they creep down before they run off
    return found


def rays_through_drops(rays: NDArray[np.float32], width: int, drops: NDArray[np.float64]) -> NDArray[np.float32]:
    """The rays of a lens with drops on it.

    Args:
        rays: `(samples, 2, height, filled width)` of the lens.
        width: of the picture [pixels].
        drops: `(N, 3)` of `drops_on_lens`.
    """
    bent = rays.copy()
    height, filled = rays.shape[2:]
    half = 0.5 * float(rays[0, 0, :, width - 1].max() - rays[0, 0, :, 0].min())
    for x, y, radius in drops * width:
        left, right = max(int(x - radius), 0), min(int(x + radius) + 2, filled)
        low, high = max(int(y - radius), 0), min(int(y + radius) + 2, height)
        if left >= right or low >= high:
            continue
        p = (np.arange(left, right) + 0.5 - x) / radius
        q = (np.arange(low, high) + 0.5 - y) / radius
        square = q[:, None] ** 2 + p[None, :] ** 2
        # a ball's surface gets steeper to its edge, and throws the view to the other side
        bend = np.where(square < 1.0, _BEND * half * np.sqrt(np.minimum(square, 1.0)), 0.0)
        away = np.sqrt(np.maximum(square, 1e-9))
        bent[:, 0, low:high, left:right] -= (bend * p[None, :] / away).astype(np.float32)
        bent[:, 1, low:high, left:right] -= (bend * q[:, None] / away).astype(np.float32)
    return bent
