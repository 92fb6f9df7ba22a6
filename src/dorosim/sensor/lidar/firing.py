"""When the lasers fire and where the sensor points then: whole numbers of the time alone, so nothing is stored.

Packet `n` holds the firings from `n * packet_time` on after the sensor's start, and is full, and due, when the time of
its last group is over. The azimuth of a group is that of its first firing, rounded down to 0.01 degree as the packet
has it. Turns are counted in whole minutes, in which every set rate makes a whole number of them.

A packet has one azimuth a group, and readers work out those of the lasers that fire later (`LidarSetting.focus`):

- velodyne_decoder takes the packet to turn evenly from its first group to its last.
- velodyne_pointcloud (`unpack_vlp16` of its rawdata.cc) takes the difference from a group to the next, and for the
  last group the one before; a group that passes straight ahead has the one before, too, in its present version, and
  its own in older ones. Packets are made so that both are the same there. In 1 of 12 turns it is the first group of a
  packet, which has none before it: the present version leaves its 32 returns out.
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
        lag: (G, W) float32 time of each return after its group's first firing; 0 where readers know of none.
        turning: (P, G) float32 azimuth steps, as readers work them out of the packet, in the time `span`.
        span: float32, in the unit of `lag`, which is that of the reader.
        whole: float32 azimuth steps of whole turns that the reader adds before it rounds.
    """

    number: NDArray[np.int64]
    start: NDArray[np.int64]
    due: NDArray[np.int64]
    azimuth: NDArray[np.int64]
    lag: NDArray[np.float32]
    turning: NDArray[np.float32]
    span: np.float32
    whole: np.float32

    def azimuth_of(
        self, packet: NDArray[np.int64], group: NDArray[np.int64], place: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Azimuth steps `(N,)` of some returns, as readers round them; all arguments are `(N,)` rows of the tables."""
        moved = self.turning[packet, group] * self.lag[group, place] / self.span
        azimuth = self.azimuth[packet, group].astype(np.float32) + moved
        step: NDArray[np.int64] = np.floor(azimuth + self.whole + np.float32(0.5)).astype(np.int64) % AZIMUTHS
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
    turning = _even_turning if setting.focus else _own_turning
    lag, span = (_even_lags if setting.focus else _own_lags)(setting, groups)
    if not setting.focus and setting.sweeps:
        _smooth(azimuth)
    return Firing(
        number=number,
        start=begin + start,
        due=begin + start + length,
        azimuth=azimuth,
        lag=lag,
        turning=turning(azimuth, span),
        span=np.float32(1.0) if setting.focus else span,
        whole=np.float32(AZIMUTHS if setting.focus else 0),
    )


def _smooth(azimuth: NDArray[np.int64]) -> None:
    """Let groups that pass straight ahead turn as far as the groups before them: a step of 0.01 degree more or less."""
    for _ in range(2):  # what is a step less may reach straight ahead with the next group only
        packet, group = np.nonzero(np.diff(azimuth, axis=1)[:, 1:] < 0)
        here = azimuth[packet, group + 1]
        azimuth[packet, group + 2] = (2 * here - azimuth[packet, group]) % AZIMUTHS


def _own_turning(azimuth: NDArray[np.int64], _: np.float32) -> NDArray[np.float32]:
    """From each group to the next, of the last one from the one before, as velodyne_pointcloud has it."""
    turned = np.diff(azimuth, axis=1) % AZIMUTHS
    return np.concatenate((turned, turned[:, -1:]), axis=1).astype(np.float32)


def _even_turning(azimuth: NDArray[np.int64], span: np.float32) -> NDArray[np.float32]:
    """A second, the same for all groups of a packet, as velodyne_decoder has it."""
    turned = (azimuth[:, -1:] - azimuth[:, :1]) % AZIMUTHS
    return np.repeat(turned.astype(np.float32) / span, azimuth.shape[1], axis=1)


@lru_cache(maxsize=64)
def _own_lags(setting: LidarSetting, groups: int) -> tuple[NDArray[np.float32], np.float32]:
    """Lag of each return within its group, and the time of a group [microseconds].

    The arithmetic is that of velodyne_pointcloud in float32: where a return lies in the middle between two steps, its
    rounding decides to which it goes.
    """
    kind = setting.kind
    step, sequence = np.float32(kind.lag_us[1]), np.float32(1e-3 * kind.sequence)
    firing = np.float32(kind.lag_us / kind.lag_us[1]) * step
    lag = np.concatenate([firing + np.float32(k) * sequence for k in range(kind.group // kind.lasers)])
    lag = np.tile(lag, (groups, 1)) if setting.sweeps else np.zeros((groups, kind.group), np.float32)
    lag.flags.writeable = False
    return lag, np.float32(1e-3 * kind.group_time)


@lru_cache(maxsize=64)
def _even_lags(setting: LidarSetting, groups: int) -> tuple[NDArray[np.float32], np.float32]:
    """Lag of each return of a packet within its group, and from the first group to the last [s], in float32.

    velodyne_decoder subtracts times that it has rounded to float32, and so does this: the azimuth of every ray is
    then that which it works out, to the last digit.
    """
    kind = setting.kind
    lag_us = np.concatenate([kind.lag_us + 1e-3 * k for k in range(0, kind.group_time, kind.sequence)])
    start_us = 1e-3 * kind.group_time * np.arange(groups)
    time = (np.add.outer(start_us, lag_us) * 1e-6).astype(np.float32)
    lag = time - time[:, :1]
    lag = lag if setting.sweeps else np.zeros_like(lag)
    lag.flags.writeable = False
    return lag, time[-1, 0] - time[0, 0]
