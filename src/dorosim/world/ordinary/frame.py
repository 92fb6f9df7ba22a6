"""What stays as it is from one ordinary tick to the next: a frame, found once and kept while it holds."""

from __future__ import annotations

from collections.abc import Sized
from operator import attrgetter
from typing import Any

import numpy as np

from dorosim.ground.column import Columns, FloatArray, IntArray
from dorosim.ground.linked_kernel import KernelLink, describe
from dorosim.world.block import BlockLayout, setter_of
from dorosim.world.environment.weather import advance_environment
from dorosim.world.mount.drift import has_slow_errors
from dorosim.world.ordinary import link_kernel as link
from dorosim.world.ordinary.word import TickWord
from dorosim.world.scene import Scene
from dorosim.world.signal.state import ControllerState, SignalState
from dorosim.world.snapshot import STATE_FIELDS, Snapshot
from dorosim.world.storyboard.report import NO_REPORT
from dorosim.world.vehicle.state import VehicleState

_CHANGING = ("tick", "time", "vehicle", "signal")
"""Attributes of a Snapshot that a frame does not hold."""
_KEPT = tuple(name for name in STATE_FIELDS if name not in _CHANGING)
_SIGNALS = ("signal.light", "signal.link", "signal.programme")
_kept_of = attrgetter(*_KEPT, *_SIGNALS)


_PUT = [setter_of(Snapshot, name) for name in _KEPT]
_put_outcomes, _put_report = setter_of(Snapshot, "outcomes"), setter_of(Snapshot, "storyboard_report")
_put_vehicle, _put_signal = setter_of(Snapshot, "vehicle"), setter_of(Snapshot, "signal")
_REAL = {TickWord.DT, TickWord.SUBSTEP, TickWord.ROAD, TickWord.WATER, TickWord.SNOW}
_FIRST_FREE = len(TickWord) + 1
_KERNELS = (
    *("FIND_WHEEL_GROUND", "FOLLOW_SURFACE", "WRITE_WHEEL_FRICTION", "STEP_VEHICLES"),
    *("MAY_BE_NEAR_PART", "IS_NEAR_PART"),
)


class EgoFrame:
    """The frame of a world in which vehicles with full dynamics are the only actors.

    Args:
        scene: what does not change in the run.
        now: a snapshot of it that `is_for` takes.

    Attributes:
        scene: as given.
        layout: of the blocks.
        words: what compiled ticks read, read-only.
        is_whole: whether all kernels are there.
    """

    __slots__ = ("_arrays", "_controller", "_kept", "_vehicle", "is_whole", "layout", "scene", "words")

    def __init__(self, scene: Scene, now: Snapshot) -> None:
        self.scene, self._kept = scene, _kept_of(now)
        self.layout = BlockLayout(
            [
                ("vehicle", VehicleState, now.vehicle.rows),
                ("signal.controller", ControllerState, now.signal.controller.rows),
            ]
        )
        self._vehicle, self._controller = self.layout.table["vehicle"], self.layout.table["signal.controller"]
        arrays, goals = _arrays_of(scene, now), _goals_of(now)
        # kept, since the words hold addresses
        self._arrays = (arrays, goals)
        numbers = _numbers_of(scene, now, self.layout)
        numbers[TickWord.GOALS], numbers[TickWord.GOAL] = goals.shape[1], goals.ctypes.data
        self.is_whole = True
        for name in _KERNELS:
            one: KernelLink = getattr(link, name)
            there = one.is_there()
            numbers[TickWord[name]] = one.address() if there else 0
            self.is_whole &= there
        self.words = _words(numbers, arrays)

    @staticmethod
    def is_for(scene: Scene, now: Snapshot) -> bool:
        """Whether ticks of a world may be ordinary for long: nothing goes on in it that a frame does not have."""
        others: tuple[Sized, ...] = (
            now.traffic,
            now.people,
            now.obstacles,
            now.ghost,
            now.contact,
            now.displaced,
            now.fault,
            now.spawn,
        )
        return (
            len(now.egos) == 1
            and not now.paused
            and not any(map(len, others))
            and now.storyboard.is_empty()
            and advance_environment(now.environment, scene.tick) is now.environment
            and not has_slow_errors(now.mounts, scene.tick * 1e-9)
        )

    def holds(self, now: Snapshot) -> bool:
        """Whether a snapshot has in it what the frame has."""
        return all(mine is other for mine, other in zip(self._kept, _kept_of(now), strict=True))

    def block_of(self, now: Snapshot) -> IntArray:
        """The block of a snapshot that the frame holds, read-only."""
        tables: list[Columns] = [now.vehicle, now.signal.controller]
        block = self.layout.packed(now.tick, now.time, tables)
        block.flags.writeable = False
        return block

    def fill(self, snapshot: Any, block: IntArray, name: str) -> object:
        """See `dorosim.world.block.BlockFrame`."""
        if name == "vehicle":
            vehicle = self._vehicle.of(block)
            _put_vehicle(snapshot, vehicle)
            return vehicle
        if name == "signal":
            controller: Any = self._controller.of(block)
            signal = SignalState(controller, *self._kept[len(_KEPT) :])
            _put_signal(snapshot, signal)
            return signal
        if name not in _NAMES:
            raise AttributeError(f"a snapshot has no attribute {name!r}")
        for put, value in zip(_PUT, self._kept, strict=False):
            put(snapshot, value)
        _put_report(snapshot, NO_REPORT)
        _put_outcomes(snapshot, ())
        return object.__getattribute__(snapshot, name)


