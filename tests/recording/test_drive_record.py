"""Records that compiled code writes are those of the same commands, byte for byte."""

from __future__ import annotations

from array import array

import numpy as np
import pytest

from dorosim.recording.drive_record_kernel import NotePlace, note_drives
from dorosim.recording.format import Tick, encode_record
from dorosim.world.ordinary.batch_kernel import DRIVE_FLOATS, DriveInt, WorldPlace
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear

AUTO = DriveVehicle(7, ControlKind.PEDALS, ControlMode.AUTO, Gear.D, 0.25, -0.0, 1e300, 5e-324, np.pi, 1.0)
KEPT = DriveVehicle(2**31 - 1, ControlKind.VELOCITY_BY_ABILITY, velocity=12.5)


def noted(before: int, commands: tuple[DriveVehicle, ...], *, due: int = 1 << 40, room: int = 1 << 13) -> bytes | None:
    """What is written of a tick of the second of two worlds, after `before`; None if it is left to Python."""
    places = np.zeros((len(WorldPlace), 2), np.int64)
    places[WorldPlace.DRIVES, 1] = len(commands)
    drive = np.zeros((2, len(commands), DRIVE_FLOATS))
    ints = np.zeros((2, len(commands), len(DriveInt)), np.int64)
    for number, one in enumerate(commands):
        drive[1, number] = one.accelerator, one.brake, one.velocity, one.acceleration, one.steer, one.rear_steer
        gear = -1 if one.gear is None else one.gear
        ints[1, number] = one.actor, one.kind, one.mode is ControlMode.AUTO, gear
    waiting = np.zeros(room, np.uint8)
    note = array("q", bytes(8 * len(NotePlace)))
    note[NotePlace.ADDRESS], note[NotePlace.ROOM], note[NotePlace.FILL] = waiting.ctypes.data, room, 3
    note[NotePlace.TICK], note[NotePlace.DUE] = before, due
    unwritten = np.zeros(1, np.int64)
    if note_drives(places, drive, ints, np.array([0, note.buffer_info()[0]]), np.array([1]), unwritten):
        assert unwritten[0] == 1
        assert (note[NotePlace.FILL], note[NotePlace.TICK]) == (3, before)
        return None
    assert (note[NotePlace.LAST], note[NotePlace.TICK]) == (3, before + 1)
    return waiting[3 : note[NotePlace.FILL]].tobytes()


@pytest.mark.parametrize("tick", [1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x10000, 0xFFFFFFFF, 0x100000000])
@pytest.mark.parametrize("commands", [(), (AUTO,), (KEPT, AUTO), (AUTO,) * 15, (KEPT,) * 16], ids=len)
def test_a_tick_has_the_bytes_that_python_gives_it(tick, commands):
    assert noted(tick - 1, commands) == encode_record(Tick(tick, b"", commands))


def test_a_tick_that_is_due_or_has_no_room_is_left_to_python():
    assert noted(1, (AUTO,), due=3) is not None
    assert noted(1, (AUTO,), due=2) is None
    assert noted(1, (AUTO,), room=260) is not None
    assert noted(1, (AUTO,), room=180) is None
