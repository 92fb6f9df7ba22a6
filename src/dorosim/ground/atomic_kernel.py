"""Numbers in memory that threads in compiled code share: read, written and counted by one thread at a time.

All operations are sequentially consistent, so what a thread wrote before one is seen after it by a thread that sees the
number. A thread that waits long is put to sleep by the system, on Linux (`futex`); elsewhere it looks again and again,
and gives its core away between.

Sources: the LLVM language reference, "Atomic Memory Ordering Constraints"; the manual page futex(2).
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_ORDER = "seq_cst"
_WORD, _INT = ir.IntType(64), ir.IntType(32)
_WAIT, _WAKE = 128, 129
"""FUTEX_WAIT and FUTEX_WAKE of one process (FUTEX_PRIVATE_FLAG)."""

_FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine(), -1) if sys.platform == "linux" else -1
"""Number of the system call; -1 where there is none."""


def _place(builder: ir.IRBuilder, address: Any) -> Any:
    return builder.inttoptr(address, _WORD.as_pointer())


def _load(_typing: Any, _address: Any) -> Any:
    def code(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_place(builder, arguments[0]), _ORDER, 8)

    return types.int64(types.int64), code


def _store(_typing: Any, _address: Any, _value: Any) -> Any:
    def code(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[1], _place(builder, arguments[0]), _ORDER, 8)
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), code


def _changing(operation: str) -> Any:
    def change(_typing: Any, _address: Any, _value: Any) -> Any:
        def code(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
            return builder.atomic_rmw(operation, _place(builder, arguments[0]), arguments[1], _ORDER)

        return types.int64(types.int64, types.int64), code

    return change


def _futex(operation: int) -> Any:
    def call(_typing: Any, _address: Any, _value: Any) -> Any:
        def code(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
            if _FUTEX < 0:
                _yield_core(builder)
                return context.get_dummy_value()
            kind = ir.FunctionType(_WORD, [_WORD], var_arg=True)
            system = cgutils.get_or_insert_function(builder.module, kind, "syscall")
            none = ir.Constant(_WORD, 0)
            given = [ir.Constant(_WORD, _FUTEX), arguments[0], ir.Constant(_WORD, operation), arguments[1]]
            builder.call(system, [*given, none, none, none])
            return context.get_dummy_value()

        return types.none(types.int64, types.int64), code

    return call


def _yield_core(builder: ir.IRBuilder) -> None:
    if sys.platform == "win32":
        return
    kind = ir.FunctionType(_INT, [])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])


def _give_way(_typing: Any) -> Any:
    def code(context: Any, builder: ir.IRBuilder, _signature: Any, _arguments: Any) -> Any:
        _yield_core(builder)
        return context.get_dummy_value()

    return types.none(), code


load = cast(Callable[[int], int], intrinsic(_load))
"""The number at an address."""

store = cast(Callable[[int, int], None], intrinsic(_store))
"""Writes a number at an address."""

add = cast(Callable[[int, int], int], intrinsic(_changing("add")))
"""Adds to the number at an address; returns what it was before."""

exchange = cast(Callable[[int, int], int], intrinsic(_changing("xchg")))
"""Writes a number at an address; returns what was there before."""

give_way = cast(Callable[[], None], intrinsic(_give_way))
"""Lets another thread have the core, if one waits for it."""

sleep_while = cast(Callable[[int, int], None], intrinsic(_futex(_WAIT)))
"""Sleeps until woken if the number at an address, below 2^31, is still the one given; may return sooner."""

wake = cast(Callable[[int, int], None], intrinsic(_futex(_WAKE)))
"""Wakes so many threads, at most, that sleep at an address."""
