#!/usr/bin/env python3
"""Follows its lane by the pictures of a camera alone.

Start the simulator in one terminal, then this in another, with the Python that dorosim is installed in:

    dorosim run --config examples/camera_lane.toml
    python examples/camera_lane.py

The camera's packets come to port 1232. Each picture is projected onto a level road; what is brighter there than the
road beside it is paint, and the paint half a lane to the left and right is the lane's marking. The car steers to the
middle between them, 12 m ahead, by pure pursuit. The ego status gives its own speed, and nothing else. It drives 300 m,
slows down where it sees no lane, and brakes when it ends. A run with other ports is found by its id: --run ID.
"""

import math
import sys
from pathlib import Path

import numpy as np
import simplejpeg
from numpy.typing import NDArray

from dorosim.client import Picture, SensorReceiver, UdpVehicle

sys.path.insert(0, str(Path(__file__).parent))
from sensor_drive import Demo, play

Array = NDArray[np.float64]
FIELD_OF_VIEW = math.radians(70.0)
CAMERA_X, CAMERA_Z = 1.5, 1.4
"""Of the camera, from the rear axle and the ground [m]; it looks straight ahead, as camera_lane.toml has it."""
WHEELBASE = 2.7
LANE_WIDTH = 3.5
NEAR, FAR, STEP = 6.0, 26.0, 0.5
"""The rows of the road that are looked at, from the camera on [m]."""
ACROSS = np.arange(-5.0, 5.01, 0.05)
"""The places across the road, left positive [m]."""
PAINT_WIDTH = 0.15
BRIGHTER = 25.0
"""Paint is so much brighter than what lies beside it, of 255."""
GATE = 0.7
"""A marking is at most so far from where it is expected [m]."""
AIM = 12.0
"""So far ahead of the rear axle it steers to [m]."""


class Road:
    """The places of a level road in a picture.

    Args:
        width: of the picture. height: of it [pixels].
    """

    def __init__(self, width: int, height: int) -> None:
        focal = 0.5 * width / math.tan(0.5 * FIELD_OF_VIEW)
        self.ahead = np.arange(NEAR, FAR, STEP)
        x, y = np.meshgrid(self.ahead, ACROSS, indexing="ij")
        self._column = np.clip(np.rint(0.5 * width - focal * y / x - 0.5), 0, width - 1).astype(np.int64)
        self._row = np.clip(np.rint(0.5 * height + focal * CAMERA_Z / x - 0.5), 0, height - 1).astype(np.int64)
        self._inside = np.abs(focal * y / x) < 0.5 * width - 1

    def paint(self, picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which places `(rows ahead, places across)` are painted."""
        grey = picture[self._row, self._column].astype(np.float64).mean(axis=2)
        beside = round(2.5 * PAINT_WIDTH / (ACROSS[1] - ACROSS[0]))
        left, right = np.roll(grey, beside, axis=1), np.roll(grey, -beside, axis=1)
        painted: NDArray[np.bool_] = (grey > left + BRIGHTER) & (grey > right + BRIGHTER) & self._inside
        return painted


class Lane:
    """The middle of the lane: how far it is to the left of the car, as a polynomial of the distance ahead."""

    def __init__(self) -> None:
        self.shape = np.zeros(3)
        self.seen = 0

    def update(self, road: Road, paint: NDArray[np.bool_]) -> None:
        """Take the markings of a picture that are where they are expected; `seen` says in how many rows."""
        expected = np.polynomial.polynomial.polyval(road.ahead, self.shape)
        places, middles = [], []
        for row, (ahead, middle) in enumerate(zip(road.ahead, expected, strict=True)):
            painted = ACROSS[paint[row]]
            for side in (0.5 * LANE_WIDTH, -0.5 * LANE_WIDTH):
                near = painted[np.abs(painted - (middle + side)) < GATE]
                if len(near):
                    places.append(ahead)
                    middles.append(float(np.median(near)) - side)
        self.seen = len(places)
        if self.seen >= 8:
            # a bend is fitted only where there is paint far away, and little of it at a time
            weak = np.diag((0.0, 0.5, 400.0))
            powers = np.vander(np.array(places), 3, increasing=True)
            matrix, wanted = powers.T @ powers + weak, powers.T @ np.array(middles) + weak @ self.shape
            self.shape = np.linalg.solve(matrix, wanted)

    def steering(self) -> float:
        """The wheel angle [rad] of the arc through a point ahead (pure pursuit, Coulter 1992)."""
        forward = AIM
        left = float(np.polynomial.polynomial.polyval(AIM - CAMERA_X, self.shape))
        return math.atan2(2.0 * WHEELBASE * left, forward**2 + left**2)


def pedals(speed: float, wanted: float) -> tuple[float, float]:
    """Accelerator and brake by the speed error [m/s]."""
    error = wanted - speed
    return max(0.0, min(0.6, 0.3 * error + 0.02 * wanted)), max(0.0, min(1.0, -0.2 * error))


def follow_lane(car: UdpVehicle, sensors: SensorReceiver, top: float, metres: float) -> str:
    """Drive along the lane. Returns how far it has come."""
    lane, road = Lane(), None
    travelled, last, told = 0.0, None, 0.0
    for reading in sensors:
        if not isinstance(reading, Picture):
            continue
        picture = simplejpeg.decode_jpeg(reading.jpeg, colorspace="RGB")
        road = road or Road(picture.shape[1], picture.shape[0])
        lane.update(road, road.paint(picture))
        speed = car.state().speed
        travelled += speed * (reading.time - last) if last is not None else 0.0
        last = reading.time
        accelerator, brake = pedals(speed, top if lane.seen >= 8 else min(top, 3.0))
        car.drive(accelerator=accelerator, brake=brake, steer=lane.steering())
        if reading.time > told + 1.0:
            told = reading.time
            offset = float(lane.shape[0])
            print(f"{travelled:4.0f} m, {3.6 * speed:4.1f} km/h, the lane's middle {offset:+.2f} m", flush=True)
        if travelled >= metres:
            break
    return f"{travelled:.0f} m along the lane"


if __name__ == "__main__":
    play(Demo(str(__doc__).splitlines()[0], "camera", 1232, metres=300.0, top=40.0), follow_lane)
