"""The spinning lidars that there are: lasers, order and times of firing, ranges. One row a model in `MODELS`.

A *sequence* is one firing of all lasers. A *group* is what shares an azimuth in the packet: two sequences of a VLP-16,
one of the others. Times are from the manuals as velodyne_decoder and facts/udp-wire.md (5.7) give them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.sensor.lidar.hdl_64e import HDL_64E_LASERS

RETURNS = 384
"""Returns in a packet: 12 blocks of 32."""
DISTANCE_STEP = 0.002
"""Metres in a step of distance, of all models here."""
X_NEAR, Y_NEAR, FAR = 2.4, 1.93, 25.04
"""Distances at which a two-point calibration was made [m] (velodyne_pointcloud, `rawdata.cc`)."""


@dataclass(frozen=True, slots=True, eq=False)
class LidarSpec:
    """A spinning lidar.

    Attributes:
        name: as users write it.
        laser: (L, 7) elevation and azimuth correction [rad], distance corrections far, x and y, offsets vertical and
            horizontal [m], in the order of the packet.
        lag_us: (L,) when each laser fires within the sequence [microseconds].
        sequence: time of a sequence [ns].
        banks: whether lasers from 32 on stand in blocks of their own.
        focus: where the beams cross, ahead of the axis [m]: a laser that looks down starts above the middle.
        sweeps: whether readers by the manual turn each laser of a block by what the sensor turns until it fires; if
            not, the calibration's azimuths are taken to hold that.
        driver_sweeps: whether the public ROS driver does.
        nearest, farthest: m.
        detection: range at which half of the returns of a surface of 10 % come back [m].
        noise: standard deviation of the range [m].
        divergence: full horizontal width of the beam [rad].
    """

    name: str
    laser: NDArray[np.float64]
    lag_us: NDArray[np.float64]
    sequence: int
    focus: float
    nearest: float
    farthest: float
    detection: float
    noise: float
    divergence: float
    banks: bool = False
    sweeps: bool = False
    driver_sweeps: bool = False

    @property
    def lasers(self) -> int:
        """How many lasers there are."""
        return len(self.laser)

    @property
    def group(self) -> int:
        """Returns that share an azimuth."""
        return max(32, self.lasers)

    @property
    def group_time(self) -> int:
        """Time of a group [ns]."""
        return self.sequence * (self.group // self.lasers)

    def groups(self, returns: int) -> int:
        """Groups of a packet, when each firing has one return or two."""
        return RETURNS // (self.group * returns)

    def packet_time(self, returns: int) -> int:
        """Time of a packet [ns]."""
        return self.groups(returns) * self.group_time

    def beam(self, *, focus: bool = True) -> NDArray[np.float32]:
        """(L, 13) what the kernel needs of each laser.

        Args:
            focus: whether lasers start where the lens puts them, as readers by the manual know, or all in the middle.

        Returns:
            Columns: cosine and sine of elevation, cosine and sine of the azimuth correction, vertical offset times
            sine and cosine of elevation, horizontal offset, slope and rest of the x correction and of the y correction,
            distance correction, lag in the sequence [ns].
        """
        elevation, turn, far, near_x, near_y, up, side = self.laser.T
        slope_x = (far - near_x) / (FAR - X_NEAR)
        slope_y = (far - near_y) / (FAR - Y_NEAR)
        rest_x = near_x - far - slope_x * X_NEAR
        rest_y = near_y - far - slope_y * Y_NEAR
        sine, cosine = np.sin(elevation), np.cos(elevation)
        lens = -self.focus * np.tan(elevation) if focus else 0.0
        columns = (cosine, sine, np.cos(turn), np.sin(turn), up * sine, up * cosine + lens, side)
        rest = (slope_x, rest_x, slope_y, rest_y, far, self.lag_us * 1000.0)
        return np.stack((*columns, *rest), axis=1).astype(np.float32)


def _plain(elevation_deg: ArrayLike) -> NDArray[np.float64]:
    """Lasers that have an elevation and nothing else."""
    elevation = np.radians(np.asarray(elevation_deg, np.float64))
    return np.concatenate((elevation[:, None], np.zeros((len(elevation), 6))), axis=1)


def _corrected(rows: ArrayLike) -> NDArray[np.float64]:
    """Lasers with corrections, angles in degrees."""
    laser = np.array(rows, np.float64)
    laser[:, :2] = np.radians(laser[:, :2])
    return laser


_VLP_16 = (-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15)
_HDL_32E = (-30.67, -9.33, -29.33, -8, -28, -6.67, -26.67, -5.33, -25.33, -4, -24, -2.67, -22.67, -1.33, -21.33, 0)
_HDL_32E_UPPER = (-20, 1.33, -18.67, 2.67, -17.33, 4, -16, 5.33, -14.67, 6.67, -13.33, 8, -12, 9.33, -10.67, 10.67)
_HDL_64E_PATTERN = np.array([0.0, 1.3, 2.5, 3.7])

_LAG_64E = np.tile(np.add.outer(7.2 * np.arange(8), _HDL_64E_PATTERN).ravel(), 2)
# after lasers and lags: time of a sequence, focus, nearest, farthest, detection, noise, divergence
VLP_16 = LidarSpec(
    *("VLP-16", _plain(_VLP_16), 2.304 * np.arange(16.0), 55_296, 0.04191, 0.5, 100.0, 60.0, 0.015, 3.0e-3),
    sweeps=True,
    driver_sweeps=True,
)
_HDL_32E_LASERS = _plain((*_HDL_32E, *_HDL_32E_UPPER))
HDL_32E = LidarSpec(
    "HDL-32E", _HDL_32E_LASERS, 1.152 * np.arange(32.0), 46_080, 0.02896, 1.0, 100.0, 50.0, 0.02, 2.8e-3, sweeps=True
)
HDL_64E = LidarSpec(
    "HDL-64E", _corrected(HDL_64E_LASERS), _LAG_64E, 57_600, 0.0, 1.0, 120.0, 50.0, 0.02, 2.0e-3, banks=True
)

MODELS = {model.name: model for model in (VLP_16, HDL_32E, HDL_64E)}
"""All models. Ranges and noise are those of the data sheets (VLP-16 63-9229: 100 m, +-3 cm typical; HDL-32E 97-0038:
100 m, +-2 cm; HDL-64E S3 63-9194: 50 m at 10 %, 120 m at 80 %, below 2 cm)."""
