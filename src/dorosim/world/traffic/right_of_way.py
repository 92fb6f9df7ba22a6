"""Which vehicle has priority where two lanes conflict, as far as the roads alone decide it.

Lights come on top: a green for one way alone goes before all others (see `world/signal/permission.py`). The first of
these rules that distinguishes the two lanes counts (Vienna Convention on Road Traffic, articles 16 and 18; where they
leave it open, a choice of dorosim):

0. what the map itself says of the two lanes (priorities of junctions in OpenDRIVE);
1. a vehicle in a roundabout goes before one that enters it;
2. a vehicle behind a stop line without a light gives way;
3. vehicles that face one another, or that have the same lights: straight on, then the turn on the near side, then the
   turn across the oncoming lanes, then the U-turn;
4. the road with the higher speed limit goes first;
5. of two lanes that merge, the straighter one;
6. the vehicle that comes from the right, in right-hand and in left-hand traffic;
7. the turns as in 3; the lane that the map lists first.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.road.adjacency import FlagArray, FloatArray, IntArray
from dorosim.road.conflict import Conflicts
from dorosim.road.network import RoadNetwork
from dorosim.world.traffic.turn_kernel import TURN_PARTS, find_turns

_Directions = tuple[FloatArray, FloatArray]

_BEFORE = 10.0
"""The direction from which a vehicle comes is that of the lane this far before the zone [m]."""

_STRAIGHT, _U_TURN = math.radians(30), math.radians(150)
"""Turns of less than _STRAIGHT are straight on, of more than _U_TURN U-turns [rad]."""

_FACING, _ALONGSIDE = math.radians(135), math.radians(60)
"""Directions that differ by more than _FACING face each other, by less than _ALONGSIDE run together [rad]."""

_SAME_TURN = math.radians(10)
"""Merging lanes whose turns differ by less than this are equally straight [rad]."""

_NO_ANGLE = 1e-6
"""Directions that differ by less than this, or by half a circle but for this, have no side [rad]."""

_DOUBT = 1e-9
"""Angles that differ by less than this may be either way about after rounding [rad]."""

_FASTER = 1.0
"""Speed limits that differ by less than this are the same [m/s]."""

_RING_CURVATURE = 1 / 60
"""A ring turns at least as much as this on average [1/m]."""


def yields_of_conflicts(
    network: RoadNetwork, conflicts: Conflicts, lit: FlagArray, minor: FlagArray | None = None
) -> FlagArray:
    """Whether the vehicle on `conflicts.link` gives way to the one on `conflicts.other`, `(C,)`.

    Args:
        network: the roads.
        conflicts: their conflicts.
        lit: `(L,)` links that a vehicle light governs.
        minor: `(L,)` links whose drivers give way by a sign; None takes those behind a stop line without a light.
    """
    link, other = conflicts.link, conflicts.other
    if minor is None:
        minor = minor_links(network, lit)
    ring = ring_links(network)
    (mine, mine_turn), (theirs, their_turn) = _clear_directions(network, conflicts)
    across = 1.0 if not network.left_hand_traffic else -1.0
    rank = _ranks(mine_turn * across) - _ranks(their_turn * across)
    between = _wrapped(theirs - mine)
    same_lights = lit[link] & lit[other]
    limit = approach_limits(network)
    slower = np.where(np.abs(limit[other] - limit[link]) > _FASTER, limit[other] - limit[link], 0.0)
    bend = np.abs(mine_turn) - np.abs(their_turn)
    rules = (
        _stated(network, conflicts),
        ring[other].astype(np.int64) - ring[link],
        minor[link].astype(np.int64) - minor[other],
        np.where((np.abs(between) > _FACING) | same_lights, rank, 0),
        np.where(same_lights, 0.0, slower),
        np.where(conflicts.merge & (np.abs(between) < _ALONGSIDE) & (np.abs(bend) > _SAME_TURN), bend, 0.0),
        np.where((np.abs(between) > _NO_ANGLE) & (np.abs(between) < math.pi - _NO_ANGLE), between, 0.0),
        rank,
        link - other,
    )
    verdict = np.zeros(len(link))
    for rule in rules:
        verdict = np.where(verdict == 0, np.sign(rule), verdict)
    found: FlagArray = verdict > 0
    return found


def _stated(network: RoadNetwork, conflicts: Conflicts) -> IntArray:
    """What the map says `(C,)`: 1 where the vehicle on `conflicts.link` gives way, -1 where it goes first, else 0."""
    if not len(network.precedence):
        return np.zeros(len(conflicts.link), np.int64)
    count = network.link_count
    high, low = network.precedence.T
    stated = (high * count + low, low * count + high)
    goes, gives = (np.isin(conflicts.link * count + conflicts.other, pairs) for pairs in stated)
    return gives.astype(np.int64) - goes


def minor_links(network: RoadNetwork, lit: FlagArray) -> FlagArray:
    """Links behind a stop line without a light, and those that end at one, `(L,)`."""
    after = network.successors
    row = np.repeat(np.arange(network.link_count), np.diff(after.first))
    minor = np.isfinite(network.signals.stop_line)
    minor[row[lit[after.item]]] = False
    minor[after.item[minor[row]]] = True
    return minor


def ring_links(network: RoadNetwork) -> FlagArray:
    """Links that are part of a roundabout, `(L,)`: they turn to one side and lead back to themselves."""
    side = -1.0 if network.left_hand_traffic else 1.0
    count = network.link_count
    rows, start = np.arange(count), np.zeros(count)
    least = _RING_CURVATURE * np.maximum(network.link_length, 1.0)
    _, turn, doubtful = _turns(network, rows, start)
    unclear = np.flatnonzero(doubtful | (np.abs(side * turn - least) < _DOUBT))
    _, turn[unclear] = _directions(network, rows[unclear], start[unclear])
    ring = network.link_drivable & (side * turn > least)
    changed = True
    while changed:
        changed = False
        for link in np.flatnonzero(ring).tolist():
            if not (ring[network.successors.of(link)].any() and ring[network.predecessors.of(link)].any()):
                ring[link] = False
                changed = True
    return ring


def approach_limits(network: RoadNetwork) -> FloatArray:
    """The speed limit of the road that leads to each link, `(L,)` [m/s]; its own where no link leads to it."""
    limit = network.link_speed_limit.copy()
    before = network.predecessors
    count = np.diff(before.first)
    led = np.flatnonzero(count)
    if len(led):
        limit[led] = np.maximum.reduceat(network.link_speed_limit[before.item], before.first[led])
    return limit


def _clear_directions(network: RoadNetwork, conflicts: Conflicts) -> tuple[_Directions, _Directions]:
    """What `_directions` finds for the links and the others, to the bit where that decides, else but for rounding."""
    links, starts = (conflicts.link, conflicts.other), (conflicts.start, conflicts.other_start)
    (mine, turn, one), (theirs, their_turn, two) = (_turns(network, *part) for part in zip(links, starts, strict=True))
    between = np.abs(_wrapped(theirs - mine))
    unclear = one | two | _is_near(np.abs(np.abs(turn) - np.abs(their_turn)), _SAME_TURN)
    for limit in (_FACING, _ALONGSIDE, _NO_ANGLE, math.pi - _NO_ANGLE):
        unclear |= _is_near(between, limit)
    for limit in (_STRAIGHT, _U_TURN):
        unclear |= _is_near(np.abs(turn), limit) | _is_near(np.abs(their_turn), limit)
    rows = np.flatnonzero(unclear)
    mine[rows], turn[rows] = _directions(network, links[0][rows], starts[0][rows])
    theirs[rows], their_turn[rows] = _directions(network, links[1][rows], starts[1][rows])
    return (mine, turn), (theirs, their_turn)


def _is_near(angle: FloatArray, limit: float) -> FlagArray:
    """Which angles `(C,)` may be to either side of a limit after rounding."""
    found: FlagArray = np.abs(angle - limit) < _DOUBT
    return found


def _turns(network: RoadNetwork, link: IntArray, start: FloatArray) -> tuple[FloatArray, FloatArray, FlagArray]:
    """What `_directions` finds, but for rounding, and which of it is wrong by a whole turn, maybe."""
    lines = network.lines
    begin = np.maximum(start - _BEFORE, 0.0)
    return find_turns(lines.tangent, lines.arc, lines.run, lines.first, link, begin)


def _directions(network: RoadNetwork, link: IntArray, start: FloatArray) -> _Directions:
    """Headings before the zones and the turns from there to the ends of the links, `(C,)` [rad].

    A turn is summed up along the lane, since that of a ring may be more than half a circle.
    """
    if not len(link):
        return np.zeros(0), np.zeros(0)
    begin = np.maximum(start - _BEFORE, 0.0)
    share = np.linspace(0.0, 1.0, TURN_PARTS + 1)
    s = begin[:, None] + (network.link_length[link] - begin)[:, None] * share
    heading = network.heading_at(np.repeat(link, len(share)), s.reshape(-1)).reshape(s.shape)
    return heading[:, 0], _wrapped(np.diff(heading, axis=1)).sum(axis=1)


def _ranks(turn: FloatArray) -> IntArray:
    """0 straight on, 1 near side, 2 across the oncoming lanes, 3 U-turn, of turns to the far side `(C,)` [rad]."""
    rank = np.where(np.abs(turn) < _STRAIGHT, 0, np.where(turn < 0, 1, 2))
    return np.where(np.abs(turn) > _U_TURN, 3, rank).astype(np.int64)


def _wrapped(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.mod(angle + math.pi, 2 * math.pi) - math.pi
    return found
