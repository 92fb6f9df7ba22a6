"""Rows of the storyboard's tables as objects while a tick is made: attributes are quicker one by one than columns.

The functions that make rows of a table and a table of rows are written for each class of table by its columns, since
loops over names take several times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self, TypeVar

import numpy as np

from dorosim.ground.column import Columns, FloatVector
from dorosim.world.storyboard.state import ElementState

C = TypeVar("C", bound=Columns)


class TableRow:
    """A row of a table: an attribute for each column."""

    @classmethod
    def of_table(cls, table: Columns) -> list[Any]:
        """All rows of a table."""
        if not table.rows:
            return []
        found = [cls() for _ in range(table.rows)]
        _filler_of(type(table))(found, table.floats.T.tolist(), table.ints.T.tolist())
        return found

    @classmethod
    def new(cls, kind: type[Columns]) -> Self:
        """A row of zeros for a table of a kind."""
        (row,) = cls.of_table(kind.zeros(1))
        made: Self = row
        return made


def table_of_rows(kind: type[C], rows: Sequence[TableRow]) -> C:
    """A read-only table of rows."""
    if not rows:
        return kind.zeros(0).freeze()
    floats, ints = _reader_of(kind)(rows)
    return kind(np.array(floats, np.float64).T.copy(), np.array(ints, np.int64).T.copy()).freeze()


Filler = Callable[[list[Any], list[list[float]], list[list[int]]], None]
Reader = Callable[[Sequence[Any]], tuple[list[Any], list[Any]]]
_FILLERS: dict[type[Columns], Filler] = {}
_READERS: dict[type[Columns], Reader] = {}


def _filler_of(kind: type[Columns]) -> Filler:
    if kind not in _FILLERS:
        _FILLERS[kind] = _filler(kind)
    return _FILLERS[kind]


def _reader_of(kind: type[Columns]) -> Reader:
    if kind not in _READERS:
        _READERS[kind] = _reader(kind)
    return _READERS[kind]


def _filler(kind: type[Columns]) -> Filler:
    """A function that gives rows the values of the lines of a table: floats and ints."""
    lines = []
    if any(isinstance(one, FloatVector) for one in kind.float_columns):
        lines += [f"row.{name} = reals[{place}]" for name, place in _places(kind)]
    elif kind.float_columns:
        lines.append(f"{_all_of(kind.float_columns)} = reals")
    if kind.int_columns:
        lines.append(f"{_all_of(kind.int_columns)} = wholes")
    body = "".join(f"        {one}\n" for one in lines)
    return _written(f"def made(rows, floats, ints):\n    for row, reals, wholes in zip(rows, floats, ints):\n{body}")


def _reader(kind: type[Columns]) -> Reader:
    """A function that gives the lines of floats and ints of rows."""
    floats = "".join(
        f"*row.{one.name}, " if isinstance(one, FloatVector) else f"row.{one.name}, " for one in kind.float_columns
    )
    ints = _all_of(kind.int_columns) if kind.int_columns else ""
    lines = f"    floats = [({floats}) for row in rows]\n    ints = [({ints}) for row in rows]\n"
    return _written(f"def made(rows):\n{lines}    return floats, ints\n")


def _all_of(columns: Sequence[Any]) -> str:
    return "".join(f"row.{one.name}, " for one in columns)


def _places(kind: type[Columns]) -> Iterator[tuple[str, str]]:
    """The float columns, and where in a line each is."""
    for one in kind.float_columns:
        if isinstance(one, FloatVector):
            yield one.name, f"{one.index}:{one.index + one.count}"
        else:
            yield one.name, f"{one.index}"


def _written(source: str) -> Callable[..., Any]:
    space: dict[str, Callable[..., Any]] = {}
    exec(source, space)
    return space["made"]


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
