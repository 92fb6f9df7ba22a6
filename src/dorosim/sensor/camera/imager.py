"""The image sensor behind the lens: exposure time and gain, and how light becomes numbers.

The model is the linear one of EMVA Standard 1288 (release 4.0, section 2): photo-electrons are Poisson distributed,
dark current adds electrons, read noise is Gaussian, a pixel holds so many electrons at most, and an amplifier with the
system gain K turns them into whole digital numbers.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.world.mount.setting import CameraExposure, CameraSettings

EXPOSURE_PER_SECOND: Final = 10_000.0
"""What a second without gain exposes radiances by: a tenth of a millisecond is right at a sunny noon, as with pixels of
3 um behind a lens of F/2."""
SATURATION: Final = 4.0
"""Exposed radiance at which the digital numbers end: where the film curve is all but white."""
BLACK_SHARE: Final = 64
"""Digital numbers begin at this part of their range, so that noise in the dark is not cut off."""
_NORMAL_STEPS: Final = 4096


class Imager(NamedTuple):
    """An image sensor at one exposure.

    Attributes:
        full_well: electrons of a full pixel. read_noise: deviation [electrons].
        dark: electrons of dark current on average. electrons: for an exposed radiance of 1, before the pixel is full.
        gain: digital numbers for an electron (K of EMVA 1288).
        black: digital number of the dark. top: the greatest one.
    """

    full_well: np.float32
    read_noise: np.float32
    dark: np.float32
    electrons: np.float32
    gain: np.float32
    black: np.float32
    top: np.float32


class ExposureSetting(NamedTuple):
    """Exposure time [s], and amplification as a factor."""

    time: float
    gain: float

    @property
    def total(self) -> float:
        """What radiances are multiplied by."""
        return EXPOSURE_PER_SECOND * self.time * self.gain


def split_exposure(total: float, max_time: float) -> ExposureSetting:
    """Exposure time and gain for what radiances are to be multiplied by: first time, then gain, as cameras do."""
    time = min(total / EXPOSURE_PER_SECOND, max_time)
    return ExposureSetting(time, max(total / (EXPOSURE_PER_SECOND * time), 1.0))


def manual_exposure(settings: CameraSettings) -> ExposureSetting:
    """The exposure that settings ask for."""
    assert settings.exposure_mode is CameraExposure.MANUAL
    return ExposureSetting(settings.exposure_time, 10.0 ** (settings.gain / 20.0))


def imager_of(settings: CameraSettings, exposure: ExposureSetting) -> Imager:
    """The image sensor of a camera at one exposure."""
    top = (1 << settings.bits) - 1
    black = (1 << settings.bits) // BLACK_SHARE
    return Imager(
        full_well=np.float32(settings.full_well),
        read_noise=np.float32(settings.read_noise),
        dark=np.float32(settings.dark_current * exposure.time),
        electrons=np.float32(settings.full_well / (SATURATION * exposure.gain)),
        gain=np.float32((top - black) / settings.full_well * exposure.gain),
        black=np.float32(black),
        top=np.float32(top),
    )


def normal_table() -> NDArray[np.float32]:
    """`(4096,)` quantiles of the normal distribution at the middles of equal shares, of deviation 1 exactly."""
    share = (np.arange(_NORMAL_STEPS) + 0.5) / _NORMAL_STEPS
    values = np.array([_quantile(float(one)) for one in share])
    return np.asarray(values / values.std(), np.float32)


def _quantile(share: float) -> float:
    """The quantile of the normal distribution, by bisection of the error function."""
    low, high = -6.0, 6.0
    for _ in range(50):
        middle = 0.5 * (low + high)
        below = 0.5 * math.erfc(-middle / math.sqrt(2.0)) < share
        low, high = (middle, high) if below else (low, middle)
    return 0.5 * (low + high)
