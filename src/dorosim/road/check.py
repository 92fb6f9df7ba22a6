"""What is wrong with a map, for its author and for the user that drives on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

import numpy as np

from dorosim.road.lane_change import neighbours_from_mgeo
from dorosim.road.mgeo.record import (
    SET_FILES,
    IntersectionProgramme,
    Link,
    MGeoMap,
    NodeRecord,
    Points,
    is_finite,
)
from dorosim.road.network import is_drivable
from dorosim.road.polyline import polylines_from_points
from dorosim.road.side_by_side import side_by_side_of_pairs
from dorosim.road.signal import lamps_from_colour

_GAP = 0.05
"""Ends that should meet may lie this far apart [m]; real maps stay below 1 mm."""

_WIDE_GAP = 1.0
"""From this on a gap [m] is an error."""

_MIN_LENGTH = 1e-3
"""A lane shorter than this has no direction [m]."""

_ENDS_APART = 5.0
"""Neighbours whose ends do not correspond by more than this are reported [m]."""

Position = tuple[float, float, float]


class Severity(Enum):
    """How bad a problem is."""

    ERROR = "error"
    """Something of the map cannot be used."""

    WARNING = "warning"
    """Something is doubtful, or is left out."""

    INFORMATION = "information"
    """Something to know; real maps have it too."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding.

    Attributes:
        severity: how bad it is.
        kind: what sort of finding, e.g. "unknown-node"; the same for all of a sort.
        file: the file that holds the record, as version 2.9 names it.
        id: the record's id.
        position: where it is in map [m], None if it has no place.
        message: what is wrong, in one line.
    """

    severity: Severity
    kind: str
    file: str
    id: str
    position: Position | None
    message: str

    def __str__(self) -> str:
        """One line."""
        place = "" if self.position is None else f" at ({', '.join(f'{value:.1f}' for value in self.position)})"
        return f"{self.severity.value}: {self.file}: {self.id}{place}: {self.message}"


def check_map(m: MGeoMap) -> list[Problem]:
    """Look for dangling ids, gaps, reversed and empty lanes, dead ends, and programmes that do not fit.

    Returns:
        The problems, errors first, then in the order of the files and records.
    """
    found: list[Problem] = []
    for rule in _RULES:
        found.extend(rule(m))
    order = list(Severity)
    return sorted(found, key=lambda problem: order.index(problem.severity))


def _problem(severity: Severity, kind: str, records: str, record: Any, message: str) -> Problem:
    """A problem of one record of the list `records` of the map."""
    return Problem(severity, kind, SET_FILES[records], record.idx, _position(record), message)


def _position(record: Any) -> Position | None:
    """Where a record is: its point, or the first of its points."""
    points = getattr(record, "points", None)
    if points is not None and len(points):
        x, y, z = points[0].tolist()
        return (x, y, z)
    point = getattr(record, "point", None)
    return point if isinstance(point, tuple) else None


def _duplicate_ids(m: MGeoMap) -> Iterator[Problem]:
    """Ids that two records of one file share."""
    for records in SET_FILES:
        items: Sequence[Any] = getattr(m, records)
        counts = Counter(item.idx for item in items)
        seen: set[str] = set()
        for item in items:
            if counts[item.idx] > 1 and item.idx in seen:
                message = f"{counts[item.idx]} records have this id; the first counts"
                yield _problem(Severity.ERROR, "duplicate-id", records, item, message)
            seen.add(item.idx)


def _not_finite(m: MGeoMap) -> Iterator[Problem]:
    """Numbers that are no numbers. The reader refuses them; maps from elsewhere may have them."""
    for records in SET_FILES:
        for item in getattr(m, records):
            for key in fields(item):
                if not is_finite(getattr(item, key.name)):
                    yield Problem(
                        Severity.ERROR, "not-finite", SET_FILES[records], item.idx, None, f"{key.name} is not finite"
                    )


def _dangling(
    m: MGeoMap,
    kind: str,
    severity: Severity,
    known: Iterable[Any],
    references: Sequence[tuple[str, Callable[[Any], Iterable[str | None]], str]],
) -> Iterator[Problem]:
    """References to ids that no record of `known` has.

    Args:
        m: the map.
        kind: of the problems.
        severity: of the problems.
        known: the records that may be named.
        references: name of a list of the map, what its records name, and what the names stand for.
    """
    ids = {item.idx for item in known}
    for records, names, meaning in references:
        for item in getattr(m, records):
            for name in names(item):
                if name is not None and name != "" and name not in ids:
                    yield _problem(severity, kind, records, item, f"{meaning} {name!r} is not there")


def _dangling_ids(m: MGeoMap) -> Iterator[Problem]:
    """All references from record to record."""
    warning, error = Severity.WARNING, Severity.ERROR
    ends = (lambda line: (line.from_node_idx, line.to_node_idx), "the node")
    yield from _dangling(m, "unknown-node", error, m.nodes, [("links", *ends)])
    yield from _dangling(m, "unknown-node", warning, m.lane_nodes, [("lane_boundaries", *ends)])
    beside = (
        lambda link: (
            link.left_lane_change_dst_link_idx,
            link.right_lane_change_dst_link_idx,
            *link.lane_ch_link_path,
        ),
        "the lane to change into",
    )
    governed = (lambda item: item.link_id_list, "the link")
    holders = ("traffic_lights", "traffic_signs", "synced_traffic_lights", "single_crosswalks", "surface_markings")
    links = [("links", *beside), *((holder, *governed) for holder in holders)]
    yield from _dangling(m, "unknown-link", warning, m.links, links)
    marks = (lambda link: (*link.lane_mark_left, *link.lane_mark_right), "the lane boundary")
    yield from _dangling(m, "unknown-boundary", warning, m.lane_boundaries, [("links", *marks)])
    signals = [
        ("synced_traffic_lights", lambda item: item.signal_id_list, "the light"),
        ("intersection_controllers", lambda item: [light for group in item.TL for light in group], "the light"),
        ("crosswalks", lambda item: item.ref_traffic_light_list, "the light"),
    ]
    yield from _dangling(m, "unknown-signal", warning, m.traffic_lights, signals)
    controllers = [
        ("synced_traffic_lights", lambda item: (item.intersection_controller_id,), "the controller"),
        ("intersection_programmes", lambda item: (item.idx,), "the controller"),
    ]
    yield from _dangling(m, "unknown-controller", warning, m.intersection_controllers, controllers)
    single = [("crosswalks", lambda item: item.single_crosswalk_list, "the crosswalk area")]
    yield from _dangling(m, "unknown-crosswalk", warning, m.single_crosswalks, single)
    crosswalks = [
        ("single_crosswalks", lambda item: (item.ref_crosswalk_id,), "the crosswalk"),
        ("traffic_lights", lambda item: (item.ref_crosswalk_id,), "the crosswalk"),
    ]
    yield from _dangling(m, "unknown-crosswalk", warning, m.crosswalks, crosswalks)


def _lanes(m: MGeoMap) -> list[Link]:
    """The links that are lanes with points."""
    return [link for link in m.links if not link.lazy_init and len(link.points) > 0]


def _distance(a: Points | Position, b: Points | Position) -> float:
    """Distance between two points in space [m]."""
    return float(np.linalg.norm(np.asarray(a) - np.asarray(b)))


def _lane_shapes(m: MGeoMap) -> Iterator[Problem]:
    """Lanes that are empty, run the wrong way, lie off their nodes, or have no width."""
    nodes: dict[str | None, NodeRecord] = {node.idx: node for node in reversed(m.nodes)}
    for link in _lanes(m):
        length = float(np.linalg.norm(np.diff(link.points, axis=0), axis=1).sum())
        if length < _MIN_LENGTH:
            message = f"the lane is {length:.4f} m long"
            yield _problem(Severity.ERROR, "zero-length", "links", link, message)
        if link.width_start <= 0 or link.width_end <= 0:
            yield _problem(Severity.WARNING, "no-width", "links", link, "the lane's width is not positive")
        start, end = nodes.get(link.from_node_idx), nodes.get(link.to_node_idx)
        for node, side in ((link.from_node_idx, "begins"), (link.to_node_idx, "ends")):
            if node is None:
                yield _problem(Severity.ERROR, "no-node", "links", link, f"the lane {side} at no node")
        if start and end and _is_reversed(link, start, end):
            message = f"the points run from {end.idx!r} to {start.idx!r}, against the lane"
            yield _problem(Severity.ERROR, "reversed", "links", link, message)
            continue
        for found, point, side in ((start, link.points[0], "first"), (end, link.points[-1], "last")):
            if found and (gap := _distance(point, found.point)) > _GAP:
                severity = Severity.ERROR if gap >= _WIDE_GAP else Severity.WARNING
                message = f"the {side} point is {gap:.2f} m from node {found.idx!r}"
                yield _problem(severity, "node-gap", "links", link, message)


def _is_reversed(link: Link, start: NodeRecord, end: NodeRecord) -> bool:
    """Whether the points fit the nodes better the other way round."""
    forward = _distance(link.points[0], start.point) + _distance(link.points[-1], end.point)
    backward = _distance(link.points[0], end.point) + _distance(link.points[-1], start.point)
    return backward + _GAP < forward


def _link_gaps(m: MGeoMap) -> Iterator[Problem]:
    """Lanes that follow one another without touching."""
    beginning: dict[str, list[Link]] = {}
    for link in _lanes(m):
        if link.from_node_idx is not None:
            beginning.setdefault(link.from_node_idx, []).append(link)
    for link in _lanes(m):
        for following in beginning.get(link.to_node_idx or "", ()):
            gap = _distance(link.points[-1], following.points[0])
            if gap > _GAP:
                severity = Severity.ERROR if gap >= _WIDE_GAP else Severity.WARNING
                message = f"the lane ends {gap:.2f} m from where {following.idx!r} begins"
                yield _problem(severity, "link-gap", "links", link, message)


def _dead_ends(m: MGeoMap) -> Iterator[Problem]:
    """Driving lanes that lead nowhere or that nothing leads to."""
    driving = [link for link in _lanes(m) if is_drivable(link)]
    begun = {link.from_node_idx for link in driving} - {None}
    ended = {link.to_node_idx for link in driving} - {None}
    for link in driving:
        leads, led = link.to_node_idx in begun, link.from_node_idx in ended
        if not leads and not led:
            yield _problem(Severity.INFORMATION, "isolated", "links", link, "no lane leads here and none goes on")
        elif not leads:
            yield _problem(Severity.INFORMATION, "dead-end", "links", link, "no lane goes on from here")
        elif not led:
            yield _problem(Severity.INFORMATION, "no-way-in", "links", link, "no lane leads here")


def _lane_changes(m: MGeoMap) -> Iterator[Problem]:
    """Permissions without a lane to go to."""
    for link in _lanes(m):
        for side, allowed, target in (
            ("left", link.can_move_left_lane, link.left_lane_change_dst_link_idx),
            ("right", link.can_move_right_lane, link.right_lane_change_dst_link_idx),
        ):
            if allowed and not target:
                message = f"one may change to the {side}, but no lane is named there"
                yield _problem(Severity.WARNING, "no-neighbour", "links", link, message)


def _lanes_beside(m: MGeoMap) -> Iterator[Problem]:
    """Lanes between which a change is allowed, though they lie beside each other nowhere, or not as their ends do."""
    lanes = [link for link in _lanes(m) if len(link.points) > 1 and np.isfinite(link.points).all()]
    lanes = list({link.idx: link for link in reversed(lanes)}.values())[::-1]
    index = {link.idx: row for row, link in enumerate(lanes)}
    no_node = np.full(len(lanes), -1)
    lines = polylines_from_points([link.points for link in lanes], no_node, no_node)
    beside = neighbours_from_mgeo(lanes, index)
    pairs = {
        (row, int(there[row])): side
        for side, (there, allowed) in zip(("left", "right"), beside.sides, strict=True)
        for row in np.flatnonzero(allowed).tolist()
    }
    sides = side_by_side_of_pairs(lines, pairs)
    for pair, (lane, other) in enumerate(sorted(pairs)):
        offer = f"one may change to {lanes[other].idx!r} on the {pairs[lane, other]}, which"
        table = sides.table_of(pair)
        if not len(table):
            message = f"{offer} nowhere lies beside this lane; nobody changes there"
            yield _problem(Severity.WARNING, "neighbour-elsewhere", "links", lanes[lane], message)
            continue
        length, length_there = (float(lines.arc[lines.first[row + 1] - 1]) for row in (lane, other))
        begin, end, begin_there, end_there = sides.stretch_of(pair)
        share = np.linspace(begin_there, end_there, len(table)) / length_there
        ends = (begin, length - end, begin_there, length_there - end_there)
        if max(*ends, float(np.abs(table - share * length).max())) > _ENDS_APART:
            message = (
                f"{offer} lies beside {begin:.1f} to {end:.1f} m of {length:.1f} m with its"
                f" {begin_there:.1f} to {end_there:.1f} m of {length_there:.1f} m"
            )
            yield _problem(Severity.INFORMATION, "neighbour-in-part", "links", lanes[lane], message)


def _programmes(m: MGeoMap) -> Iterator[Problem]:
    """Programmes that do not fit their controllers, and lights without either."""
    groups = {controller.idx: len(controller.TL) for controller in m.intersection_controllers}
    for programme in m.intersection_programmes:
        yield from _programme(programme, groups.get(programme.idx))
    with_programme = {programme.idx for programme in m.intersection_programmes}
    for controller in m.intersection_controllers:
        if controller.idx not in with_programme:
            message = "the controller has no programme"
            yield _problem(Severity.INFORMATION, "no-programme", "intersection_controllers", controller, message)
    controlled = {light for controller in m.intersection_controllers for group in controller.TL for light in group}
    for light in m.traffic_lights:
        if light.dynamic and light.idx not in controlled:
            message = "no controller switches the light"
            yield _problem(Severity.INFORMATION, "no-controller", "traffic_lights", light, message)


def _programme(programme: IntersectionProgramme, groups: int | None) -> Iterator[Problem]:
    """What is wrong with one programme, given how many groups its controller has (None: no controller)."""
    records = "intersection_programmes"
    for number, state in enumerate(programme.TLState):
        if groups is not None and len(state.lightcolor) != groups:
            message = (
                f"state {number} has {len(state.lightcolor)} colours for {groups} groups; the programme is not used"
            )
            yield _problem(Severity.ERROR, "programme-colours", records, programme, message)
        for colour in state.lightcolor:
            if lamps_from_colour(colour) is None:
                message = f"state {number} has an unknown colour {colour!r}"
                yield _problem(Severity.WARNING, "unknown-colour", records, programme, message)
    states = len(programme.TLState)
    if states and sum(state.duration for state in programme.TLState) + sum(programme.yelloduration) <= 0:
        yield _problem(Severity.ERROR, "programme-empty", records, programme, "all states together last 0 s")
    if len(programme.yelloduration) not in (0, states):
        message = f"{len(programme.yelloduration)} yellow times for {states} states"
        yield _problem(Severity.WARNING, "programme-yellow", records, programme, message)
    for number, row in enumerate(programme.PSState):
        if not (0 <= row[0] < states and 0 <= row[1] < (groups or 0)):
            message = f"pedestrian row {number} names a state or a group that is not there"
            yield _problem(Severity.WARNING, "pedestrian-row", records, programme, message)


_RULES: tuple[Callable[[MGeoMap], Iterator[Problem]], ...] = (
    _duplicate_ids,
    _not_finite,
    _dangling_ids,
    _lane_shapes,
    _link_gaps,
    _dead_ends,
    _lane_changes,
    _lanes_beside,
    _programmes,
)
