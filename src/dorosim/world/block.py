"""A state in one block of memory: the tables that change in every tick, end to end.

A step of the world that is made in compiled code (`dorosim.world.ordinary`) takes and gives a block, and nothing else
of what it changes. A Snapshot that was made so has its block and its *frame*, which is what did not change; it makes
its tables, views of the block, when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

import numpy as np

from dorosim.ground.column import Columns, IntArray

HEADER = 3
"""Words before the tables: tick, time [ns], and how many rows the last table has."""
TICK, TIME, CONTACTS = 0, 1, 2


class TablePlace:
    """Where a table lies in a block.

    Args:
        kind: class of the table.
        rows: how many it has.
        start: its first word in the block.

    Attributes:
        kind, rows: as given.
        floats, ints: its first word of each block of the table.
        end: the word after its last.
    """

    __slots__ = ("_floats", "_ints", "end", "floats", "ints", "kind", "rows")

    def __init__(self, kind: type[Columns], rows: int, start: int) -> None:
        self.kind, self.rows = kind, rows
        width, int_width = kind.float_width, len(kind.int_columns)
        self.floats, self.ints = start, start + width * rows
        self.end = self.ints + int_width * rows
        # shape, place and kind of number, ready for the constructor of arrays
        self._floats, self._ints = (width, rows), (int_width, rows)

    def of(self, block: IntArray) -> Columns:
        """The table in a block, as views of it: as read-only as the block."""
        return self.kind(
            _array(self._floats, _FLOAT, block, 8 * self.floats), _array(self._ints, _INT, block, 8 * self.ints)
        )


_array, _FLOAT, _INT = np.ndarray, np.dtype(np.float64), np.dtype(np.int64)


class BlockLayout:
    """Which tables a block has, and where: the same for all states with as many rows in each.

    Contacts come and go, so there is room for some, and a word at the beginning of a block says how many there are.

    Args:
        tables: path, class and rows of each, in order.
        contacts: class of the contacts.
        room: how many of them a block has room for.
        line: how many words the line of a storyboard has (`dorosim.world.storyboard.quiet_span`).

    Attributes:
        table: the place of each table, by its path.
        contacts: where the contacts begin.
        room: as given.
        line: where the line of the storyboard begins; it is the last thing in a block.
        words: length of a block.
    """

    __slots__ = ("_kind", "contacts", "line", "room", "table", "words")

    def __init__(
        self, tables: list[tuple[str, type[Columns], int]], contacts: type[Columns], room: int, line: int = 0
    ) -> None:
        self.table: dict[str, TablePlace] = {}
        self.words = HEADER
        for path, kind, rows in tables:
            place = TablePlace(kind, rows, self.words)
            self.table[path], self.words = place, place.end
        self.contacts, self.room, self._kind = self.words, room, contacts
        self.line = self.words + room * (contacts.float_width + len(contacts.int_columns))
        self.words = self.line + line

    def contacts_in(self, block: IntArray) -> Columns:
        """The contacts in a block, as views of it."""
        return TablePlace(self._kind, int(block[CONTACTS]), self.contacts).of(block)

    def packed(self, tick: int, time: int, tables: list[Columns], contacts: Columns) -> IntArray:
        """A new block of tables, in the order of the layout; writable, and nothing in its line.

        Args:
            tick: number of the tick.
            time: simulated time [ns].
            tables: as many rows each as the layout says.
            contacts: no more than there is room for.
        """
        block = np.empty(self.words, np.int64)
        block[TICK], block[TIME], block[CONTACTS] = tick, time, contacts.rows
        floats, ints = contacts.floats.reshape(-1).view(np.int64), contacts.ints.reshape(-1)
        block[self.contacts : self.line] = 0
        block[self.contacts : self.contacts + len(floats)] = floats
        block[self.contacts + len(floats) : self.contacts + len(floats) + len(ints)] = ints
        for place, table in zip(self.table.values(), tables, strict=True):
            block[place.floats : place.ints] = table.floats.reshape(-1).view(np.int64)
            block[place.ints : place.end] = table.ints.reshape(-1)
        return block


class BlockFrame(Protocol):
    """What a Snapshot in a block has besides it."""

    def fill(self, snapshot: Any, block: IntArray, name: str) -> object:
        """Give a Snapshot the attribute of a name, and perhaps others, that it has in its block or its frame.

        Returns:
            the attribute.

        Raises:
            AttributeError: there is none of this name.
        """


class InBlock:
    """A state that may have its tables in a block.

    Attributes:
        block: read-only; not set for a state whose tables are arrays of their own.
        frame: what its block does not hold; of a state without a block, that of the state before it.
    """

    __slots__: ClassVar[tuple[str, ...]] = ("block", "frame")
    block: IntArray
    frame: BlockFrame


def getter_of(kind: type[Any], name: str) -> Callable[[object], Any]:
    """What gets an attribute of a class with slots, quicker than by its name; AttributeError if it is not set."""
    getter: Callable[[object], Any] = getattr(kind, name).__get__
    return getter


def setter_of(kind: type[Any], name: str) -> Callable[[object, object], None]:
    """What sets an attribute of a class with slots, also where that says no to all others."""
    setter: Callable[[object, object], None] = getattr(kind, name).__set__
    return setter
