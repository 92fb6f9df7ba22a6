"""Numbers as MessagePack has them, written into bytes by compiled code.

Source: the MessagePack specification, formats of integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel

Bytes = NDArray[np.uint8]


@intrinsic  # type: ignore[untyped-decorator]
def byte_pointer(_typing: Any, _address: Any) -> Any:
    """A pointer to the bytes at an address."""

    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint8)(types.int64), code


@inner_kernel
def put_big(to: Bytes, at: int, value: int, size: int) -> int:
    """Write the last bytes of a number, the most significant one first; where the next one goes."""
    for k in range(size):
        to[at + k] = (value >> (8 * (size - 1 - k))) & 0xFF
    return at + size


@inner_kernel
def put_whole(to: Bytes, at: int, value: int) -> int:
    """Write a whole number of 0 or more in as few bytes as MessagePack has for it."""
    if value < 0x80:
        return put_big(to, at, value, 1)
    code, size = 0xCF, 8
    if value <= 0xFF:
        code, size = 0xCC, 1
    elif value <= 0xFFFF:
        code, size = 0xCD, 2
    elif value <= 0xFFFFFFFF:
        code, size = 0xCE, 4
    to[at] = code
    return put_big(to, at + 1, value, size)
