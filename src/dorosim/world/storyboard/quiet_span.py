"""A span of quiet ticks, in which only few tables change: those of one state lie in one line of numbers.

A kernel writes the line. A state knows its line and makes its tables when it is asked for them: most states of a run
are asked for nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from dorosim.ground.column import Columns, IntArray
from dorosim.world.storyboard.mover import Mover

TABLES = ("entity", "condition", "action", "order")
"""The tables that quiet ticks change, in the order in which they lie in a line."""
_ORDERED = (Mover.DYNAMICS, Mover.DRIVER)
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


class SpanStart(Protocol):
    """The state before a span, a `StoryboardState`: when the storyboard started [ns], and its entities."""

    @property
    def started(self) -> int: ...  # noqa: D102 - the class says what it is

    @property
    def entity(self) -> Any: ...  # noqa: D102 - the class says what it is


class QuietSpan:
    """What the states of a span have in common.

    Args:
        first: the state before it, which belongs to no span itself, so that spans do not keep one another.

    Attributes:
        first: as given. started: as of it.
        numbers: how many numbers a line has.
        entities: how many there are. entity_ints: where their ints begin in a line, in bytes; floats are at its start.
        has_driven: whether some entities are moved by others than the default controller.
        has_orders: whether some of these have orders of the storyboard.
    """

    def __init__(self, first: SpanStart) -> None:
        self.first, self.started = first, first.started
        tables = [getattr(first, name) for name in TABLES]
        self._parts = _line_parts(tuple(map(type, tables)), tuple(one.rows for one in tables))
        self.numbers, self.entities = self._parts[-1].end, self._parts[0].rows
        self.entity_ints = self._parts[0].ints * _WORD
        movers = first.entity.mover.tolist()
        self.has_driven, self.has_orders = any(movers), any(one in _ORDERED for one in movers)

    @property
    def places(self) -> list[int]:
        """Where the blocks of the tables begin in a line, in bytes: floats and ints of each in turn."""
        return [_WORD * place for one in self._parts for place in (one.floats, one.ints)]

    def line_of(self, *tables: Columns) -> IntArray:
        """A line that begins with some tables, which are the first ones of `TABLES`."""
        line = np.empty(self.numbers, np.int64)
        floats = line.view(np.float64)
        for part, table in zip(self._parts, tables, strict=False):
            floats[part.floats : part.ints] = table.floats.ravel()
            line[part.ints : part.end] = table.ints.ravel()
        return line

    def with_first(self, line: IntArray, table: Columns) -> IntArray:
        """Another line that has the same tables but for the first one of `TABLES`."""
        made, end = line.copy(), self._parts[0].end
        made[:end] = self.line_of(table)[:end]
        return made

    def table(self, line: IntArray, name: str) -> Columns:
        """One of the tables of a line, read-only, by its name among `TABLES`."""
        one = self._parts[TABLES.index(name)]
        floats = _array((one.kind.float_width, one.rows), _FLOAT, line, _WORD * one.floats)
        ints = _array((len(one.kind.int_columns), one.rows), _INT, line, _WORD * one.ints)
        floats.flags.writeable = ints.flags.writeable = False
        return one.kind(floats, ints)


_array, _FLOAT, _INT = np.ndarray, np.dtype(np.float64), np.dtype(np.int64)
