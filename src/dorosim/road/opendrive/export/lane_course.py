"""Centre lines of links with their headings, from their points.

A link is a polyline: straight between two points. A curve through the points with the headings of the circles through
each three of them is near to it, but for sharp corners, which get more points on both sides.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.lane_network import RoadNetwork

_MIN_CHORD = 0.1
"""Points nearer to each other than this are left out [m]: real maps end in segments of a few millimetres, whose
direction is noise."""

_MAX_CHORD, _ON_CHORD = 6.0, 0.001
"""Points that lie within `_ON_CHORD` of a chord of `_MAX_CHORD` or less are left out [m]."""

_MAX_SAGITTA = 0.005
"""A curve that would leave a chord by more than this [m] gets points on the chord."""

_ALIKE = math.radians(11.0)
"""Links that meet at a node with a smaller angle than this run on into each other."""

_NEARLY_SQUARE = 0.03
"""The line through the nodes of neighbours that is square to their heading but for this [rad] is taken to be square."""


def node_headings(network: RoadNetwork, groups: Sequence[tuple[int, ...]]) -> tuple[FloatArray, FloatArray]:
    """Headings at the starts and the ends of all links, `(L,)` each [rad]; those that meet at a node share theirs.

    Where a link at a node has neighbours, the heading is square to the line through the nodes of both, so that lanes of
    one road begin and end at their nodes.

    Args:
        network: of the map.
        groups: the links of each road, from the innermost one outwards.
    """
    beside = _lanes_beside(network, groups)
    ends = [_end_headings(points_apart(network.points_of(link))) for link in range(network.link_count)]
    found = np.array(ends, np.float64).reshape(-1, 2)
    at_node: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for side, nodes in enumerate((network.link_from_node, network.link_to_node)):
        for link, node in enumerate(nodes.tolist()):
            if node >= 0:
                at_node[node].append((link, side))
    shared = found.copy()
    for members in at_node.values():
        headings = np.array([found[one] for one in members])
        mean = math.atan2(np.sin(headings).mean(), np.cos(headings).mean())
        away = np.abs(np.remainder(headings - mean + math.pi, math.tau) - math.pi)
        mean = _square_heading(network, beside, members, mean)
        for one, distance in zip(members, away.tolist(), strict=True):
            if distance < _ALIKE:
                shared[one] = mean
    return shared[:, 0], shared[:, 1]


def _lanes_beside(network: RoadNetwork, groups: Sequence[tuple[int, ...]]) -> dict[int, dict[int, float]]:
    """Link to those to its right, with 1, and to its left, with -1: neighbours of the map, and lanes of its road."""
    found: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for link in range(network.link_count):
        for beside, sign in ((network.neighbours.right, 1.0), (network.neighbours.left, -1.0)):
            if beside[link] >= 0:
                found[link][int(beside[link])] = sign
    outwards = -1.0 if network.left_hand_traffic else 1.0
    for group in groups:
        for one, other in pairwise(group):
            found[one].setdefault(other, outwards)
            found[other].setdefault(one, -outwards)
    return found


def _square_heading(
    network: RoadNetwork, beside: Mapping[int, Mapping[int, float]], members: list[tuple[int, int]], heading: float
) -> float:
    """A heading at a node, square to the lines from there to the ends of neighbours, if it is nearly so already.

    Args:
        network: of the map.
        beside: see `_lanes_beside`.
        members: links that end at the node, each with 0 for its start or 1 for its end.
        heading: the mean of theirs [rad].
    """
    found: list[float] = []
    for link, side in members:
        for other, sign in beside.get(link, {}).items():
            x, y = (sign * (network.points_of(other)[-side] - network.points_of(link)[-side]))[:2].tolist()
            turn = math.remainder(math.atan2(x, -y) - heading, math.tau)
            if abs(turn) < _NEARLY_SQUARE:
                found.append(turn)
    return heading + sum(found) / len(found) if found else heading


def points_apart(points: FloatArray) -> FloatArray:
    """Points `(N, 3)` of a line in map [m] without those that say nothing about its course; its ends stay.

    A point is left out where it lies next to the one before, and where it lies on the chord of those that stay.
    """
    kept = [0]
    last = len(points) - 1
    while kept[-1] < last:
        good = end = kept[-1] + 1
        while end <= last and math.dist(points[end, :2], points[kept[-1], :2]) <= _MAX_CHORD:
            if not _on_chord(points[kept[-1] : end + 1, :2]):
                break
            good = end
            end += 1
        kept.append(good)
    if len(kept) > 2 and math.dist(points[last, :2], points[kept[-2], :2]) < _MIN_CHORD:
        kept.pop(-2)
    return points[kept]


def _on_chord(points: FloatArray) -> bool:
    """Whether points `(N, 2)` lie on the chord from the first to the last one, or all in one place."""
    away, chord = points[1:-1] - points[0], points[-1] - points[0]
    length = float(np.hypot(*chord))
    if length < _MIN_CHORD:
        return True
    return bool(np.all(np.abs(away[:, 0] * chord[1] - away[:, 1] * chord[0]) <= _ON_CHORD * length))


def course_of_points(points: FloatArray, first: float, last: float) -> tuple[FloatArray, FloatArray]:
    """Points and headings of a curve along a line.

    Args:
        points: `(N, 3)` or `(N, 2)` in map [m], as `points_apart` leaves them.
        first: heading at its start [rad].
        last: heading at its end [rad].

    Returns:
        Points `(M, 2)` in map [m] and headings `(M,)` [rad].
    """
    points = points[:, :2]
    heading = np.concatenate([[first], _inner_headings(points), [last]])
    chord = np.diff(points, axis=0)
    length, course = np.hypot(chord[:, 0], chord[:, 1]), np.arctan2(chord[:, 1], chord[:, 0])
    places: list[FloatArray] = []
    headings: list[float] = []
    for row in range(len(chord)):
        places.append(points[row])
        headings.append(float(heading[row]))
        bend = max(abs(math.remainder(float(heading[row + side]) - float(course[row]), math.tau)) for side in (0, 1))
        if bend * length[row] / 4.0 > _MAX_SAGITTA:
            inset = min(4.0 * _MAX_SAGITTA / bend / float(length[row]), 1.0 / 3.0)
            places += [points[row] + inset * chord[row], points[row + 1] - inset * chord[row]]
            headings += [float(course[row])] * 2
    return np.array([*places, points[-1]]), np.array([*headings, last])


def _inner_headings(points: FloatArray) -> FloatArray:
    """Headings `(N - 2,)` of the circles through each three points, at the middle one [rad]."""
    length, course = _chords(points)
    share = length[:-1] / (length[:-1] + length[1:])
    return course[:-1] + np.diff(course) * share


def _end_headings(points: FloatArray) -> tuple[float, float]:
    """Headings at the first and the last point [rad], by the circles through the three points at either end."""
    length, course = _chords(points)
    if len(course) == 1:
        return float(course[0]), float(course[0])
    turn = np.diff(course) / (length[:-1] + length[1:])
    return float(course[0] - turn[0] * length[0]), float(course[-1] + turn[-1] * length[-1])


def _chords(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lengths `(N - 1,)` [m] and headings [rad], without jumps of a turn, of the chords between points."""
    chord = np.diff(points[:, :2], axis=0)
    return np.hypot(chord[:, 0], chord[:, 1]), np.unwrap(np.arctan2(chord[:, 1], chord[:, 0]))
