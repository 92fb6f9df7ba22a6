"""Traffic and lights on a map, and nothing else: what figures, plots and long runs look at."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.noise import Noise
from dorosim.ground.state_tree import arrays_of
from dorosim.road.network import RoadNetwork
from dorosim.world.signal.state import SignalState
from dorosim.world.signal.update import SignalPlan
from dorosim.world.traffic.driver import DRIVER, DriverParameter
from dorosim.world.traffic.placement import CAR, PlacedBody, place_traffic
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import TrafficState
from dorosim.world.traffic.step import step_traffic


@dataclass(slots=True)
class TrafficRun:
    """Vehicles that drive at random over a map, with its lights; all drivers decide in every step.

    Attributes:
        plan: the roads. lights: the programmes.
        traffic: the vehicles. signal: the lights.
        seed: of the run. dt: the step [s]. turn: how many steps were made.
    """

    plan: TrafficPlan
    lights: SignalPlan
    traffic: TrafficState
    signal: SignalState
    seed: int
    dt: float = 0.1
    turn: int = 0

    @classmethod
    def fill(
        cls,
        network: RoadNetwork,
        count: int,
        seed: int,
        *,
        bodies: Sequence[PlacedBody] = (CAR,),
        driver: DriverParameter = DRIVER,
    ) -> Self:
        """So many vehicles all over a map, in standstill; their bodies are those given, in turn.

        Raises:
            InputError: if there is no room for so many.
        """
        plan = TrafficPlan.from_network(network)
        kinds = [bodies[number % len(bodies)] for number in range(count)]
        return cls.of(network, plan, place_traffic(plan, range(1, count + 1), kinds, Noise(seed), driver), seed)

    @classmethod
    def of(cls, network: RoadNetwork, plan: TrafficPlan, traffic: TrafficState, seed: int) -> Self:
        """Vehicles as they are given."""
        lights = SignalPlan.from_network(network)
        return cls(plan, lights, traffic, lights.first_state(), seed)

    def step(self) -> None:
        """Move on by `dt`: the lights, then all vehicles."""
        self.signal = self.lights.advance(self.signal, round(self.dt * 1e9))
        step_traffic(self.plan, self.traffic, self.signal.link.entry, dt=self.dt, seed=self.seed, turn=self.turn)
        self.turn += 1

    def digest(self) -> str:
        """Equal for equal states and, for all practical purposes, only for those (BLAKE2b)."""
        digest = hashlib.blake2b(str(self.turn).encode(), digest_size=32)
        for block in (*arrays_of(self.traffic), *arrays_of(self.signal)):
            digest.update(np.ascontiguousarray(block).data)
        return digest.hexdigest()

    def read(self) -> FloatArray:
        """`(4, N)` x, y [m] and yaw [rad] in map, and speed [m/s], of all vehicles: a copy."""
        traffic = self.traffic
        return np.stack((traffic.x, traffic.y, traffic.yaw, traffic.speed))
