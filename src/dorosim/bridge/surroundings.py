"""The lane under a vehicle and the traffic light that it faces, looked up once a snapshot.

The light is the next one ahead on the vehicle's lane, else the nearest that faces it (design/seams.md, Codes).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.road.signal import Light
from dorosim.world.command import Vector
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.state import VehicleState

T = TypeVar("T")
MAX_LANE_DISTANCE = 20.0
"""A vehicle farther than this from every lane [m] is on none."""


@dataclass(frozen=True, slots=True)
class Lane:
    """Where a vehicle is on its lane.

    Attributes:
        link: row of the link, -1 for none. link_id: its id, "" for none.
        s: arc length along it [m].
        lateral: offset of the body origin from the lane's centre, left positive [m].
        left, right: distance of the body origin to the lane's boundaries [m].
    """

    link: int = -1
    link_id: str = ""
    s: float = 0.0
    lateral: float = 0.0
    left: float = 0.0
    right: float = 0.0


NO_LANE = Lane()


def lane_at(
    network: RoadNetwork, position: Vector, heading: float | None = None, max_distance: float = MAX_LANE_DISTANCE
) -> tuple[int, float]:
    """Row of the link of the drivable lane nearest to a position in map, and arc length there [m]; -1 and 0 for none.

    Args:
        network: the map.
        position: finite [m].
        heading: where lanes overlap, the one in this direction is taken [rad]; None: the nearest.
        max_distance: lanes farther away do not count [m].
    """
    if not network.link_count:
        return -1, 0.0
    found = locate(network, position, heading, drivable_only=True, reach=max_distance)
    link = int(found.link[0])
    return (link, float(found.s[0])) if link >= 0 else (-1, 0.0)


def lane_under(network: RoadNetwork, vehicle: VehicleState, row: int) -> Lane:
    """The lane under one vehicle; `NO_LANE` where there is none within reach."""
    point = (vehicle.x[row], vehicle.y[row], vehicle.z[row])
    if not network.link_count or not all(math.isfinite(part) for part in point):
        return NO_LANE
    found = locate(network, point, vehicle.yaw[row], drivable_only=True, reach=MAX_LANE_DISTANCE)
    link = int(found.link[0])
    if link < 0:
        return NO_LANE
    s, lateral, segment = float(found.s[0]), float(found.lateral[0]), int(found.segment[0])
    # one place on a known segment: `boundary_distances`, which takes many and searches, costs ten times as much
    start, end = network.lines.arc[segment : segment + 2].tolist()
    share = (s - start) / (end - start) if end > start else 0.0
    left = _between(network.left_width, segment, share) - lateral
    right = _between(network.right_width, segment, share) + lateral
    return Lane(link, network.link_ids[link], s, lateral, left, right)


def _between(values: FloatArray, segment: int, share: float) -> float:
    """A value `(P,)` at points of the lines, between the two points of a segment."""
    first, second = values[segment : segment + 2].tolist()
    return float(first + share * (second - first))


MAX_LIGHT_DISTANCE = 300.0
"""A light farther ahead than this [m] along the lanes is not faced yet."""
FACING = math.cos(math.pi / 3)
"""A light faces a vehicle if it looks against the vehicle's heading within 60 degrees."""

_TYPES = {
    frozenset({"red", "yellow", "straight"}): 0,
    frozenset({"red", "yellow", "green"}): 0,
    frozenset({"red", "yellow", "left"}): 1,
    frozenset({"red", "yellow", "left", "straight"}): 2,
    frozenset({"red", "yellow", "left", "green"}): 2,
    frozenset({"yellow"}): 100,
}


def light_type(light: Light) -> int:
    """MORAI's type of a head by its lamps: 0 R-Y-G, 1 R-Y-GLeft, 2 R-Y-GLeft-G, 100 Y-Y-Y.

    Any other set of lamps is reported as the type that has its green lamps.
    """
    lamps = frozenset(light.lamps)
    known = _TYPES.get(lamps)
    if known is not None:
        return known
    return 2 if {"left", "straight"} <= lamps else 1 if "left" in lamps else 0


@dataclass(frozen=True, slots=True)
class FacedLight:
    """The light that is reported for a vehicle: its row in the map, its id and its type."""

    row: int
    index: str
    type: int


