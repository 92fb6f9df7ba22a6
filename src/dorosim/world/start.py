"""The first snapshot of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import find_ground
from dorosim.world.vehicle.driver import TrajectoryTable
from dorosim.world.vehicle.placement import new_vehicle_rows, place

Start = tuple[str, tuple[float, float, float], float]
"""Where a vehicle starts: model, body origin in the map [m] (z may be NaN: the ground decides), heading [rad]."""


def first_snapshot(scene: Scene, starts: Sequence[Start]) -> Snapshot:
    """Tick 0: every ego vehicle stands on the ground, held by its brake, in auto mode and gear D.

    Args:
        scene: what the run takes as given.
        starts: the ego vehicles in the order of creation; the first one has id `EGO`.

    Raises:
        InputError: a model is not in the catalogue.
    """
    ids = tuple(range(EGO, EGO + len(starts)))
    vehicle, parameter = new_vehicle_rows(ids, [model for model, _, _ in starts])
    for row, (_, position, heading) in enumerate(starts):
        place(vehicle, row, position, heading)
    find_ground(scene.network.surface, vehicle)
    np.copyto(vehicle.z, vehicle.ground_height)
    vehicle.brake[:] = 1.0
    return Snapshot(
        tick=0,
        time=0,
        egos=ids,
        vehicle=vehicle.freeze(),
        parameter=parameter.freeze(),
        trajectory=TrajectoryTable.empty(len(ids)),
        signal=scene.signal_plan.first_state().freeze(),
    )
