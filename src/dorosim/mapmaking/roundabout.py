"""Roundabouts: one lane that circulates counter-clockwise, entries that give way, exits."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dorosim.mapmaking.curve import Curve, CurvePose, Spiral, turn
from dorosim.mapmaking.draft import (
    EDGE,
    LINK_IN_JUNCTION,
    MEDIAN_EDGE,
    NODE_ROUNDABOUT,
    UNPAINTED,
    YIELD_LINE,
    DraftLine,
    MapDraft,
)
from dorosim.mapmaking.street import Mouth

RADIUS = 17.0
"""Of the middle of the circulating lane [m]."""

MOUTH = RADIUS + 15.0
"""Distance of the mouths of the streets from the centre [m]."""

_WIDTH = 4.2
_SPREAD = math.radians(32.0)
"""Angle at the centre between an arm's axis and the place where its entry meets the circle."""

_SPEED_KMH = 30.0


def build_roundabout(draft: MapDraft, idx: str, centre: tuple[float, float], mouths: Sequence[Mouth]) -> None:
    """Draw a roundabout; every mouth has one lane each way."""
    angles = [mouth.inward.heading + math.pi for mouth in mouths]
    for arm, mouth in enumerate(mouths):
        following = mouths[(arm + 1) % len(mouths)]
        join, leave = angles[arm] + _SPREAD, angles[arm] - _SPREAD
        next_leave = angles[(arm + 1) % len(mouths)] - _SPREAD
        # the circle's outer edge runs from this arm's entry to the next arm's exit
        outer = draft.add_line(_arc(centre, join, next_leave).beside(-0.5 * _WIDTH), EDGE)
        _circulate(draft, idx, _arc(centre, join, next_leave), [outer])
        inside = draft.add_line(_arc(centre, leave, join).beside(-0.5 * _WIDTH), UNPAINTED)
        _circulate(draft, idx, _arc(centre, leave, join), [inside])
        entry, exit_ = mouth.entries[0], following.exits[0]
        entry_curve = turn(entry.pose, _on_circle(centre, join))
        exit_curve = turn(_on_circle(centre, next_leave), exit_.pose)
        _spoke(draft, idx, entry_curve, entry.width, _WIDTH, "right_unprotected")
        _spoke(draft, idx, exit_curve, _WIDTH, exit_.width, None)
        _draw_yield_line(draft, centre, DraftLine(entry_curve, (0.0, entry_curve.length)), entry.width)


def _draw_yield_line(draft: MapDraft, centre: tuple[float, float], path: DraftLine, width: float) -> None:
    """Draw the line at which an entry gives way: across it, just outside the circle."""
    s = np.linspace(*path.reach, 200)
    away = np.hypot(*(path.curve.at(s)[:, :2] - centre).T)
    clear = s[away > RADIUS + 0.5 * _WIDTH + 1.2]
    pose = path.curve.pose(float(clear[-1]))
    ends = [pose.moved(0.0, 0.5 * width), pose.moved(0.0, -0.5 * width)]
    draft.add_polyline(draft.ground_points([(end.x, end.y) for end in ends]), YIELD_LINE)


def _on_circle(centre: tuple[float, float], angle: float) -> CurvePose:
    """The pose of the circulating lane at an angle about the centre."""
    x, y = centre[0] + RADIUS * math.cos(angle), centre[1] + RADIUS * math.sin(angle)
    return CurvePose(x, y, angle + 0.5 * math.pi, 1 / RADIUS)


def _arc(centre: tuple[float, float], first: float, last: float) -> DraftLine:
    """The circulating lane between two angles."""
    length = RADIUS * math.fmod(last - first + 2 * math.tau, math.tau)
    return DraftLine(Spiral(_on_circle(centre, first), length), (0.0, length))


def _circulate(draft: MapDraft, idx: str, arc: DraftLine, right: list[str]) -> None:
    """Draw a link of the circle and the edge of the island to its left."""
    island = draft.add_line(arc.beside(0.5 * _WIDTH), MEDIAN_EDGE)
    _add(draft, idx, arc, (_WIDTH, _WIDTH), ([island], right), None)


def _spoke(draft: MapDraft, idx: str, curve: Curve, start: float, end: float, signal: str | None) -> None:
    """Draw an entry or an exit with the lines beside it."""
    path = DraftLine(curve, (0.0, curve.length))
    left = draft.add_line(path.beside(0.5 * start, 0.5 * end), EDGE)
    right = draft.add_line(path.beside(-0.5 * start, -0.5 * end), EDGE)
    _add(draft, idx, path, (start, end), ([left], [right]), signal)


def _add(
    draft: MapDraft,
    idx: str,
    path: DraftLine,
    widths: tuple[float, float],
    lines: tuple[list[str], list[str]],
    signal: str | None,
) -> None:
    link = draft.add_single_lane(
        path, widths, lines, link_type=LINK_IN_JUNCTION, related_signal=signal, max_speed=_SPEED_KMH
    )
    draft.mark_nodes(link, NODE_ROUNDABOUT, idx)
