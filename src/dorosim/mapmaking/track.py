"""Roads without a town, for measurements: a circle, a straight road, a grid of signalised crossroads.

The grid is like that of SUMO's `netgenerate --grid -L 2 -j traffic_light` (Eclipse SUMO, netgenerate): two lanes in
each direction, 200 m from crossroads to crossroads. The left lane leads to the left and straight on, the right lane
straight on and to the right; at the edge of the grid lanes lead where there are roads. Lights have two phases; turns
give way.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dorosim.ground.collector import paused_collector
from dorosim.road.adjacency import FloatArray
from dorosim.road.mgeo.record import (
    IntersectionController,
    IntersectionProgramme,
    Link,
    MGeoMap,
    NodeRecord,
    SignalStateRecord,
    TrafficLightRecord,
)

TRACK_LANE_WIDTH = 3.5
"""Width of a lane of the circle and of the straight road [m]."""

QUARTERS = 4
"""Links of a circle."""

LIGHT = "TL0"
"""Id of the light of a straight track."""

CROSSROADS_SPACING = 200.0
"""From crossroads to crossroads of a grid [m]."""

_HALF = 14.0
"""From the middle of a crossroads to its stop lines [m]."""

_GRID_LANE_WIDTH, _LIMIT_KMH = 3.2, 50.0

_GREEN, _YELLOW, _CLEAR = 27.0, 3.0, 2.0
"""Durations of green, of the yellow at its end, and of red for all [s]."""

_DIRECTIONS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
_STRAIGHT, _LEFT, _RIGHT = 0, 1, 3
_MOVEMENTS = {_STRAIGHT: "straight", _LEFT: "left_unprotected", _RIGHT: "right_unprotected"}
_LANE_TURNS = ((_LEFT, _STRAIGHT), (_STRAIGHT, _RIGHT))


_TURN = np.linspace(0.0, 1.0, 17)[:, None]
_FROM, _OVER, _TO = (1 - _TURN) ** 2, 2 * _TURN * (1 - _TURN), _TURN**2
"""How much the points of a turn have of its start, of the corner that it cuts, and of its end."""


def circle_map(circumference: float, limit_kmh: float = _LIMIT_KMH) -> MGeoMap:
    """One lane in a closed circle, counter-clockwise about the map's origin.

    Args:
        circumference: of the lane [m].
        limit_kmh: speed limit.
    """
    radius = circumference / (2 * math.pi)
    found = MGeoMap(name=f"circle {circumference:g} m")
    for quarter in range(QUARTERS):
        angle = (quarter + np.linspace(0.0, 1.0, 181)) * 0.5 * math.pi
        points = radius * np.column_stack((np.cos(angle), np.sin(angle)))
        nodes = (f"n{quarter}", f"n{(quarter + 1) % QUARTERS}")
        _add_lane(found, f"circle{quarter}", nodes, points, max_speed=limit_kmh)
    return _with_nodes(found)


def straight_map(length: float, lanes: int = 1, light_at: float | None = None, green: float = 30.0) -> MGeoMap:
    """Lanes that lead east from the map's origin, the leftmost on the x axis, with open ends.

    Args:
        length: of the road [m].
        lanes: how many, 0 is the leftmost; one may change between them.
        light_at: where a stop line with a light is, None for none [m].
        green: how long the light is green; after 3 s of yellow it is red as long [s].
    """
    found = MGeoMap(name=f"straight {length:g} m")
    ends = (0.0, length) if light_at is None else (0.0, light_at, length)
    for lane in range(lanes):
        for part, (begin, end) in enumerate(itertools.pairwise(ends)):
            points = np.array([(begin, -TRACK_LANE_WIDTH * lane), (end, -TRACK_LANE_WIDTH * lane)])
            link = _add_lane(found, f"lane{lane}_{part}", (f"n{lane}_{part}", f"n{lane}_{part + 1}"), points)
            if lane > 0:
                link.can_move_left_lane, link.left_lane_change_dst_link_idx = True, f"lane{lane - 1}_{part}"
            if lane < lanes - 1:
                link.can_move_right_lane, link.right_lane_change_dst_link_idx = True, f"lane{lane + 1}_{part}"
    if light_at is not None:
        _add_light(found, LIGHT, light_at, [f"lane{lane}_1" for lane in range(lanes)])
        _add_controller(found, "I0", [[LIGHT]], ((green, ["SG"], _YELLOW), (green, ["R"], 0.0)))
    return _with_nodes(found)


def grid_map(side: int) -> MGeoMap:
    """A grid of `side` times `side` crossroads, whose first is the map's origin."""
    found = MGeoMap(name=f"grid {side}")
    with paused_collector():
        for i, j in itertools.product(range(side), repeat=2):
            out = [d for d, (dx, dy) in enumerate(_DIRECTIONS) if 0 <= i + dx < side and 0 <= j + dy < side]
            for d in out:
                _add_road(found, i, j, d)
            _add_crossroads(found, i, j, out)
        return _with_nodes(found)


