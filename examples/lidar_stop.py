#!/usr/bin/env python3
"""Drives along a street and stops behind what stands in its way, by the points of a lidar alone.

Start the simulator in one terminal, then this in another, with the Python that dorosim is installed in:

    dorosim run --config examples/lidar_stop.toml
    python examples/lidar_stop.py

The lidar's packets come to port 2368. Once a turn, what is higher than the road in the car's own way, up to 45 m ahead,
is the gap to whoever is there; the change of the gap from turn to turn is the speed of who drives ahead. The car drives
straight on, keeps its distance, and stops 5 m behind what stands. The ego status gives where it is and how fast, and
nothing of others. It ends when it has stood for 2 s, or after --metres, and brakes. A run with other ports is found by
its id: --run ID.
"""

import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dorosim.client import LidarPacket, SensorReceiver, State, UdpVehicle

sys.path.insert(0, str(Path(__file__).parent))
from lookout import safe_speed
from sensor_drive import Demo, play

Array = NDArray[np.float64]
LIDAR_X, LIDAR_Z = 1.2, 1.9
"""Of the lidar, from the rear axle and the ground [m], as lidar_stop.toml has it."""
FRONT, HALF_WIDTH = 3.58, 0.91
"""Of the car: from the rear axle to the front bumper, and to its side [m]."""
ELEVATION = np.radians([-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15] * 2)
"""Of each laser of a VLP-16, in the order of the packet, two firings a block [rad]."""
VIEW, SIDE_GAP = 45.0, 0.3
"""How far ahead it looks, and how near to its side something is in its way [m]."""
LOWEST, HIGHEST, RISE = 0.5, 2.5, 0.006
"""What is in the way is so high over the ground at the car [m]; a street rises by so much a metre more or less."""
FEWEST = 3
"""Fewer points are a flake of rain, or nothing."""
STANDSTILL_GAP = 5.0
BRAKING = 2.5
"""Deceleration that it counts on [m/s²]."""
STOOD_S = 2.0


def points_of(packet: LidarPacket) -> Array:
    """The points `(N, 3)` of a packet from the rear axle: x forward, y left, z over the ground [m]."""
    step = np.remainder(np.diff(packet.azimuth, append=packet.azimuth[-1:]), math.tau)
    step[-1] = step[-2]
    later = np.repeat((0.0, 0.5), 16)  # the second firing of a block comes half a block later
    azimuth = packet.azimuth[:, None] + later * step[:, None]
    level = packet.distance * np.cos(ELEVATION)
    x, y = level * np.cos(azimuth) + LIDAR_X, -level * np.sin(azimuth)
    points = np.stack((x, y, packet.distance * np.sin(ELEVATION) + LIDAR_Z), axis=2)
    hit: Array = points[packet.distance > 0.0]
    return hit


def turns(sensors: SensorReceiver) -> Iterator[tuple[float, Array]]:
    """Time [s] and points of each turn, which begins and ends behind the car: what is ahead is new."""
    parts: list[Array] = []
    last = 0.0
    whole = False
    for reading in sensors:
        if not isinstance(reading, LidarPacket):
            continue
        behind = float(np.remainder(reading.azimuth[0] - math.pi, math.tau))
        if behind < last:
            if whole:
                yield reading.time, np.concatenate(parts)
            parts, whole = [], True
        last = behind
        parts.append(points_of(reading))


def gap_ahead(points: Array) -> float:
    """The gap between the front bumper and what stands or drives ahead [m]; infinite where nothing is."""
    x, y, z = points.T
    ahead = (x > FRONT) & (x < VIEW) & (np.abs(y) < HALF_WIDTH + SIDE_GAP)
    high = (z > LOWEST + RISE * x) & (z < HIGHEST)
    found = np.sort(x[ahead & high])
    return float(found[FEWEST - 1]) - FRONT if len(found) >= FEWEST else math.inf


class Follower:
    """Knows the gap to whoever is ahead, and how fast that is."""

    def __init__(self) -> None:
        self.gap, self.ahead = math.inf, 0.0
        self._time = 0.0

    def update(self, time: float, gap: float, speed: float) -> None:
        """A turn: its time [s], the gap [m], and the own speed [m/s]."""
        elapsed = time - self._time
        if math.isfinite(gap) and math.isfinite(self.gap) and 0.0 < elapsed < 1.0:
            measured = speed + (gap - self.gap) / elapsed
            self.ahead += 0.4 * (max(measured, 0.0) - self.ahead)
            if self.ahead < 0.5:
                self.ahead = 0.0
        else:
            self.ahead = 0.0
        self.gap, self._time = gap, time

    def wanted(self, speed: float, top: float) -> float:
        """The speed that the gap allows [m/s]."""
        if math.isinf(self.gap):
            return top
        return max(0.0, min(top, safe_speed(speed, self.gap - STANDSTILL_GAP, self.ahead, BRAKING)))


def pedals(speed: float, wanted: float) -> tuple[float, float]:
    """Accelerator and brake by the speed error [m/s]; at rest the brake holds."""
    if wanted < 0.3 and speed < 0.5:
        return 0.0, 0.5
    error = wanted - speed
    return max(0.0, min(0.6, 0.3 * error + 0.02 * wanted)), max(0.0, min(1.0, -0.3 * error))


def straight_on(begun: State, now: State) -> float:
    """The wheel angle [rad] that leads back to the straight line on which it began: the street has a slope across."""
    heading = begun.rotation[2]
    east, north = now.position[0] - begun.position[0], now.position[1] - begun.position[1]
    left = north * math.cos(heading) - east * math.sin(heading)
    steer = math.remainder(heading - now.rotation[2], math.tau) - 0.15 * left
    return max(-0.1, min(0.1, steer))


def drive(car: UdpVehicle, sensors: SensorReceiver, top: float, metres: float) -> str:
    """Drive along the street. Returns how it ended."""
    follower, begun = Follower(), car.state()
    travelled, stood, told = 0.0, 0.0, -math.inf
    last: float | None = None
    for time, points in turns(sensors):
        state = car.state()
        elapsed = 0.0 if last is None else time - last
        last = time
        follower.update(time, gap_ahead(points), state.speed)
        accelerator, brake = pedals(state.speed, follower.wanted(state.speed, top))
        car.drive(accelerator=accelerator, brake=brake, steer=straight_on(begun, state))
        travelled += state.speed * elapsed
        stood = stood + elapsed if state.speed < 0.1 and math.isfinite(follower.gap) else 0.0
        if time > told + 1.0:
            told = time
            gap = f"{follower.gap:.1f} m behind another" if math.isfinite(follower.gap) else "the way is free"
            print(f"{travelled:4.0f} m, {3.6 * state.speed:4.1f} km/h, {gap}", flush=True)
        if stood >= STOOD_S:
            return f"stopped after {travelled:.0f} m, {follower.gap:.1f} m behind another"
        if travelled >= metres:
            return f"{travelled:.0f} m along the street"
    return "no lidar"


if __name__ == "__main__":
    play(Demo(str(__doc__).splitlines()[0], "lidar_3d", 2368, metres=120.0, top=36.0), drive)
