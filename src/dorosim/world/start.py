"""The first snapshot of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.world.actor.alias import AliasTable
from dorosim.world.actor.label import Labels
from dorosim.world.actor.number import NumberTable
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.displaced import DisplacedTable
from dorosim.world.environment.friction_area import Friction
from dorosim.world.environment.gnss_denied_area import ShadeTable
from dorosim.world.environment.weather import first_environment
from dorosim.world.fault.table import FaultTable
from dorosim.world.mount.state import Mounts
from dorosim.world.obstacle.state import Obstacles
from dorosim.world.pedestrian.state import CrosswalkState, Pedestrians
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.spawn.state import SpawnPoints
from dorosim.world.step import find_ground
from dorosim.world.storyboard.state import StoryboardState
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.route import RouteTable
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.driver import TrajectoryTable
from dorosim.world.vehicle.goal import Goals
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
    find_ground(scene, parameter, vehicle)
    np.copyto(vehicle.z, vehicle.ground_height)
    vehicle.brake[:] = 1.0
    return Snapshot(
        tick=0,
        time=0,
        paused=False,
        last_id=len(ids),
        camera=EGO,
        egos=ids,
        vehicle=vehicle.freeze(),
        parameter=parameter.freeze(),
        trajectory=TrajectoryTable.empty(len(ids)),
        traffic=TrafficState.zeros(0).freeze(),
        route=RouteTable.from_lists([]),
        goal=Goals.empty(),
        ghost=GhostState.zeros(0).freeze(),
        people=Pedestrians.empty(),
        crosswalk=CrosswalkState.zeros(0).freeze(),
        obstacles=Obstacles.empty(),
        spawn=SpawnPoints.empty(),
        signal=scene.signal_plan.first_state().freeze(),
        environment=first_environment().freeze(),
        fault=FaultTable.zeros(0).freeze(),
        friction=Friction(),
        shade=ShadeTable.zeros(0).freeze(),
        mounts=Mounts.empty(),
        contact=ContactTable.zeros(0).freeze(),
        displaced=DisplacedTable.zeros(0).freeze(),
        alias=AliasTable.zeros(0).freeze(),
        label=Labels.empty(),
        number=NumberTable.of(ids),
        storyboard=StoryboardState.empty(),
    )
