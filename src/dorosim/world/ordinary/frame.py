"""What stays as it is from one ordinary tick to the next: a frame, found once and kept while it holds."""

from __future__ import annotations

from collections.abc import Sized
from operator import attrgetter, is_
from typing import Any

import numpy as np

from dorosim.ground.column import Columns, IntArray
from dorosim.world.block import BlockLayout, setter_of
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.displaced import advance_displaced
from dorosim.world.environment.weather import advance_environment
from dorosim.world.mount.drift import has_slow_errors
from dorosim.world.ordinary.given import (
    arrays_of_cast,
    describe_anew,
    goals_of,
    numbers_of,
    other_words,
    permissions_of,
    read_arrays,
    story_words,
    words_of,
)
from dorosim.world.ordinary.hashed import HashedParts
from dorosim.world.ordinary.link_kernel import CONTACT_LINKS, LINKS, STORY_LINKS
from dorosim.world.ordinary.word import TickWord
from dorosim.world.pedestrian.state import CrosswalkState, Pedestrians, PedestrianState
from dorosim.world.scene import Scene
from dorosim.world.signal.permission import LinkState
from dorosim.world.signal.state import ControllerState, SignalState
from dorosim.world.snapshot import STATE_FIELDS, Snapshot
from dorosim.world.storyboard.engine import QuietPlan
from dorosim.world.storyboard.report import NO_REPORT
from dorosim.world.storyboard.state import state_of_line
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
_CHANGING = ("tick", "time", "vehicle", "signal", "traffic", "people", "crosswalk", "contact", "storyboard")
"""Attributes of a Snapshot that a frame does not hold, or not as a whole."""
_KEPT = tuple(name for name in STATE_FIELDS if name not in _CHANGING)
_PARTS = ("signal.light", "signal.link", "signal.programme", "people.route")
_kept_of, _tables_of = attrgetter(*_KEPT, *_PARTS), attrgetter(*TABLES)
_PUT = [setter_of(Snapshot, name) for name in _KEPT]
_put_report = setter_of(Snapshot, "storyboard_report")
_OFTEN = {name: number for number, name in enumerate(("egos", "outcomes", "parameter"))}
"""What each turn of a run asks for, and most of them ask for nothing else of it."""
_PUT_OFTEN = [setter_of(Snapshot, name) for name in _OFTEN]
_NAMES = {*_KEPT, "storyboard_report"}
_PUT_TABLE = {name: setter_of(Snapshot, name) for name in ("vehicle", "signal", "traffic", "people", "crosswalk")}
_put_storyboard, _put_contact = setter_of(Snapshot, "storyboard"), setter_of(Snapshot, "contact")
_LINKS = [(TickWord[name], link) for name, link in LINKS.items()]
_STORY_LINKS = [(TickWord[name], link) for name, link in STORY_LINKS.items()]
_CONTACT_LINKS = [(TickWord[name], link) for name, link in CONTACT_LINKS.items()]
CONTACT_ROOM = 16
"""Contacts that a block has room for at least: two for each side of some cars."""
_NOBODY: IntArray = np.zeros(0, np.int64)
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


