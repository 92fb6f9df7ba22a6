"""A short recording: the ego vehicle drives into a standing car, and another one follows a trajectory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

from dorosim.app.setting.settings import EgoSettings
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.noise import Noise
from dorosim.recording.writer import RecordingWriter
from dorosim.road.location import locate
from dorosim.world.command import Command, Source
from dorosim.world.fault.code import FaultClass, FaultLocation, FaultSubclass
from dorosim.world.fault.command import SetControlFault
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import CameraSettings
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveVehicle, FollowTrajectory
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.recording.header import header_of
from tests.system.rig import Rig, rig

CAMERA, CAR, SECOND = 3, 3, 2
"""Number of the camera; ids of the standing car and of the second ego vehicle."""
START = (-230.0, 73.1)
"""On the middle of a lane to the east, which goes on straight for 200 m."""
BESIDE = 10.0
"""From there to the right, the second vehicle starts [m]."""
AHEAD = 25.0
"""From the ego vehicle's origin to that of the car [m]."""
SPEED = 15.0
"""It drives no faster [m/s]."""
FAULT_AT, FAULT_FOR = 100, 50
"""Ticks."""


def commands_at(run: Rig, tick: int) -> Iterator[Command]:
    if tick == 1:
        network = run.built.scene.network
        place = locate(network, [(START[0] + AHEAD, START[1], math.nan)], 0.0, drivable_only=True)
        yield AddSensor(EGO, sensor=CAMERA, settings=CameraSettings(width=96, height=64), position=(1.5, 0.0, 1.4))
        yield CreateNpc(model="2016_Hyundai_Ioniq", link=int(place.link[0]), s=float(place.s[0]), paused=True)
        yield DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, Gear.D, accelerator=1.0)
        points = tuple(
            (START[0] + 3.0 * number, START[1] - BESIDE + 0.05 * number**2, 5.0, 8.0) for number in range(25)
        )
        yield FollowTrajectory(SECOND, points)
    if tick == FAULT_AT:
        yield SetControlFault(
            EGO,
            location=FaultLocation.STEERING,
            fault_class=FaultClass.DATA,
            fault_subclass=FaultSubclass.OFFSET,
            duration=FAULT_FOR * 0.01,
            magnitude=0.001,
        )


def make_run(data: Path) -> Rig:
    second = (START[0], START[1] - BESIDE, 0.0)
    return rig(data, egos=(EgoSettings(pose=(*START, 0.0)), EgoSettings(pose=second)))


def record(
    path: Path, ticks: int = 500, *, clock: PacedClock | None = None, more: Callable[[Rig, int], None] | None = None
) -> Rig:
    """Drive and record; with a clock, wall times too. Returns the run at its end."""
    run = make_run(path.parent)
    if clock is not None:
        made = run.built
        run.loop = Loop(made.scene, made.first, Noise(0), clock)
        clock.start(made.first.time)
    writer = RecordingWriter(path, None if clock is None else run.loop.turn_timer)
    writer.begin(header_of(run), run.now)
    run.loop.observers = (writer,)
    for tick in range(1, ticks + 1):
        for command in commands_at(run, tick):
            run.loop.put(Source.PEER, command)
        if more is not None:
            more(run, tick)
        run.loop.turn()
    writer.close()
    assert not writer.problem
    return run
