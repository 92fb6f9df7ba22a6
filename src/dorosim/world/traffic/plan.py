"""The roads as traffic uses them: made once from the map, and never changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Column
from dorosim.road.adjacency import (
    Adjacency,
    FlagArray,
    FloatArray,
    IntArray,
    adjacency_from_pairs,
    frozen,
)
from dorosim.road.conflict import WAITING_ROOM, Conflicts, Partings, conflicts_of_network
from dorosim.road.network import RoadNetwork
from dorosim.road.side_by_side import SideBySide
from dorosim.world.traffic.course import courses_of
from dorosim.world.traffic.lane_beside import stations_beside
from dorosim.world.traffic.lane_grid import LaneGrid, lane_grid_of_road
from dorosim.world.traffic.right_of_way import yields_of_conflicts
from dorosim.world.traffic.road import (
    CURVE_ACCELERATION,
    LaneNeighbour,
    LinkConflict,
    LinkDiverge,
    RoadArrays,
    RoadLink,
)
from dorosim.world.traffic.turn_kernel import find_sharp_steps

A = TypeVar("A", bound=NDArray[Any])

_CURVE_STEP = 2.5
"""Distance over which the turn of a lane is measured [m]; shorter ones see the noise of the map's points."""

_MIN_LANE_CURVATURE = 1e-4
"""Lanes that turn less than this are straight [1/m]."""

_BEFORE_ZONE = 1.0
"""A vehicle that waits inside a junction stops this far before the zone [m]."""

_STOP_LINE_REACH = 12.0
"""A stop line belongs to the junction at the end of its lane if it is this near to it [m]."""

_CACHE_LINE = 64
"""Bytes that a processor fetches at once: a row of eight numbers, where it begins with them."""

