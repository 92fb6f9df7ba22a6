"""Bodies on roads: where one beside a lane is, and where on a road a point lies; kernels that Python and kernels call.

Arguments `floats` and `ints` are of `dorosim.road.opendrive.course_tables.CourseTables`.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel, outlined_kernel
from dorosim.road.opendrive.course_kernel import (
    edges_at,
    lane_at,
    length_of,
    line_at,
    middle_at,
    pose_at,
    scale_at,
    surface_at,
)
from dorosim.road.opendrive.course_tables import ROAD_ENTRIES, CourseEntry

_NEWTON = 12
_NEAR = 1e-9
_ALONG = 1e-3
"""A point that lies so far before or behind its nearest place is beside the end of a road [m]."""
_MIN_STEP_SCALE = 0.1
_LANE_STEP = 5.0
"""Distance between the places at which the length of a lane is summed up [m]."""
_MAX_LANE_STEPS = 100
_EDGE = 1e-6
"""So far beyond its edge one is still on a road [m]."""
_BEYOND = 0.01
"""So far beyond its end one is still on a road [m]."""


@inner_kernel
def whole_turn(angle: float) -> float:
    """An angle from 0 to a whole turn [rad], as Python's `%` has it."""
    rest = float(np.fmod(angle, math.tau))
    if rest == 0.0:
        return 0.0
    return rest + math.tau if rest < 0.0 else rest


@inner_kernel
def half_turn(angle: float) -> float:
    """An angle within half a turn to either side [rad], exactly `math.remainder` by a turn."""
    away = abs(angle)
    rest = float(np.fmod(away, math.tau))
    left = math.tau - rest
    if rest > left:
        rest = -left
    elif rest == left:
        rest -= 2.0 * float(np.fmod(0.5 * (away - rest), math.tau))
    return -rest if angle < 0.0 else rest


@inner_kernel
def tilted_by(pitch: float, roll: float, turn: float) -> tuple[float, float]:
    """Pitch and roll of a body that is turned on a road of a pitch and a roll, which are small [rad]."""
    cosine, sine = math.cos(turn), math.sin(turn)
    return pitch * cosine - roll * sine, roll * cosine + pitch * sine


@outlined_kernel
def body_beside_lane(
    floats: FloatArray, ints: IntArray, road: int, lane: int, s: float, offset: float, turn: float
) -> tuple[float, float, float, float, float, float, float]:
    """t, x, y, z [m], heading, pitch and roll [rad] of a body beside the middle of a lane, turned from the lane."""
    found, middle, slope, _ = middle_at(floats, ints, road, s, lane)
    t = (middle if found else 0.0) + offset
    x, y, z, heading, pitch, roll = pose_at(floats, ints, road, s, t)
    pitch, roll = tilted_by(pitch, roll, turn)
    return t, x, y, z, whole_turn(heading + math.atan(slope if found else 0.0) + turn), pitch, roll


@outlined_kernel
def nearest_on_road(floats: FloatArray, ints: IntArray, road: int, x: float, y: float, s: float) -> tuple[float, float]:
    """The place on a road, s and t [m], that is nearest to a point, sought from `s` on."""
    t, length = 0.0, length_of(floats, ints, road)
    for _ in range(_NEWTON):
        px, py, heading, curvature = line_at(floats, ints, road, s)
        dx, dy = x - px, y - py
        along = dx * math.cos(heading) + dy * math.sin(heading)
        t = dy * math.cos(heading) - dx * math.sin(heading)
        bounded = min(max(s + along / max(1.0 - curvature * t, _MIN_STEP_SCALE), 0.0), length)
        if abs(bounded - s) < _NEAR:
            break
        s = bounded
    return s, t


@outlined_kernel
def is_on_road(floats: FloatArray, ints: IntArray, road: int, s: float, t: float, x: float, y: float) -> bool:
    """Whether a point is on a road's surface at its nearest place."""
    right, left = edges_at(floats, ints, road, s)
    px, py, heading, _ = line_at(floats, ints, road, s)
    along = (x - px) * math.cos(heading) + (y - py) * math.sin(heading)
    return right - _NEAR <= t <= left + _NEAR and abs(along) < _ALONG


@outlined_kernel
def lane_of_body(
    floats: FloatArray, ints: IntArray, road: int, s: float, t: float, heading: float
) -> tuple[int, float, float]:
    """Lane, offset from its middle [m], and turn from it [rad], of a body on a road."""
    lane = lane_at(floats, ints, road, s, t)
    found, middle, slope, _ = middle_at(floats, ints, road, s, lane)
    _, _, along, _ = line_at(floats, ints, road, s)
    return (
        lane,
        t - (middle if found else 0.0),
        half_turn(heading - along - math.atan(slope if found else 0.0)),
    )


