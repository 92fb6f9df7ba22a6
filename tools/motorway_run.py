"""Traffic on the first stretch of the generated motorway, with a given inflow: what figures of motorways look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.noise import Noise
from dorosim.mapmaking.motorway import INTERCHANGES, MOTORWAY_LANES, generate_motorway
from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.world.traffic.driver import DRIVER, DriverParameter
from dorosim.world.traffic.placement import CAR, PlacedBody, new_traffic
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import Presence, SpeedMode
from tools.traffic_run import TrafficRun

LORRY = PlacedBody(12.0, 2.5, 6.0, 1.4)
LORRY_SHARE = 0.2

STRETCH = 1900.0
"""The stretch before the first interchange on which things are measured [m]."""

CAR_SPEED, CAR_SPEED_SPREAD = 33.0, 3.0
LORRY_SPEED, LORRY_SPEED_SPREAD = 23.5, 0.8
"""Mean and standard deviation of the desired speeds [m/s]: about those of the highD data set (Krajewski et al., "The
highD dataset", ITSC 2018, figures of the speeds of cars and lorries)."""

_POOL = 700
_LANE_SHARES = ((0.42, 0.02), (0.38, 0.18), (0.20, 0.80))
"""Share of the cars and of the lorries that come on each lane, from the left."""

assert INTERCHANGES[0] > STRETCH


@dataclass(slots=True)
class MotorwayRun:
    """One carriageway into which vehicles drive at its west end.

    Attributes:
        run: the traffic; rows that are not on the road are OFF_MAP and paused.
        lanes: `(3,)` links at the west end, from the left.
        offset: `(L,)` where each link begins on the carriageway [m]; NaN for links elsewhere.
        flow: into each lane [1/s].
        random: draws of the inflow.
        due: `(3,)` when the next vehicle of each lane is due [s].
    """

    run: TrafficRun
    network: RoadNetwork
    lanes: IntArray
    offset: FloatArray
    flow: float
    random: np.random.Generator
    lorry: IntArray
    due: FloatArray = field(default_factory=lambda: np.zeros(MOTORWAY_LANES))

    @classmethod
    def of(cls, vehicles_per_hour: float, seed: int = 1, driver: DriverParameter = DRIVER) -> Self:
        """An empty carriageway and an inflow into each lane [1/h]."""
        network = network_from_mgeo(generate_motorway("motorway"))
        plan = TrafficPlan.from_network(network)
        random = np.random.default_rng(seed)
        lorry = (random.random(_POOL) < LORRY_SHARE).astype(np.int64)
        kinds = [LORRY if one else CAR for one in lorry]
        state = new_traffic(range(1, _POOL + 1), kinds, np.zeros(_POOL, np.int64), np.zeros(_POOL), Noise(seed), driver)
        state.present[:], state.paused[:] = Presence.OFF_MAP, 1
        state.speed_mode[:] = SpeedMode.CONSTANT
        mean = np.where(lorry == 1, LORRY_SPEED, CAR_SPEED)
        spread = np.where(lorry == 1, LORRY_SPEED_SPREAD, CAR_SPEED_SPREAD)
        state.desired_speed[:] = mean + spread * np.clip(random.standard_normal(_POOL), -2.0, 2.0)
        state.comfortable_acceleration[lorry == 1] *= 0.6
        lanes = np.array([network.link_index(f"_0_0_R{lane + 1}_") for lane in range(MOTORWAY_LANES)])
        offset = np.full(network.link_count, np.nan)
        for lane in lanes.tolist():
            link, at = lane, 0.0
            while at <= STRETCH:
                offset[link] = at
                at += float(network.link_length[link])
                link = int(network.successors.of(link)[0])
        run = TrafficRun.of(network, plan, state, seed)
        return cls(run, network, lanes, offset, vehicles_per_hour / 3600.0, random, lorry)

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.run.turn * self.run.dt

    def places(self) -> FloatArray:
        """`(N,)` places of the fronts along the carriageway [m]; NaN for vehicles that are not on the stretch."""
        state = self.run.traffic
        place = self.offset[state.link] + state.s
        return np.where(state.present == Presence.ON_LANE, place, np.nan)

    def step(self) -> None:
        """Let vehicles in that are due and have room, and move on."""
        for lane in range(MOTORWAY_LANES):
            if self.time >= self.due[lane] and self._enter(lane):
                self.due[lane] = max(self.due[lane], self.time - 5.0) + self.random.uniform(0.5, 1.5) / self.flow
        self.run.step()
        state = self.run.traffic
        beyond = (state.present == Presence.ON_LANE) & ~np.isfinite(self.offset[state.link])
        state.present[beyond] = Presence.OFF_MAP
        gone = state.present == Presence.OFF_MAP
        state.paused[gone] = 1

    def _enter(self, lane: int) -> bool:
        """Put a vehicle at the start of a lane, if there is room. Returns whether it has come in."""
        state, link = self.run.traffic, int(self.lanes[lane])
        free = np.flatnonzero(state.present == Presence.OFF_MAP)
        shares = np.array(_LANE_SHARES[lane])
        wants_lorry = self.random.random() * (4.0 * shares[0] + shares[1]) < shares[1]
        fitting = free[self.lorry[free] == int(wants_lorry)]
        if not len(fitting):
            return False
        row = int(fitting[self.random.integers(len(fitting))])
        on_lane = (state.link == link) | (state.change_from == link)
        there = np.flatnonzero((state.present == Presence.ON_LANE) & on_lane)
        front, speed = float(state.length[row]) + 0.1, float(state.desired_speed[row])
        if len(there):
            rear = state.s[there] - state.length[there]
            ahead = int(there[np.argmin(rear)])
            gap = float(rear.min()) - front
            speed = min(speed, float(state.speed[ahead]) + max(gap - 20.0, 0.0) * 0.1)
            if gap < state.standstill_gap[row] + 0.9 * state.time_gap[row] * speed:
                return False
        state.present[row], state.paused[row], state.link[row], state.s[row] = Presence.ON_LANE, 0, link, front
        state.speed[row] = speed
        for column in (state.previous, state.before_previous, state.change_from, state.cursor):
            column[row] = -1
        for numbers in (state.acceleration, state.authority, state.patience, state.lateral, state.lateral_slope):
            numbers[row] = 0.0
        return True