class LightFinder:
    """Finds lights in a map. What lies ahead of a lane does not change, so it is looked up once a lane.

    Args:
        scene: the map.
    """

    def __init__(self, scene: Scene) -> None:
        self._network = scene.network
        self._signals = scene.network.signals
        self._lights = [FacedLight(row, light.id, light_type(light)) for row, light in enumerate(self._signals.lights)]
        cars = [row for row, light in enumerate(self._signals.lights) if light.kind != "pedestrian"]
        self._cars = np.array(cars, np.int64)
        self._points = np.array([self._signals.lights[row].point[:2] for row in cars]).reshape(-1, 2)
        headings = np.array([self._signals.lights[row].heading for row in cars])
        self._facing = np.column_stack((np.cos(headings), np.sin(headings))).reshape(-1, 2)
        self._ahead: dict[int, int] = {}
        self._centres = _controller_centres(scene)

    def faced(self, lane: Lane, x: float, y: float, yaw: float) -> FacedLight | None:
        """The light ahead of a vehicle at a pose in the map, or None if the map has none."""
        if not len(self._cars):
            return None
        light = self.ahead(lane.link) if lane.link >= 0 else None
        return light or self._lights[self._nearest(x, y, yaw)]

    def depends_on_lane(self, lane: Lane) -> bool:
        """Whether the light that a vehicle on a lane faces, and its controller, are the same anywhere on that lane."""
        if not len(self._cars):
            return not len(self._centres)
        light = self.ahead(lane.link) if lane.link >= 0 else None
        return light is not None and (self._signals.lights[light.row].controller >= 0 or not len(self._centres))

    def ahead(self, link: int) -> FacedLight | None:
        """The next light along a lane and the lanes after it, None if there is none near."""
        row = self._ahead.get(link)
        if row is None:
            row = self._ahead[link] = self._next_along(link)
        return self._lights[row] if row >= 0 else None

    def controller_of(self, light: FacedLight | None, now: Snapshot, actor: int = EGO) -> int:
        """Row of the controller of a light, else of the nearest one to an ego vehicle, -1 if there is none."""
        row = -1 if light is None else self._signals.lights[light.row].controller
        if row >= 0 or not len(self._centres):
            return row
        ego = now.row_of(actor)
        return int(np.argmin(np.hypot(*(self._centres - (now.vehicle.x[ego], now.vehicle.y[ego])).T)))

    def _next_along(self, link: int) -> int:
        """The first car light along the lane and the lanes after it, -1 if there is none near."""
        network, signals = self._network, self._signals
        queue, seen = [(0.0, link)], {link}
        while queue:
            distance, here = heapq.heappop(queue)
            cars = [int(row) for row in signals.lights_of_link.of(here) if signals.lights[row].kind != "pedestrian"]
            if cars:
                return min(cars)
            distance += float(network.link_length[here])
            if distance > MAX_LIGHT_DISTANCE:
                continue
            for after in network.successors.of(here).tolist():
                if after not in seen:
                    seen.add(after)
                    heapq.heappush(queue, (distance, after))
        return -1

    def _nearest(self, x: float, y: float, yaw: float) -> int:
        """The nearest car light that faces the vehicle, else the nearest of all."""
        forward = np.array((math.cos(yaw), math.sin(yaw)))
        gap = self._points - (x, y)
        distance = np.einsum("ij,ij->i", gap, gap)
        good = (self._facing @ forward < -FACING) & (gap @ forward > 0)
        return int(self._cars[np.argmin(np.where(good, distance, np.inf) if good.any() else distance)])


def _controller_centres(scene: Scene) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """`(C, 2)` mean place of each controller's lights in the map [m], NaN-free: a controller without lights is far."""
    signals = scene.network.signals
    centres = np.full((len(signals.controllers), 2), 1e9)
    for row, controller in enumerate(signals.controllers):
        points = [signals.lights[light].point[:2] for group in controller.groups for light in group]
        if points:
            centres[row] = np.mean(points, axis=0)
    return centres


class SnapshotCache(Generic[T]):
    """Values that were worked out for a snapshot, by key, kept as long as it is the last one.

    Several clients, and one that asks more often than the world ticks, get the same answer without the same work. Safe
    to use from any thread.
    """

    def __init__(self) -> None:
        self._of: tuple[Snapshot | None, dict[Hashable, T]] = (None, {})

    def get(self, now: Snapshot, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for a key at this snapshot, else what `make` makes now."""
        of, things = self._of
        if of is not now:
            things = {}
            self._of = (now, things)
        found = things.get(key)
        if found is None:
            found = things[key] = make()
        return found


@dataclass(frozen=True, slots=True)
class Around:
    """What is around an ego vehicle in one snapshot.

    Attributes:
        lane: under the body origin. light: that it faces, None for none.
    """

    lane: Lane
    light: FacedLight | None


class EgoSurroundings:
    """Looks around ego vehicles, once a snapshot each; safe to use from any thread.

    Args:
        scene: the map.
        lights: finds the lights of it.
    """

    def __init__(self, scene: Scene, lights: LightFinder) -> None:
        self._network, self._lights = scene.network, lights
        self._kept: SnapshotCache[Around] = SnapshotCache()

    def at(self, now: Snapshot, ego: int = EGO) -> Around:
        """What is around an ego vehicle."""
        return self._kept.get(now, ego, lambda: self._look(now, ego))

    def _look(self, now: Snapshot, ego: int) -> Around:
        row = now.row_of(ego)
        lane = lane_under(self._network, now.vehicle, row)
        x, y, yaw = now.vehicle.x[row], now.vehicle.y[row], now.vehicle.yaw[row]
        return Around(lane, self._lights.faced(lane, float(x), float(y), float(yaw)))
