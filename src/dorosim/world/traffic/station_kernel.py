"""Finds what lies beside the stations of all lanes; see `dorosim.world.traffic.lane_beside`.

Only directions of lanes are compared here, not their headings, which the libraries round in ways of their own: where
that might decide whether two lanes are parallel, the station is marked.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dorosim.ground.bare_kernel import bare
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.adjacency import FlagArray, FloatArray, IntArray
from dorosim.road.location_kernel import foot_near, nearest_segment
from dorosim.road.polyline_kernel import direction_at, segment_at
from dorosim.road.surface import SurfaceArrays
from dorosim.world.traffic.road import BESIDE, IN_JUNCTION

PROBE_BEYOND = 1.4
"""The lane beside is looked for this far beyond a lane's own edge [m]: within the half of the narrowest lane."""

PARALLEL_COSINE = math.cos(math.radians(20.0))
"""Lanes whose directions differ by more than this are not beside each other."""

DOUBT = 1e-9
"""Cosines that differ by less than this may be either way about after rounding."""

_PROBE_REACH = 4.0
"""A lane is looked for no farther than this from the place beyond the edge [m]."""

_MAX_EDGE_OFFSET = 0.4
"""The place that is looked at may be this far outside the lane found [m], as in a bend."""

_ZONE_MARGIN = 1.0
"""A place this near to a zone of conflict is in it [m]."""

_MAX_STEP_UP = 1.0
"""Lanes with more height than this between them are not beside each other [m]."""

_OWN_MARGIN, _FAR_MARGIN = 0.1, 0.2
"""A body stays this far inside its own lane, and inside the lane beside [m]."""


class StationLanes(NamedTuple):
    """Lanes as what lies beside them is looked for.

    Attributes:
        first, points, arc, run, tangent: of `Polylines`.
        left, right: `(P,)` from the middle to the lane's boundaries at each point [m].
        left_crossable, right_crossable: `(L,)` of `RoadNetwork`.
        clear_before, clear_beyond: `(L,)` where the first zone of conflict begins and the last one ends [m].
    """

    first: IntArray
    points: FloatArray
    arc: FloatArray
    run: FloatArray
    tangent: FloatArray
    left: FloatArray
    right: FloatArray
    left_crossable: FlagArray
    right_crossable: FlagArray
    clear_before: FloatArray
    clear_beyond: FloatArray


@inner_kernel
def between_points(values: FloatArray, segment: int, fraction: float) -> float:
    """A value within a segment, of those at its ends."""
    found: float = (1.0 - fraction) * values[segment] + fraction * values[segment + 1]
    return found


@inner_kernel
def is_clear(lanes: StationLanes, link: int, s: float) -> bool:
    """Whether a place on a link is free of conflicts."""
    before, beyond = lanes.clear_before[link] - _ZONE_MARGIN, lanes.clear_beyond[link] + _ZONE_MARGIN
    return bool(s < before or s > beyond)


