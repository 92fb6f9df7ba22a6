"""The read-out of one picture: noise at its address, and the bytes that are made of the digital numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.noise import Noise
from dorosim.sensor.camera.develop_kernel import develop_rows, raw_tone_table, read_out_rows
from dorosim.sensor.camera.imager import Imager, normal_table
from dorosim.sensor.camera.shading_tables import TONE_BITS, TONE_LOW, tone_table


class Readout:
    """What an image sensor makes of exposed radiance.

    Args:
        imager: the image sensor at its exposure.
        noise: the run's randomness.
        name: of the stream of its pixels.
        tick: at which it reads.
    """

    def __init__(self, imager: Imager, noise: Noise, name: str, tick: int) -> None:
        self._imager = imager
        self._stream = np.uint64(noise.stream(name, tick).integers(2**64, dtype=np.uint64))
        self._normal = _normal()
        self._tone = _tone(imager)

    def develop(
        self, linear: NDArray[np.float32], first: int, last: int, raw: NDArray[np.uint16], rgb: NDArray[np.uint8]
    ) -> None:
        """Read out the rows `first` to `last - 1`.

        Args:
            linear: `(H, 3 * W)` exposed radiance.
            first: row.
            last: row behind the last.
            raw: `(H, 3 * W)` digital numbers; written.
            rgb: `(H, 3 * W)`; written.
        """
        read_out_rows(linear, self._imager, self._stream, self._normal, first, last, raw)
        develop_rows(raw, self._tone, first, last, rgb)


@cache
def _normal() -> NDArray[np.float32]:
    return normal_table()


@cache
def _curve() -> NDArray[np.uint8]:
    return tone_table()


def _tone(imager: Imager) -> NDArray[np.uint8]:
    return _tone_of(imager._replace(dark=np.float32(0), electrons=np.float32(0), gain=np.float32(0)))


@cache
def _tone_of(imager: Imager) -> NDArray[np.uint8]:
    return raw_tone_table(imager, _curve(), 1 << TONE_BITS, TONE_LOW)
