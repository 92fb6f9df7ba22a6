"""Makes the road network of a map (`dorosim.road.lane_network`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from dorosim.ground.collector import paused_collector
from dorosim.ground.error import InputError
from dorosim.ground.unit import KMH
from dorosim.road.adjacency import Adjacency, FloatArray, IntArray, adjacency_from_pairs, frozen, rows_and_numbers
from dorosim.road.boundary import lane_sides
from dorosim.road.crosswalk import crosswalks_from_mgeo
from dorosim.road.derived_controller import with_controllers
from dorosim.road.lane_change import lane_changes_from_mgeo, neighbours_from_mgeo
from dorosim.road.lane_network import LanePose, RoadNetwork
from dorosim.road.mark import crossable_lines
from dorosim.road.mgeo.record import Link, MGeoMap, NodeRecord
from dorosim.road.polyline import polylines_from_points
from dorosim.road.side_by_side import side_by_side_of_lanes
from dorosim.road.signal import lacks_controllers, signals_from_mgeo
from dorosim.road.surface import surface_from_lines

__all__ = ["LanePose", "RoadNetwork", "is_drivable", "network_from_mgeo"]

_NOT_DRIVABLE = frozenset(
    {"sidewalk", "shoulder", "border", "curb", "median", "none", "biking", "walking", "non_drivable_lane"}
)
"""Link types that no vehicle uses, in lower case: lane types of ASAM OpenDRIVE, which RoadRunner writes, and one of
TomTom's. Real maps have "sidewalk"."""

_SPEED_UNITS = {"mph": 1609.344 / 3600, "mi/h": 1609.344 / 3600, "m/s": 1.0, "mps": 1.0}
_DEFAULT_SPEED = 50 * KMH.factor

T = TypeVar("T", NodeRecord, Link)


def network_from_mgeo(m: MGeoMap) -> RoadNetwork:
    """The road network of an MGeo map.

    Of links or nodes with the same id the first counts. Links are joined where they share a node.

    Raises:
        InputError: if a lane has fewer than two points.
    """
    with paused_collector():
        return _network(m)


def _network(m: MGeoMap) -> RoadNetwork:
    notices = list(m.notices)
    nodes = _first_of_each("nodes", m.nodes, notices)
    lanes = _lanes(m, notices)
    index = {link.idx: row for row, link in enumerate(lanes)}
    node_row = {node.idx: row for row, node in enumerate(nodes)}
    from_node = np.array([node_row.get(link.from_node_idx or "", -1) for link in lanes], np.int64)
    to_node = np.array([node_row.get(link.to_node_idx or "", -1) for link in lanes], np.int64)
    lines = polylines_from_points([link.points for link in lanes], from_node, to_node)
    kinds = [link.link_type for link in lanes]
    usable = {kind: _is_drivable_type(kind) for kind in set(kinds)}
    drivable = np.array([usable[kind] for kind in kinds], np.bool_)
    successors, predecessors = _join(from_node, to_node)
    neighbours = neighbours_from_mgeo(lanes, index)
    start = lines.first[:-1]
    lazy_links = [link for link in m.links if link.lazy_init]
    changes = lane_changes_from_mgeo(
        lazy_links, index, neighbours, lines.points[start, :2], lines.tangent[start], notices
    )
    left_crossable, right_crossable = crossable_lines(lanes, m.lane_boundaries)
    left_width, right_width = lane_sides(lines, lanes, m.lane_boundaries)
    signals = signals_from_mgeo(m, lanes, index, lines, predecessors)
    network = RoadNetwork(
        name=m.name,
        coordinate_system=m.info.coordinate_system,
        origin=m.info.origin,
        left_hand_traffic=m.info.traffic_dir.strip().upper() == "LHT",
        node_ids=tuple(node.idx for node in nodes),
        link_ids=tuple(index),
        link_from_node=frozen(from_node),
        link_to_node=frozen(to_node),
        link_length=frozen(lines.arc[lines.first[1:] - 1] if lanes else np.zeros(0)),
        link_speed_limit=frozen(_speed_limits(lanes)),
        link_drivable=frozen(drivable),
        link_types=tuple(link.link_type or "" for link in lanes),
        link_movements=tuple(link.related_signal or "" for link in lanes),
        neighbours=neighbours,
        changes=changes,
        side_by_side=side_by_side_of_lanes(lines, neighbours, changes),
        successors=successors,
        predecessors=predecessors,
        lines=lines,
        left_width=left_width,
        right_width=right_width,
        left_crossable=left_crossable,
        right_crossable=right_crossable,
        signals=signals,
        crosswalks=crosswalks_from_mgeo(m, signals, lines, drivable),
        surface=surface_from_lines(lines, drivable, successors, predecessors),
        precedence=_precedence(m, index),
        notices=tuple(notices),
    )
    if not lacks_controllers(signals):
        return network
    completed, notice = with_controllers(m, network)
    signals = signals_from_mgeo(completed, lanes, index, lines, predecessors)
    return replace(network, signals=replace(signals, derived=notice))


def _lanes(m: MGeoMap, notices: list[str]) -> list[Link]:
    """The links that are lanes, each of two points or more."""
    lanes = _first_of_each("links", [link for link in m.links if not link.lazy_init], notices)
    for link in lanes:
        if len(link.points) < 2:
            raise InputError(
                f"map {m.name}", f"link {link.idx!r}", "a lane needs two points or more", "remove the link"
            )
    return lanes


def _first_of_each(kind: str, records: Sequence[T], notices: list[str]) -> list[T]:
    """Records without those whose id was there before."""
    kept: dict[str, T] = {}
    for record in records:
        kept.setdefault(record.idx, record)
    if len(kept) < len(records):
        notices.append(f"{len(records) - len(kept)} {kind} left out, whose ids others have before them")
    return list(kept.values())


def _join(from_node: IntArray, to_node: IntArray) -> tuple[Adjacency, Adjacency]:
    """Successors and predecessors of links, from the rows `(L,)` of their nodes (-1 for none)."""
    count = len(from_node)
    order = np.argsort(from_node, kind="stable")
    ordered = from_node[order]
    ends = np.flatnonzero(to_node >= 0)
    begin = np.searchsorted(ordered, to_node[ends], "left")
    row, number = rows_and_numbers(np.searchsorted(ordered, to_node[ends], "right") - begin)
    before, after = ends[row], order[begin[row] + number]
    return adjacency_from_pairs(before, after, count), adjacency_from_pairs(after, before, count)


def _precedence(m: MGeoMap, index: Mapping[str, int]) -> IntArray:
    """Rows `(N, 2)` of the links of which the first goes before the second, by the `index` of ids."""
    rows = [(index[high], index[low]) for high, low in m.precedences if high in index and low in index]
    return frozen(np.array(rows, np.int64).reshape(-1, 2))


def is_drivable(link: Link) -> bool:
    """Whether vehicles may use a lane, by its type."""
    return _is_drivable_type(link.link_type)


def _is_drivable_type(kind: str | None) -> bool:
    return (kind or "").lower() not in _NOT_DRIVABLE


def _speed_limits(lanes: Sequence[Link]) -> FloatArray:
    """Lanes' speed limits `(L,)` [m/s]. The product's unit is km/h, whatever "kph", "km/h" or "" it writes."""
    units = [link.speed_unit for link in lanes]
    factors = {unit: _SPEED_UNITS.get(unit.strip().lower(), KMH.factor) for unit in set(units)}
    stated = np.array([link.max_speed for link in lanes], np.float64)
    limit = stated * np.array([factors[unit] for unit in units], np.float64)
    return np.where(limit > 0, limit, _DEFAULT_SPEED)
