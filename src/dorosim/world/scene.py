"""What does not change in a run: the map, the vehicle models, the settings."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.road.network import RoadNetwork
from dorosim.world.signal import SignalPlan
from dorosim.world.vehicle.model import VehicleModel

DEFAULT_TICK = 10_000_000
"""Length of a tick [ns]."""
LONGEST_SUBSTEP = 10_000_000
"""Vehicle dynamics integrate in steps of at most this [ns] (design/seams.md, State)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything that a run takes as given.

    Attributes:
        map_name: name of the map.
        map_data_id: 0 to 9999 for digital twins, 10000 to 19999 for virtual maps (UDP page, Ego Vehicle Status).
        map_origin: east, north, up of the map's origin in its projection [m].
        network: the roads.
        signal_plan: the programmes of its traffic lights.
        models: vehicle models; a vehicle's `model` column is an index into it.
        tick: length of a tick [ns].
    """

    map_name: str
    map_data_id: int
    map_origin: tuple[float, float, float]
    network: RoadNetwork
    signal_plan: SignalPlan
    models: tuple[VehicleModel, ...]
    tick: int = DEFAULT_TICK

    @property
    def substeps(self) -> int:
        """How many integration steps a tick has."""
        return -(-self.tick // LONGEST_SUBSTEP)
