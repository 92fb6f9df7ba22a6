"""Packets of spinning lidars to clouds of points, one a turn, as the public Velodyne driver makes them.

A cloud is worked out of the packets' own steps, as the driver does; numbers are arrays over the whole turn, and sines
and cosines come from tables, since a turn has up to 130,000 returns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.lidar.firing import AZIMUTHS, Firing
from dorosim.sensor.lidar.model import DISTANCE_STEP, FAR, X_NEAR, Y_NEAR
from dorosim.sensor.lidar.reading import POINT, LidarReading
from dorosim.sensor.lidar.setting import LidarSetting

_MINUTE = 60_000_000_000
_PACKET_COLUMNS = ("number", "start", "due", "azimuth", "distance", "intensity")
"""Columns of `LidarReading` with a row for each packet."""
_FIRING_COLUMNS = ("number", "start", "due", "azimuth", "turning")
"""Columns of its `Firing` with a row for each packet."""
_Real = NDArray[np.float32]


class CloudTurns:
    """Gathers the slices of a spinning lidar to whole turns, which begin at azimuth 0, straight ahead."""

    def __init__(self) -> None:
        self._turn: int | None = None
        self._slices: list[LidarReading] = []

    def drop(self) -> None:
        """Forget the slices gathered so far, as no client subscribes. The next turn returned is the first whole one."""
        self._turn = None
        self._slices.clear()

    def take(self, reading: LidarReading) -> list[LidarReading]:
        """Returns the turns that end with a slice, none for most slices.

        A turn of which packets are lost has the packets that came.
        """
        turn, after = _turns(reading.setting, reading.number), _turns(reading.setting, reading.number + 1)
        ends = np.flatnonzero(np.diff(turn)) + 1
        found: list[LidarReading] = []
        for first, last in zip((0, *ends.tolist()), (*ends.tolist(), len(turn)), strict=True):
            if first == last:
                continue
            number = int(turn[first])
            if self._turn is None and number == int(_turns(reading.setting, reading.number[first : first + 1] - 1)[0]):
                continue  # a turn that began before a client subscribed
            if number != self._turn:
                found += self._gathered()
                self._turn = number
            self._slices.append(_part(reading, first, last))
            if after[last - 1] != number:
                found += self._gathered()
        return found

    def _gathered(self) -> list[LidarReading]:
        slices, self._slices = self._slices, []
        return [joined_turn(slices)] if slices else []


def _turns(setting: LidarSetting, number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which turn since the sensor's start packets begin in (`sensor.lidar.firing`)."""
    return number * (setting.kind.packet_time(setting.returns) * setting.rpm) // _MINUTE


def _part(reading: LidarReading, first: int, last: int) -> LidarReading:
    """Some packets of a slice."""
    if (first, last) == (0, len(reading.number)):
        return reading
    rows = slice(first, last)
    firing: dict[str, Any] = {name: getattr(reading.firing, name)[rows] for name in _FIRING_COLUMNS}
    packet: dict[str, Any] = {name: getattr(reading, name)[rows] for name in _PACKET_COLUMNS}
    return replace(reading, **packet, firing=replace(reading.firing, **firing), fixes=())


def joined_turn(slices: list[LidarReading]) -> LidarReading:
    """Slices as one reading, whose time is that of the last."""
    if len(slices) == 1:
        return slices[0]
    firings = [one.firing for one in slices]
    firing: dict[str, Any] = {name: np.concatenate([getattr(one, name) for one in firings]) for name in _FIRING_COLUMNS}
    packet: dict[str, Any] = {name: np.concatenate([getattr(one, name) for one in slices]) for name in _PACKET_COLUMNS}
    return replace(slices[-1], **packet, firing=replace(firings[0], **firing), fixes=())


