"""All status messages of a tick, written and sent in one call of compiled code, without the GIL."""

from __future__ import annotations

from enum import IntEnum, auto

import numpy as np
from numba import types
from numpy.typing import NDArray

from dorosim.bridge.udp.status_kernel import WRITE_STATUSES, WRITTEN
from dorosim.endpoint.udp.send_kernel import SEND_ERROR, send_rows
from dorosim.ground.address_kernel import floats_at, int_rows_at, ints_at
from dorosim.ground.column import IntArray
from dorosim.ground.jit import kernel
from dorosim.ground.linked_kernel import KernelLink, array_kind


class StatusWord(IntEnum):
    """Words of what a call takes as given."""

    WRITE = 0
    """Address of `write_statuses`."""
    PLAN = auto()
    """Address of its plan."""
    PLAN_WORDS = auto()
    SCALE = auto()
    """Address of its scale."""
    SCALE_COUNT = auto()
    ROWS = auto()
    """Address of the rows of `send_datagrams`."""
    ROW_COUNT = auto()
    SEND_TO = auto()
    """Address of `sendto`."""
    ERRNO_PLACE = auto()
    """Address of the function that says where `errno` is."""


UNSENT = -1
"""Result: not all could be written, and none was sent."""
_WRITE, _PLAN, _PLAN_WORDS = int(StatusWord.WRITE), int(StatusWord.PLAN), int(StatusWord.PLAN_WORDS)
_SCALE, _SCALE_COUNT = int(StatusWord.SCALE), int(StatusWord.SCALE_COUNT)
_ROWS, _ROW_COUNT = int(StatusWord.ROWS), int(StatusWord.ROW_COUNT)
_SEND_TO, _ERRNO_PLACE = int(StatusWord.SEND_TO), int(StatusWord.ERRNO_PLACE)
_ROW_WIDTH = SEND_ERROR + 1
_write_statuses = WRITE_STATUSES.call


@kernel
def send_statuses(block: IntArray, call: IntArray, out: NDArray[np.uint8], time: int, reach: float) -> int:
    """Write the status messages of a state, and send them in their order.

    Args:
        block: `(words,)` of the state.
        call: `(N,)` `StatusWord`.
        out: `(bytes,)` the datagrams, one after another; written.
        time: of the messages [ns since 1970].
        reach: as of `write_statuses` [m].

    Returns:
        How many were not sent, or `UNSENT`.
    """
    plan, scale = ints_at(call[_PLAN], call[_PLAN_WORDS]), floats_at(call[_SCALE], call[_SCALE_COUNT])
    if _write_statuses(call[_WRITE], (block, plan, scale, time, reach, out)) != WRITTEN:
        return UNSENT
    rows = int_rows_at(call[_ROWS], call[_ROW_COUNT], _ROW_WIDTH)
    return send_rows(rows, call[_SEND_TO], call[_ERRNO_PLACE])


SEND_STATUSES = KernelLink(
    "dorosim.endpoint.udp.status_call_kernel",
    "send_statuses",
    (
        *(array_kind("int64", 1), array_kind("int64", 1), array_kind("uint8", 1, writable=True)),
        *(types.int64, types.float64),
    ),
    types.int64,
)
"""With the types by which `dorosim.endpoint.udp.status_sender` calls it."""
