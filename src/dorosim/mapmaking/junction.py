"""Junctions at grade: which lane may go where, the links through the junction, and its kerbs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dorosim.mapmaking.carriageway import LaneEnd
from dorosim.mapmaking.curve import Curve, connection, line, turn
from dorosim.mapmaking.draft import (
    EDGE,
    GUIDE,
    LINK_IN_JUNCTION,
    NODE_JUNCTION,
    UNPAINTED,
    DraftLine,
    MapDraft,
)
from dorosim.mapmaking.street import Mouth
from dorosim.road.mgeo.record import Link

STRAIGHT, LEFT, RIGHT = "straight", "left", "right"

_TURN_SPEED_KMH = {STRAIGHT: 80.0, LEFT: 40.0, RIGHT: 30.0}
"""Highest speed limit of a link through a junction."""


@dataclass(frozen=True, slots=True)
class Movement:
    """A way through a junction.

    Attributes:
        link: the link.
        origin: index of the arm where it enters.
        target: index of the arm where it leaves.
        turn: straight, left or right.
        lane: index of the entry lane, from left.
        exit: index of the exit lane, from left.
    """

    link: Link
    origin: int
    target: int
    turn: str
    lane: int
    exit: int


@dataclass(frozen=True, slots=True)
class Junction:
    """A junction that is drawn.

    Attributes:
        idx: id, as nodes name it.
        mouths: its arms, counter-clockwise.
        movements: its links.
    """

    idx: str
    mouths: tuple[Mouth, ...]
    movements: tuple[Movement, ...]

    def turns_of(self, arm: int, lane: int) -> frozenset[str]:
        """Where one may go from an entry lane."""
        return frozenset(m.turn for m in self.movements if m.origin == arm and m.lane == lane)


def turn_between(origin: Mouth, target: Mouth) -> str | None:
    """Straight, left or right from one arm to another, None for turning back."""
    angle = math.degrees(math.remainder(target.inward.heading + math.pi - origin.inward.heading, math.tau))
    if abs(angle) < 45:
        return STRAIGHT
    if abs(angle) > 150:
        return None
    return LEFT if angle > 0 else RIGHT


def assign_turns(dedicated: Sequence[bool], exits: dict[str, int]) -> list[set[str]]:
    """Which turns each entry lane serves.

    Left turns leave from the leftmost lane and right turns from the rightmost. A dedicated turn lane serves left
    turns only. Of the others as many go straight on as lanes are there to receive them; lanes that are too many
    serve a turn only. No lane is left without a way out.

    Args:
        dedicated: for each entry lane, from the left, whether it is a left-turn lane of its own.
        exits: number of exit lanes in each direction that can be reached ("straight", "left", "right").

    Returns:
        A set of turns for each lane.
    """
    turns: list[set[str]] = [set() for _ in dedicated]
    left, right, straight = (exits.get(kind, 0) for kind in (LEFT, RIGHT, STRAIGHT))
    if left:
        turns[0].add(LEFT)
    if right:
        turns[-1].add(RIGHT)
    through = [lane for lane, own in enumerate(dedicated) if not own] if straight else []
    if len(through) > straight and right and len(through) > 1:
        through.pop()
    if len(through) > straight and left and not dedicated[0] and len(through) > 1:
        through.pop(0)
    for lane in through[:straight]:
        turns[lane].add(STRAIGHT)
    for lane, served in enumerate(turns):
        if not served:
            leftward = left > lane and (not right or lane < len(turns) / 2)
            served.add(LEFT if leftward else RIGHT if right else STRAIGHT if straight else LEFT)
    return turns


def build_junction(draft: MapDraft, idx: str, mouths: Sequence[Mouth]) -> Junction:
    """Draw the links and kerbs of a junction.

    Args:
        draft: the town.
        idx: the junction's id.
        mouths: its arms, counter-clockwise.
    """
    kerbs = [_draw_kerb(draft, arm, mouths[(index + 1) % len(mouths)]) for index, arm in enumerate(mouths)]
    draft.add_paving(np.concatenate([draft.points_of_line(kerb) for kerb in kerbs]))
    plan = _plan_movements(mouths)
    return Junction(idx, tuple(mouths), tuple(_draw_movement(draft, idx, mouths, kerbs, item) for item in plan))


_Plan = tuple[int, int, str, int, int]
"""Origin arm, target arm, turn, entry lane, exit lane."""


def _plan_movements(mouths: Sequence[Mouth]) -> list[_Plan]:
    """Every connection of an entry lane with an exit lane."""
    plan: list[_Plan] = []
    for origin, mouth in enumerate(mouths):
        if not mouth.entries:
            continue
        targets: dict[str, int] = {}
        for target, other in enumerate(mouths):
            kind = turn_between(mouth, other) if target != origin and other.exits else None
            if kind is not None:
                targets[kind] = target
        exits = {kind: len(mouths[target].exits) for kind, target in targets.items()}
        turns = assign_turns([lane.dedicated for lane in mouth.entries], exits)
        for kind, target in targets.items():
            lanes = [lane for lane, served in enumerate(turns) if kind in served]
            for lane, exit_lane in _pair(mouth, lanes, mouths[target], kind):
                plan.append((origin, target, kind, lane, exit_lane))
    return plan + _fan_out(mouths, plan)


def _pair(origin: Mouth, lanes: Sequence[int], target: Mouth, kind: str) -> list[tuple[int, int]]:
    """Entry lanes with their exit lanes: left turns from the left, right turns from the right, straight by position."""
    count = len(target.exits)
    if kind == LEFT:
        return [(lane, min(order, count - 1)) for order, lane in enumerate(lanes)]
    if kind == RIGHT:
        return [(lane, max(count - len(lanes) + order, 0)) for order, lane in enumerate(lanes)]
    aside = [origin.inward.offset_to(target.exits[lane].pose)[1] for lane in range(count)]
    entry = [origin.inward.offset_to(origin.entries[lane].pose)[1] for lane in lanes]
    shifts = range(max(count - len(lanes), 0) + 1)
    best = min(shifts, key=lambda shift: sum(abs(entry[i] - aside[i + shift]) for i in range(min(len(lanes), count))))
    return [(lane, min(order + best, count - 1)) for order, lane in enumerate(lanes)]


def _fan_out(mouths: Sequence[Mouth], plan: Sequence[_Plan]) -> list[_Plan]:
    """Further connections, so that every exit lane can be reached from the nearest lane that leads beside it."""
    more: list[_Plan] = []
    order = {STRAIGHT: 0, RIGHT: 1, LEFT: 2}
    for target, mouth in enumerate(mouths):
        into = [item for item in plan if item[1] == target]
        for exit_lane in range(len(mouth.exits)):
            if not into or any(item[4] == exit_lane for item in into):
                continue
            near = min(into, key=lambda item: (abs(item[4] - exit_lane), order[item[2]], item[0], item[3]))
            more.append((*near[:4], exit_lane))
    return more


def _draw_kerb(draft: MapDraft, arm: Mouth, following: Mouth) -> str:
    """Draw the kerb from one arm to the next, counter-clockwise; returns its id."""
    start, end = arm.right_edge, following.left_edge
    curve = turn(start, end)
    return draft.add_line(DraftLine(curve, (0.0, curve.length)), EDGE)


def _path(start: LaneEnd, end: LaneEnd, kind: str) -> Curve:
    """The way that a car takes from lane to lane."""
    a, b = start.pose, end.pose
    if kind != STRAIGHT:
        return turn(a, b)
    bearing = math.remainder(math.atan2(b.y - a.y, b.x - a.x) - a.heading, math.tau)
    if abs(bearing) < 1e-3 and abs(math.remainder(b.heading - a.heading, math.tau)) < 1e-3:
        return line(a, math.hypot(b.x - a.x, b.y - a.y))
    return connection(a, b)


def _draw_movement(draft: MapDraft, idx: str, mouths: Sequence[Mouth], kerbs: Sequence[str], plan: _Plan) -> Movement:
    """Draw one link through a junction, with the lines beside it."""
    origin, target, kind, lane, exit_lane = plan
    start, end = mouths[origin].entries[lane], mouths[target].exits[exit_lane]
    curve = _path(start, end, kind)
    path = DraftLine(curve, (0.0, curve.length))
    half, end_half = 0.5 * start.width, 0.5 * end.width
    along_kerb = (
        target == (origin + 1) % len(mouths)
        and lane == len(mouths[origin].entries) - 1
        and exit_lane == len(mouths[target].exits) - 1
    )
    guided = kind == LEFT and start.dedicated
    left = draft.add_line(path.beside(half, end_half), GUIDE if guided else UNPAINTED)
    right = (
        kerbs[origin] if along_kerb else draft.add_line(path.beside(-half, -end_half), GUIDE if guided else UNPAINTED)
    )
    limit = min(mouths[origin].speed_kmh, mouths[target].speed_kmh, _TURN_SPEED_KMH[kind])
    link = draft.add_single_lane(
        path,
        (start.width, end.width),
        ([left], [right]),
        link_type=LINK_IN_JUNCTION,
        related_signal={LEFT: "left_unprotected", RIGHT: "right_unprotected"}.get(kind, kind),
        max_speed=limit,
    )
    draft.mark_nodes(link, NODE_JUNCTION, idx)
    return Movement(link, origin, target, kind, lane, exit_lane)
