"""Reports vehicles that leave the road, with the place, and once in a run that one is beyond the map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.bridge.actor import names_of
from dorosim.endpoint.journal import Journal
from dorosim.world.command import Command
from dorosim.world.ordinary.frame import TickFrame
from dorosim.world.ordinary.kept import kept_frame, words_of
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.off_road import beyond_map, off_road
from dorosim.world.vehicle.state import VehicleState

OFF_ROAD, BEYOND_MAP = "off the road", "beyond the map"
ROAD_EVENTS = (OFF_ROAD, BEYOND_MAP)
"""Kinds of events by which a journal counts them."""


class RoadWatch:
    """An observer of the loop.

    Args:
        scene: of the run.
        journal: where events are counted and logged.
    """

    def __init__(self, scene: Scene, journal: Journal) -> None:
        self._scene, self._journal = scene, journal
        self._off: frozenset[int] = frozenset()
        self._said_beyond = False
        self._frame: TickFrame | None = None
        self._words = slice(0)

    def __call__(self, now: Snapshot, _commands: Sequence[Command]) -> None:
        """Look at a snapshot."""
        if not self._off and self._is_on_asphalt(now):
            return  # as in most ticks
        vehicle = now.vehicle
        off = frozenset(vehicle.id[off_road(vehicle)].tolist())
        for actor in sorted(off - self._off):
            row = vehicle.row_of(actor)
            place = f"({float(vehicle.x[row]):.1f}, {float(vehicle.y[row]):.1f})"
            self._journal.report(OFF_ROAD, f"{names_of(now).text_of(actor)} at {place}")
        self._off = off
        if off and not self._said_beyond and beyond_map(self._scene, vehicle).any():
            self._said_beyond = True
            self._journal.report(BEYOND_MAP, "a vehicle has left the map; level ground goes on from its edge")

    def zeros(self, frame: TickFrame) -> slice | None:
        """See `dorosim.endpoint.loop.at_once.AlertObserver`: no wheel is off the asphalt, and none was."""
        return None if self._off else words_of(frame, "vehicle", VehicleState.wheel_surface)

    def _is_on_asphalt(self, now: Snapshot) -> bool:
        """Whether all wheels are; where the snapshot is a block, its table of vehicles is not made for it."""
        frame = kept_frame(now)
        if frame is None:
            return not np.count_nonzero(now.vehicle.wheel_surface)
        if frame is not self._frame:
            self._frame, self._words = frame, words_of(frame, "vehicle", VehicleState.wheel_surface)
        return not np.count_nonzero(now.block[self._words])
