"""How entities move along their lanes in a quiet tick, as `dorosim.scenario.openscenario.engine.motion` has it.

An entity stays within the lane section that it is on; where it does not, the tick is for the engine.
"""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.road.opendrive.course_kernel import length_of, line_at, scale_at, section_at
from dorosim.road.opendrive.course_place_kernel import body_beside_lane, is_off_road, section_ends
from dorosim.world.storyboard.state import NEVER, EntityTable

COLUMN = EntityTable.at
STILL_SPEED = 1e-3
"""An entity slower than this stands [m/s]."""
LONGITUDINAL_BIT, LATERAL_BIT = 1, 2
"""Domains in which an action has moved an entity in a tick."""


@inner_kernel
def since_when(since: int, holds: bool, time: int) -> int:
    """Since when something holds [ns]."""
    if not holds:
        return NEVER
    return time if since == NEVER else since


@inner_kernel
def points_ahead(floats: FloatArray, row: int) -> bool:
    """Whether an entity points along rising s."""
    return math.cos(floats[COLUMN.turn, row]) >= 0.0


@outlined_kernel
def follow_lane(road_floats: FloatArray, road_ints: IntArray, floats: FloatArray, ints: IntArray, row: int) -> None:
    """Find t and pose of an entity by its road, lane, s, offset and turn."""
    t, x, y, z, heading, pitch, roll = body_beside_lane(
        road_floats,
        road_ints,
        ints[COLUMN.road, row],
        ints[COLUMN.lane, row],
        floats[COLUMN.s, row],
        floats[COLUMN.offset, row],
        floats[COLUMN.turn, row],
    )
    floats[COLUMN.t, row], floats[COLUMN.x, row], floats[COLUMN.y, row] = t, x, y
    floats[COLUMN.z, row] = z + floats[COLUMN.lift, row]
    floats[COLUMN.heading, row] = heading
    floats[COLUMN.pitch, row] = pitch + floats[COLUMN.tilt, row]
    floats[COLUMN.roll, row] = roll + floats[COLUMN.lean, row]


@inner_kernel
def scale_of(road_floats: FloatArray, road_ints: IntArray, floats: FloatArray, ints: IntArray, row: int) -> float:
    """Length along an entity's line per length along the reference line."""
    line = line_at(road_floats, road_ints, ints[COLUMN.road, row], floats[COLUMN.s, row])
    return scale_at(line[3], floats[COLUMN.t, row])


@inner_kernel
def move_by_s(
    road_floats: FloatArray, road_ints: IntArray, floats: FloatArray, ints: IntArray, row: int, ds: float
) -> bool:
    """Move an entity by a length along its road [m]; false where it comes to the end of its section."""
    road, s = ints[COLUMN.road, row], floats[COLUMN.s, row]
    start, end = section_ends(road_floats, road_ints, road, section_at(road_floats, road_ints, road, s))
    target = s + ds
    if not (start <= target < end or (target == end and end == length_of(road_floats, road_ints, road))):
        return False
    floats[COLUMN.s, row] = target
    follow_lane(road_floats, road_ints, floats, ints, row)
    ints[COLUMN.end_of_road_since, row] = NEVER
    return True


@inner_kernel
def move_along(
    road_floats: FloatArray, road_ints: IntArray, floats: FloatArray, ints: IntArray, row: int, distance: float
) -> bool:
    """Move an entity along its lane [m]; false where it comes to the end of its section."""
    if len(road_ints) <= 1 or ints[COLUMN.road, row] < 0:
        floats[COLUMN.x, row] += distance * math.cos(floats[COLUMN.heading, row])
        floats[COLUMN.y, row] += distance * math.sin(floats[COLUMN.heading, row])
        return True
    scale = scale_of(road_floats, road_ints, floats, ints, row)
    ds = distance / scale * (1.0 if points_ahead(floats, row) else -1.0)
    return move_by_s(road_floats, road_ints, floats, ints, row, ds)


@inner_kernel
def is_beside_road(road_floats: FloatArray, road_ints: IntArray, floats: FloatArray, ints: IntArray, row: int) -> bool:
    """Whether an entity is off its road; without roads it never is."""
    if len(road_ints) <= 1:
        return False
    road = ints[COLUMN.road, row]
    if road < 0:
        return True
    return is_off_road(
        road_floats,
        road_ints,
        road,
        floats[COLUMN.s, row],
        floats[COLUMN.t, row],
        floats[COLUMN.x, row],
        floats[COLUMN.y, row],
    )
