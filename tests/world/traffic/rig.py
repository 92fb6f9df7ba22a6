"""Runs traffic on a map with its lights, and looks at what must never happen."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.road.network import RoadNetwork
from dorosim.world.collision.body import BodyTable
from dorosim.world.signal.state import SignalState
from dorosim.world.signal.update import SignalPlan
from dorosim.world.traffic.driver import DriverParameter
from dorosim.world.traffic.placement import CAR, PlacedBody, new_traffic, place_traffic
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import TrafficState
from dorosim.world.traffic.step import step_traffic

VAN = PlacedBody(5.3, 2.0, 3.2, 0.9)
BUS = PlacedBody(11.0, 2.5, 5.6, 2.7)
MIXED = (CAR, CAR, CAR, CAR, CAR, CAR, CAR, VAN, VAN, BUS)
"""One in ten is a bus, two are vans."""

HALF_PERSON, HALF_CAR = (0.25, 0.25, 0.9), (2.3, 0.9, 0.8)
"""Half sizes of bodies that are not of the traffic [m]."""

ALIKE = DriverParameter(
    speed_spread=0.0,
    gap_spread=0.0,
    acceleration_spread=0.0,
    politeness=0.2,
    politeness_spread=0.0,
    change_threshold=0.1,
    reaction_time=0.0,
)
"""Drivers without any spread."""


@dataclass(slots=True)
class TrafficRun:
    """Traffic on a map, with the lights of the map."""

    network: RoadNetwork
    plan: TrafficPlan
    lights: SignalPlan
    state: TrafficState
    signal: SignalState
    seed: int
    dt: float = 0.1
    turn: int = 0
    moved: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def step(self, permission=None, **more) -> None:
        """Let a tick pass, with the map's own lights if no permissions are given."""
        if permission is None:
            self.signal = self.lights.advance(self.signal, round(self.dt * 1e9))
            permission = self.signal.link.entry
        step_traffic(self.plan, self.state, permission, dt=self.dt, seed=self.seed, turn=self.turn, **more)
        self.turn += 1

    def name(self, row: int) -> str:
        """Id of the link that a vehicle is on."""
        return self.network.link_ids[self.state.link[row]]


def run_on(network: RoadNetwork, count: int, seed: int, bodies=MIXED, dt: float = 0.1, plan=None) -> TrafficRun:
    """Traffic of some vehicles on a map."""
    plan = plan or TrafficPlan.from_network(network)
    lights = SignalPlan.from_network(network)
    kinds = [bodies[number % len(bodies)] for number in range(count)]
    state = place_traffic(plan, range(1, count + 1), kinds, Noise(seed))
    run = TrafficRun(network, plan, lights, state, lights.first_state(), seed, dt)
    step_traffic(plan, state, run.signal.link.entry, dt=0.0, seed=seed, turn=0, decision=0.0)
    return run


def corners(state: TrafficState, shrink: float = 0.0) -> np.ndarray:
    """Corners `(N, 4, 2)` of the bodies in map [m], each side moved inwards by `shrink`."""
    front = state.wheelbase + state.front_overhang - shrink
    rear = front - state.length + 2 * shrink
    half = 0.5 * state.width - shrink
    along = np.stack((front, front, rear, rear), 1)
    aside = np.stack((half, -half, -half, half), 1)
    cos, sin = np.cos(state.yaw)[:, None], np.sin(state.yaw)[:, None]
    return np.stack(
        (state.x[:, None] + along * cos - aside * sin, state.y[:, None] + along * sin + aside * cos), axis=2
    )


def overlaps(state: TrafficState) -> list[tuple[int, int]]:
    """Rows of vehicles whose bodies overlap: oriented boxes, by separating axes; on the same level only."""
    present = np.flatnonzero(state.present)
    box = corners(state)[present]
    centre, reach = box.mean(axis=1), 0.5 * np.hypot(state.length, state.width)[present]
    order = np.argsort(centre[:, 0], kind="stable")
    far = 2 * reach.max(initial=0.0)
    last = np.searchsorted(centre[order, 0], centre[order, 0] + far, "right")
    counts = last - np.arange(len(order)) - 1
    a = np.repeat(np.arange(len(order)), counts)
    b = a + 1 + np.arange(len(a)) - np.repeat(np.cumsum(counts) - counts, counts)
    a, b = order[a], order[b]
    near = np.hypot(*(centre[a] - centre[b]).T) < reach[a] + reach[b]
    near &= np.abs(state.z[present][a] - state.z[present][b]) < 2.5
    a, b = a[near], b[near]
    if not len(a):
        return []
    apart = np.zeros(len(a), bool)
    for one in (a, b):
        for side in (0, 1):
            axis = box[one, side] - box[one, side + 1]
            first = np.einsum("nkd,nd->nk", box[a], axis)
            second = np.einsum("nkd,nd->nk", box[b], axis)
            apart |= (first.max(1) < second.min(1)) | (second.max(1) < first.min(1))
    return [(int(present[i]), int(present[j])) for i, j in zip(a[~apart], b[~apart], strict=True)]


def describe(run: TrafficRun, row: int) -> str:
    """A vehicle, for a failed test."""
    s, ids = run.state, run.network.link_ids
    name = lambda link: ids[link] if link >= 0 else "-"  # noqa: E731
    return (
        f"{s.id[row]}: {name(s.link[row])} s={s.s[row]:.2f}/{run.network.link_length[s.link[row]]:.1f} "
        f"v={s.speed[row]:.2f} a={s.acceleration[row]:.2f} L={s.length[row]} prev={name(s.previous[row])} "
        f"from={name(s.change_from[row])} auth={s.authority[row]:.1f} waiting={s.waiting[row]} "
        f"patience={s.patience[row]:.0f}"
    )


def run_with(network: RoadNetwork, places, seed=1, bodies=CAR, dt=0.1, minor=None, **columns) -> TrafficRun:
    """Traffic of one vehicle per place (link id, s); columns of the table are set as given."""
    plan = TrafficPlan.from_network(network, minor)
    lights = SignalPlan.from_network(network)
    count = len(places)
    kinds = [bodies] * count if isinstance(bodies, PlacedBody) else bodies
    links = np.array([network.link_index(link) for link, _ in places], np.int64)
    state = new_traffic(range(1, count + 1), kinds, links, np.array([s for _, s in places], float), Noise(seed), ALIKE)
    for name, value in columns.items():
        getattr(state, name)[:] = value
    run = TrafficRun(network, plan, lights, state, lights.first_state(), seed, dt)
    step_traffic(plan, state, run.signal.link.entry, dt=0.0, seed=seed, turn=0, decision=0.0)
    return run


def bodies(*rows) -> BodyTable:
    """Bodies of (x, y, foot, yaw, half sizes, velocity)."""
    table = BodyTable.zeros(len(rows))
    for row, (x, y, foot, yaw, half, velocity) in enumerate(rows):
        table.x[row], table.y[row], table.z[row], table.yaw[row] = x, y, foot + half[2], yaw
        table.half_length[row], table.half_width[row], table.half_height[row] = half
        table.velocity_x[row], table.velocity_y[row] = velocity
    return table
