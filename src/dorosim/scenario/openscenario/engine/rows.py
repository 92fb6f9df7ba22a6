"""Rows of the storyboard's tables as objects while a tick is made: attributes are quicker one by one than columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from dorosim.ground.column import Columns, FloatVector
from dorosim.world.storyboard.state import ElementState

C = TypeVar("C", bound=Columns)


class TableRow:
    """A row of a table: an attribute for each column."""

    table: type[Columns]

    @classmethod
    def of_table(cls, table: Columns) -> list[Any]:
        """All rows of a table."""
        layout = _layout(type(table))
        found = []
        for reals, wholes in zip(table.floats.T.tolist(), table.ints.T.tolist(), strict=True):
            row = cls.__new__(cls)
            values = row.__dict__
            for name, start, end in layout.vectors:
                values[name] = reals[start:end]
            values.update(zip(layout.floats, layout.singles(reals) if layout.vectors else reals, strict=True))
            values.update(zip(layout.ints, wholes, strict=True))
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
    layout = _layout(kind)
    if layout.vectors:
        for at, row in enumerate(rows):
            for name, start, end in layout.vectors:
                table.floats[start:end, at] = getattr(row, name)
    if layout.floats:
        found = np.array([layout.floats_of(row) for row in rows]).T
        if layout.vectors:
            table.floats[list(layout.places)] = found
        else:
            table.floats[...] = found
    table.ints[...] = np.array([layout.ints_of(row) for row in rows], np.int64).T
    return table.freeze()


class _Layout(NamedTuple):
    """The columns of a table: names of the single floats and of the ints, vectors with their first and last place.

    `floats_of` and `ints_of` give what a row has of them; `singles` the single floats of all floats of a line.
    """

    floats: tuple[str, ...]
    places: tuple[int, ...]
    vectors: tuple[tuple[str, int, int], ...]
    ints: tuple[str, ...]
    floats_of: Callable[[object], tuple[float, ...]]
    ints_of: Callable[[object], tuple[int, ...]]
    singles: Callable[[Sequence[float]], tuple[float, ...]]


_KNOWN: dict[type[Columns], _Layout] = {}


def _layout(kind: type[Columns]) -> _Layout:
    """The columns of a table."""
    if kind not in _KNOWN:
        _KNOWN[kind] = _new_layout(kind)
    return _KNOWN[kind]


def _new_layout(kind: type[Columns]) -> _Layout:
    single = [one for one in kind.float_columns if not isinstance(one, FloatVector)]
    vectors = [one for one in kind.float_columns if isinstance(one, FloatVector)]
    floats, places = tuple(one.name for one in single), tuple(one.index for one in single)
    ints = tuple(one.name for one in kind.int_columns)
    return _Layout(
        floats,
        places,
        tuple((one.name, one.index, one.index + one.count) for one in vectors),
        ints,
        _several(attrgetter, floats),
        _several(attrgetter, ints),
        _several(itemgetter, places),
    )


def _several(make: Callable[..., Any], names: Sequence[str | int]) -> Callable[[Any], tuple[Any, ...]]:
    """A getter that gives a tuple also of one name, or of none."""
    if not names:
        return lambda _: ()
    getter = make(*names)
    return getter if len(names) > 1 else lambda one: (getter(one),)


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