def _add_lane(m: MGeoMap, idx: str, nodes: tuple[str, str], points: FloatArray, **fields: Any) -> Link:
    """Add a lane along points `(n, 2)` [m]; by default straight and as the circle and the straight road have it."""
    flat = np.zeros((len(points), 3))
    flat[:, :2] = points
    values: dict[str, Any] = {
        "link_type": "6",
        "max_speed": _LIMIT_KMH,
        "width_start": TRACK_LANE_WIDTH,
        "width_end": TRACK_LANE_WIDTH,
        "related_signal": "straight",
        **fields,
    }
    link = Link(idx=idx, from_node_idx=nodes[0], to_node_idx=nodes[1], points=flat, **values)
    m.links.append(link)
    return link


def _with_nodes(m: MGeoMap) -> MGeoMap:
    """The map with the nodes that its links name, at their ends."""
    nodes: dict[str | None, NodeRecord] = {}
    for link in m.links:
        for idx, end in ((link.from_node_idx, 0), (link.to_node_idx, -1)):
            if idx not in nodes:
                x, y, z = link.points[end].tolist()
                nodes[idx] = NodeRecord(idx=str(idx), point=(x, y, z))
    m.nodes = list(nodes.values())
    return m


def _add_light(m: MGeoMap, idx: str, x: float, links: list[str]) -> None:
    """Add a light over the road that governs links."""
    lamps = ["red", "yellow", "straight"]
    m.traffic_lights.append(TrafficLightRecord(idx=idx, point=(x, 0.0, 5.0), link_id_list=links, sub_type=lamps))


def _add_controller(
    m: MGeoMap, idx: str, groups: list[list[str]], states: Sequence[tuple[float, list[str], float]]
) -> None:
    """Add a controller of groups of lights and its programme: duration [s], colours and yellow [s] of each state."""
    m.intersection_controllers.append(IntersectionController(idx=idx, TL=groups))
    m.intersection_programmes.append(
        IntersectionProgramme(
            idx=idx,
            TLState=[SignalStateRecord(duration=duration, lightcolor=colours) for duration, colours, _ in states],
            yelloduration=[yellow for _, _, yellow in states],
        )
    )


def _lane_point(i: int, j: int, d: int, lane: int, s: float) -> tuple[float, float]:
    """A point on a lane that leads in direction d, `s` metres after the middle of crossroads (i, j)."""
    x, y = _DIRECTIONS[d]
    aside = lane + 0.5
    return (
        i * CROSSROADS_SPACING + x * s + y * _GRID_LANE_WIDTH * aside,
        j * CROSSROADS_SPACING + y * s + -x * _GRID_LANE_WIDTH * aside,
    )


def _add_grid_lane(m: MGeoMap, idx: str, nodes: tuple[str, str], points: FloatArray, **fields: Any) -> None:
    """Add a lane of a grid along points `(n, 3)` [m]."""
    link = Link(
        idx=idx,
        from_node_idx=nodes[0],
        to_node_idx=nodes[1],
        points=points,
        max_speed=_LIMIT_KMH,
        width_start=_GRID_LANE_WIDTH,
        width_end=_GRID_LANE_WIDTH,
        **fields,
    )
    m.links.append(link)


