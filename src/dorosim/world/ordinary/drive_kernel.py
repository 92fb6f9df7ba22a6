"""Commands that drive vehicles, applied to a block."""

from __future__ import annotations

import numpy as np
from numba import types

from dorosim.ground.address_kernel import float_rows_at, int_rows_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import kernel
from dorosim.ground.linked_kernel import KernelLink
from dorosim.world.block import TICK
from dorosim.world.ordinary import link_kernel as kind
from dorosim.world.ordinary.batch_kernel import DriveInt, drive_row, row_of_actor
from dorosim.world.ordinary.ego_kernel import find_ground
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.vehicle.state import VehicleState

_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_W_ROWS, _W_FLOATS, _W_INTS = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS), int(TickWord.VEHICLE_INTS)
_ACTOR, _MODE, _BEFORE_DT = int(DriveInt.ACTOR), int(Rare.MODE), int(TickWord.DT) + 1


@kernel
def drive_block(
    before: IntArray, after: IntArray, words: IntArray, drive: FloatArray, drive_ints: IntArray, holds: bool
) -> int:
    """Write a state in which vehicles have been told how to drive, as commands do.

    Args:
        before: `(words,)` the block of the state now, read-only.
        after: `(words,)` the same with the commands; written. Where a command is none that is known here its content
            has no meaning.
        words: `(N,)` as of `make_ordinary_tick`.
        drive: `(D, 6)` numbers by which vehicles are driven, in the order of the commands.
        drive_ints: `(D, 4)` `DriveInt` of them.
        holds: whether that is a tick of no duration: its number is the next, and the ground is that of where vehicles
            are. Else the state is the one from which a tick starts.

    Returns:
        What is rare in it (`Rare`), 0 for nothing.
    """
    for k in range(before.shape[0]):
        after[k] = before[k]
    start, rows = int(after.ctypes.data), words[_W_ROWS]
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _COLUMNS, rows)
    ints = int_rows_at(start + 8 * words[_W_INTS], _INT_COLUMNS, rows)
    for number in range(drive.shape[0]):
        row = row_of_actor(ints, drive_ints[number, _ACTOR])
        if row < 0 or not drive_row(floats, ints, row, drive[number], drive_ints[number]):
            return _MODE
    if not holds:
        return 0
    after[TICK] += 1
    # of the real numbers among the words the length of the tick alone is read, which is 0
    return find_ground(words, np.zeros(_BEFORE_DT), start)


DRIVE_BLOCK = KernelLink(
    "dorosim.world.ordinary.drive_kernel",
    "drive_block",
    (kind.INTS, kind.NEW_INTS, kind.INTS, kind.NEW_FLOAT_ROWS, kind.NEW_INT_ROWS, types.boolean),
    kind.COUNT,
)
"""With the types by which `dorosim.world.ordinary.driven` calls it."""
