"""Friction under the wheels of all vehicles: the one call that a step makes."""

from __future__ import annotations

from dorosim.world.environment.friction_area import Friction
from dorosim.world.environment.friction_wheel_kernel import write_wheel_friction
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState


def find_friction(
    friction: Friction, parameter: VehicleParameter, vehicle: VehicleState, water: float = 0.0, snow: float = 0.0
) -> None:
    """Write `surface_friction` and `surface_drag` of every wheel, by the ground, what lies on it, and areas.

    Where areas overlap the most slippery counts. Call it after the ground has been found and before the faults of
    tyres and the dynamics.

    Args:
        friction: of the snapshot.
        parameter: read-only.
        vehicle: the writable table of the next snapshot.
        water: depth of water on the roads [m].
        snow: depth of snow on them [m].
    """
    write_wheel_friction(parameter.floats, vehicle.floats, friction.objects.floats, friction.road, water, snow)
