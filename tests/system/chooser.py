"""Draws the parts of commands at random: numbers, codes, places, ids of a world that is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar

import numpy as np

from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.waypoint import Waypoint

T = TypeVar("T")
Code = TypeVar("Code", bound=IntEnum)
EDGE = 0.15
"""How often a number is at an end of its range."""
UNKNOWN = 0.08
"""How often an id is nobody's."""
STRANGERS = (-(2**31), -1, 0, 32767, 2**31 - 1, 2**63 - 1)
"""Ids that nobody has in a short run."""


class Chooser:
    """Draws what commands are made of; equal for equal seeds and worlds.

    Args:
        seed: of all draws.
        scene: gives the map.
    """

    def __init__(self, seed: int, scene: Scene) -> None:
        self.rng = np.random.default_rng(seed)
        self.scene = scene
        self._now: Snapshot | None = None
        self._drivable = np.flatnonzero(scene.network.link_drivable)

    def look(self, now: Snapshot) -> None:
        """Draw ids of a world from now on."""
        self._now = now

    @property
    def now(self) -> Snapshot:
        """The world that ids are of."""
        assert self._now is not None
        return self._now

    def one_of(self, values: Sequence[T]) -> T:
        """One of some values."""
        return values[int(self.rng.integers(len(values)))]

    def happens(self, share: float = 0.5) -> bool:
        """True as often as told."""
        return bool(self.rng.random() < share)

    def maybe(self, value: T) -> T | None:
        """A value, or None."""
        return value if self.happens() else None

    def whole(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return int(self.rng.integers(low, high, endpoint=True))

    def number(self, low: float, high: float) -> float:
        """A number of a range, often one of its ends, or 0 where that is in it."""
        if self.happens(EDGE):
            return self.one_of((low, high, min(max(0.0, low), high)))
        return float(self.rng.uniform(low, high))

    def code(self, kind: type[Code]) -> Code:
        """A code."""
        return self.one_of(tuple(kind))

    def angle(self) -> float:
        """An angle, not always within a turn [rad]."""
        return self.number(-3.0 * math.tau, 3.0 * math.tau) if self.happens(0.1) else self.number(-math.pi, math.pi)

    def rotation(self, tilt: float = 0.3) -> tuple[float, float, float]:
        """Roll, pitch and yaw [rad]."""
        return self.number(-tilt, tilt), self.number(-tilt, tilt), self.angle()

    def link(self) -> int:
        """A row of the map's links, mostly of one for vehicles."""
        if self.happens(UNKNOWN):
            return self.one_of((-7, -1, 0, self.scene.network.link_count - 1, self.scene.network.link_count, 2**40))
        return int(self.one_of(self._drivable))

    def way(self, most: int = 12) -> tuple[int, ...]:
        """Links one after another, sometimes with a hole."""
        link, way = int(self.one_of(self._drivable)), []
        for _ in range(self.whole(1, most)):
            way.append(link)
            after = self.scene.network.successors.of(link)
            if not len(after) or self.happens(0.05):
                link = self.link()
                if not 0 <= link < self.scene.network.link_count:
                    return (*way, link)
            else:
                link = int(self.one_of(after))
        return tuple(way)

    def place(self) -> tuple[float, float, float]:
        """A place: on a lane, beside somebody, anywhere on the map, or at the end of the world [m]."""
        kind = self.rng.random()
        if kind < 0.45:
            link = int(self.one_of(self._drivable))
            s = self.number(0.0, float(self.scene.network.link_length[link]))
            x, y, z = self.scene.network.point_at(link, s, self.number(-4.0, 4.0))[0].tolist()
        elif kind < 0.9:
            row = self.whole(0, len(self.now.vehicle) - 1)
            vehicle = self.now.vehicle
            x, y, z = float(vehicle.x[row]), float(vehicle.y[row]), float(vehicle.z[row])
            x, y = x + self.number(-25.0, 25.0), y + self.number(-25.0, 25.0)
        elif kind < 0.98:
            x, y, z = self.number(-700.0, 700.0), self.number(-700.0, 700.0), self.number(-20.0, 60.0)
        else:
            return self.number(-1e6, 1e6), self.number(-1e6, 1e6), self.number(-1e3, 1e3)
        edge = 1e6
        return min(max(x, -edge), edge), min(max(y, -edge), edge), min(max(z, -edge), edge)

    def waypoints(self, most: int = 5, fastest: float = 3.0) -> tuple[Waypoint, ...]:
        """Places to go to, mostly near one another."""
        x, y, z = self.place()
        found = []
        for _ in range(self.whole(0, most)):
            if self.happens(0.9):
                x, y = x + self.number(-15.0, 15.0), y + self.number(-15.0, 15.0)
            found.append(
                Waypoint(
                    min(max(x, -1e6), 1e6), min(max(y, -1e6), 1e6), z, self.number(0.0, 5.0), self.number(0.0, fastest)
                )
            )
        return tuple(found)

    def vehicle(self) -> int:
        """The id of a vehicle with full dynamics."""
        return self._of(self.now.egos)

    def npc(self) -> int:
        """The id of an NPC vehicle."""
        return self._of(self.now.traffic.id)

    def person(self) -> int:
        """The id of a pedestrian."""
        return self._of(self.now.people.state.id)

    def obstacle(self) -> int:
        """The id of an obstacle."""
        return self._of(self.now.obstacles.state.id)

    def map_object(self) -> int:
        """The id of a map object."""
        return self._of(self.now.friction.objects.id)

    def sensor(self) -> int:
        """Number of a sensor."""
        return self._of(self.now.mounts.table.id)

    def spawn_point(self) -> int:
        """The id of a spawn point."""
        return self._of(sorted(self.now.spawn.ids()))

    def anybody(self) -> int:
        """The id of an actor of any kind."""
        kinds = (self.vehicle, self.npc, self.person, self.obstacle, self.map_object, self.ghost)
        return self.one_of(kinds)()

    def ghost(self) -> int:
        """The id of an NPC vehicle that is driven from outside."""
        return self._of(self.now.ghost.id)

    def _of(self, ids: Sequence[int]) -> int:
        if not len(ids) or self.happens(UNKNOWN):
            return self.one_of(STRANGERS)
        return int(self.one_of(ids))
