"""What the sensors of one drive among others tell, byte by byte.

As a program it prints the digests of a run on some threads: `python -m tests.sensor.witness 2`.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from dorosim.bridge.sensor.kind import packets_of
from dorosim.bridge.sensor.packet import Packer
from dorosim.endpoint.sensor.pool import ThreadPool
from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.static.signal import SignalLamps
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import (
    AnySettings,
    CameraSettings,
    GpsSettings,
    GroundTruthSettings,
    ImuSettings,
    Lidar2dSettings,
    Lidar3dSettings,
    RadarSettings,
    UltrasonicSettings,
)
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.sensor.drive import SCENE
from tests.sensor.scene.build import plane
from tests.world.world import CAR

RIG: dict[int, AnySettings] = {
    2: CameraSettings(width=160, height=120, boxes=True),
    4: Lidar3dSettings(position_rate=50.0),
    6: RadarSettings(),
    8: GpsSettings(white=(0.5, 0.5, 1.0), drift=(1.0, 1.0, 2.0), velocity_white=(0.1, 0.1, 0.1)),
    10: ImuSettings(),
}
"""A rig by number; all draw noise but the camera."""
OTHERS: tuple[AnySettings, ...] = (
    CameraSettings(width=64, height=48, samples=4),
    Lidar3dSettings(),
    Lidar2dSettings(),
    GpsSettings(white=(1.0, 1.0, 1.0)),
    ImuSettings(),
    RadarSettings(),
    UltrasonicSettings(),
    GroundTruthSettings(),
)
"""One of each kind."""
PLACE = (1.2, 0.0, 1.9)
TICKS = 12
_NO_LIGHTS = SignalLamps(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3)))


@cache
def real_stage() -> SensorScene:
    """A plane with the models of all actors; one for all runs, which must not matter either."""
    return SensorScene.from_scene(SCENE, StaticWorld(plane(half=700.0), _NO_LIGHTS))


def first() -> Snapshot:
    """A vehicle on the street."""
    return first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])


def crowd() -> tuple[Any, ...]:
    """Commands: the vehicle drives, with another before it, one on the next lane, and somebody beside the road."""
    return (
        DriveVehicle(EGO, ControlKind.VELOCITY, velocity=8.0),
        CreateNpc(model="2015_Kia_K5", link=1, s=90.0, move_on=True),
        CreateNpc(model="2015_Kia_K5", link=0, s=70.0, move_on=True),
        SpawnPedestrian(actor=0, model=0, position=(64.0, 3.0, 0.0), yaw=0.5),
    )


def digests(sensors: Mapping[int, AnySettings], threads: int = 1) -> dict[int, str]:
    """A digest of all that each sensor told and sent, by number."""
    noise, now, pool = Noise(5), first(), ThreadPool(threads)
    rig, packer = Rig(SCENE, noise, real_stage, pool), Packer(DEFAULT_REVISION, 10**18)
    found = {number: hashlib.blake2b(digest_size=16) for number in sensors}
    adds = [
        AddSensor(EGO, settings=one, sensor=number, position=PLACE, period=_period(one))
        for number, one in sensors.items()
    ]
    for tick in range(TICKS):
        before, now = now, step(SCENE, now, (*crowd(), *adds) if tick == 0 else (), noise)
        assert not now.refusals
        for reading in rig.read(before, now):
            _add(found[reading.sensor], reading)
            for packet in packets_of(packer, reading):
                found[reading.sensor].update(packet.data)
        assert not rig.problems
    pool.close()
    assert len({digest.digest() for digest in found.values()} | {hashlib.blake2b(digest_size=16).digest()}) > len(found)
    return {number: digest.hexdigest() for number, digest in found.items()}


def _period(settings: AnySettings) -> int | None:
    return None if isinstance(settings, Lidar3dSettings) else 20_000_000


def _add(digest: Any, value: Any) -> None:
    """Take in all that a reading holds."""
    if isinstance(value, np.ndarray):
        digest.update(f"{value.dtype}{value.shape}".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            _add(digest, getattr(value, field.name))
    elif isinstance(value, tuple | list):
        for one in value:
            _add(digest, one)
    else:
        digest.update(repr(value).encode())


if __name__ == "__main__":
    print(json.dumps(digests(RIG, int(sys.argv[1]))))