@inner_kernel
def enter_beside(
    lanes: StationLanes,
    surface: SurfaceArrays,
    link: int,
    segment: int,
    fraction: float,
    side: int,
    found: FloatArray,
    row: int,
) -> bool:
    """Enter the lane beside a place that is free of conflicts, if there is one.

    Args:
        lanes: the lanes.
        surface: the same lanes in a grid.
        link: the lane of the station.
        segment: its segment.
        fraction: of that segment.
        side: 0 left, 1 right.
        found: `(2 S, 7)` of `BesideLane`.
        row: the row of the station and side, whose own room and `room` are there already.

    Returns:
        Whether it is in doubt that the lane entered is parallel to that of the station.
    """
    sign = 1.0 - 2.0 * side
    width = between_points(lanes.right if side == 1 else lanes.left, segment, fraction)
    offset, rest = sign * (width + PROBE_BEYOND), 1.0 - fraction
    ahead_x, ahead_y = direction_at(lanes.tangent, segment, fraction)
    x = rest * lanes.points[segment, 0] + fraction * lanes.points[segment + 1, 0] - offset * ahead_y
    y = rest * lanes.points[segment, 1] + fraction * lanes.points[segment + 1, 1] + offset * ahead_x
    z = rest * lanes.points[segment, 2] + fraction * lanes.points[segment + 1, 2]
    if not (math.isfinite(x) and math.isfinite(y)):
        return False
    near = nearest_segment(surface, x, y, z, 0.0, 0.0, True, _PROBE_REACH)
    if near < 0:
        return False
    near, share = foot_near(surface, near, x, y)
    other, station = surface.link[near], surface.station
    foot_x = station[near, 0] + share * (station[near + 1, 0] - station[near, 0])
    foot_y = station[near, 1] + share * (station[near + 1, 1] - station[near, 1])
    toward_x = station[near, 3] + share * (station[near + 1, 3] - station[near, 3])
    toward_y = station[near, 4] + share * (station[near + 1, 4] - station[near, 4])
    distance = math.hypot(x - foot_x, y - foot_y)
    if distance > _PROBE_REACH or other == link:
        return False
    lateral = (toward_x * (y - foot_y) - toward_y * (x - foot_x)) / max(math.hypot(toward_x, toward_y), 1e-12)
    at = lanes.arc[near] + share * (lanes.arc[near + 1] - lanes.arc[near])
    if not (abs(abs(lateral) - distance) < 0.1 and is_clear(lanes, other, at)):
        return False
    begin, last = lanes.first[other], lanes.first[other + 1] - 1
    there, part = segment_at(lanes.arc, lanes.run, begin, last, at)
    left, right = between_points(lanes.left, there, part), between_points(lanes.right, there, part)
    if not (lateral < left + _MAX_EDGE_OFFSET and lateral > -right - _MAX_EDGE_OFFSET):
        return False
    height = (1.0 - part) * lanes.points[there, 2] + part * lanes.points[there + 1, 2]
    other_x, other_y = direction_at(lanes.tangent, there, part)
    along = ahead_x * other_x + ahead_y * other_y
    if not (abs(height - z) < _MAX_STEP_UP and abs(along) > PARALLEL_COSINE - DOUBT):
        return False
    direction = 1.0 if along > 0.0 else -1.0
    found[row, BESIDE.link], found[row, BESIDE.place], found[row, BESIDE.direction] = other, at, direction
    found[row, BESIDE.distance] = width + PROBE_BEYOND - sign * direction * lateral
    far = left if (direction > 0.0) == (side == 0) else right
    found[row, BESIDE.room] = found[row, BESIDE.distance] + far - _FAR_MARGIN
    return bool(abs(along) < PARALLEL_COSINE + DOUBT)


@kernel
def find_beside(
    lanes: StationLanes,
    surface: SurfaceArrays,
    link: IntArray,
    s: FloatArray,
    most: FloatArray,
    found: FloatArray,
    doubtful: FlagArray,
) -> None:
    """Find what lies beside stations.

    Args:
        lanes: the lanes.
        surface: the same lanes in a grid; whether vehicles may use them as numbers.
        link: `(S,)` the lane of each station.
        s: `(S,)` its place [m].
        most: `(2,)` greatest room on the own lane to the left and to the right [m].
        found: `(2 S, 7)` out, of `BesideLane`: each station's left side, then its right.
        doubtful: `(2 S,)` out, which lanes entered may not be parallel.
    """
    bare_lanes, bare_found, bare_link, bare_s = bare(lanes), bare(found), bare(link), bare(s)
    ground = bare(surface)
    for station in range(link.shape[0]):
        lane = bare_link[station]
        begin, last = lanes.first[lane], lanes.first[lane + 1] - 1
        segment, fraction = segment_at(bare_lanes.arc, bare_lanes.run, begin, last, bare_s[station])
        clear = is_clear(bare_lanes, lane, bare_s[station])
        for side in range(2):
            row = 2 * station + side
            width = between_points(bare_lanes.right if side == 1 else bare_lanes.left, segment, fraction)
            own = min(width - _OWN_MARGIN, most[side])
            for column in range(bare_found.shape[1]):
                bare_found[row, column] = 0.0
            bare_found[row, BESIDE.link] = -1.0 if clear else IN_JUNCTION
            bare_found[row, BESIDE.own_room] = bare_found[row, BESIDE.room] = own
            crossable = lanes.right_crossable[lane] if side == 1 else lanes.left_crossable[lane]
            bare_found[row, BESIDE.crossable] = 1.0 if crossable else 0.0
            doubtful[row] = clear and enter_beside(bare_lanes, ground, lane, segment, fraction, side, bare_found, row)
