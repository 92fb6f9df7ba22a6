"""The actors around a vehicle, as messages tell of them: one table, whatever the actors are.

Distances are those between the origins that are told, in space: the centre of the rear axle of a vehicle, of
pedestrians and obstacles the centre of the base. So who reads the messages can check their order.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import RealArray, WholeArray
from dorosim.road.adjacency import frozen
from dorosim.world.actor.neighbour_kernel import write_neighbours
from dorosim.world.actor.neighbour_state import NeighbourState
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS, pedestrian_sizes
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot


def is_alone(now: Snapshot) -> bool:
    """Whether there is nobody and nothing but one vehicle."""
    return (
        len(now.egos) == 1
        and not now.traffic.rows
        and not now.ghost.rows
        and not now.people.state.rows
        and not now.obstacles.state.rows
    )


def neighbours_of(
    scene: Scene, now: Snapshot, actor: int, most: int, among: WholeArray | None = None, *, itself: bool = False
) -> NeighbourState:
    """The actors nearest to a vehicle, nearest first.

    Vehicles that have left the map are nowhere, and the plan of a driver is no actor.

    Args:
        scene: gives sizes and lanes.
        now: the snapshot.
        actor: id of a vehicle with full dynamics.
        most: how many at most.
        among: `(n,)` ids of those to choose from, None for all; ids of nobody do not matter.
        itself: whether the vehicle may be told of, too.

    Returns:
        a table of at most `most` rows.
    """
    if among is None:
        among = _ALL
    elif not len(among):
        return NeighbourState.zeros(0)
    real, whole = np.empty((_WIDTH, most)), np.empty((_WHOLES, most), np.int64)
    vehicle, traffic, ghost, people, obstacles = now.vehicle, now.traffic, now.ghost, now.people, now.obstacles
    count = write_neighbours(
        now.row_of(actor),
        itself,
        among,
        (vehicle.real, traffic.real, ghost.real, people.state.real, obstacles.state.real),
        (vehicle.whole, traffic.whole, ghost.whole, people.state.whole, obstacles.state.whole),
        scene.vehicle_sizes,
        _PERSON_SIZES,
        scene.network.link_length,
        now.number.whole,
        real,
        whole,
    )
    return NeighbourState(real[:, :count], whole[:, :count])


_ALL = np.zeros(0, np.int64)
_WIDTH, _WHOLES = NeighbourState.real_width, len(NeighbourState.whole_columns)
_PERSON_SIZES: RealArray = frozen(np.hstack((pedestrian_sizes(), np.zeros((len(PEDESTRIAN_MODELS), 3)))))
