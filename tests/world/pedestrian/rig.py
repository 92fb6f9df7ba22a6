"""A road with one crosswalk, and people on it, tick by tick."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dorosim.road.mgeo.record import SingleCrosswalk
from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.world.command import Command
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.state import Pedestrians
from dorosim.world.pedestrian.walk import PedestrianPlan, step_pedestrians
from dorosim.world.signal.state import WalkSignal
from tests.road.small_map import map_of, straight
from tests.world.effect import changed

RING = np.array([[48.0, -4, 0], [52, -4, 0], [52, 4, 0], [48, 4, 0]])
"""A crosswalk over a road to the east, 4 m wide and 8 m long, at x = 50 m."""


def road() -> RoadNetwork:
    """A lane of 100 m to the east that rises by 2 m."""
    lane = straight("lane", "A", "B", (0, 0, 0), (100, 0, 2))
    return network_from_mgeo(map_of(lane, single_crosswalks=[SingleCrosswalk(idx="SCW", points=RING)]))


class Street:
    """People on a road.

    Args:
        network: the map; the road with one crosswalk if None.
        tick: length of a tick [s].
    """

    def __init__(self, network: RoadNetwork | None = None, tick: float = 0.01) -> None:
        self.plan = PedestrianPlan.from_network(network or road())
        self.people = Pedestrians.empty()
        self.walk = np.full(self.plan.crosswalk_count, WalkSignal.NONE, np.int64)
        self.gap = np.full(self.plan.crosswalk_count, math.inf)
        self.ego = np.full((2, 1), 1e5)
        self.tick = tick
        self.seed = 7

    def ask(self, command: Command) -> str:
        """Apply a command; why it was refused, or an empty string."""
        self.people, problem = changed("people", self.people.copy(), command)
        self.people.freeze()
        return problem

    def add(self, x: float, y: float, **more) -> int:
        """A new pedestrian that starts at once; its id."""
        actor = len(self.people) + 1
        given = {"model": 0, "yaw": 0.0, "start": True, "speed": 1.4} | more
        assert self.ask(SpawnPedestrian(actor, position=(x, y, 0.0), **given)) == ""
        return actor

    def run(self, seconds: float, look: Callable[[Pedestrians], object] | None = None) -> list:
        """Let time pass; what `look` saw after every tick."""
        seen = []
        for _ in range(round(seconds / self.tick)):
            after = self.people.copy()
            step_pedestrians(self.plan, after, self.walk, self.gap, *self.ego, self.seed, self.tick)  # type: ignore[call-arg]
            self.people = after.freeze()
            if look is not None:
                seen.append(look(self.people))
        return seen


def place(people: Pedestrians, row: int = 0) -> tuple[float, float]:
    """Where one of them is in the map [m]."""
    return float(people.state.x[row]), float(people.state.y[row])
