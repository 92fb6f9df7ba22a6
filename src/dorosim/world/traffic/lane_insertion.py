"""Finds a free place on the lanes for a vehicle that comes in."""

from __future__ import annotations

import math
from functools import cache, cached_property, partial
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.network import RoadNetwork
from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.room import Footprint, actor_in, body_of
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.placement import PlacedBody
from dorosim.world.traffic.road import LINK
from dorosim.world.traffic.state import Presence, TrafficState

INSERTION_CLEARANCE = 0.5
"""Room before and behind a vehicle that comes in [m]."""
INSERTION_SIDE_CLEARANCE = 0.3
"""Room beside it [m]."""
MAX_INSERTION_SEARCH = 200.0
"""How far along the lane and the next ones a free place is searched where the commanded one is taken [m]."""
_ON_LANE = int(Presence.ON_LANE)


class LaneEntry(NamedTuple):
    """Where a vehicle comes in: link and arc length of its front bumper [m], and the links behind, -1 for none."""

    link: int
    front: float
    previous: int = -1
    before_previous: int = -1


class _Extents(NamedTuple):
    """Vehicles on one link: `(n,)` rear and front bumpers on its arc length [m]."""

    rear: FloatArray
    front: FloatArray


def free_place(scene: Scene, draft: Draft, command: CreateNpc, body: PlacedBody) -> LaneEntry | None:
    """The place where a vehicle comes in; None if there is no room.

    Args:
        scene: gives the lanes.
        draft: gives the vehicles that are there.
        command: the commanded place, and whether the vehicle may come in farther on.
        body: its size.
    """
    plan, link = scene.traffic_plan, command.link
    search = _Search(scene, draft, body)
    previous = before = -1
    front = command.s + body.wheelbase + body.front_overhang
    left = MAX_INSERTION_SEARCH
    while True:
        length = float(plan.road.link[link, LINK.length])
        if front > length:
            after = [int(one) for one in scene.network.successors.of(link) if plan.drivable[one]]
            if after:
                before, previous = previous, link
                link, front = _next_of(scene, command, after), front - length
                continue
            if front - length > body.wheelbase + body.front_overhang:
                return None
            front = length
        entry = LaneEntry(link, front, previous, before)
        if not search.is_taken(entry):
            return entry
        if not command.move_on or left <= 0.0:
            return None
        front, left = front + 1.0, left - 1.0


def _next_of(scene: Scene, command: CreateNpc, after: list[int]) -> int:
    """The link of `after` under the vehicle's front: the commanded one or one that leads to it, else one on its way."""
    if command.ahead in after:
        return command.ahead
    leading = [one for one in after if command.ahead in scene.network.successors.of(one)]
    return (leading or [one for one in after if one in command.way] or after)[0]


class _Search:
    """The search for one place: it picks those on a link out of all vehicles once, not for every metre."""

    def __init__(self, scene: Scene, draft: Draft, body: PlacedBody) -> None:
        self._scene, self._draft, self._body = scene, draft, body
        self._on = cache(partial(_extents_on, scene.network, draft.traffic))
        self._rears_of_leaving = cache(partial(_rears_of_leaving, scene.network, draft.traffic))

    def is_taken(self, entry: LaneEntry) -> bool:
        """Whether another vehicle overlaps a place."""
        length = self._body.length
        if _first_rear(self._on(entry.link), entry.front, length) is not None:
            return True
        if entry.previous >= 0 and entry.front < length:
            front = entry.front + float(self._scene.network.link_length[entry.previous])
            if _first_rear(self._on(entry.previous), front, length) is not None:
                return True
        if (self._rears_of_leaving(entry.link) - INSERTION_CLEARANCE < entry.front).any():
            return True
        if egos_near(self._scene, self._draft, entry.link, entry.front, self._body):
            return True
        return self._may_be_blocked and self._is_blocked(entry)

    @cached_property
    def _may_be_blocked(self) -> bool:
        """Whether there is anything that may stand on a lane other than vehicles of the traffic and egos."""
        draft = self._draft
        others = draft.people.state.rows + draft.obstacles.state.rows + draft.ghost.rows
        return bool(others or (draft.traffic.present != _ON_LANE).any())

    def _is_blocked(self, entry: LaneEntry) -> bool:
        """Whether the body would be inside of something that is not driven by the traffic."""
        body, scene = self._body, self._scene
        pose = scene.network.pose_at(entry.link, max(entry.front - 0.5 * body.length, 0.0))
        (x, y, z), yaw = pose.point[0].tolist(), float(pose.heading[0])
        height = float(scene.body_sizes[body.model, 2])
        box = body_of(Footprint(x, y, z, yaw, body.length, body.width, height))
        return bool(actor_in(scene, self._draft, BodyKind.NPC, box, on_lane=False))


def _rears_of_leaving(network: RoadNetwork, traffic: TrafficState, link: int) -> FloatArray:
    """Rear bumpers, on the arc length of a link, of the vehicles whose front is on the link after it [m]."""
    rows = np.flatnonzero((traffic.previous == link) & (traffic.present == _ON_LANE))
    return traffic.s[rows] - traffic.length[rows] + float(network.link_length[link])


def rear_of_next(network: RoadNetwork, traffic: TrafficState, link: int, front: float, length: float) -> float | None:
    """The rear of the body on a link that overlaps a place with its front at `front` [m]; None if the place is free."""
    return _first_rear(_extents_on(network, traffic, link), front, length)


def _extents_on(network: RoadNetwork, traffic: TrafficState, link: int) -> _Extents:
    """The vehicles on a link, and those that change from it to another lane."""
    there = (traffic.link == link) | (traffic.change_from == link)
    rows = np.flatnonzero(there & (traffic.present == _ON_LANE))
    front = traffic.s[rows]
    leaving = traffic.link[rows] != link
    front[leaving] = network.side_by_side.places_on_lane(link, traffic.link[rows[leaving]], front[leaving])
    return _Extents(front - traffic.length[rows], front)


def _first_rear(there: _Extents, front: float, length: float) -> float | None:
    """The rearmost rear of the vehicles that overlap a place [m]; None if none does."""
    if not len(there.front):
        return None
    taken = (there.front + INSERTION_CLEARANCE > front - length) & (there.rear - INSERTION_CLEARANCE < front)
    return float(there.rear[taken].min()) if taken.any() else None


def egos_near(scene: Scene, draft: Draft, link: int, front: float, body: PlacedBody) -> bool:
    """Whether the box of a vehicle with full dynamics overlaps a place on a link, along the lane and across."""
    pose = scene.network.pose_at(link, max(front - 0.5 * body.length, 0.0))
    point, heading = pose.point[0], float(pose.heading[0])
    vehicle, parameter = draft.vehicle, draft.parameter
    ahead = 0.5 * (parameter.wheelbase + parameter.front_overhang - parameter.rear_overhang)
    x, y = vehicle.x + ahead * np.cos(vehicle.yaw), vehicle.y + ahead * np.sin(vehicle.yaw)
    x, y, turn = x - point[0], y - point[1], vehicle.yaw - heading
    along, across = x * math.cos(heading) + y * math.sin(heading), y * math.cos(heading) - x * math.sin(heading)
    c, s = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    near = np.abs(along) < 0.5 * (body.length + parameter.length * c + parameter.width * s) + INSERTION_CLEARANCE
    near &= np.abs(across) < 0.5 * (body.width + parameter.length * s + parameter.width * c) + INSERTION_SIDE_CLEARANCE
    return bool((near & (np.abs(vehicle.z - point[2]) < 3.0)).any())
