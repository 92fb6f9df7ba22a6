"""When the lasers fire and where the sensor points then: whole numbers of the time alone, so nothing is stored.

Packet `n` holds the firings from `n * packet_time` on after the sensor's start, and is full, and due, when the time of
its last group is over. The azimuth of a group is that of its first firing, rounded down to 0.01 degree as the packet
tells it. Turns are counted in whole minutes, in which every set rate makes a whole number of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.lidar.setting import LidarSetting

AZIMUTHS = 36000
"""Azimuth steps of 0.01 degree in a turn."""
_MINUTE = 60_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Firing:
    """Packets that become full in a span of time.

    Attributes:
        number: (P,) of each packet since the start.
        start: (P,) time of the first firing of each packet [ns].
        due: (P,) time at which each packet is full [ns].
        azimuth: (P, G) of each group [0.01 degree], clockwise from forward.
        lag: (G, W) float32 time of each return after its group's first firing [s]; 0 where readers know of none.
        turning: (P,) float32 azimuth steps a second, as readers work it out of the packet.
    """

    number: NDArray[np.int64]
    start: NDArray[np.int64]
    due: NDArray[np.int64]
    azimuth: NDArray[np.int64]
    lag: NDArray[np.float32]
    turning: NDArray[np.float32]

    def azimuth_of(
        self, packet: NDArray[np.int64], group: NDArray[np.int64], place: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Azimuth steps `(N,)` of some returns, as readers round them; all arguments are `(N,)` rows of the tables."""
        moved = self.azimuth[packet, group].astype(np.float32) + self.turning[packet] * self.lag[group, place]
        step: NDArray[np.int64] = np.floor(moved + np.float32(AZIMUTHS) + np.float32(0.5)).astype(np.int64) % AZIMUTHS
        return step


def firing_between(setting: LidarSetting, begin: int, since: int, until: int) -> Firing:
    """The packets that become full after `since` and not after `until`.

    Args:
        setting: of the sensor.
        begin: time at which it started [ns].
        since: times [ns].
        until: the same.
    """
    kind = setting.kind
    length, groups = kind.packet_time(setting.returns), kind.groups(setting.returns)
    first, last = max((since - begin) // length, 0), max((until - begin) // length, 0)
    number = np.arange(first, last, dtype=np.int64)
    start = number * length
    moment = start[:, None] + kind.group_time * np.arange(groups)
    azimuth = moment % _MINUTE * (setting.rpm * AZIMUTHS) // _MINUTE % AZIMUTHS
    lag, span = _lags(setting, groups)
    turned = (azimuth[:, -1] - azimuth[:, 0]) % AZIMUTHS
    return Firing(
        number=number,
        start=begin + start,
        due=begin + start + length,
        azimuth=azimuth,
        lag=lag,
        turning=turned.astype(np.float32) / span,
    )


@lru_cache(maxsize=64)
def _lags(setting: LidarSetting, groups: int) -> tuple[NDArray[np.float32], np.float32]:
    """Lag of each return of a packet within its group, and from the first group to the last [s], in float32.

    velodyne_decoder subtracts times that it has rounded to float32, and so does this: the azimuth of every ray is
    then that which it works out, to the last digit.
    """
    kind = setting.kind
    lag_us = np.concatenate([kind.lag_us + 1e-3 * k for k in range(0, kind.group_time, kind.sequence)])
    start_us = 1e-3 * kind.group_time * np.arange(groups)
    time = (np.add.outer(start_us, lag_us) * 1e-6).astype(np.float32)
    lag = time - time[:, :1]
    sweep = kind.sweeps if setting.sweep is None else setting.sweep
    lag = lag if sweep else np.zeros_like(lag)
    lag.flags.writeable = False
    return lag, time[-1, 0] - time[0, 0]
