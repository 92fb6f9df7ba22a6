"""The changing bytes of status messages: all of a tick in one call of compiled code.

A *plan* says which numbers of a state stand where in the datagrams, and by what they are multiplied. It is made of the
message tables (`dorosim.bridge.udp.status_plan`). Nothing here knows a message.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types
from numpy.typing import NDArray

from dorosim.ground.address_kernel import float_rows_at, floats_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.linked_kernel import KernelLink, array_kind
from dorosim.world.ordinary import link_kernel as kind
from dorosim.world.vehicle.state import VehicleState

ARC = kind.FLOATS
LOCATE_POINTS = KernelLink(
    "dorosim.road.location_kernel",
    "locate_points",
    (
        *(kind.SURFACE, ARC, kind.NEW_FLOAT_ROWS, kind.NEW_FLOATS, types.boolean, types.float64),
        *(kind.NEW_INT_ROWS, kind.NEW_FLOAT_ROWS),
    ),
)
_locate_points = LOCATE_POINTS.call
_VEHICLE, _COLUMNS = VehicleState.at, VehicleState.float_width
_SECOND = 1_000_000_000
_FIRST_SECOND, _END_SECOND = -(1 << 31), 1 << 31

PLAN_LOCATE, PLAN_SURFACE_AT, PLAN_ARC_AT, PLAN_LEFT_AT, PLAN_RIGHT_AT, PLAN_POINTS = 0, 1, 2, 3, 4, 5
"""Words of a plan: addresses of the kernel that locates, of the lanes, of the arc lengths at their points, and of their
widths; and how many points they have."""
PLAN_ROWS, PLAN_FLOATS, PLAN_INTS, PLAN_CLOCKS, PLAN_CONTROLLERS, PLAN_BY_ADDRESS = 6, 7, 8, 9, 10, 11
"""Vehicles; where their floats, their ints and the clocks of the lights are: words of a block, or addresses if
`PLAN_BY_ADDRESS` is 1; and how many controllers there are."""
PLAN_WATCHED, PLAN_EGOS, PLAN_ELAPSED, PLAN_STAMPS, PLAN_FIELDS, PLAN_END, PLAN_HEADER = 12, 13, 14, 15, 16, 17, 18
"""Where the rows of each kind begin; each ends where the next begins. Then the words of the header are over."""
WATCHED_WIDTH, EGO_WIDTH, ELAPSED_WIDTH, STAMP_WIDTH, FIELD_WIDTH = 3, 2, 2, 1, 2
"""Of the rows: (0 floats, 1 ints, 2 clocks; index; bits that it has), (row of the vehicle; link under it), (index of
the time that remains; duration of the state [ns]), (place), (number, place). A number is an index of the floats of the
vehicles, or -1 - k: then it is value k of three for each ego vehicle and one for each elapsed time."""
LANE_VALUES = 3
"""Distances to the left and the right boundary of the lane, and offset from its centre, left positive [m]."""
WRITTEN, CHANGED, TOO_LARGE = 0, 1, 2
"""Results: something that the plan takes for fixed is not so now; a number does not fit into its field."""


@inner_kernel
def is_as_watched(plan: IntArray, floats: int, ints: int, clocks: int) -> bool:
    """Whether all numbers that a plan takes for fixed are what they were."""
    for at in range(plan[PLAN_WATCHED], plan[PLAN_EGOS], WATCHED_WIDTH):
        start = floats if plan[at] == 0 else ints if plan[at] == 1 else clocks
        if ints_at(start + 8 * plan[at + 1], 1)[0] != plan[at + 2]:
            return False
    return True


@inner_kernel
def find_lane(plan: IntArray, block: FloatArray, row: int, reach: float, lane: FloatArray) -> int:
    """The link under a vehicle, -1 for none; `lane` is written: see `LANE_VALUES`. As `surroundings.lane_under`."""
    lane[:] = 0.0
    x, y, z = block[_VEHICLE.x, row], block[_VEHICLE.y, row], block[_VEHICLE.z, row]
    if plan[PLAN_LOCATE] == 0 or not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        return -1
    point, heading = np.empty((1, 3)), np.empty(1)
    point[0, 0], point[0, 1], point[0, 2], heading[0] = x, y, z, block[_VEHICLE.yaw, row]
    found, place = np.empty((2, 1), np.int64), np.empty((3, 1))
    _locate_points(
        plan[PLAN_LOCATE], (plan[PLAN_SURFACE_AT], plan[PLAN_ARC_AT], point, heading, True, reach, found, place)
    )
    link, segment = found[0, 0], found[1, 0]
    if link < 0:
        return -1
    points = plan[PLAN_POINTS]
    arc, left, right = (
        floats_at(ints_at(plan[PLAN_ARC_AT] + 32, 1)[0], points),
        floats_at(plan[PLAN_LEFT_AT], points),
        floats_at(plan[PLAN_RIGHT_AT], points),
    )
    s, lateral = place[0, 0], place[1, 0]
    start, end = arc[segment], arc[segment + 1]
    share = (s - start) / (end - start) if end > start else 0.0
    lane[0] = left[segment] + share * (left[segment + 1] - left[segment]) - lateral
    lane[1] = right[segment] + share * (right[segment + 1] - right[segment]) + lateral
    lane[2] = lateral
    return int(link)


@inner_kernel
def write_number(value: int, place: int, out: NDArray[np.uint8]) -> None:
    """Write the low 32 bits of a whole number, lowest byte first."""
    for k in range(4):
        out[place + k] = (value >> (8 * k)) & 255


@inner_kernel
def write_numbers(plan: IntArray, scale: FloatArray, floats: int, values: FloatArray, out: NDArray[np.uint8]) -> int:
    """Write all real numbers of a plan as float32; returns `TOO_LARGE` if one does not fit, else `WRITTEN`."""
    state = floats_at(floats, _COLUMNS * plan[PLAN_ROWS])
    count = (plan[PLAN_END] - plan[PLAN_FIELDS]) // FIELD_WIDTH
    single = np.empty(count, np.float32)
    raw = single.view(np.uint8)
    for k in range(count):
        number, place = plan[plan[PLAN_FIELDS] + FIELD_WIDTH * k], plan[plan[PLAN_FIELDS] + FIELD_WIDTH * k + 1]
        value = (state[number] if number >= 0 else values[-1 - number]) * scale[k]
        single[k] = value
        if math.isinf(single[k]) and not math.isinf(value):
            return TOO_LARGE
        for i in range(4):
            out[place + i] = raw[4 * k + i]
    return WRITTEN


@kernel
def write_statuses(
    block: IntArray, plan: IntArray, scale: FloatArray, time: int, reach: float, out: NDArray[np.uint8]
) -> int:
    """Write what changes in status messages from tick to tick.

    Args:
        block: `(words,)` of the state; not read if the plan has addresses.
        plan: `(words,)` what stands where.
        scale: `(fields,)` by what numbers in SI are multiplied.
        time: of the messages [ns since 1970].
        reach: a vehicle farther than this from every lane is on none [m].
        out: `(bytes,)` the datagrams, one after another; written if the result is `WRITTEN`, else in part.

    Returns:
        `WRITTEN`, `CHANGED` or `TOO_LARGE`.
    """
    start = 0 if plan[PLAN_BY_ADDRESS] == 1 else int(block.ctypes.data)
    width = 1 if plan[PLAN_BY_ADDRESS] == 1 else 8
    floats, ints, clocks = (
        start + width * plan[PLAN_FLOATS],
        start + width * plan[PLAN_INTS],
        start + width * plan[PLAN_CLOCKS],
    )
    if not is_as_watched(plan, floats, ints, clocks):
        return CHANGED
    egos = (plan[PLAN_ELAPSED] - plan[PLAN_EGOS]) // EGO_WIDTH
    times = (plan[PLAN_STAMPS] - plan[PLAN_ELAPSED]) // ELAPSED_WIDTH
    values = np.empty(LANE_VALUES * egos + times)
    state = float_rows_at(floats, _COLUMNS, plan[PLAN_ROWS])
    for k in range(egos):
        at = plan[PLAN_EGOS] + EGO_WIDTH * k
        if find_lane(plan, state, plan[at], reach, values[LANE_VALUES * k : LANE_VALUES * (k + 1)]) != plan[at + 1]:
            return CHANGED
    for k in range(times):
        at = plan[PLAN_ELAPSED] + ELAPSED_WIDTH * k
        remaining = ints_at(clocks + 8 * plan[at], 1)[0]
        values[LANE_VALUES * egos + k] = float(plan[at + 1] - remaining) / _SECOND
    second, rest = time // _SECOND, time % _SECOND
    if second < _FIRST_SECOND or second >= _END_SECOND:
        return TOO_LARGE
    for at in range(plan[PLAN_STAMPS], plan[PLAN_FIELDS]):
        write_number(second, plan[at], out)
        write_number(rest, plan[at] + 4, out)
    return write_numbers(plan, scale, floats, values, out)


WRITE_STATUSES = KernelLink(
    "dorosim.bridge.udp.status_kernel",
    "write_statuses",
    (kind.INTS, kind.INTS, kind.FLOATS, types.int64, types.float64, array_kind("uint8", 1, writable=True)),
    types.int64,
)
"""With the types by which `dorosim.bridge.udp.status_batch` calls it."""
