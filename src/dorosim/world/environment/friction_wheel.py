"""Friction under the wheels of all vehicles: the one call that a step makes."""

from __future__ import annotations

from dorosim.world.environment.friction_area import Friction
from dorosim.world.environment.friction_wheel_kernel import write_wheel_friction
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState


def find_friction(friction: Friction, parameter: VehicleParameter, vehicle: VehicleState) -> None:
    """Write `surface_friction` of every wheel, from the road and the areas that the wheel stands in.

    Where areas overlap the most slippery counts. Call it after the ground has been found and before the faults of
    tyres and the dynamics.

    Args:
        friction: of the snapshot.
        parameter: read-only.
        vehicle: the writable table of the next snapshot.
    """
    write_wheel_friction(parameter.floats, vehicle.floats, friction.objects.floats, friction.road)
