"""The published state of a vehicle beyond its motion: its lane, way and goal, the light ahead, and its contacts."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

from dorosim.bridge.actor import ActorKind
from dorosim.bridge.actor_state import ActorState
from dorosim.bridge.surroundings import MAX_LANE_DISTANCE, FacedLight, Lane, LightFinder, SnapshotCache
from dorosim.road.location import locate
from dorosim.world.command.actor import Vector
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot


class Journey(NamedTuple):
    """Where a vehicle goes.

    Attributes:
        goal: in map [m].
        reach: how near to it counts as there [m].
        passed: whether it has been there.
        way: rows of the links of its whole way.
        ahead: those from the link that it is on; empty where it is not on its way, or has passed its goal.
        remaining: to the goal along the way [m]; 0 when it has passed it, in a straight line where it is off its way.
    """

    goal: Vector
    reach: float
    passed: bool
    way: tuple[int, ...]
    ahead: tuple[int, ...]
    remaining: float


class VehicleView(NamedTuple):
    """A vehicle's surroundings.

    Attributes:
        link: row of the link under it, -1 for none.
        link_id: its id, "" for none.
        s: arc length along it [m].
        point: index of the nearest point of that link.
        journey: where it goes, None if no goal was given.
        light: the light that is reported for it, None for none.
        lamps: lit on that light, a sum of `Lamp`.
        touching: ids of those that it touches, ascending.
    """

    link: int
    link_id: str
    s: float
    point: int
    journey: Journey | None
    light: FacedLight | None
    lamps: int
    touching: tuple[int, ...]


class _Place(NamedTuple):
    """Where a vehicle is on its lane, and the light ahead; see `VehicleView`."""

    link: int
    s: float
    point: int
    light: FacedLight | None


class VehicleReader:
    """Looks around vehicles of snapshots of one scene; safe to use from any thread.

    Args:
        scene: the map.
        lights: finds the lights of it.
    """

    def __init__(self, scene: Scene, lights: LightFinder) -> None:
        self._scene, self._network, self._lights = scene, scene.network, lights
        self._lengths: list[float] = scene.network.link_length.tolist()
        self._contacts: SnapshotCache[dict[int, tuple[int, ...]]] = SnapshotCache()
        self._views: SnapshotCache[VehicleView] = SnapshotCache()
        self._places: dict[int, tuple[object, _Place]] = {}

    def view(self, now: Snapshot, state: ActorState) -> VehicleView:
        """What is around a vehicle, looked up once a snapshot; `state` is its own at the same one."""
        return self._views.get(now, state.id, lambda: self._view(now, state))

    def _view(self, now: Snapshot, state: ActorState) -> VehicleView:
        link, s, point, light = self._place(state)
        lamps = self._scene.signal_plan.status_of(light.row, now.signal) if light is not None else 0
        return VehicleView(
            link,
            self._network.link_ids[link] if link >= 0 else "",
            s,
            point,
            self.journey(now, state, link, s) if len(now.goal) else None,
            light,
            lamps,
            self._touching(now).get(state.id, ()) if now.contact.rows else (),
        )

    def _place(self, state: ActorState) -> _Place:
        """Returns where a vehicle is on its lane; a vehicle whose pose has not changed is not looked up again."""
        pose = state.position, state.rotation[2], state.link, state.s
        kept = self._places.get(state.id)
        if kept is not None and kept[0] == pose:
            return kept[1]
        link, s = self.lane_of(state)
        found = _Place(link, s, self.nearest_point(link, s) if link >= 0 else 0, self._light_of(state, link, s))
        self._places[state.id] = pose, found
        return found

    def lane_of(self, state: ActorState) -> tuple[int, float]:
        """Row of the link under an actor and arc length there [m]; -1 and 0 where there is none within reach."""
        if state.link >= 0:
            return state.link, state.s
        if not self._network.link_count or not all(map(math.isfinite, state.position)):
            return -1, 0.0
        found = locate(self._network, state.position, state.rotation[2], drivable_only=True, reach=MAX_LANE_DISTANCE)
        link = int(found.link[0])
        return (link, float(found.s[0])) if link >= 0 else (-1, 0.0)

    def nearest_point(self, link: int, s: float) -> int:
        """Index of the point of a link that is nearest to an arc length [m]."""
        lines = self._network.lines
        first, end = int(lines.first[link]), int(lines.first[link + 1])
        after = min(bisect_left(lines.arc, s, first, end), end - 1)
        before = max(after - 1, first)
        return (before if s - lines.arc[before] < lines.arc[after] - s else after) - first

    def journey(self, now: Snapshot, state: ActorState, link: int, s: float) -> Journey | None:
        """Returns where a vehicle at a place on a link goes, None if no goal was given."""
        table = now.goal.table
        row = table.row_of(state.id)
        if row < 0:
            return None
        goal = (float(table.x[row]), float(table.y[row]), float(table.z[row]))
        way, passed = tuple(now.goal.way.of(row).tolist()), bool(table.passed[row])
        ahead: tuple[int, ...] = ()
        remaining = 0.0
        if not passed:
            ahead = way[way.index(link) :] if link in way else ()
            remaining = math.dist(goal, state.position)
            if ahead:
                remaining = self.way_length(ahead, s, float(table.s[row]))
        return Journey(goal, float(table.reach[row]), passed, way, ahead, remaining)

    def way_length(self, links: tuple[int, ...], s: float, goal_s: float) -> float:
        """Length of a way from a place on its first link to one on its last, not negative [m].

        Beside each other, lanes are driven once: where the way goes on to a lane beside, the place on it is the one
        abreast.
        """
        length, place, following = 0.0, s, self._network.successors
        for link, after in pairwise(links):
            if after in following.of(link):
                length += self._lengths[link] - place
                place = 0.0
            else:
                place *= self._lengths[after] / max(self._lengths[link], 1e-6)
        return max(length + goal_s - place, 0.0)

    def _light_of(self, state: ActorState, link: int, s: float) -> FacedLight | None:
        """Returns the light of a vehicle: of egos as in status messages, of others only the next along their lane."""
        if state.kind is ActorKind.EGO:
            x, y, _ = state.position
            return self._lights.faced(Lane(link=link, s=s), x, y, state.rotation[2])
        return self._lights.ahead(link) if link >= 0 else None

    def _touching(self, now: Snapshot) -> dict[int, tuple[int, ...]]:
        """Returns the ids of the actors that each actor touches; looked up once a snapshot."""

        def look() -> dict[int, tuple[int, ...]]:
            others: defaultdict[int, set[int]] = defaultdict(set)
            for first, second in zip(now.contact.first_id.tolist(), now.contact.second_id.tolist(), strict=True):
                others[first].add(second)
                others[second].add(first)
            return {actor: tuple(sorted(found)) for actor, found in others.items()}

        return self._contacts.get(now, "", look)
