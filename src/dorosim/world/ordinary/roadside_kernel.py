"""What drivers on the verge look out for in an ordinary tick in which they decide: `traffic.verge.roadside_bodies`."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.road.scenery.table import PartTable
from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.ordinary.body_kernel import all_bodies
from dorosim.world.ordinary.look_kernel import with_parts
from dorosim.world.ordinary.word import TickWord
from dorosim.world.traffic.pass_kernel import VERGE_BLOCKED_TIME
from dorosim.world.traffic.state import Passing, Presence, TrafficState
from dorosim.world.traffic.verge import LOOK_AROUND_TIME, ROADSIDE_HORIZON, WAY_AHEAD_TIME
from dorosim.world.traffic.verge_kernel import ROADSIDE, RoadsideBody

_TRAFFIC, _BODY, _PART = TrafficState.at, BodyTable.at, PartTable.at
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_PART_INT_COLUMNS, _ROADSIDE_COLUMNS = len(PartTable.int_columns), RoadsideBody.float_width
_LANE_BESIDE, _ON_LANE = int(Passing.LANE_BESIDE), int(Presence.ON_LANE)
_PERSON, _LOOKS_AFTER, _HALF_TIME = (
    int(BodyKind.PEDESTRIAN),
    VERGE_BLOCKED_TIME - LOOK_AROUND_TIME,
    0.5 * WAY_AHEAD_TIME,
)
_BOUNDS, _SIZE, _DATA, _SHAPE = 28, 2, 4, 5
"""Where the bounds begin in the description of the grid; in that of an array: its size, the address of its first item,
and its shape."""

_W_TRAFFIC, _W_FLOATS, _W_INTS = int(TickWord.TRAFFIC), int(TickWord.TRAFFIC_FLOATS), int(TickWord.TRAFFIC_INTS)
_W_VEHICLES, _W_PARTS, _W_PART_COUNT = int(TickWord.VEHICLES), int(TickWord.PARTS), int(TickWord.PART_COUNT)
_W_GRID, _W_OWNERS, _W_GONE = int(TickWord.GRID), int(TickWord.PART_OWNERS), int(TickWord.GONE)


@inner_kernel
def may_use_verge(floats: FloatArray, ints: IntArray) -> IntArray:
    """Rows `(N,)` of the vehicles that are beside their lanes, or may soon be: `traffic.verge.may_use_verge`."""
    rows, count = np.empty(floats.shape[1], np.int64), 0
    for i in range(floats.shape[1]):
        looks = floats[_TRAFFIC.blocked_time, i] >= _LOOKS_AFTER or ints[_TRAFFIC.passing, i] >= _LANE_BESIDE
        if looks and ints[_TRAFFIC.present, i] == _ON_LANE:
            rows[count] = i
            count += 1
    return rows[:count].copy()


@inner_kernel
def _is_near(low_x: float, low_y: float, high_x: float, high_y: float, floats: FloatArray, rows: IntArray) -> bool:
    """Whether a box is within the horizon of a vehicle of some rows."""
    for k in range(rows.shape[0]):
        x, y = floats[_TRAFFIC.x, rows[k]], floats[_TRAFFIC.y, rows[k]]
        if max(low_x - x, x - high_x, low_y - y, y - high_y) < ROADSIDE_HORIZON:
            return True
    return False


@inner_kernel
def _parts_around(words: IntArray, floats: FloatArray, rows: IntArray) -> IntArray:
    """Rows `(P,)` of the parts of the scenery near vehicles of some rows, ascending."""
    found, count = np.empty(words[_W_PART_COUNT], np.int64), 0
    if words[_W_PARTS] == 0:
        return found[:0].copy()
    base, parts = int(words.ctypes.data), words[_W_PART_COUNT]
    grid, owners, gone = words[_W_GRID], words[_W_OWNERS], words[_W_GONE]
    grid, owners, gone = (grid - base) // 8 + _BOUNDS, (owners - base) // 8, (gone - base) // 8
    bounds = float_rows_at(words[grid + _DATA], words[grid + _SHAPE], parts)
    owner = int_rows_at(words[owners + _DATA], _PART_INT_COLUMNS, parts)
    away = ints_at(words[gone + _DATA], words[gone + _SIZE])
    for p in range(parts):
        if not _is_near(bounds[0, p], bounds[1, p], bounds[3, p], bounds[4, p], floats, rows):
            continue
        stands = True
        for k in range(away.shape[0]):
            stands &= away[k] != owner[_PART.object, p]
        if stands:
            found[count] = p
            count += 1
    return found[:count].copy()


@inner_kernel
def _bodies_around(
    words: IntArray, start: int, floats: FloatArray, ints: IntArray, rows: IntArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """The bodies of actors near vehicles of some rows, those on lanes with the way ahead, and 1 + the rows of these."""
    body, body_ints, npc_row = all_bodies(words, start, True)
    count, npc = 0, words[_W_VEHICLES]
    traffic_row = np.zeros(body.shape[1], np.int64)
    for k in range(body.shape[1]):
        row = npc_row[k - npc] if npc <= k < npc + npc_row.shape[0] else -1
        if row >= 0 and ints[_TRAFFIC.present, row] == _ON_LANE:
            half_way = _HALF_TIME * floats[_TRAFFIC.speed, row]
            body[_BODY.x, k] += half_way * cos(body[_BODY.yaw, k])
            body[_BODY.y, k] += half_way * sin(body[_BODY.yaw, k])
            body[_BODY.half_length, k] += half_way
        else:
            row = -1
        x, y, reach = body[_BODY.x, k], body[_BODY.y, k], body[_BODY.half_length, k]
        if not _is_near(x - reach, y - reach, x + reach, y + reach, floats, rows):
            continue
        for column in range(body.shape[0]):
            body[column, count] = body[column, k]
        for column in range(body_ints.shape[0]):
            body_ints[column, count] = body_ints[column, k]
        traffic_row[count] = 1 + row
        count += 1
    near, near_ints = np.empty((body.shape[0], count)), np.empty((body_ints.shape[0], count), np.int64)
    near[:, :], near_ints[:, :] = body[:, :count], body_ints[:, :count]
    return near, near_ints, traffic_row


@inner_kernel
def roadside(words: IntArray, start: int) -> FloatArray:
    """`(9, B)` of `RoadsideBody`: scenery and bodies of actors near vehicles on the verge; `start`: of the block."""
    count = words[_W_TRAFFIC]
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _TRAFFIC_COLUMNS, count)
    ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, count)
    rows = may_use_verge(floats, ints)
    if rows.shape[0] == 0:
        return np.empty((_ROADSIDE_COLUMNS, 0))
    parts = _parts_around(words, floats, rows)
    body, body_ints, traffic_row = _bodies_around(words, start, floats, ints, rows)
    actors = body.shape[1]
    if parts.shape[0] > 0:
        body, body_ints = with_parts(words, body, body_ints, parts)
    found = np.empty((_ROADSIDE_COLUMNS, body.shape[1]))
    for k in range(body.shape[1]):
        found[ROADSIDE.x, k], found[ROADSIDE.y, k], found[ROADSIDE.z, k] = (
            body[_BODY.x, k],
            body[_BODY.y, k],
            body[_BODY.z, k],
        )
        found[ROADSIDE.yaw, k], found[ROADSIDE.half_length, k] = body[_BODY.yaw, k], body[_BODY.half_length, k]
        found[ROADSIDE.half_width, k], found[ROADSIDE.half_height, k] = (
            body[_BODY.half_width, k],
            body[_BODY.half_height, k],
        )
        found[ROADSIDE.person, k] = 1.0 if body_ints[_BODY.kind, k] == _PERSON else 0.0
        found[ROADSIDE.traffic_row, k] = float(traffic_row[k]) if k < actors else 0.0
    return found
