"""What is hashed of states in blocks: pieces of memory, without the tables that are views of them."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from dorosim.ground.column import Columns, IntArray
from dorosim.world.block import CONTACTS, BlockLayout
from dorosim.world.collision.contact import ContactTable
from dorosim.world.snapshot import STATE, Snapshot, bytes_of, hashed_of, sizes_of

_CLOCKS = 2
"""So many plain values come first that change in each tick: its number, and the time."""
_LIGHTS = ("signal.light.floats", "signal.light.ints", "signal.link.floats", "signal.link.ints")
"""Arrays that are not in a block, and that lights change."""
_CONTACT_WORDS = ContactTable.float_width + len(ContactTable.int_columns)


class _Group(NamedTuple):
    """Arrays of a state side by side: a table of a block, or one of `_LIGHTS` by its number, or what stays."""

    begin: int
    end: int
    table: str = ""
    light: int = -1


@lru_cache(1)
def _groups(tables: tuple[str, ...]) -> tuple[_Group, ...]:
    """All arrays of a state without a storyboard; `tables`: those of a block."""

    def name(path: str) -> tuple[str, int]:
        table = path.rpartition(".")[0]
        return table if table in tables else "", _LIGHTS.index(path) if path in _LIGHTS else -1

    found, begin = [], 0
    for (table, light), paths in groupby(_PATHS, name):
        found.append(_Group(begin, begin + len(list(paths)), table, light))
        begin = found[-1].end
    return tuple(found)


_PATHS = tuple(path for path in STATE.array_paths if not path.startswith("storyboard."))


class HashedParts:
    """The pieces of the digest of all states whose frames differ in lights at most.

    What stays is put together once, with the second digest: for one alone that would take longer than to do without.

    Args:
        layout: of their blocks.
    """

    __slots__ = ("_contact_sizes", "_is_asked", "_layout", "_pieces", "_plain", "_sizes")

    def __init__(self, layout: BlockLayout) -> None:
        self._layout, self._is_asked = layout, False
        # bytes that stay, words of the block, the number of one of _LIGHTS, or None for the contacts
        self._pieces: list[bytes | slice | int | None] = []

    def of(self, snapshot: Snapshot, block: IntArray, light: Columns, link: Columns) -> list[Any] | None:
        """What is hashed of a state without a storyboard, in its order; None if that is to be had of its tables.

        Args:
            snapshot: the state.
            block: that it is in.
            light: its lights, which are in its frame.
            link: what these let links do.
        """
        if not self._pieces:
            if not self._is_asked:
                self._is_asked = True
                return None
            self._prepare(snapshot)
        sizes, words, contacts = self._sizes[:], block.data, int(block[CONTACTS])
        for place in self._contact_sizes:
            sizes[place] = contacts
        lights = (light.floats, light.ints, link.floats, link.ints)
        parts: list[Any] = [bytes_of(snapshot.tick), bytes_of(snapshot.time), self._plain, sizes]
        for piece in self._pieces:
            if type(piece) is bytes:
                parts.append(piece)
            elif type(piece) is slice:
                parts.append(words[piece])
            elif type(piece) is int:
                parts.append(np.ascontiguousarray(lights[piece]))
            else:
                begin = self._layout.contacts
                parts.append(words[begin : begin + contacts * _CONTACT_WORDS])
        return parts

    def _prepare(self, snapshot: Snapshot) -> None:
        places = self._layout.table
        plain, arrays = hashed_of(snapshot)
        self._plain, self._sizes = b"".join(map(bytes_of, plain[_CLOCKS:])), sizes_of(arrays)
        pieces: list[bytes | slice | int | None] = []
        for begin, end, table, light in _groups((*places, "contact")):
            if light >= 0:
                pieces.append(light)
            elif not table:
                pieces.append(b"".join([one.tobytes() for one in arrays[begin:end]]))
            elif table in places:
                # floats and ints, in a block as here
                pieces.append(slice(places[table].floats, places[table].end))
            else:
                pieces.append(None)
                before = sum(one.ndim for one in arrays[:begin])
                self._contact_sizes = before + 1, before + 3
        self._pieces = pieces  # the last thing, since another thread may ask for a digest now
