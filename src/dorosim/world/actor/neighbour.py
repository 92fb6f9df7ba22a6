"""The actors around a vehicle, as messages report them: one table for actors of all kinds.

Distances are those between the reported origins, in space: the centre of the rear axle of a vehicle, the centre of the
base of pedestrians and obstacles. So a client can check the order of the objects in a message.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.adjacency import frozen
from dorosim.world.actor.neighbour_kernel import write_neighbours
from dorosim.world.actor.neighbour_state import NeighbourState
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS, pedestrian_sizes
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.visibility import HiddenFrom, hidden_actors


def is_alone(now: Snapshot) -> bool:
    """Whether one vehicle with full dynamics is alone: no other actor, and no plan of a driver."""
    return (
        len(now.egos) == 1
        and not now.traffic.rows
        and not now.ghost.rows
        and not now.people.state.rows
        and not now.obstacles.state.rows
    )


def neighbours_of(
    scene: Scene, now: Snapshot, actor: int, most: int, among: IntArray | None = None, *, itself: bool = False
) -> NeighbourState:
    """The actors nearest to a vehicle, nearest first.

    NPC vehicles that have left the map, and plans of drivers of egos, are left out.

    Args:
        scene: gives sizes and lanes.
        now: the snapshot.
        actor: id of a vehicle with full dynamics.
        most: how many at most.
        among: `(n,)` ids of the actors to choose from, None for all; ids without an actor have no effect.
        itself: whether the vehicle itself may be in the table, too.

    Returns:
        a table of at most `most` rows.
    """
    if among is None:
        among = _ALL
    elif not len(among):
        return NeighbourState.zeros(0)
    vehicle, traffic, ghost, people, obstacles = now.vehicle, now.traffic, now.ghost, now.people, now.obstacles
    if not itself and vehicle.rows + traffic.rows + ghost.rows + people.state.rows + obstacles.state.rows < 2:
        return NeighbourState.zeros(0)  # a first start with one vehicle need not wait for the kernel
    floats, ints = np.empty((_WIDTH, most)), np.empty((_INTS, most), np.int64)
    count = write_neighbours(
        now.row_of(actor),
        itself,
        among,
        (vehicle.floats, traffic.floats, ghost.floats, people.state.floats, obstacles.state.floats),
        (vehicle.ints, traffic.ints, ghost.ints, people.state.ints, obstacles.state.ints),
        scene.vehicle_sizes,
        _PERSON_SIZES,
        scene.network.link_length,
        now.number.ints,
        floats,
        ints,
    )
    found = NeighbourState(floats[:, :count], ints[:, :count])
    return _fit_entities(now, found) if now.storyboard.entity.rows else found


def _fit_entities(now: Snapshot, found: NeighbourState) -> NeighbourState:
    """The same with the sizes that a storyboard gives to its vehicles, and without what it hides from sensors."""
    hidden = hidden_actors(now.storyboard, HiddenFrom.SENSORS)
    if hidden:
        found = found.take(~np.isin(found.id, list(hidden)))
    own = np.flatnonzero(np.isin(found.id, now.vehicle.id))
    rows = np.searchsorted(now.vehicle.id, found.id[own])
    for name in _SIZES:
        getattr(found, name)[own] = getattr(now.parameter, name)[rows]
    return found


_SIZES = ("length", "width", "height", "front_overhang", "wheelbase", "rear_overhang")
_ALL = np.zeros(0, np.int64)
_WIDTH, _INTS = NeighbourState.float_width, len(NeighbourState.int_columns)
_PERSON_SIZES: FloatArray = frozen(np.hstack((pedestrian_sizes(), np.zeros((len(PEDESTRIAN_MODELS), 3)))))
