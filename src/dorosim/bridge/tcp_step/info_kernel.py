"""The changing bytes of Vehicle Info, in compiled code: a plan says which numbers of a state stand where in it.

The plan is made of the message's table (`dorosim.bridge.tcp_step.info_plan`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.address_kernel import floats_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.block import TIME

INFO_STAMP, INFO_NUMBER, INFO_ANGLE = 0, 1, 2
"""What a row of a plan is of: the time of the state, a number of it, or an angle that is brought to half a turn."""
INFO_KIND, INFO_WORD, INFO_PLACE = 0, 1, 2
"""Columns of a row: what it is of, word of the state's block, and place in the datagrams."""
_BILLION = 1_000_000_000


@inner_kernel
def half_turn(angle: float) -> float:
    """The angle in -pi to pi that differs by whole turns, exactly as `math.remainder`; NaN where that is a tie."""
    rest = np.fmod(angle, math.tau)
    if abs(rest) == math.pi:
        return math.nan
    if abs(rest) > math.pi:
        rest -= math.copysign(math.tau, rest)
    return float(rest)


@inner_kernel
def put_whole(value: int, size: int, place: int, out: NDArray[np.uint8]) -> None:
    """Write so many bytes of a whole number, the lowest first."""
    for k in range(size):
        out[place + k] = (value >> (8 * k)) & 255


@inner_kernel
def write_infos(block: IntArray, plan: IntArray, scale: FloatArray, out: NDArray[np.uint8]) -> bool:
    """Write what changes in datagrams of Vehicle Info from tick to tick.

    Args:
        block: `(words,)` of the state.
        plan: `(N, 3)` see `INFO_KIND`.
        scale: `(N,)` by what the number of a row is divided.
        out: `(bytes,)` the datagrams, one after another.

    Returns:
        Whether all numbers fit; else Python has to look at them.
    """
    state = floats_at(int(block.ctypes.data), block.shape[0])
    single = np.empty(1, np.float32)
    raw = single.view(np.uint8)
    for k in range(plan.shape[0]):
        kind, place = plan[k, INFO_KIND], plan[k, INFO_PLACE]
        if kind == INFO_STAMP:
            put_whole(block[TIME] // _BILLION, 8, place, out)
            put_whole(block[TIME] % _BILLION, 4, place + 8, out)
            continue
        value = state[plan[k, INFO_WORD]]
        if kind == INFO_ANGLE:
            value = half_turn(value)
        value /= scale[k]
        single[0] = value
        if not math.isfinite(single[0]):
            return False
        for i in range(4):
            out[place + i] = raw[i]
    return True
