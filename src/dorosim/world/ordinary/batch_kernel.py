"""Ordinary ticks of many worlds in one call, before the first of which vehicles are given what they are driven by."""

from __future__ import annotations

from enum import IntEnum, auto

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.ordinary.link_kernel import MAKE_TICK
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.vehicle.mode import ControlMode
from dorosim.world.vehicle.state import VehicleState

_VEHICLE = VehicleState.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_W_ROWS, _W_FLOATS, _W_INTS = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS), int(TickWord.VEHICLE_INTS)
_AUTO, _CRUISE, _GHOST = int(ControlMode.AUTO), int(ControlMode.CRUISE), int(ControlMode.GHOST)
_MODE = int(Rare.MODE)
_TARGET = _VEHICLE.target_accelerator
_make_tick = MAKE_TICK.call


class WorldPlace(IntEnum):
    """What compiled ticks of many worlds know of each: rows of an array of ints."""

    NOW = 0
    """Address of its present block; 0: it is in none, and is passed over."""
    NEXT = auto()
    """Address of the block that is written next, and then is the present one; 0: a tick is made aside, where all worlds
    have one place that stays in the caches, and is written into the present block once it was ordinary."""
    LENGTH = auto()
    """Length of a block."""
    GIVEN = auto()
    """Address of what its ticks take as given (`TickWord`)."""
    GIVEN_LENGTH = auto()
    LINKS = auto()
    """Address of what lights let links do, the int block of a `LinkState`."""
    LINK_COUNT = auto()
    GOES = auto()
    """1 for a world that is stepped in this call."""
    DRIVES = auto()
    """How many of its drives count before its first tick."""
    DONE = auto()
    """Out: ticks that were made."""
    RARE = auto()
    """Out: why the next one was not (`Rare`), 0 if all were."""


class DriveInt(IntEnum):
    """The ints of a drive, which is a `DriveVehicle` command as numbers."""

    ACTOR = 0
    KIND = auto()
    AUTO = auto()
    """1: auto mode from now on; 0: the vehicle is in it."""
    GEAR = auto()
    """-1 leaves it."""


DRIVE_FLOATS = 6
"""Numbers of a drive: accelerator, brake, velocity, acceleration, wheel angle, rear wheel angle, side by side."""
_NOW, _NEXT, _LENGTH = int(WorldPlace.NOW), int(WorldPlace.NEXT), int(WorldPlace.LENGTH)
_GIVEN, _GIVEN_LENGTH, _GOES = int(WorldPlace.GIVEN), int(WorldPlace.GIVEN_LENGTH), int(WorldPlace.GOES)
_DRIVES, _DONE, _RARE = int(WorldPlace.DRIVES), int(WorldPlace.DONE), int(WorldPlace.RARE)
_ACTOR, _KIND, _TO_AUTO, _GEAR = int(DriveInt.ACTOR), int(DriveInt.KIND), int(DriveInt.AUTO), int(DriveInt.GEAR)


@inner_kernel
def row_of_actor(ints: IntArray, actor: int) -> int:
    """The row of a vehicle in an int block of vehicles, -1 if there is none."""
    for row in range(ints.shape[1]):
        if ints[_VEHICLE.id, row] == actor:
            return row
    return -1


@inner_kernel
def drive_row(floats: FloatArray, ints: IntArray, row: int, drive: FloatArray, drive_ints: IntArray) -> bool:
    """Drive a vehicle as `drive_effect.drive_vehicle` does; False where that would refuse it or do more."""
    mode = ints[_VEHICLE.control_mode, row]
    for k in range(DRIVE_FLOATS):
        if not np.isfinite(drive[k]):
            return False
    if ints[_VEHICLE.seized, row] != 0:
        return False
    if drive_ints[_TO_AUTO] == 1:
        if mode in (_CRUISE, _GHOST):
            return False
        ints[_VEHICLE.control_mode, row] = _AUTO
    elif mode != _AUTO:
        return False
    if drive_ints[_GEAR] >= 0:
        ints[_VEHICLE.gear, row] = drive_ints[_GEAR]
    ints[_VEHICLE.control_kind, row] = drive_ints[_KIND]
    for k in range(DRIVE_FLOATS):
        floats[_TARGET + k, row] = drive[k]
    return True


