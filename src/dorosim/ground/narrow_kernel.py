"""Tables in scratch memory that take fewer lines of the processor's caches than arrays of 64-bit numbers.

A kernel that goes over more vehicles than the caches hold waits for memory, not for arithmetic. So numbers of rows are
kept in 32 bits, marks in 8, and both are read and written as any whole number; and a table that is sorted by place
reads columns of another one, sorted by id, through the number of a row that each of its own rows has.

As bare arrays (`dorosim.ground.bare_kernel`) these are an address and a shape; who made the memory keeps it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeVar, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, models, register_model

from dorosim.ground.bare_kernel import BareType, ItemsType, parts_of_index
from dorosim.ground.column import IntArray

A = TypeVar("A")

_STORED = {8: types.int8, 32: types.int32}
_WORD = ir.IntType(64)


class NarrowType(ItemsType):
    """The type of whole numbers of some bits in memory, in one or two dimensions; kernels see 64 bits."""

    def __init__(self, bits: int, ndim: int) -> None:
        self.bits, self.ndim, self.dtype, self.mutable = bits, ndim, types.int64, True
        super().__init__(f"Narrow({bits}, {ndim})")


class BehindType(ItemsType):
    """The type of columns `(M, ...)` of a bare table, by rows of another table that have the numbers of its rows."""

    def __init__(self, table: BareType) -> None:
        self.table, self.ndim, self.dtype, self.mutable = table, 2, table.dtype, table.mutable
        super().__init__(f"Behind({table.name})")


@register_model(NarrowType)
class _NarrowModel(models.StructModel):  # type: ignore[misc]
    """Address of the first number, and the shape."""

    def __init__(self, manager: Any, kind: NarrowType) -> None:
        members = [("data", types.CPointer(_STORED[kind.bits])), ("shape", types.UniTuple(types.intp, kind.ndim))]
        super().__init__(manager, kind, members)


@register_model(BehindType)
class _BehindModel(models.StructModel):  # type: ignore[misc]
    """The table, where the number of the first row is, and how many numbers lie between two rows."""

    def __init__(self, manager: Any, kind: BehindType) -> None:
        members = [("table", kind.table), ("row", types.CPointer(types.int32)), ("step", types.intp)]
        super().__init__(manager, kind, members)


def _narrow(bits: int, ndim: int) -> Any:
    """An intrinsic that makes a narrow table of an address and its shape."""
    kind = NarrowType(bits, ndim)

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        view = cgutils.create_struct_proxy(kind)(context, builder)
        view.data = builder.inttoptr(arguments[0], ir.IntType(bits).as_pointer())
        view.shape = cgutils.pack_array(builder, arguments[1:])
        return view._getvalue()

    if ndim == 1:

        def of_list(_typing: Any, _address: Any, _count: Any) -> Any:
            return kind(types.int64, types.intp), code

        return of_list

    def of_rows(_typing: Any, _address: Any, _rows: Any, _columns: Any) -> Any:
        return kind(types.int64, types.intp, types.intp), code

    return of_rows


narrow_list_at = cast(Callable[[int, int], IntArray], intrinsic(_narrow(32, 1)))
"""So many whole numbers of 32 bits at an address."""

narrow_rows_at = cast(Callable[[int, int, int], IntArray], intrinsic(_narrow(32, 2)))
"""The same in rows and columns."""

marks_at = cast(Callable[[int, int], IntArray], intrinsic(_narrow(8, 1)))
"""So many marks of 8 bits at an address; threads may write marks beside each other."""


def _columns_behind(_typing: Any, table: Any, rows: Any, _column: Any) -> Any:
    """Type and code of `columns_behind`, in numba's terms."""
    if not (isinstance(table, BareType) and table.ndim == 2 and isinstance(rows, NarrowType) and rows.bits == 32):
        return None
    kind = BehindType(table)

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        numbers = cgutils.create_struct_proxy(rows)(context, builder, value=arguments[1])
        view = cgutils.create_struct_proxy(kind)(context, builder)
        view.table, view.row = arguments[0], builder.gep(numbers.data, [arguments[2]])
        view.step = builder.extract_value(numbers.shape, 1)
        return view._getvalue()

    return kind(table, rows, types.intp), code


columns_behind = cast(Callable[[A, IntArray, int], A], intrinsic(_columns_behind))
"""The columns of a bare table, by the rows of a narrow one whose column of a number names the table's rows."""


def _narrow_place(context: Any, builder: Any, kind: NarrowType, value: Any, parts: list[Any]) -> Any:
    """Where a number of a narrow table is."""
    view = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    place = parts[0]
    if kind.ndim == 2:
        place = builder.add(builder.mul(place, builder.extract_value(view.shape, 1)), parts[1])
    return builder.gep(view.data, [place], inbounds=True)


def _place_behind(context: Any, builder: Any, kind: BehindType, value: Any, parts: list[Any]) -> Any:
    """Where a number of a column is, by a row of the table that names the column's rows."""
    view = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    table = cgutils.create_struct_proxy(kind.table)(context, builder, value=view.table)
    row = builder.load(builder.gep(view.row, [builder.mul(parts[1], view.step)], inbounds=True))
    columns = builder.mul(parts[0], builder.extract_value(table.shape, 1))
    return builder.gep(table.data, [builder.add(columns, builder.sext(row, _WORD))], inbounds=True)


@lower_builtin(operator.getitem, NarrowType, types.Any)  # type: ignore[untyped-decorator]
def _get_narrow(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    kind, index = found.args
    parts = parts_of_index(context, builder, index, arguments[1])
    return builder.sext(builder.load(_narrow_place(context, builder, kind, arguments[0], parts)), _WORD)


@lower_builtin(operator.setitem, NarrowType, types.Any, types.Any)  # type: ignore[untyped-decorator]
def _set_narrow(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    kind, index, _ = found.args
    place = _narrow_place(context, builder, kind, arguments[0], parts_of_index(context, builder, index, arguments[1]))
    builder.store(builder.trunc(arguments[2], ir.IntType(kind.bits)), place)
    return context.get_dummy_value()


@lower_builtin(operator.getitem, BehindType, types.Any)  # type: ignore[untyped-decorator]
def _get_behind(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    kind, index = found.args
    return builder.load(
        _place_behind(context, builder, kind, arguments[0], parts_of_index(context, builder, index, arguments[1]))
    )


@lower_builtin(operator.setitem, BehindType, types.Any, types.Any)  # type: ignore[untyped-decorator]
def _set_behind(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    kind, index, _ = found.args
    place = _place_behind(context, builder, kind, arguments[0], parts_of_index(context, builder, index, arguments[1]))
    builder.store(arguments[2], place)
    return context.get_dummy_value()
