"""Disturbances: what is added to the controls of a vehicle for a time (Standard API, SetVehicleDisturbance)."""

from __future__ import annotations

import numpy as np

from dorosim.world.vehicle.state import VehicleState

HAND_BRAKE_SHARE = 0.4
"""Braking force of a hand brake over that of all brakes: it acts on the rear wheels, which bear less when braking."""
MAX_DISTURBANCE_TIME = 3600.0
"""A disturbance lasts at most as long as this [s]."""


def add_disturbances(vehicle: VehicleState, tick: int) -> None:
    """Add what disturbs the controls to what faults do, and let its time go by; call it after the faults of each tick.

    Args:
        vehicle: the writable table.
        tick: its length [ns].
    """
    left = vehicle.disturbance_left
    vehicle.control_bias += np.where(left > 0.0, vehicle.disturbance, 0.0)
    np.maximum(left - tick * 1e-9, 0.0, out=left)
    # what is less than half a tick is the rounding of the sum
    left[left < 0.5e-9 * tick] = 0.0