_ENTRY_LENGTH = 40.0
"""Inside the map, vehicles come in only on lanes at least this long [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class TrafficPlan:
    """The static side of traffic.

    Attributes:
        road: the roads as kernels see them.
        conflicts: where lanes get in each other's way.
        partings: lanes that start together.
        drivable: `(L,)` links that vehicles use.
        grid: where their lanes are.
        side_by_side: which places on lanes are beside each other.
    """

    road: RoadArrays
    conflicts: Conflicts
    partings: Partings
    drivable: FlagArray
    grid: LaneGrid
    side_by_side: SideBySide

    @classmethod
    def from_network(cls, network: RoadNetwork, minor: FlagArray | None = None) -> Self:
        """The plan of a map.

        Args:
            network: the roads.
            minor: `(L,)` links whose drivers give way by a sign; None takes those behind a stop line without a light.
        """
        conflicts, partings = conflicts_of_network(network)
        lit = lit_links(network)
        yields = yields_of_conflicts(network, conflicts, lit, minor)
        road = _road(network, conflicts, partings, lit, yields)
        drivable = network.link_drivable
        return cls(road, conflicts, partings, drivable, lane_grid_of_road(road, drivable), network.side_by_side)


def lit_links(network: RoadNetwork) -> FlagArray:
    """Links that a light for vehicles governs, `(L,)`."""
    lit = np.zeros(network.link_count, np.bool_)
    for light in network.signals.lights:
        if light.kind != "pedestrian":
            lit[list(light.links)] = True
    return lit


def _road(
    network: RoadNetwork, conflicts: Conflicts, partings: Partings, lit: FlagArray, yields: FlagArray
) -> RoadArrays:
    count = network.link_count
    conflicting = np.zeros(count, np.bool_)
    conflicting[conflicts.link] = True
    following = _drivable_of(network, network.successors)
    before = _drivable_of(network, network.predecessors)
    sides = network.neighbours
    course, first_point, points_per_metre = courses_of(network)
    boundary_entry, interior_entry = _entries(network, conflicting, before.first)
    left, left_pair = _lanes_beside(network, sides.left, sides.left_allowed)
    right, right_pair = _lanes_beside(network, sides.right, sides.right_allowed)
    link = _rows_of(
        RoadLink.float_columns,
        length=network.link_length,
        speed_limit=network.link_speed_limit,
        curve_speed=curve_speeds(network),
        stop_line=_stops(network),
        wait_place=_wait_places(conflicts, count, ~conflicts.long),
        long_wait_place=_wait_places(conflicts, count, np.ones(len(conflicts.long), np.bool_)),
        first_point=first_point,
        points_per_metre=points_per_metre,
    )
    link_ints = _rows_of(
        RoadLink.int_columns,
        left=np.append(left, 0),
        right=np.append(right, 0),
        signalled=np.append(lit, 0),
        conflicting=np.append(conflicting, 0),
        successor_first=following.first,
        predecessor_first=before.first + len(following.item),
        conflict_first=adjacency_from_pairs(conflicts.link, np.arange(len(conflicts.link)), count).first,
        diverge_first=adjacency_from_pairs(partings.link, np.arange(len(partings.link)), count).first,
    )
    station_first, beside = stations_beside(network, conflicts)
    diverge = _rows_of(
        LinkDiverge.float_columns, end=partings.end, other_end=partings.other_end, other_link=partings.other
    )
    return RoadArrays(
        link=_in_cache_lines(link.astype(np.float64)),
        link_ints=_in_cache_lines(link_ints.astype(np.int64)),
        half_width=frozen(_half_widths(network)),
        keep_clear_end=frozen(_keep_clear_ends(conflicts, yields, count)),
        connection=frozen(np.concatenate((following.item, before.item))),
        boundary_entry=frozen(boundary_entry),
        interior_entry=frozen(interior_entry),
        conflict=frozen(_conflict_rows(conflicts, yields)),
        diverge=frozen(diverge.astype(np.float64)),
        side=frozen(_sides(network, np.column_stack((left_pair, right_pair)).reshape(-1))),
        side_place=network.side_by_side.place,
        course=_in_cache_lines(course),
        station_first=station_first,
        beside=beside,
    )


def _conflict_rows(conflicts: Conflicts, yields: FlagArray) -> FloatArray:
    """The block `(columns, N)` of `LinkConflict`."""
    rows = _rows_of(
        LinkConflict.float_columns,
        end=conflicts.end,
        foe_start=conflicts.other_start,
        foe_end=conflicts.other_end,
        foe_link=conflicts.other,
        yields=yields,
        merges=conflicts.merge,
        long_only=conflicts.long,
    )
    return rows.astype(np.float64)


def _rows_of(table: Sequence[Column], **columns: NDArray[Any]) -> NDArray[Any]:
    """`(rows, columns)`: columns by name, side by side in the order of a table."""
    return np.column_stack([columns[column.name] for column in table])


def _lanes_beside(network: RoadNetwork, beside: IntArray, allowed: FlagArray) -> tuple[IntArray, IntArray]:
    """Lanes `(L,)` to which drivers may change, and their pairs; -1 where they may not, or the lane lies elsewhere."""
    pair = network.side_by_side.pairs_of(np.arange(network.link_count), beside)
    pair[~allowed] = -1
    return np.where(pair >= 0, beside, -1), pair


def _sides(network: RoadNetwork, pair: IntArray) -> FloatArray:
    """`RoadArrays.side` of pairs `(2 L,)`, -1 for none."""
    sides = network.side_by_side
    found = np.zeros((len(pair), LaneNeighbour.float_width))
    rows = np.flatnonzero(pair >= 0)
    one = pair[rows]
    found[rows] = _rows_of(
        LaneNeighbour.float_columns,
        first_place=sides.first[one],
        cells=sides.first[one + 1] - sides.first[one] - 1,
        start=sides.other_start[one],
        cells_per_metre=1.0 / sides.spacing[one],
    )
    return found


def _in_cache_lines(table: A) -> A:
    """A read-only copy of an array of numbers of 8 bytes that begins where a line of the processor's cache does."""
    room = np.empty(table.size + _CACHE_LINE // 8, table.dtype)
    skipped = -room.ctypes.data % _CACHE_LINE // 8
    copy = room[skipped : skipped + table.size].reshape(table.shape)
    copy[:] = table
    return cast(A, frozen(copy))


def _drivable_of(network: RoadNetwork, links: Adjacency) -> Adjacency:
    """Of the links after, or before, each link those for vehicles; none where the link itself is not."""
    row = np.repeat(np.arange(len(links)), np.diff(links.first))
    kept = network.link_drivable[row] & network.link_drivable[links.item]
    return adjacency_from_pairs(row[kept], links.item[kept], len(links))


def _stops(network: RoadNetwork) -> FloatArray:
    """The place where a vehicle stops on each link before its end, `(L,)` [m]."""
    line, length = network.signals.stop_line, network.link_length
    near = np.nan_to_num(length - line, nan=math.inf) <= _STOP_LINE_REACH
    found: FloatArray = np.where(near, np.nan_to_num(line), length)
    return found


def _wait_places(conflicts: Conflicts, count: int, counted: FlagArray) -> FloatArray:
    """The place where a vehicle waits on each link for its `counted` conflicts, `(L,)` [m]; 0 for before the link."""
    first = np.full(count, math.inf)
    np.minimum.at(first, conflicts.link[counted], conflicts.start[counted])
    return np.where((first >= WAITING_ROOM) & np.isfinite(first), first - _BEFORE_ZONE, 0.0)


def _keep_clear_ends(conflicts: Conflicts, yields: FlagArray, count: int) -> FloatArray:
    """End of the last zone on each link that a vehicle must not block, `(L,)` [m]; -1 for none.

    A vehicle with priority at a merge may stand in it: the vehicles that it keeps out wait where they hinder no other.
    This keeps roundabouts moving.
    """
    kept = ~conflicts.merge | yields
    keep = np.full(count, -1.0)
    np.maximum.at(keep, conflicts.link[kept], conflicts.end[kept])
    return keep


def _half_widths(network: RoadNetwork) -> FloatArray:
    lines = network.lines
    width = np.full(network.link_count, math.inf)
    np.minimum.at(width, lines.line, 0.5 * (network.left_width + network.right_width))
    return width


def curve_speeds(network: RoadNetwork) -> FloatArray:
    """The speed at which the sharpest bend of each link is taken with CURVE_ACCELERATION, `(L,)` [m/s]."""
    count = network.link_count
    steps = np.maximum(np.ceil(network.link_length / _CURVE_STEP).astype(np.int64), 2)
    spacing = network.link_length / steps
    lines, sharpest = network.lines, np.zeros(count)
    # only the sharpest bends need the headings as they are to the bit
    link, number = find_sharp_steps(lines.tangent, lines.arc, lines.run, lines.first, steps, _MIN_LANE_CURVATURE)
    if len(link):
        before = network.heading_at(link, number * spacing[link])
        turn = network.heading_at(link, (number + 1) * spacing[link]) - before
        turn = np.abs(np.mod(turn + math.pi, 2 * math.pi) - math.pi)
        np.maximum.at(sharpest, link, turn / np.maximum(spacing[link], 1e-3))
    return np.sqrt(CURVE_ACCELERATION / np.maximum(sharpest, _MIN_LANE_CURVATURE))


def _entries(network: RoadNetwork, conflicting: FlagArray, before_first: IntArray) -> tuple[IntArray, IntArray]:
    """Lanes without conflicts that begin at the edge of the map, and long ones inside it; any lane if there is none."""
    plain = network.link_drivable & ~conflicting
    outside = np.diff(before_first) == 0
    edge = np.flatnonzero(plain & outside)
    inner = np.flatnonzero(plain & ~outside & (network.link_length >= _ENTRY_LENGTH))
    if not len(edge) and not len(inner):
        inner = np.flatnonzero(network.link_drivable)
    return edge, inner
