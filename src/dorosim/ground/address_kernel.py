"""Arrays by their addresses: a kernel that takes many tables takes one array of addresses, which costs less than each.

Whoever writes an address keeps what lies there as long as a kernel may read it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel


def _pointer_to(kind: Any) -> Any:
    """An intrinsic that makes a pointer of an address."""

    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(_typing: Any, _address: Any) -> Any:
        def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), code

    return pointer


_float_pointer = _pointer_to(types.float64)
_int_pointer = _pointer_to(types.int64)


@inner_kernel
def floats_at(address: int, count: int) -> FloatArray:
    """The float64 array `(count,)` at an address."""
    return carray(_float_pointer(address), (count,))  # type: ignore[no-any-return]


@inner_kernel
def ints_at(address: int, count: int) -> IntArray:
    """The int64 array `(count,)` at an address."""
    return carray(_int_pointer(address), (count,))  # type: ignore[no-any-return]


@inner_kernel
def float_rows_at(address: int, columns: int, rows: int) -> FloatArray:
    """The float64 block `(columns, rows)` of a table at an address."""
    return carray(_float_pointer(address), (columns, rows))  # type: ignore[no-any-return]


@inner_kernel
def int_rows_at(address: int, columns: int, rows: int) -> IntArray:
    """The int64 block `(columns, rows)` of a table at an address."""
    return carray(_int_pointer(address), (columns, rows))  # type: ignore[no-any-return]
