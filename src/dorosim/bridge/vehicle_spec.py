"""The measures of a vehicle, as messages report them."""

from __future__ import annotations

from typing import NamedTuple

from dorosim.bridge.actor_state import ActorState
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.model import VehicleModel

WHEEL_RADIUS: dict[str, float] = {
    "sedan": 0.33,
    "hatchback": 0.32,
    "suv": 0.36,
    "van": 0.34,
    "truck": 0.50,
    "bus": 0.50,
    "robot": 0.10,
}
"""Radius of the loaded wheels by category [m]: usual tyres of Korean models, such as 225/45 R17 and 295/80 R22.5. The
dynamics roll by speed and not by wheel turns, so nothing else depends on it."""


class VehicleSpecification(NamedTuple):
    """Measures of a vehicle.

    Attributes:
        model: of it.
        max_steer: largest angle of the front wheels, as it is limited now [rad].
        wheel_radius: [m].
        dynamics: what moves an ego vehicle of this model.
    """

    model: VehicleModel
    max_steer: float
    wheel_radius: float
    dynamics: str


def spec_of(scene: Scene, now: Snapshot, state: ActorState) -> VehicleSpecification:
    """The measures of a vehicle of any kind."""
    model = scene.models[state.model]
    row = now.row_of(state.id)
    max_steer = float(now.parameter.max_steer[row]) if row >= 0 else model.max_steer
    dynamics = "differential drive or axles" if model.category == "robot" else "single track"
    return VehicleSpecification(model, max_steer, WHEEL_RADIUS.get(model.category, 0.33), dynamics)
