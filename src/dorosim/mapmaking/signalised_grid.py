"""A grid of signalised crossroads, as large as asked: the roads on which traffic is measured.

It is like that of SUMO's `netgenerate --grid -L 2 -j traffic_light` (Eclipse SUMO, netgenerate): two lanes in each
direction, 200 m from crossroads to crossroads. The left lane leads to the left and straight on, the right lane straight
on and to the right; at the edge of the grid lanes take the ways that there are. Lights have two phases; turns give
way.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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

SPACING = 200.0
"""From crossroads to crossroads [m]."""

_HALF = 14.0
"""From the middle of a crossroads to its stop lines [m]."""

_LANE = 3.2
"""Width of a lane [m]."""

_LIMIT_KMH = 50.0

_GREEN, _YELLOW, _CLEAR = 27.0, 3.0, 2.0
"""Durations of green, of the yellow at its end, and of red for all [s]."""

_WAYS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
_STRAIGHT, _LEFT, _RIGHT = 0, 1, 3
_MOVEMENTS = {_STRAIGHT: "straight", _LEFT: "left_unprotected", _RIGHT: "right_unprotected"}
_LANE_TURNS = ((_LEFT, _STRAIGHT), (_STRAIGHT, _RIGHT))


@dataclass(slots=True)
class _Draft:
    """A map in the making, and its nodes by name."""

    map: MGeoMap
    nodes: dict[str, tuple[float, float, float]] = field(default_factory=dict)

    def node(self, name: str, point: FloatArray) -> str:
        """A node of this name, made where there is none yet."""
        self.nodes.setdefault(name, (float(point[0]), float(point[1]), 0.0))
        return name

    def link(self, idx: str, start: str, end: str, points: FloatArray, **more: Any) -> None:
        """A lane along points `(n, 2)` [m]."""
        flat = np.column_stack((points, np.zeros(len(points))))
        lane = Link(
            idx=idx,
            from_node_idx=start,
            to_node_idx=end,
            points=flat,
            max_speed=_LIMIT_KMH,
            width_start=_LANE,
            width_end=_LANE,
            **more,
        )
        self.map.links.append(lane)


def grid_map(side: int) -> MGeoMap:
    """A grid of `side` times `side` crossroads, whose first is the map's origin."""
    draft = _Draft(MGeoMap(name=f"grid {side}"))
    for i, j in itertools.product(range(side), repeat=2):
        out = [d for d, (dx, dy) in enumerate(_WAYS) if 0 <= i + dx < side and 0 <= j + dy < side]
        for d in out:
            _add_road(draft, i, j, d)
        _add_junction(draft, i, j, out)
    draft.map.nodes = [NodeRecord(idx=name, point=point) for name, point in draft.nodes.items()]
    return draft.map


def _place(i: int, j: int, d: int, lane: int, along: float) -> FloatArray:
    """A point `(2,)` on a lane that leads in direction d, `along` metres after the middle of crossroads (i, j)."""
    way = np.array(_WAYS[d])
    right = np.array((way[1], -way[0]))
    point: FloatArray = np.array((i, j), np.float64) * SPACING + way * along + right * _LANE * (lane + 0.5)
    return point


def _add_road(draft: _Draft, i: int, j: int, d: int) -> None:
    """Both lanes from crossroads (i, j) in direction d; lane 0 is the left one."""
    to = (i + int(_WAYS[d][0]), j + int(_WAYS[d][1]))
    for lane in (0, 1):
        a, b = _place(i, j, d, lane, _HALF), _place(i, j, d, lane, SPACING - _HALF)
        name, beside = f"{i}_{j}_{d}_{lane}", f"{i}_{j}_{d}_{1 - lane}"
        draft.link(
            name,
            draft.node(f"s{name}", a),
            draft.node(f"e{to[0]}_{to[1]}_{d}_{lane}", b),
            np.array((a, b)),
            link_type="6",
            can_move_left_lane=lane == 1,
            can_move_right_lane=lane == 0,
            left_lane_change_dst_link_idx=beside if lane == 1 else None,
            right_lane_change_dst_link_idx=beside if lane == 0 else None,
        )


def _add_junction(draft: _Draft, i: int, j: int, out: list[int]) -> None:
    """The ways over crossroads (i, j) from which roads lead in the directions `out`, and its lights."""
    groups: list[list[str]] = [[], []]
    for origin in out:
        d = (origin + 2) % 4
        links = []
        for lane, turns in enumerate(_LANE_TURNS):
            open_turns = [turn for turn in turns if (d + turn) % 4 in out]
            others = [turn for turn in _MOVEMENTS if (d + turn) % 4 in out]
            links += [_add_movement(draft, i, j, d, lane, turn) for turn in open_turns or others]
        light = f"TL{i}_{j}_{d}"
        draft.map.traffic_lights.append(
            TrafficLightRecord(
                idx=light, point=(0.0, 0.0, 5.0), link_id_list=links, sub_type=["red", "yellow", "straight"]
            )
        )
        groups[d % 2].append(light)
    controller = f"I{i}_{j}"
    draft.map.intersection_controllers.append(IntersectionController(idx=controller, TL=groups))
    states = [
        SignalStateRecord(duration=duration, lightcolor=list(colours))
        for duration, colours in ((_GREEN, ("SG", "R")), (_CLEAR, "RR"), (_GREEN, ("R", "SG")), (_CLEAR, "RR"))
    ]
    draft.map.intersection_programmes.append(
        IntersectionProgramme(idx=controller, TLState=states, yelloduration=[_YELLOW, 0.0, _YELLOW, 0.0])
    )


def _add_movement(draft: _Draft, i: int, j: int, d: int, lane: int, turn: int) -> str:
    """One way over crossroads (i, j), from a lane that leads in direction d; turns are parabolas."""
    after = (d + turn) % 4
    target = {_STRAIGHT: lane, _LEFT: 0, _RIGHT: 1}[turn]
    a, b = _place(i, j, d, lane, -_HALF), _place(i, j, after, target, _HALF)
    way = np.array(_WAYS[d])
    points = np.array((a, b))
    if turn != _STRAIGHT:
        corner = a + way * float((b - a) @ way)
        t = np.linspace(0.0, 1.0, 17)[:, None]
        points = (1 - t) ** 2 * a + 2 * t * (1 - t) * corner + t**2 * b
    name = f"m{i}_{j}_{d}_{lane}_{turn}"
    draft.link(
        name,
        draft.node(f"e{i}_{j}_{d}_{lane}", a),
        draft.node(f"s{i}_{j}_{after}_{target}", b),
        points,
        link_type="1",
        related_signal=_MOVEMENTS[turn],
    )
    return name
