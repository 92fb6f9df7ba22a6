"""Who is in the traffic: vehicles come, and go, by id."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dorosim.world.traffic.state import TrafficState


def row_of(state: TrafficState, actor: int) -> int:
    """Row of a vehicle, -1 if there is none of this id."""
    ids = state.id
    row = int(np.searchsorted(ids, actor))
    return row if row < len(ids) and ids[row] == actor else -1


def add_vehicles(state: TrafficState, added: TrafficState) -> TrafficState:
    """A new, writable table with more vehicles, in the order of ids.

    Raises:
        ValueError: if an id of `added` is there already, or stands twice in it.
    """
    together = state.append(added)
    ids = together.id
    if (np.diff(ids) > 0).all():
        return together
    order = np.argsort(ids, kind="stable")
    if (np.diff(ids[order]) == 0).any():
        raise ValueError("two vehicles with one id")
    return TrafficState(np.ascontiguousarray(together.real[:, order]), np.ascontiguousarray(together.whole[:, order]))


def remove_vehicles(state: TrafficState, actors: Iterable[int]) -> TrafficState:
    """A new, writable table without some ids; unknown ids do not matter."""
    kept = ~np.isin(state.id, np.fromiter(actors, np.int64))
    return TrafficState(np.ascontiguousarray(state.real[:, kept]), np.ascontiguousarray(state.whole[:, kept]))
