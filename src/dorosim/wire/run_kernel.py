"""Reads a run of datagrams of one layout by the plan of its table: numbers in SI, checked, and no object for each."""

from __future__ import annotations

import math

import numpy as np
from numba import types
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.linked_kernel import KernelLink, array_kind

RUN_PLACE, RUN_SIZE, RUN_KIND, RUN_CODE_FIRST, RUN_CODE_END = 0, 1, 2, 3, 4
"""Columns of a plan: offset in the datagram and bytes of a number, its kind, and where the codes that it may have begin
and end, if it has codes."""
RUN_FLOAT, RUN_SIGNED, RUN_UNSIGNED = 0, 1, 2
"""Kinds."""
RUN_FACTOR, RUN_LOW, RUN_HIGH = 0, 1, 2
"""Columns of the scale: what a wire value is multiplied by, and the bounds of the product, which count as in."""


@inner_kernel
def is_at(buffer: NDArray[np.uint8], start: int, wanted: NDArray[np.uint8]) -> bool:
    """Whether some bytes stand at a place."""
    same = True
    for i in range(wanted.shape[0]):
        same &= buffer[start + i] == wanted[i]
    return same


@inner_kernel
def is_code(value: float, codes: FloatArray, first: int, end: int) -> bool:
    """Whether a value is one of some codes; any is where there are none."""
    found = first == end
    for k in range(first, end):
        found |= codes[k] == value
    return found


@kernel
def read_run(
    buffer: NDArray[np.uint8],
    starts: IntArray,
    sizes: IntArray,
    envelope: IntArray,
    head: NDArray[np.uint8],
    tail: NDArray[np.uint8],
    plan: IntArray,
    scale: FloatArray,
    codes: FloatArray,
    values: FloatArray,
) -> int:
    """Read datagrams up to the first that is not one of the layout, with all of its numbers finite and in their ranges.

    Args:
        buffer: `(bytes,)` in which they are.
        starts: `(N,)` first byte of each.
        sizes: `(N,)` their lengths.
        envelope: size of the layout, and where `head` and `tail` stand in it.
        head: what stands there in each.
        tail: likewise.
        plan: `(columns, 5)` see `RUN_PLACE`.
        scale: `(columns, 3)` see `RUN_FACTOR`.
        codes: codes that numbers may have.
        values: `(N, columns)` out, in SI.

    Returns:
        how many were read.
    """
    raw = np.zeros(4, np.uint8)
    single = raw.view(np.float32)
    for n in range(starts.shape[0]):
        start = starts[n]
        if sizes[n] != envelope[0] or not is_at(buffer, start + envelope[1], head):
            return n
        if not is_at(buffer, start + envelope[2], tail):
            return n
        for k in range(plan.shape[0]):
            place, size = start + plan[k, RUN_PLACE], plan[k, RUN_SIZE]
            if plan[k, RUN_KIND] == RUN_FLOAT:
                for i in range(4):
                    raw[i] = buffer[place + i]
                value = float(single[0])
            else:
                whole = 0
                for i in range(size):
                    whole |= int(buffer[place + i]) << (8 * i)
                if plan[k, RUN_KIND] == RUN_SIGNED and whole >= 1 << (8 * size - 1):
                    whole -= 1 << (8 * size)
                value = float(whole)
            if not is_code(value, codes, plan[k, RUN_CODE_FIRST], plan[k, RUN_CODE_END]):
                return n
            value *= scale[k, RUN_FACTOR]
            if not (math.isfinite(value) and scale[k, RUN_LOW] <= value <= scale[k, RUN_HIGH]):
                return n
            values[n, k] = value
    return int(starts.shape[0])


_INTS, _FLOATS, _BYTES = array_kind("int64", 1), array_kind("float64", 1), array_kind("uint8", 1)
READ_RUN = KernelLink(
    "dorosim.wire.run_kernel",
    "read_run",
    (
        *(_BYTES, _INTS, _INTS, _INTS, _BYTES, _BYTES, array_kind("int64", 2), array_kind("float64", 2), _FLOATS),
        array_kind("float64", 2, writable=True),
    ),
    types.int64,
)
"""With the types by which `dorosim.wire.run` calls it."""
