"""Faults of tyres: less grip, less stiffness, more drag, growing from 0 to their full value over `onset`.

The drag of a damaged tyre pulls the vehicle to its side; on a front wheel the lost stiffness makes it steer less, on a
rear wheel it lets the rear go. What a flat tyre does to roll, pitch and ride height is left out.
"""

from __future__ import annotations

import numpy as np

from dorosim.world.fault.code import FaultTarget
from dorosim.world.fault.control import vehicle_rows
from dorosim.world.fault.table import FaultTable
from dorosim.world.vehicle.state import VehicleState


def damage_tires(faults: FaultTable, vehicle: VehicleState, time: int) -> None:
    """Write `tire_stiffness_loss` and `tire_drag` of every wheel, and take the lost grip from `surface_friction`.

    Call it in each tick after `find_friction` has written the grip of the ground, and before the dynamics.

    Args:
        faults: the table; it is only read.
        vehicle: the writable table, sorted by id.
        time: simulated time [ns].
    """
    vehicle.tire_stiffness_loss[:] = 0.0
    vehicle.tire_drag[:] = 0.0
    rows, car = vehicle_rows(faults, time, FaultTarget.TIRE, vehicle)
    if not len(rows):
        return
    elapsed = (time - faults.start[rows]) * 1e-9
    severity = np.clip(elapsed / np.maximum(faults.onset[rows], 1e-9), 0.0, 1.0)
    severity[faults.onset[rows] == 0.0] = 1.0
    for subclass in np.unique(faults.subclass[rows]):
        # a tyre has a fault of one subclass at most once, so no wheel is written twice
        these = faults.subclass[rows] == subclass
        these_rows, share = rows[these], severity[these]
        at = (faults.place[these_rows], car[these])
        vehicle.surface_friction[at] *= 1.0 - share * faults.friction_loss[these_rows]
        left = (1.0 - vehicle.tire_stiffness_loss[at]) * (1.0 - share * faults.stiffness_loss[these_rows])
        vehicle.tire_stiffness_loss[at] = 1.0 - left
        vehicle.tire_drag[at] += share * faults.drag[these_rows]
