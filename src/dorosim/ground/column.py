"""State as a struct of arrays: a class is the table, one row per actor.

    class BodyState(Columns):
        x = real(METRE, "position of the body origin, east", frame="map")
        wheel_speed = reals(4, RADIAN_PER_SECOND, "FL FR RL RR")
        link = whole("index of the link under the body, -1 none")

    state = BodyState.zeros(3)
    state.x            # (3,) float64, a view
    state.real[BodyState.x.index]   # the same, as kernels see it

All real columns of a table share one `(columns, rows)` float64 block and all whole columns one int64 block,
so a table is copied, frozen and hashed in two calls however many columns it has, and a kernel takes two arrays.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.growable_array import GrowableArray, joined
from dorosim.ground.unit import NONE, Unit

RealArray = NDArray[np.float64]
WholeArray = NDArray[np.int64]
A = TypeVar("A", bound=NDArray[Any])


def read_only(array: A) -> A:
    """The array if it cannot be written, else a view that cannot: kernels are compiled for one kind of the two."""
    if not array.flags.writeable:
        return array
    view: A = array.view()
    view.flags.writeable = False
    return view


def writable(array: A) -> A:
    """The array if it can be written, else a copy: for kernels that are used while a snapshot is made, and after."""
    if array.flags.writeable:
        return array
    copy: A = array.copy()
    return copy


_FEW = 64
"""Numbers below this are compared sooner in Python than by numpy."""


def holds(column: WholeArray, value: int) -> bool:
    """Whether a column `(rows,)` holds a value; fast enough for callers that ask in every tick."""
    return value in column.tolist() if len(column) < _FEW else bool((column == value).any())


def row_of_id(ids: WholeArray, wanted: int) -> int:
    """Row of an id in a column `(rows,)` of ascending ids, -1 if there is none."""
    row = int(ids.searchsorted(wanted))
    return row if row < len(ids) and ids[row] == wanted else -1


class Column:
    """What a real and a whole column have in common: a name, its row in the block, unit and meaning."""

    def __init__(self, unit: Unit, doc: str, frame: str) -> None:
        self.name = ""
        self.index = -1
        self.unit = unit
        self.doc = doc
        self.frame = frame


class RealColumn(Column):
    """A column of float64, `(rows,)`, in SI units."""

    @overload
    def __get__(self, owner: None, kind: type[Columns]) -> RealColumn: ...
    @overload
    def __get__(self, owner: Columns, kind: type[Columns]) -> RealArray: ...
    def __get__(self, owner: Columns | None, kind: type[Columns]) -> RealColumn | RealArray:
        """The column's definition on the class, its values on a table."""
        return self if owner is None else owner.real[self.index]


class RealVector(Column):
    """Several float64 columns side by side, `(count, rows)`, in SI units: the wheels or axes of each actor."""

    def __init__(self, count: int, unit: Unit, doc: str, frame: str) -> None:
        super().__init__(unit, doc, frame)
        self.count = count

    @overload
    def __get__(self, owner: None, kind: type[Columns]) -> RealVector: ...
    @overload
    def __get__(self, owner: Columns, kind: type[Columns]) -> RealArray: ...
    def __get__(self, owner: Columns | None, kind: type[Columns]) -> RealVector | RealArray:
        """The column's definition on the class, its values on a table."""
        return self if owner is None else owner.real[self.index : self.index + self.count]


class WholeColumn(Column):
    """A column of int64, `(rows,)`."""

    @overload
    def __get__(self, owner: None, kind: type[Columns]) -> WholeColumn: ...
    @overload
    def __get__(self, owner: Columns, kind: type[Columns]) -> WholeArray: ...
    def __get__(self, owner: Columns | None, kind: type[Columns]) -> WholeColumn | WholeArray:
        """The column's definition on the class, its values on a table."""
        return self if owner is None else owner.whole[self.index]


def real(unit: Unit, doc: str, frame: str = "") -> RealColumn:
    """A float64 column in the SI unit of `unit`; `frame` names the frame of a vector's component."""
    return RealColumn(unit, doc, frame)


