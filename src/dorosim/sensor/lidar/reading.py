"""What lidars measure, as their packets hold it, and as points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.lidar.firing import AZIMUTHS, Firing
from dorosim.sensor.lidar.model import DISTANCE_STEP, FAR, X_NEAR, Y_NEAR, LidarSpec
from dorosim.sensor.lidar.setting import LidarSetting
from dorosim.sensor.reading import GpsReading, Range, Reading
from dorosim.world.mount.setting import SensorKind

POINT = np.dtype(
    [("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("intensity", "<f4"), ("ring", "<u2"), ("time", "<f4")], align=False
)
"""A point as the public driver's PointCloud2 holds it, packed to 22 bytes: metres in the sensor's frame (x forward,
y left, z up), intensity 0 to 255, ring from below, seconds after the first firing of the reading."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LidarReading(Reading):
    """Packets that became full in a tick.

    Attributes:
        sensor: id of the mount. time: until when the packets are [ns].
        setting: of the sensor.
        number: (P,) of each packet since the sensor started.
        start: (P,) time of the first firing [ns], of which the packet's stamp is made.
        due: (P,) time at which the packet is full and is sent [ns].
        azimuth: (P, 12) of each block, clockwise from forward [0.01 degree].
        distance: (P, 12, 32) in steps of 2 mm, 0 for no return.
        intensity: (P, 12, 32), 0 to 255.
        firing: when the lasers fired.
        fixes: where the sensor is, each with the time at which a position packet reports it.
    """

    KIND: ClassVar[SensorKind] = SensorKind.LIDAR_3D
    SIGNALS: ClassVar[Mapping[str, Range]] = MappingProxyType({"distance": (0.0, 65_535.0)})

    setting: LidarSetting
    number: NDArray[np.int64]
    start: NDArray[np.int64]
    due: NDArray[np.int64]
    azimuth: NDArray[np.uint16]
    distance: NDArray[np.uint16]
    intensity: NDArray[np.uint8]
    firing: Firing
    fixes: tuple[GpsReading, ...] = ()

    def restamped(self, time: int) -> Self:
        """The same packets as if they had been filled at another time [ns]."""
        later = time - self.time
        fixes = tuple(fix.restamped(fix.time + later) for fix in self.fixes)
        return replace(self, time=time, start=self.start + later, due=self.due + later, fixes=fixes)

    def points(self) -> NDArray[np.void]:
        """The returns as points, in the order of the packets; those of no return are left out.

        They are worked out of the packet's own steps as readers do, so they are what a reader of the packets gets.
        """
        kind, echoes = self.setting.kind, self.setting.returns
        steps = self.distance.reshape(-1, kind.groups(echoes), echoes, kind.group)
        packet, group, echo, place = np.nonzero(steps)
        laser = place % kind.lasers
        distance = DISTANCE_STEP * steps[packet, group, echo, place].astype(np.float64)
        step = self.firing.azimuth_of(packet, group, place)
        found = np.empty(len(packet), POINT)
        found["x"], found["y"], found["z"] = points_from_returns(kind, self.setting.focus, laser, step, distance)
        found["intensity"] = self.intensity.reshape(steps.shape)[packet, group, echo, place]
        found["ring"] = np.argsort(np.argsort(kind.laser[:, 0]))[laser]
        late = (
            1e-9 * kind.group_time * group + 1e-9 * kind.sequence * (place // kind.lasers) + 1e-6 * kind.lag_us[laser]
        )
        begin = self.start[0] if len(self.start) else 0
        found["time"] = 1e-9 * (self.start[packet] - begin) + late
        return found


def points_from_returns(
    kind: LidarSpec, focus: bool, laser: NDArray[np.int64], step: NDArray[np.int64], distance: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Forward, left and up [m] of distances, by the public driver's formula (`rawdata.cc`, two-point correction).

    Args:
        kind: the model.
        focus: as of `LidarSetting`.
        laser: (N,).
        step: (N,) azimuth [0.01 degree].
        distance: (N,) as the packet holds it [m].
    """
    elevation, turn, far, near_x, near_y, up, side = kind.laser[laser].T
    angle = step * (2.0 * np.pi / AZIMUTHS) - turn
    s, c, sine, cosine = np.sin(angle), np.cos(angle), np.sin(elevation), np.cos(elevation)
    rough = distance + far
    level = rough * cosine - up * sine
    more_x = (far - near_x) * (np.abs(level * s - side * c) - X_NEAR) / (FAR - X_NEAR) + near_x - far
    more_y = (far - near_y) * (np.abs(level * c + side * s) - Y_NEAR) / (FAR - Y_NEAR) + near_y - far
    right = (level + more_x * cosine) * s - side * c
    ahead = (level + more_y * cosine) * c + side * s
    lens = kind.focus * np.tan(elevation) if focus else 0.0
    return ahead, -right, (rough + more_y) * sine + up * cosine - lens
