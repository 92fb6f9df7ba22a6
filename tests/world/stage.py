"""A world on a small map, driven tick by tick without a loop."""

from __future__ import annotations

from dorosim.ground.noise import Noise
from dorosim.road.network import RoadNetwork
from dorosim.road.scenery.table import Scenery
from dorosim.world.scene import Scene
from dorosim.world.signal.update import SignalPlan
from dorosim.world.snapshot import Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS

FAR_AWAY = ("2016_Hyundai_Ioniq", (0.0, 500.0, 0.0), 0.0)
"""An ego vehicle that is in nobody's way."""


class Stage:
    """A world and its scene; `now` is the last snapshot."""

    def __init__(self, network: RoadNetwork, egos=(FAR_AWAY,), seed: int = 0, scenery: Scenery | None = None) -> None:
        self.scene = Scene(
            map_name=network.name,
            map_data_id=10_000,
            map_origin=network.origin,
            network=network,
            signal_plan=SignalPlan.from_network(network),
            models=VEHICLE_MODELS,
            scenery=scenery or Scenery.empty(),
        )
        self.noise = Noise(seed)
        self.now = first_snapshot(self.scene, egos)

    def tick(self, *commands, paused: bool = False) -> Snapshot:
        """One tick with commands."""
        self.now = step(self.scene, self.now, commands, self.noise, paused=paused)
        return self.now

    def apply(self, *commands) -> Snapshot:
        """Commands, none of which may be refused, in a tick of no duration."""
        now = self.tick(*commands, paused=True)
        assert now.refusals == ()
        return now

    def ticks(self, count: int) -> Snapshot:
        """Let time go by."""
        for _ in range(count):
            self.tick()
        return self.now
