"""Where the tables of the states after quiet ticks lie: a line of numbers for each state, one behind the other.

A kernel writes the lines. A state knows its line and makes its tables when it is asked for them: most states of a run
are asked for nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dorosim.ground.column import Columns

if TYPE_CHECKING:
    from dorosim.world.storyboard.state import StoryboardState

TABLES = ("entity", "condition", "action")
"""The tables that quiet ticks change, in the order in which they lie in a line."""
LINES = 64
"""States of one memory, the one with which it begins among them. They stay while one of them does."""
_WORD = 8
"""Bytes of a number."""


class _Part(NamedTuple):
    """A table in a line: its class, how many rows it has, and where its floats, its ints and the next table begin."""

    kind: type[Columns]
    rows: int
    floats: int
    ints: int
    end: int


@cache
def _line_parts(kinds: tuple[type[Columns], ...], rows: tuple[int, ...]) -> tuple[_Part, ...]:
    """How tables with so many rows lie in a line."""
    parts, start = [], 0
    for kind, count in zip(kinds, rows, strict=True):
        ints = start + kind.float_width * count
        end = ints + len(kind.int_columns) * count
        parts.append(_Part(kind, count, start, ints, end))
        start = end
    return tuple(parts)


class QuietMemory:
    """The tables of entities, conditions and actions of a state, and room for those of the states after it.

    Args:
        first: a state of its own, from which all else comes that quiet ticks do not change.

    Attributes:
        first: as given.
        address: of line 0, which holds nothing yet; see `begin`.
        numbers: how many numbers a line has. stride: how many bytes.
        entity_ints: where the ints of the entities begin in a line, in bytes; their floats are at its start.
        has_driven: whether some entities are moved by others than the default controller.
    """

    def __init__(self, first: StoryboardState) -> None:
        self.first = first
        tables = [getattr(first, name) for name in TABLES]
        self._parts = _line_parts(tuple(map(type, tables)), tuple(one.rows for one in tables))
        self.numbers: int = self._parts[-1].end
        self.stride, self.entity_ints = self.numbers * _WORD, self._parts[0].ints * _WORD
        self.has_driven = bool(first.entity.mover.any())
        self._make_lines()

    def _make_lines(self) -> None:
        self._ints = np.empty((LINES, self.numbers), np.int64)
        self._floats = self._ints.view(np.float64)
        self.address: int = self._ints.__array_interface__["data"][0]

    @property
    def places(self) -> list[int]:
        """Where the blocks of the tables begin in a line, in bytes: floats and ints of each in turn."""
        return [_WORD * place for one in self._parts for place in (one.floats, one.ints)]

    def begin(self, *tables: Columns) -> None:
        """Write tables into line 0: the first ones of `TABLES`."""
        for part, table in zip(self._parts, tables, strict=False):
            self._floats[0, part.floats : part.ints] = table.floats.ravel()
            self._ints[0, part.ints : part.end] = table.ints.ravel()

    def after(self, line: int) -> QuietMemory:
        """A memory that begins with a line of this one."""
        made = object.__new__(QuietMemory)
        made.__dict__.update(self.__dict__)
        made._make_lines()
        made._ints[0] = self._ints[line]
        return made

    def tables(self, line: int) -> list[Columns]:
        """The tables of a line, read-only, in the order of `TABLES`."""
        floats, ints = self._floats[line], self._ints[line]
        # a kernel writes to later lines of this memory, so that only its views are read-only
        floats.flags.writeable = ints.flags.writeable = False
        return [
            one.kind(
                floats[one.floats : one.ints].reshape(one.kind.float_width, one.rows),
                ints[one.ints : one.end].reshape(len(one.kind.int_columns), one.rows),
            )
            for one in self._parts
        ]
