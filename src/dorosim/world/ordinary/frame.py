"""What stays as it is from one ordinary tick to the next: a frame, found once and kept while it holds."""

from __future__ import annotations

from collections.abc import Sized
from operator import attrgetter, is_
from typing import Any

import numpy as np

from dorosim.ground.column import Columns, IntArray
from dorosim.world.block import BlockLayout, setter_of
from dorosim.world.environment.weather import advance_environment
from dorosim.world.mount.drift import has_slow_errors
from dorosim.world.ordinary.given import goals_of, numbers_of, read_arrays, words_of
from dorosim.world.ordinary.link_kernel import LINKS
from dorosim.world.ordinary.word import TickWord
from dorosim.world.pedestrian.state import CrosswalkState, Pedestrians, PedestrianState
from dorosim.world.scene import Scene
from dorosim.world.signal.state import ControllerState, SignalState
from dorosim.world.snapshot import STATE_FIELDS, Snapshot
from dorosim.world.storyboard.report import NO_REPORT
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.state import VehicleState

TABLES: dict[str, type[Columns]] = {
    "vehicle": VehicleState,
    "signal.controller": ControllerState,
    "traffic": TrafficState,
    "people.state": PedestrianState,
    "crosswalk": CrosswalkState,
}
"""The tables of a block, by their paths in a Snapshot."""
_CHANGING = ("tick", "time", "vehicle", "signal", "traffic", "people", "crosswalk")
"""Attributes of a Snapshot that a frame does not hold, or not as a whole."""
_KEPT = tuple(name for name in STATE_FIELDS if name not in _CHANGING)
_PARTS = ("signal.light", "signal.link", "signal.programme", "people.route")
_kept_of, _tables_of = attrgetter(*_KEPT, *_PARTS), attrgetter(*TABLES)
_PUT = [setter_of(Snapshot, name) for name in _KEPT]
_put_outcomes, _put_report = setter_of(Snapshot, "outcomes"), setter_of(Snapshot, "storyboard_report")
_NAMES = {*_KEPT, "outcomes", "storyboard_report"}
_PUT_TABLE = {name: setter_of(Snapshot, name) for name in ("vehicle", "signal", "traffic", "people", "crosswalk")}
_LINKS = [(TickWord[name], link) for name, link in LINKS.items()]
_NOBODY = np.zeros(0, np.int64)
_MAX_SEED = 1 << 63


class Unchanging:
    """What a frame of a snapshot would hold, to compare the next snapshot with before a frame is made.

    A frame costs as much as some ticks. None is made for a snapshot alone, but once a tick has changed nothing of it.

    Args:
        now: a snapshot.
    """

    __slots__ = ("_kept", "_rows")

    def __init__(self, now: Snapshot) -> None:
        self._kept, self._rows = _kept_of(now), [table.rows for table in _tables_of(now)]

    def holds(self, now: Snapshot) -> bool:
        """As of `TickFrame`."""
        return _are_same(self._kept, _kept_of(now)) and self._rows == [table.rows for table in _tables_of(now)]


class TickFrame:
    """The frame of ordinary ticks.

    Args:
        scene: what does not change in the run.
        now: a snapshot of it that `is_for` takes.
        seed: of the run.

    Attributes:
        scene, seed: as given.
        layout: of the blocks.
        words: what compiled ticks read, read-only.
        is_whole: whether all kernels are there.
    """

    __slots__ = ("_arrays", "_kept", "_places", "is_whole", "layout", "scene", "seed", "words")

    def __init__(self, scene: Scene, now: Snapshot, seed: int) -> None:
        self.scene, self.seed, self._kept = scene, seed, _kept_of(now)
        rows = [table.rows for table in _tables_of(now)]
        self.layout = BlockLayout(
            [(path, kind, count) for (path, kind), count in zip(TABLES.items(), rows, strict=True)]
        )
        self._places = {path.split(".")[0]: place for path, place in self.layout.table.items()}
        arrays, goals = read_arrays(scene, now), goals_of(now)
        # kept, since the words hold addresses
        shown = scene.pedestrian_plan.walk_of(now.signal.light) if len(now.people) else _NOBODY
        self._arrays = (arrays, goals, shown)
        numbers = numbers_of(scene, now, seed, self.layout)
        numbers[TickWord.GOALS], numbers[TickWord.GOAL] = goals.shape[1], goals.ctypes.data
        numbers[TickWord.SHOWN] = shown.ctypes.data
        self.is_whole = True
        for word, link in _LINKS:
            there = link.is_there()
            numbers[word] = link.address() if there else 0
            self.is_whole &= there
        self.words = words_of(numbers, arrays)

    @staticmethod
    def is_for(scene: Scene, now: Snapshot, seed: int) -> bool:
        """Whether ticks of a world may be ordinary for long: nothing goes on in it that a frame does not have."""
        others: tuple[Sized, ...] = (now.obstacles, now.ghost, now.contact, now.displaced, now.fault)
        goal, people = now.goal.table, len(now.people)
        return (
            not now.paused
            and not any(map(len, others))
            and now.storyboard.is_empty()
            and seed < _MAX_SEED
            and (not people or now.crosswalk.rows == scene.pedestrian_plan.crosswalk_count)
            and not any(now.traffic.row_of(actor) >= 0 for actor in goal.actor[goal.passed == 0].tolist())
            and advance_environment(now.environment, scene.tick) is now.environment
            and not has_slow_errors(now.mounts, scene.tick * 1e-9)
        )

    def holds(self, now: Snapshot) -> bool:
        """Whether a snapshot has in it what the frame has, and as many rows in its tables."""
        places = self.layout.table.values()
        return _are_same(self._kept, _kept_of(now)) and all(
            place.rows == table.rows for place, table in zip(places, _tables_of(now), strict=True)
        )

    def block_of(self, now: Snapshot) -> IntArray:
        """The block of a snapshot that the frame holds, read-only."""
        block = self.layout.packed(now.tick, now.time, list(_tables_of(now)))
        block.flags.writeable = False
        return block

    def fill(self, snapshot: Any, block: IntArray, name: str) -> object:
        """See `dorosim.world.block.BlockFrame`."""
        place = self._places.get(name)
        if place is not None:
            table: Any = place.of(block)
            if name == "signal":
                table = SignalState(table, *self._kept[-4:-1])
            elif name == "people":
                table = Pedestrians(table, self._kept[-1])
            _PUT_TABLE[name](snapshot, table)
            return table
        if name not in _NAMES:
            raise AttributeError(f"a snapshot has no attribute {name!r}")
        for put, value in zip(_PUT, self._kept, strict=False):
            put(snapshot, value)
        _put_report(snapshot, NO_REPORT)
        _put_outcomes(snapshot, ())
        return object.__getattribute__(snapshot, name)


def _are_same(kept: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    return all(map(is_, kept, others))
