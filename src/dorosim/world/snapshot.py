"""The state of a run at one tick: all of it, and never changed after `step` returned it."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.world.signal import SignalState
from dorosim.world.vehicle.driver import TrajectoryTable
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

EGO = 1
"""Id of the ego vehicle: the first actor of every run."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Everything that a run can change, at one tick. All arrays are read-only.

    Attributes:
        tick: number of the tick, 0 for the start.
        time: simulated time since tick 0 [ns].
        egos: ids of the vehicles with full dynamics, in the order of creation, which is that of their ids.
        vehicle: their state, one row each, in the order of `egos`.
        parameter: their physical parameters, one row each.
        trajectory: trajectories that the built-in driver follows.
        signal: the state of every intersection controller.
        camera: id of the actor that the viewer's camera follows.
        refusals: why commands of this tick were refused, one line each.
    """

    tick: int
    time: int
    egos: tuple[int, ...]
    vehicle: VehicleState
    parameter: VehicleParameter
    trajectory: TrajectoryTable
    signal: SignalState
    camera: int = EGO
    refusals: tuple[str, ...] = ()

    def row_of(self, actor: int) -> int:
        """Row of a vehicle in `vehicle` and `parameter`; -1 if there is none of this id."""
        row = bisect_left(self.egos, actor)
        return row if row < len(self.egos) and self.egos[row] == actor else -1

    def blocks(self) -> Iterator[NDArray[Any]]:
        """Every array of the state, in a fixed order."""
        yield from self.vehicle.blocks()
        yield from self.parameter.blocks()
        yield from self.trajectory.blocks()
        yield from self.signal.blocks()

    def digest(self) -> bytes:
        """32 bytes that are equal for equal states and, for all practical purposes, only for those (BLAKE2b)."""
        digest = hashlib.blake2b(digest_size=32)
        head = np.array([self.tick, self.time, self.camera, *self.egos], np.int64)
        digest.update(head.tobytes())
        for block in self.blocks():
            digest.update(np.array(block.shape, np.int64).tobytes())
            digest.update(np.ascontiguousarray(block).data)
        return digest.digest()