def _add_road(m: MGeoMap, i: int, j: int, d: int) -> None:
    """Add both lanes from crossroads (i, j) in direction d; lane 0 is the left one."""
    to = (i + int(_DIRECTIONS[d][0]), j + int(_DIRECTIONS[d][1]))
    for lane in (0, 1):
        name, beside = f"{i}_{j}_{d}_{lane}", f"{i}_{j}_{d}_{1 - lane}"
        _add_grid_lane(
            m,
            name,
            (f"s{name}", f"e{to[0]}_{to[1]}_{d}_{lane}"),
            _line(_lane_point(i, j, d, lane, _HALF), _lane_point(i, j, d, lane, CROSSROADS_SPACING - _HALF)),
            link_type="6",
            related_signal=None,
            can_move_left_lane=lane == 1,
            can_move_right_lane=lane == 0,
            left_lane_change_dst_link_idx=beside if lane == 1 else None,
            right_lane_change_dst_link_idx=beside if lane == 0 else None,
        )


def _line(start: tuple[float, float], end: tuple[float, float]) -> FloatArray:
    """`(2, 3)` the ends of a straight lane at height 0 [m]."""
    return np.array(((*start, 0.0), (*end, 0.0)))


def _add_crossroads(m: MGeoMap, i: int, j: int, out: list[int]) -> None:
    """Add the lanes over crossroads (i, j) from which roads lead in the directions `out`, and its lights."""
    groups: list[list[str]] = [[], []]
    movements = [(d, *movement) for d in ((origin + 2) % 4 for origin in out) for movement in _movements(d, out)]
    names = _add_movements(m, i, j, movements)
    for origin in out:
        d = (origin + 2) % 4
        links = [name for name, movement in zip(names, movements, strict=True) if movement[0] == d]
        light = f"TL{i}_{j}_{d}"
        _add_light(m, light, 0.0, links)
        groups[d % 2].append(light)
    states = (
        (_GREEN, ["SG", "R"], _YELLOW),
        (_CLEAR, ["R", "R"], 0.0),
        (_GREEN, ["R", "SG"], _YELLOW),
        (_CLEAR, ["R", "R"], 0.0),
    )
    _add_controller(m, f"I{i}_{j}", groups, states)


def _movements(d: int, out: Sequence[int]) -> list[tuple[int, int]]:
    """Lanes and turns over a crossroads, from lanes that lead in direction d to the directions `out` of its roads."""
    found = []
    for lane, turns in enumerate(_LANE_TURNS):
        open_turns = [turn for turn in turns if (d + turn) % 4 in out]
        found += [(lane, turn) for turn in open_turns or [turn for turn in _MOVEMENTS if (d + turn) % 4 in out]]
    return found


def _add_movements(m: MGeoMap, i: int, j: int, movements: Sequence[tuple[int, int, int]]) -> list[str]:
    """Add lanes over crossroads (i, j); turns are parabolas.

    Args:
        m: the map.
        i: number of the crossroads from west to east.
        j: from south to north.
        movements: direction of the lane from which each leads, its number, and the turn.

    Returns:
        Their ids.
    """
    if not movements:
        return []
    names, ends = [], []
    for d, lane, turn in movements:
        after, target = (d + turn) % 4, {_STRAIGHT: lane, _LEFT: 0, _RIGHT: 1}[turn]
        (x, y), a, b = _DIRECTIONS[d], _lane_point(i, j, d, lane, -_HALF), _lane_point(i, j, after, target, _HALF)
        way = (b[0] - a[0]) * x + (b[1] - a[1]) * y
        ends.append((a, (a[0] + x * way, a[1] + y * way), b))
        names.append((f"m{i}_{j}_{d}_{lane}_{turn}", f"e{i}_{j}_{d}_{lane}", f"s{i}_{j}_{after}_{target}"))
    a, corner, b = np.array(ends).transpose(1, 0, 2)[:, :, None]
    turned = np.zeros((len(ends), len(_TURN), 3))
    turned[:, :, :2] = _FROM * a + _OVER * corner + _TO * b
    for (name, *nodes), points, (start, _, end), movement in zip(names, turned, ends, movements, strict=True):
        turn = movement[2]
        _add_grid_lane(
            m,
            name,
            (nodes[0], nodes[1]),
            _line(start, end) if turn == _STRAIGHT else points,
            link_type="1",
            related_signal=_MOVEMENTS[turn],
        )
    return [name for name, _, _ in names]