_NAMES = {*_KEPT, "outcomes", "storyboard_report"}


def _arrays_of(scene: Scene, now: Snapshot) -> dict[TickWord, tuple[Any, Any]]:
    """Arrays that kernels read, each with its type."""
    grid = scene.scenery.grid
    found: dict[TickWord, tuple[Any, Any]] = {
        TickWord.PARAMETER_FLOATS: (link.FLOAT_ROWS, now.parameter.floats),
        TickWord.PARAMETER_INTS: (link.INT_ROWS, now.parameter.ints),
        TickWord.SURFACE: (link.SURFACE, scene.network.surface),
        TickWord.AREAS: (link.FLOAT_ROWS, now.friction.objects.floats),
    }
    if scene.terrain is not None:
        found[TickWord.TERRAIN] = (link.TERRAIN, scene.terrain.arrays)
    if scene.scenery.parts.rows:
        found[TickWord.PARTS] = (link.FLOAT_ROWS, scene.scenery.parts.floats)
        found[TickWord.CLEAR], found[TickWord.CORNER] = (link.SQUARES, grid.clear), (link.FLOATS, grid.corner)
        found[TickWord.GRID] = (link.GRID, grid)
    return found


def _numbers_of(scene: Scene, now: Snapshot, layout: BlockLayout) -> dict[TickWord, float]:
    """Words that are numbers."""
    water, snow = float(now.environment.water_depth[0]), float(now.environment.snow_depth[0])
    vehicle, controller = layout.table["vehicle"], layout.table["signal.controller"]
    slippery = now.friction.objects.rows or now.friction.road != 1.0 or water or snow
    return {
        TickWord.TICK: scene.tick,
        TickWord.SUBSTEPS: scene.substeps,
        TickWord.DT: scene.tick * 1e-9,
        TickWord.SUBSTEP: scene.tick / scene.substeps * 1e-9,
        TickWord.VEHICLES: vehicle.rows,
        TickWord.VEHICLE_FLOATS: vehicle.floats,
        TickWord.VEHICLE_INTS: vehicle.ints,
        TickWord.CONTROLLERS: controller.rows,
        TickWord.CONTROLLER_INTS: controller.ints,
        TickWord.SLIPPERY: int(bool(slippery)),
        TickWord.ROAD: now.friction.road,
        TickWord.WATER: water,
        TickWord.SNOW: snow,
    }


def _goals_of(now: Snapshot) -> FloatArray:
    """`(4, N)` row of the vehicle, x, y and reach [m] of each goal that was not reached yet."""
    table = now.goal.table
    rows = [row for row in np.flatnonzero(table.passed == 0).tolist() if now.row_of(int(table.actor[row])) >= 0]
    vehicles = [float(now.row_of(int(table.actor[row]))) for row in rows]
    return np.array([vehicles, *(column[rows].tolist() for column in (table.x, table.y, table.reach))])


def _words(numbers: dict[TickWord, float], arrays: dict[TickWord, tuple[Any, Any]]) -> IntArray:
    """The words, after them the descriptions of arrays."""
    described: list[tuple[TickWord, list[int]]] = [(word, describe(*one)) for word, one in arrays.items()]
    words = np.zeros(_FIRST_FREE + sum(len(one) for _, one in described), np.int64)
    for number, value in numbers.items():
        words[number] = np.float64(value).view(np.int64) if number in _REAL else value
    place = _FIRST_FREE
    for word, one in described:
        words[word] = words.ctypes.data + 8 * place
        words[place : place + len(one)] = one
        place += len(one)
    words.flags.writeable = False
    return words