@inner_kernel
def _swap(floats: FloatArray, ints: IntArray, row: int, kept: FloatArray, kept_ints: IntArray) -> None:
    """Exchange what a drive writes with what is kept."""
    for k in range(DRIVE_FLOATS):
        floats[_TARGET + k, row], kept[k] = kept[k], floats[_TARGET + k, row]
    ints[_VEHICLE.control_mode, row], kept_ints[0] = kept_ints[0], ints[_VEHICLE.control_mode, row]
    ints[_VEHICLE.control_kind, row], kept_ints[1] = kept_ints[1], ints[_VEHICLE.control_kind, row]
    ints[_VEHICLE.gear, row], kept_ints[2] = kept_ints[2], ints[_VEHICLE.gear, row]


@inner_kernel
def _driven_tick(
    tick: int,
    given: tuple[IntArray, IntArray, IntArray],
    drive: FloatArray,
    drive_ints: IntArray,
    count: int,
    kept: FloatArray,
    kept_ints: IntArray,
) -> int:
    """A tick before which some vehicles are driven; returns `Rare`, and then leaves the present block as it was."""
    before, _, words = given
    start, rows = int(before.ctypes.data), words[_W_ROWS]
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _COLUMNS, rows)
    ints = int_rows_at(start + 8 * words[_W_INTS], _INT_COLUMNS, rows)
    rare, done = 0, 0
    while done < count and rare == 0:
        row = row_of_actor(ints, drive_ints[done, _ACTOR])
        kept_ints[done, 3] = row
        if row < 0:
            return _undone(floats, ints, done, kept, kept_ints, _MODE)
        for k in range(DRIVE_FLOATS):
            kept[done, k] = floats[_TARGET + k, row]
        kept_ints[done, 0] = ints[_VEHICLE.control_mode, row]
        kept_ints[done, 1] = ints[_VEHICLE.control_kind, row]
        kept_ints[done, 2] = ints[_VEHICLE.gear, row]
        if not drive_row(floats, ints, row, drive[done], drive_ints[done]):
            rare = _MODE
        done += 1
    if rare == 0:
        rare = _make_tick(tick, given)
    return _undone(floats, ints, done, kept, kept_ints, rare) if rare != 0 else 0


@inner_kernel
def _undone(floats: FloatArray, ints: IntArray, done: int, kept: FloatArray, kept_ints: IntArray, rare: int) -> int:
    """Take drives back, the last one first; returns what it is given."""
    for number in range(done - 1, -1, -1):
        _swap(floats, ints, kept_ints[number, 3], kept[number], kept_ints[number])
    return rare


@kernel
def make_ordinary_ticks(
    tick: int, places: IntArray, drive: FloatArray, drive_ints: IntArray, ticks: int, begin: int, end: int
) -> None:
    """Take some worlds on by some ticks, each until something rare happens in it.

    Threads may work on ranges of one batch at the same time.

    Args:
        tick: address of `make_ordinary_tick`.
        places: `(K, N)` `WorldPlace` of each world; written.
        drive: `(N, D, 6)` numbers by which vehicles are driven from the first tick on.
        drive_ints: `(N, D, 4)` `DriveInt` of them.
        ticks: how many.
        begin: first world of the range.
        end: the one after the last.
    """
    kept, kept_ints = np.empty((drive.shape[1], DRIVE_FLOATS)), np.empty((drive.shape[1], 4), np.int64)
    longest = 0
    for i in range(begin, end):
        longest = max(longest, places[_LENGTH, i])
    aside = np.empty(longest, np.int64)
    for i in range(begin, end):
        places[_DONE, i] = places[_RARE, i] = 0
        if places[_GOES, i] == 0 or places[_NOW, i] == 0:
            continue
        count = places[_LENGTH, i]
        words = ints_at(places[_GIVEN, i], places[_GIVEN_LENGTH, i])
        for number in range(ticks):
            place = places[_NEXT, i] if places[_NEXT, i] != 0 else int(aside.ctypes.data)
            given = (ints_at(places[_NOW, i], count), ints_at(place, count), words)
            if number == 0 and places[_DRIVES, i] > 0:
                rare = _driven_tick(tick, given, drive[i], drive_ints[i], places[_DRIVES, i], kept, kept_ints)
            else:
                rare = _make_tick(tick, given)
            if rare != 0:
                places[_RARE, i] = rare
                break
            places[_DONE, i] += 1
            if places[_NEXT, i] != 0:
                places[_NOW, i], places[_NEXT, i] = places[_NEXT, i], places[_NOW, i]
                continue
            for k in range(count):
                given[0][k] = aside[k]