@inner_kernel
def section_ends(floats: FloatArray, ints: IntArray, road: int, section: int) -> tuple[float, float]:
    """Where a section starts and ends along its road [m]."""
    entry = road * ROAD_ENTRIES
    starts = ints[entry + CourseEntry.SECTION_STARTS]
    if section + 1 < ints[entry + CourseEntry.SECTION_COUNT]:
        return floats[starts + section], floats[starts + section + 1]
    return floats[starts + section], length_of(floats, ints, road)


@outlined_kernel
def length_of_lane(
    floats: FloatArray, ints: IntArray, road: int, section: int, lane: int, start: float, end: float
) -> float:
    """Length of the middle of a lane within one section [m], from the middles of short parts."""
    low, high = section_ends(floats, ints, road, section)
    count = min(max(math.ceil(abs(end - start) / _LANE_STEP), 1), _MAX_LANE_STEPS)
    step, total, highest = (end - start) / count, 0.0, float(np.nextafter(high, low))
    for part in range(count):
        s = min(max(start + step * (part + 0.5), low), highest)
        found, t, slope, _ = middle_at(floats, ints, road, s, lane)
        scale = scale_at(line_at(floats, ints, road, s)[3], t if found else 0.0)
        total += abs(step) * math.sqrt(scale * scale + slope * slope)
    return total


@outlined_kernel
def is_off_road(floats: FloatArray, ints: IntArray, road: int, s: float, t: float, x: float, y: float) -> bool:
    """Whether a body's origin is beyond the edges or the ends of its road."""
    right, left = edges_at(floats, ints, road, s)
    if not right - _EDGE <= t <= left + _EDGE:
        return True
    px, py, heading, _ = line_at(floats, ints, road, s)
    return abs((x - px) * math.cos(heading) + (y - py) * math.sin(heading)) > _BEYOND


@kernel
def call_length_of_lane(
    floats: FloatArray, ints: IntArray, road: int, section: int, lane: int, start: float, end: float
) -> float:
    """`length_of_lane`."""
    return length_of_lane(floats, ints, road, section, lane, start, end)


@kernel
def call_off_road(floats: FloatArray, ints: IntArray, road: int, s: float, t: float, x: float, y: float) -> bool:
    """`is_off_road`."""
    return is_off_road(floats, ints, road, s, t, x, y)


@kernel
def call_line(floats: FloatArray, ints: IntArray, road: int, s: float) -> tuple[float, float, float, float]:
    """`line_at`."""
    return line_at(floats, ints, road, s)


@kernel
def call_middle(floats: FloatArray, ints: IntArray, road: int, s: float, lane: int) -> tuple[bool, float, float, float]:
    """`middle_at`."""
    return middle_at(floats, ints, road, s, lane)


@kernel
def call_edges(floats: FloatArray, ints: IntArray, road: int, s: float) -> tuple[float, float]:
    """`edges_at`."""
    return edges_at(floats, ints, road, s)


@kernel
def call_lane(floats: FloatArray, ints: IntArray, road: int, s: float, t: float) -> int:
    """`lane_at`."""
    return lane_at(floats, ints, road, s, t)


@kernel
def call_scale(floats: FloatArray, ints: IntArray, road: int, s: float, t: float) -> float:
    """Length along a line at t per length along the reference line."""
    return scale_at(line_at(floats, ints, road, s)[3], t)


@kernel
def call_pose(
    floats: FloatArray, ints: IntArray, road: int, s: float, t: float
) -> tuple[float, float, float, float, float, float]:
    """`pose_at`."""
    return pose_at(floats, ints, road, s, t)


@kernel
def call_body(
    floats: FloatArray, ints: IntArray, road: int, lane: int, s: float, offset: float, turn: float
) -> tuple[float, float, float, float, float, float, float]:
    """`body_beside_lane`."""
    return body_beside_lane(floats, ints, road, lane, s, offset, turn)


@kernel
def call_nearest(
    floats: FloatArray, ints: IntArray, road: int, x: float, y: float, s: float
) -> tuple[float, float, bool]:
    """`nearest_on_road`, and whether the point is on the road there."""
    s, t = nearest_on_road(floats, ints, road, x, y, s)
    return s, t, is_on_road(floats, ints, road, s, t, x, y)


@kernel
def call_lane_of_body(
    floats: FloatArray, ints: IntArray, road: int, s: float, t: float, heading: float
) -> tuple[int, float, float]:
    """`lane_of_body`."""
    return lane_of_body(floats, ints, road, s, t, heading)


@kernel
def call_surface(
    floats: FloatArray, ints: IntArray, road: int, s: float, t: float, turn: float
) -> tuple[float, float, float]:
    """Height [m], and pitch and roll [rad] of a body that is turned from the road, on a road's surface."""
    z, pitch, roll = surface_at(floats, ints, road, s, t)
    pitch, roll = tilted_by(pitch, roll, turn)
    return z, pitch, roll
