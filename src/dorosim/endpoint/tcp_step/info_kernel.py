"""Vehicle Info of a tick, written and sent in one call of compiled code, without the GIL."""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from dorosim.bridge.tcp_step.info_kernel import write_infos
from dorosim.endpoint.udp.send_kernel import send_rows
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import kernel
from dorosim.ground.linked_kernel import KernelLink, array_kind

NOT_WRITTEN = -1
"""Result: a number does not fit, and nothing was sent."""


@kernel
def send_infos(
    block: IntArray,
    plan: IntArray,
    scale: FloatArray,
    out: NDArray[np.uint8],
    rows: IntArray,
    send_to: int,
    errno_place: int,
) -> int:
    """Write datagrams of a state, and send them in their order.

    Args:
        block: `(words,)` of the state.
        plan: `(N, 3)` as of `write_infos`.
        scale: `(N,)` likewise.
        out: `(bytes,)` likewise.
        rows: `(N, 6)` as of `send_datagrams`, of datagrams in `out`.
        send_to: address of `sendto`.
        errno_place: as of `send_datagrams`.

    Returns:
        How many were not sent, or `NOT_WRITTEN`.
    """
    if not write_infos(block, plan, scale, out):
        return NOT_WRITTEN
    return send_rows(rows, send_to, errno_place)


SEND_INFOS = KernelLink(
    "dorosim.endpoint.tcp_step.info_kernel",
    "send_infos",
    (
        *(array_kind("int64", 1), array_kind("int64", 2), array_kind("float64", 1)),
        *(array_kind("uint8", 1, writable=True), array_kind("int64", 2, writable=True), types.int64, types.int64),
    ),
    types.int64,
)
"""With the types by which `dorosim.endpoint.tcp_step.info_sender` calls it."""
