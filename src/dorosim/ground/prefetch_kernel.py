"""Asks the processor for memory before it is needed, so that kernels that visit rows in no order do not wait for each.

A kernel that goes over thousands of vehicles in the order of their places, or over lanes in the order of vehicles,
finds nearly every row outside of the caches. The rows that come next are known some turns ahead: asked for then, they
are there in time, and results do not change.

Source: the LLVM language reference, `llvm.prefetch`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dorosim.ground.bare_kernel import BareType

AHEAD = 12
"""Rows are asked for so many turns before they are needed: what the caches of a core wait for at once."""


def _fetch(_typing: Any, array: Any, at: Any) -> Any:
    """Type and code of `fetch`, in numba's terms."""
    if not isinstance(array, BareType):
        return None

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        view = cgutils.create_struct_proxy(array)(context, builder, value=arguments[0])
        step = context.cast(builder, arguments[1], at, types.intp)
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(builder.gep(view.data, [step]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [place, *(ir.Constant(word, number) for number in (0, 3, 1))])
        return context.get_dummy_value()

    return types.none(array, at), generate


fetch = cast(Callable[[Any, int], None], intrinsic(_fetch))
"""Asks for the memory of one item of a bare array, by how many items lie before it; a place outside is harmless."""
