"""From exposed radiance to the bytes of a picture: what an image sensor reads out, and the film curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.draw_kernel import scramble
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera.imager import SATURATION, Imager

_SPREAD = np.float32(np.sqrt(0.5))
_MAX_COUNTED = np.float32(24.0)
"""Mean number of electrons up to which they are drawn one by one; the normal distribution stands for more."""
_TABLE_BITS = np.uint64(12)
_TABLE_MASK = np.uint64((1 << 12) - 1)
_UNIT = 1.0 / float(1 << 40)
_COUNTED_MASK = np.uint64((1 << 40) - 1)


@kernel
def read_out_rows(
    linear: NDArray[np.float32],
    imager: Imager,
    stream: np.uint64,
    normal: NDArray[np.float32],
    first: int,
    last: int,
    raw: NDArray[np.uint16],
) -> None:
    """What the image sensor reads out in the rows `first` to `last - 1`.

    Args:
        linear: `(H, 3 * W)` exposed radiance.
        imager: the image sensor.
        stream: of the noise, by `ground.draw_kernel.stream_at`.
        normal: quantiles of the normal distribution.
        first: row.
        last: row behind the last.
        raw: `(H, 3 * W)` digital numbers; written.
    """
    width = linear.shape[1]
    read = imager.read_noise
    for y in range(first, last):
        for i in range(width):
            number = np.uint64(y) * np.uint64(width) + np.uint64(i) + np.uint64(1)
            drawn = scramble(stream + number * np.uint64(0x9E3779B97F4A7C15))
            # two quantiles of 12 bits make one normal number; the other 40 bits count few electrons
            one = normal[drawn & _TABLE_MASK]
            other = normal[(drawn >> _TABLE_BITS) & _TABLE_MASK]
            mean = linear[y, i] * imager.electrons + imager.dark
            if mean > _MAX_COUNTED:
                electrons = mean + np.sqrt(mean) * one
                error = read * other
            else:
                electrons = _counted(mean, float((drawn >> np.uint64(24)) & _COUNTED_MASK) * _UNIT)
                error = read * (one + other) * _SPREAD
            electrons = min(electrons, imager.full_well)
            value = np.floor(imager.black + imager.gain * (electrons + error) + np.float32(0.5))
            raw[y, i] = np.uint16(min(max(value, np.float32(0.0)), imager.top))


@inner_kernel
def _counted(mean: np.float32, share: float) -> np.float32:
    """A number of the Poisson distribution by inversion."""
    count, part = 0, np.exp(-float(mean))
    total = part
    while share > total and count < 200:
        count += 1
        part *= float(mean) / count
        total += part
    return np.float32(count)


@kernel
def develop_rows(
    raw: NDArray[np.uint16], tone: NDArray[np.uint8], first: int, last: int, rgb: NDArray[np.uint8]
) -> None:
    """Turn digital numbers into bytes by a table; the rows are as of `read_out_rows`."""
    for y in range(first, last):
        for i in range(raw.shape[1]):
            rgb[y, i] = tone[raw[y, i]]


def raw_tone_table(imager: Imager, curve: NDArray[np.uint8], per_octave: int, low: int) -> NDArray[np.uint8]:
    """`(top + 1,)` bytes of digital numbers, through the film curve of `shading_tables.tone_table`.

    Args:
        imager: the image sensor.
        curve: the film curve.
        per_octave: its steps for each doubling.
        low: power of two at which it begins.
    """
    number = np.arange(int(imager.top) + 1)
    exposed = SATURATION * np.maximum(number - float(imager.black), 0.0) / (float(imager.top) - float(imager.black))
    octave = np.floor(np.log2(np.maximum(exposed, 2.0**low)))
    step = (octave - low + exposed / 2.0**octave - 1.0) * per_octave
    return np.asarray(curve[np.clip(step.astype(np.int64), 0, len(curve) - 1)])
