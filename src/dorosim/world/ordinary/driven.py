"""The next snapshot by compiled code where clients only drive vehicles; `dorosim.world.step` asks here for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import FloatArray, IntArray, read_only
from dorosim.world.block import setter_of
from dorosim.world.command import Command
from dorosim.world.ordinary.batch_kernel import DRIVE_FLOATS, DriveInt
from dorosim.world.ordinary.drive_kernel import DRIVE_BLOCK, drive_block
from dorosim.world.ordinary.lights import clocks_of, lit
from dorosim.world.ordinary.tick import LOOK_AGAIN, entered, snapshot_of_next
from dorosim.world.ordinary.tick_kernel import make_ordinary_tick
from dorosim.world.ordinary.word import Rare
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Outcome, Snapshot
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlMode

MAX_DRIVES = 16
"""Most commands of a tick that are applied so; more go the way of all others."""
_DONE_DRIVE, _LIGHTS = Outcome(), int(Rare.LIGHTS)
_put_outcomes, _put_time = setter_of(Snapshot, "outcomes"), setter_of(Snapshot, "time")
_KEEP, _AUTO = ControlMode.KEEP, ControlMode.AUTO


def driven_tick(scene: Scene, now: Snapshot, commands: Sequence[Command], seed: int, *, holds: bool) -> Snapshot | None:
    """The snapshot one tick later, bit for bit as `any_tick` makes it; None if that has to make it.

    Args:
        scene: what does not change in the run.
        now: the present snapshot; it is not touched.
        commands: in the order in which they apply.
        seed: of the run's randomness.
        holds: whether it is a tick of no duration.
    """
    for one in commands:
        if type(one) is not DriveVehicle or (one.mode is not _KEEP and one.mode is not _AUTO):
            return None
    if len(commands) > MAX_DRIVES or not _is_there(now.tick):
        return None
    found = entered(scene, now, seed)
    if found is None:
        return None
    before, frame = found
    after = np.empty(len(before), np.int64)
    if drive_block(before, after, frame.words, *_numbers_of(commands), holds):
        return None
    if not holds:
        driven, before, after = after, read_only(after), np.empty(len(after), np.int64)
        rare = make_ordinary_tick(before, after, frame.words)
        if rare == _LIGHTS:
            (frame, due), clocks = lit(frame, before), clocks_of(frame)
            driven[clocks] = due
            rare = make_ordinary_tick(before, after, frame.words)
        if rare:
            return None
    after.flags.writeable = False
    made = snapshot_of_next(scene, now, frame, after)
    if holds:
        _put_time(made, now.time)
    frame.fill(made, after, "outcomes")
    _put_outcomes(made, (_DONE_DRIVE,) * len(commands))
    return made


def _numbers_of(commands: Sequence[Command]) -> tuple[FloatArray, IntArray]:
    """Commands as `drive_block` takes them; all of them are `DriveVehicle`."""
    drive, ints = np.empty((len(commands), DRIVE_FLOATS)), np.empty((len(commands), len(DriveInt)), np.int64)
    for number, one in enumerate(commands):
        assert isinstance(one, DriveVehicle)
        gear = -1 if one.gear is None else int(one.gear)
        ints[number] = one.actor, int(one.kind), one.mode is _AUTO, gear
        drive[number] = (one.accelerator, one.brake, one.velocity, one.acceleration, one.steer, one.rear_steer)
    return drive, ints


_looked: list[int] = []
"""The tick in which the kernel was looked for last in vain."""


def _is_there(tick: int) -> bool:
    """Whether the kernel is there: nothing is compiled while a run goes on."""
    if DRIVE_BLOCK.is_loaded():
        return True
    if _looked and 0 <= tick - _looked[0] < LOOK_AGAIN:
        return False
    _looked[:] = [tick]
    return DRIVE_BLOCK.is_there() and DRIVE_BLOCK.address() != 0
