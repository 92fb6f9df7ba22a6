"""State as a struct of arrays: a class is the table, one row per actor.

    class BodyState(Columns):
        x = real(METRE, "position of the body origin, east", frame="map")
        wheel_speed = reals(4, RADIAN_PER_SECOND, "FL FR RL RR")
        link = whole("index of the link under the body, -1 none")

    state = BodyState.zeros(3)
    state.x            # (3,) float64, a view
    state.floats[BodyState.at.x]      # the same, as kernels see it

All float columns of a table share one `(columns, rows)` float64 block and all int columns one int64 block,
so a table is copied, frozen and hashed in two calls however many columns it has, and a kernel takes two arrays.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, ClassVar, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.growable_array import GrowableArray, joined
from dorosim.ground.unit import NONE, Unit

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
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


def holds(column: IntArray, value: int) -> bool:
    """Whether a column `(rows,)` holds a value; fast enough for callers that ask in every tick."""
    return value in column.tolist() if len(column) < _FEW else bool((column == value).any())


def row_of_id(ids: IntArray, wanted: int) -> int:
    """Row of an id in a column `(rows,)` of ascending ids, -1 if there is none."""
    row = int(ids.searchsorted(wanted))
    return row if row < len(ids) and ids[row] == wanted else -1


class Column:
    """What a float and an int column have in common: a name, its row in the block, unit and meaning."""

    def __init__(self, unit: Unit, doc: str, frame: str) -> None:
        self.name = ""
        self.index = -1
        self.unit = unit
        self.doc = doc
        self.frame = frame


class FloatColumn(Column):
    """A column of float64, `(rows,)`, in SI units."""

    @overload
    def __get__(self, owner: None, kind: type[Columns]) -> FloatColumn: ...
    @overload
    def __get__(self, owner: Columns, kind: type[Columns]) -> FloatArray: ...
    def __get__(self, owner: Columns | None, kind: type[Columns]) -> FloatColumn | FloatArray:
        """The column's definition on the class, its values on a table."""
        return self if owner is None else owner.floats[self.index]


class FloatVector(Column):
    """Several float64 columns side by side, `(count, rows)`, in SI units: the wheels or axes of each actor."""

    def __init__(self, count: int, unit: Unit, doc: str, frame: str) -> None:
        super().__init__(unit, doc, frame)
        self.count = count

    @overload
    def __get__(self, owner: None, kind: type[Columns]) -> FloatVector: ...
    @overload
    def __get__(self, owner: Columns, kind: type[Columns]) -> FloatArray: ...
    def __get__(self, owner: Columns | None, kind: type[Columns]) -> FloatVector | FloatArray:
        """The column's definition on the class, its values on a table."""
        return self if owner is None else owner.floats[self.index : self.index + self.count]


class IntColumn(Column):
    """A column of int64, `(rows,)`."""

    @overload
    def __get__(self, owner: None, kind: type[Columns]) -> IntColumn: ...
    @overload
    def __get__(self, owner: Columns, kind: type[Columns]) -> IntArray: ...
    def __get__(self, owner: Columns | None, kind: type[Columns]) -> IntColumn | IntArray:
        """The column's definition on the class, its values on a table."""
        return self if owner is None else owner.ints[self.index]


def float64(unit: Unit, doc: str, frame: str = "") -> FloatColumn:
    """A float64 column in the SI unit of `unit`; `frame` names the frame of a vector's component."""
    return FloatColumn(unit, doc, frame)


def float64_vector(count: int, unit: Unit, doc: str, frame: str = "") -> FloatVector:
    """`count` float64 columns under one name."""
    return FloatVector(count, unit, doc, frame)


def int64(doc: str, unit: Unit = NONE) -> IntColumn:
    """An int64 column: an id, an index, a code or a flag, or a number of units, as they are: nanoseconds."""
    return IntColumn(unit, doc, "")


class Columns:
    """A table of actors. Subclasses list their columns; instances hold the two blocks.

    Attributes:
        key: names of the int columns that identify a row, the first of them an actor id; `id` where there is one.
        floats: `(float_width, rows)` float64.
        ints: `(int columns, rows)` int64.
        rows: how many rows there are; faster than `len`.
        at: row of each column in its block, by the columns' names, of a vector the first one's; a module object, since
            numba takes its ints as literals.
    """

    float_columns: ClassVar[tuple[FloatColumn | FloatVector, ...]] = ()
    float_width: ClassVar[int] = 0
    int_columns: ClassVar[tuple[IntColumn, ...]] = ()
    key: ClassVar[tuple[str, ...]] = ()
    at: ClassVar[Any] = ()
    __slots__ = ("floats", "ints", "rows")

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Give each column its name and its row in the block, in the order of the class body."""
        super().__init_subclass__(**kwargs)
        float_list: list[FloatColumn | FloatVector] = []
        int_list: list[IntColumn] = []
        cls.float_width = 0
        for name, column in vars(cls).items():
            if isinstance(column, FloatColumn | FloatVector):
                column.name, column.index = name, cls.float_width
                cls.float_width += column.count if isinstance(column, FloatVector) else 1
                float_list.append(column)
            elif isinstance(column, IntColumn):
                column.name, column.index = name, len(int_list)
                int_list.append(column)
        cls.float_columns, cls.int_columns = tuple(float_list), tuple(int_list)
        rows = {column.name: column.index for column in (*float_list, *int_list)}
        cls.at = ModuleType(f"{cls.__name__}.at")
        vars(cls.at).update(rows)
        if not cls.key and any(column.name == "id" for column in int_list):
            cls.key = ("id",)

    def __init__(self, floats: FloatArray, ints: IntArray) -> None:
        self.floats = floats
        self.ints = ints
        self.rows: int = floats.shape[1]

    @classmethod
    def zeros(cls, rows: int) -> Self:
        """A writable table of zeros."""
        return cls(np.zeros((cls.float_width, rows)), np.zeros((len(cls.int_columns), rows), np.int64))

    def __len__(self) -> int:
        """The number of rows."""
        return self.rows

    def copy(self) -> Self:
        """A writable copy."""
        return type(self)(self.floats.copy(), self.ints.copy())

    def freeze(self) -> Self:
        """Make both blocks read-only, and return the table itself."""
        self.floats.flags.writeable = False
        self.ints.flags.writeable = False
        return self

    def append(self, other: Self, growth: GrowableArray | None = None) -> Self:
        """A new, writable table with the rows of `other` after the rows of this one.

        Args:
            other: rows to add.
            growth: of a caller that adds many tables one by one; its tables are not contiguous, see `packed`.
        """
        return type(self)(joined(self.floats, other.floats, growth, 1), joined(self.ints, other.ints, growth, 1))

    def packed(self) -> Self:
        """The table with contiguous blocks, as kernels need them: the very same if they are, else a writable copy."""
        return self if self.floats.flags.c_contiguous and self.ints.flags.c_contiguous else self.copy()

    def without_row(self, row: int, growth: GrowableArray) -> Self:
        """A new, writable table of all rows but one, with room to add others by the growth; see `packed`."""
        return type(self)(growth.cut(self.floats, row, row + 1, 1), growth.cut(self.ints, row, row + 1, 1))

    def row_of(self, actor: int) -> int:
        """Row of an actor in a table that is sorted by its ids, -1 if there is none of this id."""
        return row_of_id(getattr(self, self.key[0]), actor)

    def take(self, rows: NDArray[np.bool_] | IntArray) -> Self:
        """A new, writable table of some rows, given by their numbers or by a flag each."""
        return type(self)(np.ascontiguousarray(self.floats[:, rows]), np.ascontiguousarray(self.ints[:, rows]))
