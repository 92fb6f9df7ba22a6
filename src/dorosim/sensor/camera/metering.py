"""Automatic exposure: metered on the picture, as cameras do, and following with a lag.

A picture says how bright the next one has to be. What the camera remembers is the exposure of its last picture and when
it was: so the exposure of a picture follows from the pictures before it, since the sensor was made. A first picture, or
one after a time that went back, is exposed as right for what it shows at once.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.camera.imager import EXPOSURE_PER_SECOND
from dorosim.sensor.camera.shading_tables import TONE_BITS, TONE_LOW, tone_table

TARGET: Final = 0.22
"""Exposed radiance that the picture has on average: a little more than middle grey, since the sky is in it."""
MIN_EXPOSURE, MAX_EXPOSURE = EXPOSURE_PER_SECOND * 1e-6, 4_000.0
"""Of a microsecond; of a 60th of a second and 28 dB."""
_MAX_STEP: Final = 64.0
"""By what factor one picture can be off, which is white or black all over."""
_STEP: Final = 4
"""Every so many pixels along each axis are metered."""


class Meter:
    """The automatic exposure of one camera.

    Args:
        lag: time constant [s].
        correction: [stops].
    """

    def __init__(self, lag: float, correction: float) -> None:
        self._lag, self._target = lag, TARGET * 2.0**correction
        self._level = exposed_of_byte()
        self._time: int | None = None
        self._exposure = 1.0
        self._wanted = 1.0

    def begins_at(self, time: int) -> bool:
        """Whether a picture at a time [ns] is the first of a row."""
        return self._time is None or time <= self._time

    def exposure_at(self, time: int) -> float:
        """What radiances of a picture at a time [ns] are multiplied by."""
        if self._time is None or time <= self._time:
            return self._wanted
        share = 1.0 - math.exp(-(time - self._time) * 1e-9 / self._lag) if self._lag > 0.0 else 1.0
        return float(self._exposure * (self._wanted / self._exposure) ** share)

    def begin(self, guess: float) -> None:
        """Begin anew with a first guess of the exposure."""
        self._time, self._exposure, self._wanted = None, guess, guess

    def saw(self, rgb: NDArray[np.uint8], exposure: float, time: int | None) -> None:
        """Take in a picture `(H, W, 3)` that was exposed so at a time [ns]; None for a look ahead of the first."""
        mean = float(self._level[rgb[::_STEP, ::_STEP]].mean())
        factor = min(max(self._target / max(mean, 1e-6), 1.0 / _MAX_STEP), _MAX_STEP)
        self._exposure, self._time = exposure, time
        self._wanted = min(max(exposure * factor, MIN_EXPOSURE), MAX_EXPOSURE)


def exposed_of_byte() -> NDArray[np.float64]:
    """`(256,)` the exposed radiance that each byte of a picture stands for."""
    curve = tone_table().astype(np.int64)
    steps = 1 << TONE_BITS
    octave, part = np.divmod(np.arange(len(curve)), steps)
    exposed = 2.0 ** (octave + TONE_LOW) * (1.0 + (part + 0.5) / steps)
    return np.interp(np.arange(256), curve, exposed)
