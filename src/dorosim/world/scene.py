"""What does not change in a run: the map, the vehicle models, the settings, and what the map implies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.adjacency import frozen
from dorosim.road.network import RoadNetwork
from dorosim.road.route import Router
from dorosim.road.scenery.table import Scenery
from dorosim.road.surface_kernel import follow_surface
from dorosim.road.terrain.terrain import Terrain
from dorosim.world.pedestrian.walk import PedestrianPlan
from dorosim.world.signal.update import SignalPlan
from dorosim.world.spawn.vehicle import SpawnPlan
from dorosim.world.storyboard.engine import StoryboardEngine
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.vehicle.model import VehicleModel

DEFAULT_TICK = 10_000_000
"""Length of a tick [ns]."""
MAX_SUBSTEP = 10_000_000
"""Vehicle dynamics integrate in steps of at most this [ns] (design/seams.md, State)."""
DECISION_TIME = 100_000_000
"""NPC drivers decide about this often [ns]; a person's reaction time is several times that. In between they keep their
accelerations (docs/decisions/0007-decisions-ten-times-a-second.md)."""
MAX_KEPT_PLANS = 2
"""Maps whose plans a process keeps: a run that begins again, on the same map or the one before, has them at once."""


@lru_cache(MAX_KEPT_PLANS)
def _traffic_plan(network: RoadNetwork) -> TrafficPlan:
    return TrafficPlan.from_network(network)


@lru_cache(MAX_KEPT_PLANS)
def _pedestrian_plan(network: RoadNetwork) -> PedestrianPlan:
    return PedestrianPlan.from_network(network)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Everything that a run takes as given.

    What the map implies for traffic and people is worked out once, when first asked for, since many runs have neither.

    Attributes:
        map_name: name of the map.
        map_data_id: 0 to 9999 for digital twins, 10000 to 19999 for virtual maps (UDP page, Ego Vehicle Status).
        map_origin: east, north, up of the map's origin in its projection [m].
        network: the roads.
        signal_plan: the programmes of its traffic lights.
        models: vehicle models; a vehicle's `model` column is an index into it.
        tick: length of a tick [ns].
        scenery: what stands beside the roads; its parts are solid.
        terrain: the ground; without one the lanes are all there is.
        storyboard: advances the storyboard of a scenario; None for a run without one.
        plan_of: makes the plan of traffic of the roads, or has kept it.
    """

    map_name: str
    map_data_id: int
    map_origin: tuple[float, float, float]
    network: RoadNetwork
    signal_plan: SignalPlan
    models: tuple[VehicleModel, ...]
    tick: int = DEFAULT_TICK
    scenery: Scenery = field(default_factory=Scenery.empty)
    terrain: Terrain | None = None
    storyboard: StoryboardEngine | None = None
    plan_of: Callable[[RoadNetwork], TrafficPlan] = field(default=_traffic_plan, compare=False, repr=False)

    def ground_height(self, x: float, y: float, z: float) -> float:
        """Height of the ground at a place in map [m]; of several levels the highest that is not above z.

        Where the map has no ground of its own it is that of the nearest lane. NaN for z takes the level of that lane.
        """
        at_x, at_y, at_z, lane, slope_x, slope_y = np.array([[x], [y], [z], [0.0], [0.0], [0.0]])
        follow_surface(self.network.surface, at_x, at_y, at_z, np.full(1, -1), lane, slope_x, slope_y)
        if self.terrain is None:
            return float(lane[0])
        guess = z if np.isfinite(z) else float(lane[0])
        return float(self.terrain.height(np.array([(x, y, guess)]))[0])

    def is_on_map(self, x: float, y: float) -> bool:
        """Whether a place lies on the ground of the map, and not beyond its edge."""
        return self.terrain is None or self.terrain.contains(x, y)

    @property
    def substeps(self) -> int:
        """How many integration steps a tick has."""
        return -(-self.tick // MAX_SUBSTEP)

    @property
    def decision_ticks(self) -> int:
        """How many ticks pass from one decision of the NPC drivers to the next."""
        return max(round(DECISION_TIME / self.tick), 1)

    @cached_property
    def traffic_plan(self) -> TrafficPlan:
        """The roads as NPC drivers see them."""
        return self.plan_of(self.network)

    @cached_property
    def pedestrian_plan(self) -> PedestrianPlan:
        """The roads as pedestrians see them."""
        return _pedestrian_plan(self.network)

    @cached_property
    def spawn_plan(self) -> SpawnPlan:
        """What spawn points of vehicles need to know."""
        return SpawnPlan.from_scene(self.network, self.models)

    @cached_property
    def body_sizes(self) -> FloatArray:
        """`(models, 5)` of each vehicle model, read-only.

        Length, width, height [m], mass [kg], and how far the middle of its box lies before the body origin [m].
        """
        rows = [
            (
                one.length,
                one.width,
                one.height,
                one.mass,
                0.5 * (one.wheelbase + one.front_overhang - one.rear_overhang),
            )
            for one in self.models
        ]
        return frozen(np.array(rows, np.float64).reshape(-1, 5))

    @cached_property
    def vehicle_sizes(self) -> FloatArray:
        """`(models, 6)` of each vehicle model, read-only.

        Length, width, height, front overhang, wheelbase, rear overhang [m].
        """
        rows = [
            (one.length, one.width, one.height, one.front_overhang, one.wheelbase, one.rear_overhang)
            for one in self.models
        ]
        return frozen(np.array(rows, np.float64).reshape(-1, 6))

    @cached_property
    def router(self) -> Router:
        """Finds ways."""
        return Router(self.network)