def cloud_of(turn: LidarReading, stamp: int) -> NDArray[np.void]:
    """The returns of a turn as points of the driver's XYZIRT layout, in the order of the packets.

    Args:
        turn: packets.
        stamp: the moment to which the points' times are relative [ns]: that of the packet less that of the scan, plus
            the time within the packet, as in the driver's `rawdata.cc`.

    Returns:
        (N,) of `dorosim.sensor.lidar.reading.POINT`: metres in the sensor's axes, x forward, y left, z up.
    """
    kind, echoes = turn.setting.kind, turn.setting.returns
    steps = turn.distance.reshape(-1, kind.groups(echoes), echoes, kind.group)
    places = _places(turn.setting)
    distance = steps.astype(np.float32)
    distance *= np.float32(DISTANCE_STEP)
    late = ((turn.start - stamp) * 1e-9).astype(np.float32)[:, None, None, None] + places.late[:, None]
    found = np.empty(steps.shape, POINT)
    found["x"], found["y"], found["z"] = _points(turn.firing, places, distance)
    found["intensity"] = turn.intensity.reshape(steps.shape)
    found["ring"], found["time"] = places.ring, late
    points, back = found.reshape(-1), np.flatnonzero(steps)
    return points if len(back) == len(points) else points.take(back)


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """What the returns of a group (W of them) have by their lasers.

    Attributes:
        ring: (W,) counted from below.
        late: (G, W) time after the packet's first firing [s].
        sine, cosine: (W,) of elevation. lens: (W,) how far below the middle the laser starts [m].
        turn: (2, W) cosine and sine of the azimuth correction.
        far, near_x, near_y, up, side: (W,) corrections as of `LidarModel.laser` [m].
        corrected: whether any correction is not 0.
    """

    ring: NDArray[np.uint16]
    late: _Real
    sine: _Real
    cosine: _Real
    lens: _Real
    turn: _Real
    far: _Real
    near_x: _Real
    near_y: _Real
    up: _Real
    side: _Real
    corrected: bool


@lru_cache(maxsize=16)
def _places(setting: LidarSetting) -> _Places:
    kind = setting.kind
    place = np.arange(kind.group)
    laser = place % kind.lasers
    elevation, turn, *rest = kind.laser[laser].astype(np.float64).T
    far, near_x, near_y, up, side = (one.astype(np.float32) for one in rest)
    within = 1e-9 * kind.sequence * (place // kind.lasers) + 1e-6 * kind.lag_us[laser]
    late = 1e-9 * kind.group_time * np.arange(kind.groups(setting.returns))[:, None] + within
    lens = kind.focus * np.tan(elevation) if setting.focus else np.zeros(len(laser))
    return _Places(
        ring=np.argsort(np.argsort(kind.laser[:, 0]))[laser].astype(np.uint16),
        late=late.astype(np.float32),
        sine=np.sin(elevation).astype(np.float32),
        cosine=np.cos(elevation).astype(np.float32),
        lens=lens.astype(np.float32),
        turn=np.stack((np.cos(turn), np.sin(turn))).astype(np.float32),
        far=far,
        near_x=near_x,
        near_y=near_y,
        up=up,
        side=side,
        corrected=bool(kind.laser[:, 1:].any()),
    )


@lru_cache(maxsize=1)
def _circle() -> _Real:
    """(2, 36000) cosine and sine of each azimuth step."""
    angle = np.arange(AZIMUTHS) * (2.0 * np.pi / AZIMUTHS)
    return np.stack((np.cos(angle), np.sin(angle))).astype(np.float32)


def _points(firing: Firing, places: _Places, distance: _Real) -> tuple[_Real, _Real, _Real]:
    """Forward, left and up [m], by the formula of `sensor.lidar.reading.points_from_returns`.

    Args:
        firing: of the packets.
        places: of their returns.
        distance: (P, G, E, W) as the packets hold it [m].
    """
    cosine, sine = _aim(firing)
    if not places.corrected:
        level = distance * places.cosine
        sine = -sine
        return level * cosine, level * sine, distance * places.sine - places.lens
    turn_cosine, turn_sine = places.turn
    cosine, sine = cosine * turn_cosine + sine * turn_sine, sine * turn_cosine - cosine * turn_sine
    rough = distance + places.far
    level = rough * places.cosine - places.up * places.sine
    slope_x = (places.far - places.near_x) / np.float32(FAR - X_NEAR)
    slope_y = (places.far - places.near_y) / np.float32(FAR - Y_NEAR)
    more_x = slope_x * (np.abs(level * sine - places.side * cosine) - np.float32(X_NEAR)) + (places.near_x - places.far)
    more_y = slope_y * (np.abs(level * cosine + places.side * sine) - np.float32(Y_NEAR)) + (places.near_y - places.far)
    right = (level + more_x * places.cosine) * sine - places.side * cosine
    ahead = (level + more_y * places.cosine) * cosine + places.side * sine
    return ahead, -right, (rough + more_y) * places.sine + places.up * places.cosine - places.lens


def _aim(firing: Firing) -> tuple[_Real, _Real]:
    """Cosine and sine of each return's azimuth (P, G, 1, W), or of each group's (P, G, 1, 1) if all share it."""
    lag = firing.lag if firing.lag.any() else firing.lag[:, :1]
    moved = firing.azimuth.astype(np.float32)[:, :, None] + firing.turning[:, :, None] * lag / firing.span
    step = (moved + firing.whole + np.float32(0.5)).astype(np.int32) % AZIMUTHS
    circle = _circle()
    return circle[0][step][:, :, None], circle[1][step][:, :, None]
