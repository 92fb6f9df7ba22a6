"""Records of ticks in which vehicles of many worlds were driven, byte for byte as `append_record` writes them."""

from __future__ import annotations

from enum import IntEnum, auto

import msgspec
import numpy as np
from numba import carray

from dorosim.ground.address_kernel import ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.recording.message_kernel import Bytes, byte_pointer, put_big, put_whole
from dorosim.world.ordinary.batch_kernel import DRIVE_FLOATS, DriveInt, WorldPlace
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlMode


class NotePlace(IntEnum):
    """What compiled code knows of the recording of a world: words of an array of its own."""

    ADDRESS = 0
    """Of the bytes that wait to be written."""
    ROOM = auto()
    """How many bytes there is room for."""
    FILL = auto()
    """How many wait."""
    LAST = auto()
    """Where the record of the last tick begins among them; -1 if it is to stay as it is."""
    TICK = auto()
    """Number of the last tick that was recorded."""
    DUE = auto()
    """Number of the next tick that is not for compiled code."""


def _pieces() -> tuple[Bytes, IntArray]:
    """The text of a `DriveVehicle` in MessagePack between its numbers, and where each piece of it begins."""
    names = [msgspec.msgpack.encode(name) for name in DriveVehicle.__struct_fields__]
    head = b"\x8b" + msgspec.msgpack.encode("type") + msgspec.msgpack.encode(DriveVehicle.__name__)
    pieces = [head + names[0], *names[1:4], *(name + b"\xcb" for name in names[4:])]
    return np.frombuffer(b"".join(pieces), np.uint8), np.cumsum([0, *map(len, pieces)])


_TEXT, _BEGIN = _pieces()
_WHOLES = 4
"""So many numbers of a drive are whole; the others come after them."""
MAX_DRIVE_BYTES = len(_TEXT) + 9 * (_WHOLES + DRIVE_FLOATS)
MAX_TICK_BYTES = 32
"""No tick without its drives, and no drive has more bytes than these."""
_ADDRESS, _ROOM, _FILL = int(NotePlace.ADDRESS), int(NotePlace.ROOM), int(NotePlace.FILL)
_LAST, _TICK, _DUE = int(NotePlace.LAST), int(NotePlace.TICK), int(NotePlace.DUE)
_DRIVES, _PLACES = int(WorldPlace.DRIVES), len(NotePlace)
_ACTOR, _KIND, _TO_AUTO, _GEAR = int(DriveInt.ACTOR), int(DriveInt.KIND), int(DriveInt.AUTO), int(DriveInt.GEAR)
_AUTO, _KEEP = int(ControlMode.AUTO), int(ControlMode.KEEP)
_NIL, _FALSE, _TICK_OF_FIVE, _NO_BYTES, _FEW, _MANY = 0xC0, 0xC2, 0x95, (0xC4, 0x00), 0x90, 0xDC


@inner_kernel
def _put_text(to: Bytes, at: int, piece: int) -> int:
    for k in range(_BEGIN[piece], _BEGIN[piece + 1]):
        to[at] = _TEXT[k]
        at += 1
    return at


@inner_kernel
def _put_drive(to: Bytes, at: int, bits: IntArray, ints: IntArray) -> int:
    at = put_whole(to, _put_text(to, at, 0), ints[_ACTOR])
    at = put_whole(to, _put_text(to, at, 1), ints[_KIND])
    at = put_whole(to, _put_text(to, at, 2), _AUTO if ints[_TO_AUTO] == 1 else _KEEP)
    at = _put_text(to, at, 3)
    if ints[_GEAR] < 0:
        to[at] = _NIL
        at += 1
    else:
        at = put_whole(to, at, ints[_GEAR])
    for k in range(DRIVE_FLOATS):
        at = put_big(to, _put_text(to, at, _WHOLES + k), bits[k], 8)
    return at


@inner_kernel
def _put_record(to: Bytes, begin: int, number: int, bits: IntArray, ints: IntArray, count: int) -> int:
    """Write the record of a tick without a digest; where the next one goes."""
    at = begin + 4
    to[at] = _TICK_OF_FIVE
    at = put_whole(to, at + 1, number)
    to[at], to[at + 1] = _NO_BYTES
    at += 2
    if count < 16:
        to[at] = _FEW | count
        at += 1
    else:
        to[at] = _MANY
        at = put_big(to, at + 1, count, 2)
    for k in range(count):
        at = _put_drive(to, at, bits[k], ints[k])
    to[at], to[at + 1] = _FALSE, _NIL
    size = at + 2 - begin - 4
    for k in range(4):
        to[begin + k] = (size >> (8 * k)) & 0xFF
    return at + 2


@kernel
def note_drives(
    places: IntArray, drive: FloatArray, drive_ints: IntArray, notes: IntArray, worlds: IntArray, left: IntArray
) -> int:
    """Write a tick of each of some worlds to what its recording has waiting.

    Args:
        places: `(K, N)` `WorldPlace` of each world.
        drive: `(N, D, 6)` numbers by which vehicles were driven in the tick.
        drive_ints: `(N, D, 4)` `DriveInt` of them.
        notes: `(N,)` addresses of the `NotePlace` of each recording.
        worlds: numbers of the worlds.
        left: as long as `worlds`, out: those whose tick was not written, since it is due or there is no room.

    Returns:
        how many these are.
    """
    missing, bits = 0, drive.view(np.int64)
    for i in worlds:
        note, count = ints_at(notes[i], _PLACES), places[_DRIVES, i]
        number, begin = note[_TICK] + 1, note[_FILL]
        if number >= note[_DUE] or begin + MAX_TICK_BYTES + count * MAX_DRIVE_BYTES > note[_ROOM]:
            left[missing] = i
            missing += 1
            continue
        to = carray(byte_pointer(note[_ADDRESS]), (note[_ROOM],))
        note[_FILL] = _put_record(to, begin, number, bits[i], drive_ints[i], count)
        note[_LAST], note[_TICK] = begin, number
    return missing
