"""A vehicle that drives in a real world, with sensors that a rig reads."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.sensor.reading import Reading
from dorosim.sensor.rig import Rig
from dorosim.world.command import Command
from dorosim.world.mount.command import AddSensor
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from tests.world.world import CAR, street

MS = 1_000_000


PLAIN = street(10.0)


SCENE = dataclasses.replace(
    PLAIN,
    network=dataclasses.replace(PLAIN.network, coordinate_system="UTM52N"),
    map_origin=(302459.942, 4122635.537, 28.989),
)


LEVER = (1.2, 0.4, 1.5)


def no_stage():
    raise AssertionError("none of these sensors asks for geometry")


class Drive:
    """A vehicle with an IMU, a receiver and ground truth; and another vehicle before it."""

    def __init__(self, *settings, scene=SCENE) -> None:
        start = [(CAR, (50.0, 0.0, 0.0), 0.0), (CAR, (80.0, 3.0, 0.0), 0.3)]
        self.noise, self.now = Noise(7), first_snapshot(scene, start)
        self.scene = scene
        self.rig, self.before = Rig(scene, self.noise, no_stage), self.now
        self.turn(*[AddSensor(EGO, settings=one, position=LEVER, period=10 * MS) for one in settings])

    def turn(self, *commands: Command) -> list[Reading]:
        self.before = self.now
        self.now = step(self.scene, self.now, commands, self.noise)
        assert not self.now.refusals
        return self.rig.read(self.before, self.now)

    def place(self, snapshot: Snapshot) -> np.ndarray:
        """Of the sensor in the map, on a level road without body roll."""
        row = snapshot.row_of(EGO)
        x, y, z, _, _, yaw = snapshot.vehicle.floats[:6, row]
        c, s = math.cos(yaw), math.sin(yaw)
        return np.array((x + c * LEVER[0] - s * LEVER[1], y + s * LEVER[0] + c * LEVER[1], z + LEVER[2]))
