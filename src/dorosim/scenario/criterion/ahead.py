"""What is ahead of an actor, how far, and how fast one closes in."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.scenario.criterion.moment import Body
from dorosim.scenario.openscenario.engine.distance import Point


@dataclass(frozen=True, slots=True)
class Ahead:
    """Another actor that is in an actor's way.

    Attributes:
        body: the other one.
        gap: from the front of the actor to the nearest point of the other one along the way [m], 0 where they overlap.
        speed: of the actor along the way [m/s]. closing: by how much that is faster than the other one [m/s].
        acceleration: of the other one along the way [m/s2].
    """

    body: Body
    gap: float
    speed: float
    closing: float
    acceleration: float


def is_ahead(ego: Body, other: Body) -> Ahead | None:
    """How another actor is in an actor's way, None where it is not.

    The way is as wide as the actor. Where both are on the same road it follows the road, else it is straight on. What
    has its middle behind that of the actor is not ahead.
    """
    if not ego.overlaps_in_height(other):
        return None
    if ego.road >= 0 and ego.road == other.road:
        side = 1.0 if math.cos(ego.turn) >= 0.0 else -1.0
        own, theirs = ego.corners_at(ego.s, ego.t, ego.turn), other.corners_at(other.s, other.t, other.turn)
        ways = (ego.heading - ego.turn, other.heading - other.turn)
        turned = 0.0 if side > 0.0 else math.pi
        return _measured(
            ego,
            other,
            [(s * side, t) for s, t in own],
            [(s * side, t) for s, t in theirs],
            (ways[0] + turned, ways[1] + turned),
        )
    if math.hypot(other.x - ego.x, other.y - ego.y) > _MAX_STRAIGHT:
        return None
    return _measured(
        ego,
        other,
        [_turned(point, ego) for point in ego.corners()],
        [_turned(point, ego) for point in other.corners()],
        (ego.heading, ego.heading),
    )


_MAX_STRAIGHT = 500.0
"""No way is straight for longer [m]."""


def _turned(point: Point, ego: Body) -> Point:
    """A point of the map in the frame of a body [m]."""
    dx, dy = point[0] - ego.x, point[1] - ego.y
    cosine, sine = math.cos(ego.heading), math.sin(ego.heading)
    return dx * cosine + dy * sine, dy * cosine - dx * sine


def _measured(ego: Body, other: Body, own: list[Point], theirs: list[Point], ways: tuple[float, float]) -> Ahead | None:
    """Compare corners along and across a way, whose directions in the map at both actors are given."""
    if max(y for _, y in own) <= min(y for _, y in theirs) or max(y for _, y in theirs) <= min(y for _, y in own):
        return None
    if sum(x for x, _ in theirs) <= sum(x for x, _ in own):
        return None
    gap = max(min(x for x, _ in theirs) - max(x for x, _ in own), 0.0)
    speed, lead = ego.speed_along(ways[0]), other.speed_along(ways[1])
    return Ahead(other, gap, speed, speed - lead, other.acceleration * math.cos(other.heading - ways[1]))
