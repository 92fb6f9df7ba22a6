"""Rows of the storyboard's tables as objects while a tick is made: attributes are quicker one by one than columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeVar

import numpy as np

from dorosim.ground.column import Columns
from dorosim.world.storyboard.state import ElementState

C = TypeVar("C", bound=Columns)


class TableRow:
    """A row of a table: an attribute for each column."""

    table: type[Columns]

    @classmethod
    def of_table(cls, table: Columns) -> list[Any]:
        """All rows of a table."""
        names, vectors = _names(type(table))
        floats, ints = table.floats.T.tolist(), table.ints.T.tolist()
        found = []
        for reals, wholes in zip(floats, ints, strict=True):
            row = cls.__new__(cls)
            for name, (start, count) in vectors.items():
                setattr(row, name, reals[start : start + count])
            for name, at in names:
                setattr(row, name, reals[at])
            for column, value in zip(table.int_columns, wholes, strict=True):
                setattr(row, column.name, value)
            found.append(row)
        return found

    @classmethod
    def new(cls, kind: type[Columns]) -> Self:
        """A row of zeros for a table of a kind."""
        (row,) = cls.of_table(kind.zeros(1))
        made: Self = row
        return made


def table_of_rows(kind: type[C], rows: Sequence[TableRow]) -> C:
    """A read-only table of rows."""
    table = kind.zeros(len(rows))
    if not rows:
        return table.freeze()
    names, vectors = _names(kind)
    if names or vectors:
        reals = []
        for row in rows:
            line = [0.0] * kind.float_width
            for name, at in names:
                line[at] = getattr(row, name)
            for name, (start, count) in vectors.items():
                line[start : start + count] = getattr(row, name)
            reals.append(line)
        table.floats[...] = np.array(reals).T
    table.ints[...] = np.array([[getattr(row, one.name) for one in kind.int_columns] for row in rows], np.int64).T
    return table.freeze()


_KNOWN: dict[type[Columns], tuple[list[tuple[str, int]], dict[str, tuple[int, int]]]] = {}


def _names(kind: type[Columns]) -> tuple[list[tuple[str, int]], dict[str, tuple[int, int]]]:
    """The single float columns of a table with their places, and its vectors with place and width."""
    if kind not in _KNOWN:
        single, vectors = [], {}
        for one in kind.float_columns:
            count = getattr(one, "count", 0)
            if count:
                vectors[one.name] = (one.index, count)
            else:
                single.append((one.name, one.index))
        _KNOWN[kind] = (single, vectors)
    return _KNOWN[kind]


class ElementRow(TableRow):
    """An element, as of `ElementTable`."""

    state: int
    transition: int
    changed: int
    executions: int
    started: int
    ended: int
    stopped: int
    skipped: int


class ConditionRow(TableRow):
    """A condition, as of `ConditionTable`."""

    value: float
    met: int
    counts: int
    seen: int


class ActionRow(TableRow):
    """An action of an actor, as of `ActionTable`."""

    memory: list[float]
    state: int
    phase: int
    since: int

    @property
    def is_running(self) -> bool:
        """Whether it runs."""
        return self.state == ElementState.RUNNING

    def finish(self) -> None:
        """It is done."""
        self.state = int(ElementState.COMPLETE)


class EntityRow(TableRow):
    """An entity, as of `EntityTable`.

    Attributes:
        moved: domains in which an action has moved it in this tick, bits of `Domain`.
    """

    x: float
    y: float
    z: float
    heading: float
    pitch: float
    roll: float
    speed: float
    velocity_x: float
    velocity_y: float
    velocity_z: float
    acceleration_x: float
    acceleration_y: float
    acceleration_z: float
    yaw_rate: float
    s: float
    t: float
    offset: float
    turn: float
    lift: float
    tilt: float
    lean: float
    travelled: float
    actor: int
    mover: int
    present: int
    road: int
    lane: int
    still_since: int
    off_road_since: int
    end_of_road_since: int
    hidden: int
    free: int
    route: int
    placed: int
    moved: int = 0


class SignalRow(TableRow):
    """A traffic light or controller, as of `SignalTable`."""

    state: int
    since: int
