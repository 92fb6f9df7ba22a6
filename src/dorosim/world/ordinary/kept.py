"""What of snapshots that compiled ticks make is as it was, and where in their blocks the rest is.

For what looks at each tick, and is to cost next to nothing while nothing happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dorosim.ground.column import FloatVector, IntArray
from dorosim.world.block import CONTACTS, InBlock, getter_of

if TYPE_CHECKING:
    from dorosim.world.ordinary.frame import TickFrame
    from dorosim.world.snapshot import Snapshot

_block_of, _frame_of = getter_of(InBlock, "block"), getter_of(InBlock, "frame")


def has_contacts(block: IntArray) -> bool:
    """Whether bodies touch in a state: what compiled code makes of states in blocks leaves those to Python."""
    return bool(block[CONTACTS])


def kept_frame(now: Snapshot) -> TickFrame | None:
    """The frame of a snapshot in a block, None of one without, and while there are contacts.

    While it is the same object from one snapshot to the next, nothing has changed but tick, time and what the block
    holds, tables and the line of a storyboard, so what looks for changes of anything else need not look.
    """
    try:
        block, frame = _block_of(now), _frame_of(now)
    except AttributeError:
        return None
    return None if block[CONTACTS] else frame


def words_of(frame: TickFrame, table: str, vector: FloatVector) -> slice:
    """Where the numbers of a vector of columns stand in the blocks of a frame, as words of 64 bits.

    Args:
        frame: of the blocks.
        table: path of the table in a snapshot.
        vector: the columns.
    """
    place = frame.layout.table[table]
    start = place.floats + vector.index * place.rows
    return slice(start, start + vector.count * place.rows)