def plan_of(scene: Scene, now: Snapshot) -> QuietPlan | None:
    """How compiled ticks let the storyboard of a snapshot go on; None where it is not quiet, or there is none."""
    storyboard, engine = now.storyboard, scene.storyboard
    if engine is None or storyboard.span is None:
        return None
    return engine.quiet_plan(storyboard)


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

    __slots__ = (
        *("_arrays", "_hashed", "_kept", "_often", "_places", "_plan", "_storyboard"),
        *("is_whole", "layout", "scene", "seed", "words"),
    )

    def __init__(self, scene: Scene, now: Snapshot, seed: int) -> None:
        self.scene, self.seed, self._kept = scene, seed, _kept_of(now)
        self._storyboard, self._plan, self._often = now.storyboard, plan_of(scene, now), (now.egos, (), now.parameter)
        rows = [table.rows for table in _tables_of(now)]
        self.layout = BlockLayout(
            [(path, kind, count) for (path, kind), count in zip(TABLES.items(), rows, strict=True)],
            ContactTable,
            max(CONTACT_ROOM, 2 * now.contact.rows),
            0 if self._plan is None else self._plan.span.numbers,
        )
        self._hashed = HashedParts(self.layout)
        self._places = {path.split(".")[0]: place for path, place in self.layout.table.items()}
        arrays, goals = read_arrays(scene, now), goals_of(now)
        links, numbers = _LINKS, numbers_of(scene, now, seed, self.layout)
        if self._plan is not None and scene.storyboard is not None:
            links = _LINKS + _STORY_LINKS
            arrays |= arrays_of_cast(scene.storyboard.cast)
            numbers |= story_words(self._plan, self.layout.line)
        elif now.contact.rows or all(link.is_loaded() for _, link in _CONTACT_LINKS):
            # what a storyboard makes of contacts is its own matter
            links = _LINKS + _CONTACT_LINKS
        # kept, since the words hold addresses
        shown = scene.pedestrian_plan.walk_of(now.signal.light) if len(now.people) else _NOBODY
        self._arrays = (arrays, goals, shown)
        numbers[TickWord.GOALS], numbers[TickWord.GOAL] = goals.shape[1], goals.ctypes.data
        numbers[TickWord.SHOWN] = shown.ctypes.data
        self.is_whole = True
        for word, link in links:
            there = link.is_there()
            numbers[word] = link.address() if there else 0
            self.is_whole &= there
        self.words = words_of(numbers, arrays)

    @property
    def links(self) -> LinkState:
        """What lights let links do."""
        links: LinkState = self._kept[-3]
        return links

    @staticmethod
    def is_for(scene: Scene, now: Snapshot, seed: int) -> bool:
        """Whether ticks of a world may be ordinary for long: nothing goes on in it that a frame does not have."""
        others: tuple[Sized, ...] = (now.obstacles, now.ghost, now.fault)
        goal, people, displaced = now.goal.table, len(now.people), now.displaced
        return (
            not now.paused
            and not any(map(len, others))
            and (now.storyboard.is_empty() or (not now.contact.rows and plan_of(scene, now) is not None))
            and seed < _MAX_SEED
            and (not people or now.crosswalk.rows == scene.pedestrian_plan.crosswalk_count)
            and not any(now.traffic.row_of(actor) >= 0 for actor in goal.actor[goal.passed == 0].tolist())
            and advance_environment(now.environment, scene.tick) is now.environment
            and not has_slow_errors(now.mounts, scene.tick * 1e-9)
            and (not displaced.rows or _rests(scene, now))
        )

    def holds(self, now: Snapshot) -> bool:
        """Whether a snapshot has in it what the frame has, and as many rows in its tables; but for the storyboard."""
        places = self.layout.table.values()
        span = now.storyboard.span
        if self._plan is None and now.storyboard is not self._storyboard:
            return False
        if self._plan is not None and span is not None and span.numbers != self._plan.span.numbers:
            return False
        return _are_same(self._kept, _kept_of(now)) and all(
            place.rows == table.rows for place, table in zip(places, _tables_of(now), strict=True)
        )

    def takes(self, now: Snapshot) -> bool:
        """Whether there is room for the contacts of a snapshot that it holds, and compiled ticks know of contacts."""
        rows = now.contact.rows
        return not rows or (rows <= self.layout.room and self.words[TickWord.PUSH_BODIES] != 0)

    def told(self, now: Snapshot) -> TickFrame | None:
        """The frame for a snapshot that this one holds: another one where the storyboard has gone on; None for none."""
        if self._plan is None or now.storyboard.span is self._plan.span:
            return self
        plan = plan_of(self.scene, now)
        if plan is None:
            return None
        made = self._copy()
        made._plan = plan
        made.words = other_words(self.words, self._arrays[0], story_words(plan, self.layout.line))
        return made

    def _copy(self) -> TickFrame:
        made = TickFrame.__new__(TickFrame)
        for name in TickFrame.__slots__:
            setattr(made, name, getattr(self, name))
        return made

    def signal_in(self, block: IntArray) -> SignalState:
        """The lights of a state in a block."""
        clocks: Any = self._places["signal"].of(block)
        return SignalState(clocks, *self._kept[-4:-1])

    def with_lights(self, signal: SignalState) -> TickFrame:
        """The frame of a world in which nothing but lights has changed.

        Args:
            signal: the lights, read-only; their clocks are no part of the frame.
        """
        made, (arrays, goals, shown) = self._copy(), self._arrays
        if signal.programme is not self._kept[-2]:
            made._hashed = HashedParts(self.layout)
        made._kept = (*self._kept[:-4], signal.light, signal.link, signal.programme, self._kept[-1])
        if len(shown):
            shown = self.scene.pedestrian_plan.walk_of(signal.light)
        made.words = other_words(self.words, arrays, {TickWord.SHOWN: shown.ctypes.data})
        if TickWord.PERMISSION in arrays:
            arrays = {**arrays, **permissions_of(signal)}
            describe_anew(made.words, TickWord.PERMISSION, arrays)
        made._arrays = (arrays, goals, shown)
        return made

    def block_of(self, now: Snapshot) -> IntArray:
        """The block of a snapshot that the frame holds, read-only."""
        block = self.layout.packed(now.tick, now.time, list(_tables_of(now)), now.contact)
        if self._plan is not None:
            block[self.layout.line :] = now.storyboard.line
        block.flags.writeable = False
        return block

    def hashed_parts(self, snapshot: Snapshot, block: IntArray) -> list[Any] | None:
        """See `dorosim.world.snapshot.HashedFrame`."""
        if self._plan is not None or not self._storyboard.is_empty():
            return None
        return self._hashed.of(snapshot, block, *self._kept[-4:-2])

    def fill(self, snapshot: Any, block: IntArray, name: str) -> object:
        """See `dorosim.world.block.BlockFrame`."""
        if name == "storyboard":
            storyboard = self._storyboard
            if self._plan is not None:
                storyboard = state_of_line(self._plan.span, block[self.layout.line :])
            _put_storyboard(snapshot, storyboard)
            return storyboard
        place = self._places.get(name)
        if place is not None:
            table: Any = place.of(block)
            if name == "signal":
                table = SignalState(table, *self._kept[-4:-1])
            elif name == "people":
                table = Pedestrians(table, self._kept[-1])
            _PUT_TABLE[name](snapshot, table)
            return table
        if name == "contact":
            contacts = self.layout.contacts_in(block)
            _put_contact(snapshot, contacts)
            return contacts
        if name in _OFTEN:
            for put, value in zip(_PUT_OFTEN, self._often, strict=True):
                put(snapshot, value)
            return self._often[_OFTEN[name]]
        if name not in _NAMES:
            raise AttributeError(f"a snapshot has no attribute {name!r}")
        for put, value in zip(_PUT, self._kept, strict=False):
            put(snapshot, value)
        _put_report(snapshot, NO_REPORT)
        return object.__getattribute__(snapshot, name)


def _rests(scene: Scene, now: Snapshot) -> bool:
    """Whether all objects of the scenery that have given way lie still."""
    displaced, dt = now.displaced, scene.tick * 1e-9
    return advance_displaced(displaced, scene.scenery.objects, scene.terrain, dt, now.friction.road) is displaced


def _are_same(kept: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    return all(map(is_, kept, others))
