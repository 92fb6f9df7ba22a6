"""Which traffic light is reported for a vehicle, and of which kind it is.

The next one ahead on the vehicle's lane, else the nearest that faces it (design/seams.md, Codes).
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np

from dorosim.bridge.lane import Lane
from dorosim.road.signal import Light, Signals
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot

FARTHEST = 300.0
"""A light farther ahead than this [m] along the lanes is not faced yet."""
LONGEST_ID = 12
"""Characters of an id for which UDP messages have room (facts/udp-wire.md, section 3.5)."""
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


class SignalNames:
    """By which ids and numbers messages know the lights and controllers of a map.

    Args:
        signals: the lights of the map.
    """

    def __init__(self, signals: Signals) -> None:
        lights = signals.lights
        self.numbers: tuple[int, ...] = tuple(signals.number_of(row) for row in range(len(signals.controllers)))
        # of several with one name the first counts, and so does a full id before one that a message had to cut
        self._lights = {light.id[:LONGEST_ID]: row for row, light in reversed(list(enumerate(lights)))}
        self._lights |= {light.id: row for row, light in reversed(list(enumerate(lights)))}
        self._controllers = {number: row for row, number in reversed(list(enumerate(self.numbers)))}

    def light_row(self, index: str) -> int:
        """Returns the row of the light with an MGeo id, in full or cut as in messages; -1 if the map has none."""
        return self._lights.get(index, -1)

    def controller_row(self, number: int) -> int:
        """Row of the controller with a number, -1 if the map has none."""
        return self._controllers.get(number, -1)


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
            if distance > FARTHEST:
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