def reals(count: int, unit: Unit, doc: str, frame: str = "") -> RealVector:
    """`count` float64 columns under one name."""
    return RealVector(count, unit, doc, frame)


def whole(doc: str, unit: Unit = NONE) -> WholeColumn:
    """An int64 column: an id, an index, a code or a flag, or a number of units, as they are: nanoseconds."""
    return WholeColumn(unit, doc, "")


class Columns:
    """A table of actors. Subclasses list their columns; instances hold the two blocks.

    Attributes:
        key: names of the whole columns that identify a row, the first of them an actor id; `id` where there is one.
        real: `(real_width, rows)` float64.
        whole: `(whole columns, rows)` int64.
        rows: how many rows there are; faster than `len`.
    """

    real_columns: ClassVar[tuple[RealColumn | RealVector, ...]] = ()
    real_width: ClassVar[int] = 0
    whole_columns: ClassVar[tuple[WholeColumn, ...]] = ()
    key: ClassVar[tuple[str, ...]] = ()
    __slots__ = ("real", "rows", "whole")

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Give each column its name and its row in the block, in the order of the class body."""
        super().__init_subclass__(**kwargs)
        reals: list[RealColumn | RealVector] = []
        wholes: list[WholeColumn] = []
        cls.real_width = 0
        for name, column in vars(cls).items():
            if isinstance(column, RealColumn | RealVector):
                column.name, column.index = name, cls.real_width
                cls.real_width += column.count if isinstance(column, RealVector) else 1
                reals.append(column)
            elif isinstance(column, WholeColumn):
                column.name, column.index = name, len(wholes)
                wholes.append(column)
        cls.real_columns, cls.whole_columns = tuple(reals), tuple(wholes)
        if not cls.key and any(column.name == "id" for column in wholes):
            cls.key = ("id",)

    def __init__(self, real: RealArray, whole: WholeArray) -> None:
        self.real = real
        self.whole = whole
        self.rows: int = real.shape[1]

    @classmethod
    def zeros(cls, rows: int) -> Self:
        """A writable table of zeros."""
        return cls(np.zeros((cls.real_width, rows)), np.zeros((len(cls.whole_columns), rows), np.int64))

    def __len__(self) -> int:
        """The number of rows."""
        return self.rows

    def copy(self) -> Self:
        """A writable copy."""
        return type(self)(self.real.copy(), self.whole.copy())

    def freeze(self) -> Self:
        """Make both blocks read-only, and return the table itself."""
        self.real.flags.writeable = False
        self.whole.flags.writeable = False
        return self

    def append(self, other: Self, growth: GrowableArray | None = None) -> Self:
        """A new, writable table with the rows of `other` after the rows of this one.

        Args:
            other: rows to add.
            growth: of a caller that adds many tables one by one; its tables are not contiguous, see `packed`.
        """
        return type(self)(joined(self.real, other.real, growth, 1), joined(self.whole, other.whole, growth, 1))

    def packed(self) -> Self:
        """The table with contiguous blocks, as kernels need them: the very same if they are, else a writable copy."""
        return self if self.real.flags.c_contiguous and self.whole.flags.c_contiguous else self.copy()

    def without_row(self, row: int, growth: GrowableArray) -> Self:
        """A new, writable table of all rows but one, with room to add others by the growth; see `packed`."""
        return type(self)(growth.cut(self.real, row, row + 1, 1), growth.cut(self.whole, row, row + 1, 1))

    def row_of(self, actor: int) -> int:
        """Row of an actor in a table that is sorted by its ids, -1 if there is none of this id."""
        return row_of_id(getattr(self, self.key[0]), actor)

    def take(self, rows: NDArray[np.bool_] | WholeArray) -> Self:
        """A new, writable table of some rows, given by their numbers or by a flag each."""
        return type(self)(np.ascontiguousarray(self.real[:, rows]), np.ascontiguousarray(self.whole[:, rows]))
