"""What differs between two networks and their maps, field by field."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import RoadNetwork
from tests.road.opendrive.exported import beside

CENTRE, WIDTH, HEIGHT, LENGTH = 0.01, 0.01, 0.01, 0.01
"""Centre lines, widths and rooms to either side, heights and lengths of links, and stop lines on them [m]."""

SPEED, POINT, ANGLE = 1e-6, 0.001, 1e-4
"""Speed limits [m/s]; lights, signs and corners of areas [m]; headings of lights and signs [rad]. All else is equal."""


def differences(a: RoadNetwork, b: RoadNetwork) -> Iterator[str]:
    """What is in a and not so in b: links by id, then signals, crosswalks and changes."""
    for name in ("link_ids", "coordinate_system", "left_hand_traffic"):
        yield from _unequal(name, getattr(a, name), getattr(b, name))
    if set(a.link_ids) != set(b.link_ids):
        return
    yield from _unequal("nodes", sorted(a.node_ids), sorted(b.node_ids))
    if not np.allclose(a.origin, b.origin, atol=POINT, rtol=0.0):
        yield f"origin: {a.origin} and {b.origin}"
    for name in a.link_ids:
        for difference in (*_of_graph(a, b, name), *_of_lines(a, b, name)):
            yield f"link {name}: {difference}"
    yield from _of_signals(a, b)
    yield from _unequal("crosswalks", dict(_areas(a)).keys(), dict(_areas(b)).keys())
    for key, corners in _areas(a):
        if not np.allclose(corners, dict(_areas(b)).get(key, math.inf), atol=POINT, rtol=0.0):
            yield f"corners of crosswalk {key}"
    yield from _unequal("changes", _changes(a), _changes(b))
    pairs = [sorted((n.link_ids[x], n.link_ids[y]) for x, y in n.precedence.tolist()) for n in (a, b)]
    yield from _unequal("precedence", *pairs)


def map_differences(a: MGeoMap, b: MGeoMap) -> Iterator[str]:
    """What the records of two maps have besides their networks: painted lines of links, signs, paintings, bays."""
    links = {link.idx: link for link in b.links}
    for link in a.links:
        if not link.lazy_init and link.idx in links:
            for side in ("lane_mark_left", "lane_mark_right"):
                own = [set(_paint(m, getattr(one, side))) for m, one in ((a, link), (b, links[link.idx]))]
                yield from _unequal(f"link {link.idx}: {side}", *own)
    for name, fields in (
        ("traffic_signs", ("type", "sub_type", "value", "height", "width", "link_id_list")),
        ("surface_markings", ("type", "sub_type")),
        ("parking_spaces", ("parking_type", "width", "length", "angle")),
    ):
        known = {one.idx: one for one in getattr(b, name)}
        yield from _unequal(name, sorted(one.idx for one in getattr(a, name)), sorted(known))
        for one in getattr(a, name):
            if (other := known.get(one.idx)) is None:
                continue
            for field in fields:
                yield from _unequal(f"{name} {one.idx}: {field}", getattr(one, field), getattr(other, field))
            if name == "traffic_signs":
                turn = math.remainder(math.radians(one.heading - other.heading), math.tau)
                if not np.allclose(one.point, other.point, atol=POINT, rtol=0.0) or abs(turn) > ANGLE:
                    yield f"{name} {one.idx}: place"
            elif not np.allclose(_ring(one.points), _ring(other.points), atol=POINT, rtol=0.0):
                yield f"{name} {one.idx}: corners"


def _unequal(name: str, one, other) -> Iterator[str]:
    if one != other:
        yield f"{name}: {one!r:.300} and {other!r:.300}"


def _ring(points):
    return points[:-1] if np.allclose(points[0], points[-1], atol=1e-6) else points


def _paint(m: MGeoMap, names: list[str]) -> Iterator[tuple[object, ...]]:
    """Shape, colour, code, width, strokes and gaps of painted lines, each stretch once."""
    lines = {line.idx: line for line in m.lane_boundaries if line.idx in set(names)}
    for line in lines.values():
        for number, shape in enumerate(line.lane_shape):
            if not shape or 599 in line.lane_type:
                continue
            colour, code = (one[min(number, len(one) - 1)] for one in (line.lane_color, line.lane_type))
            dashes = (line.dash_interval_L1, line.dash_interval_L2) if "Broken" in shape else ()
            double = round(line.double_line_interval, 6) if " " in shape else 0.0
            yield shape, colour, code, line.lane_width, dashes, double


def _of_graph(a: RoadNetwork, b: RoadNetwork, name: str) -> Iterator[str]:
    """What follows a link, lies beside it, and holds on it."""
    one, other = a.link_index(name), b.link_index(name)
    for field in ("successors", "predecessors"):
        followers = [sorted(n.link_ids[k] for k in getattr(n, field).of(r)) for n, r in ((a, one), (b, other))]
        yield from _unequal(field, *followers)
    for field in ("link_types", "link_movements", "link_drivable", "left_crossable", "right_crossable"):
        yield from _unequal(field, getattr(a, field)[one], getattr(b, field)[other])
    for field in ("link_from_node", "link_to_node"):
        ends = [n.node_ids[k] if (k := getattr(n, field)[r]) >= 0 else "" for n, r in ((a, one), (b, other))]
        yield from _unequal(field, *ends)
    for side in ("left", "right"):
        near = [n.link_ids[k] if (k := getattr(n.neighbours, side)[r]) >= 0 else "" for n, r in ((a, one), (b, other))]
        yield from _unequal(f"{side} neighbour", *near)
        field = f"{side}_allowed"
        yield from _unequal(field, getattr(a.neighbours, field)[one], getattr(b.neighbours, field)[other])
    if not abs(a.link_speed_limit[one] - b.link_speed_limit[other]) <= SPEED:
        yield f"speed limit: {a.link_speed_limit[one]} and {b.link_speed_limit[other]}"
    stops = a.signals.stop_line[one], b.signals.stop_line[other]
    if not np.allclose(*stops, atol=LENGTH, rtol=0.0, equal_nan=True):
        yield f"stop line: {stops}"


def _of_lines(a: RoadNetwork, b: RoadNetwork, name: str) -> Iterator[str]:
    """Where a link lies and how wide it is: places of the link of b, compared with what a has beside them."""
    one, other = a.link_index(name), b.link_index(name)
    length = float(b.link_length[other])
    if abs(float(a.link_length[one]) - length) > LENGTH:
        yield f"length: {a.link_length[one]} and {length}"
    own = slice(int(b.lines.first[other]), int(b.lines.first[other + 1]))
    s = np.unique(np.concatenate([b.lines.arc[own], np.linspace(0.0, length, max(int(length / 0.25), 8))]))
    points = b.pose_at(other, s).point
    arc, away, height = beside(a, one, points)
    ends = np.linalg.norm(a.points_of(one)[[0, -1]] - b.points_of(other)[[0, -1]], axis=1)
    for what, miss, most in (
        ("ends", ends, CENTRE),
        ("centre", away, CENTRE),
        ("height", points[:, 2] - height, HEIGHT),
        ("width", a.width_at(one, arc) - b.width_at(other, s), WIDTH),
        *(
            (f"room to the {side}", there - here, WIDTH)
            for side, there, here in zip(
                ("left", "right"), a.boundary_distances(one, arc), b.boundary_distances(other, s), strict=True
            )
        ),
    ):
        if np.abs(miss).max() > most:
            yield f"{what}: {np.abs(miss).max():.4f} m"


def _of_signals(a: RoadNetwork, b: RoadNetwork) -> Iterator[str]:
    """Lights in their order, and controllers with groups and programmes."""
    yield from _unequal("lights", [one.id for one in a.signals.lights], [one.id for one in b.signals.lights])
    for one, other in zip(a.signals.lights, b.signals.lights, strict=False):
        governed = [sorted(n.link_ids[k] for k in light.links) for n, light in ((a, one), (b, other))]
        yield from _unequal(f"links of light {one.id}", *governed)
        for field in ("kind", "lamps", "crosswalk", "controller", "group"):
            yield from _unequal(f"{field} of light {one.id}", getattr(one, field), getattr(other, field))
        turn = math.remainder(one.heading - other.heading, math.tau)
        if not np.allclose(one.point, other.point, atol=POINT, rtol=0.0) or abs(turn) > ANGLE:
            yield f"place of light {one.id}: {one.point}, {one.heading} and {other.point}, {other.heading}"
    yield from _unequal("controllers", a.signals.controllers, b.signals.controllers)


def _areas(n: RoadNetwork) -> Iterator[tuple[tuple[object, ...], np.ndarray]]:
    """Crosswalks by id, number among those with this id, and lights; and their corners."""
    seen: dict[str, int] = {}
    for area, name in enumerate(n.crosswalks.ids):
        seen[name] = seen.get(name, 0) + 1
        lights = tuple(sorted(n.signals.lights[row].id for row in n.crosswalks.lights.of(area)))
        yield (name, seen[name], lights), n.crosswalks.of(area)


def _changes(n: RoadNetwork) -> list[tuple[str, tuple[str, ...], int]]:
    return sorted(
        (name, tuple(n.link_ids[row] for row in n.changes.path_of(change)), int(n.changes.side[change]))
        for change, name in enumerate(n.changes.ids)
    )
