"""Criteria of a run in compiled code: what it knows of them, and their states as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dorosim.ground.column import FloatArray, read_only
from dorosim.scenario.criterion.criterion import START, Criterion, CriterionState, ValueLimit
from dorosim.scenario.criterion.encroachment import MinPostEncroachmentTime
from dorosim.scenario.criterion.event import Arrival, NoCollision, NoLaneLeft
from dorosim.scenario.criterion.limit import JERK_TIME, MaxJerk
from dorosim.scenario.criterion.moment import Body, RedLine
from dorosim.scenario.criterion.red_light import NoRedLight
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet_table import NO_ROADS
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.criterion_kernel import hold_against_criteria
from dorosim.world.storyboard.criterion_word import (
    CANNOT_SAY,
    LIMIT_NUMBERS,
    MEMORY_COLUMNS,
    STATE_FLOATS,
    TRAIL_COLUMNS,
    CriterionKind,
    CriterionWord,
    StateInt,
)
from dorosim.world.storyboard.state import EntityTable

_RULES = {
    NoCollision: CriterionKind.COLLISION,
    NoRedLight: CriterionKind.RED_LIGHT,
    MaxJerk: CriterionKind.JERK,
    Arrival: CriterionKind.ARRIVAL,
    NoLaneLeft: CriterionKind.LANE_LEFT,
    MinPostEncroachmentTime: CriterionKind.ENCROACHMENT,
}
MAX_TRAIL_ROWS = 200_000
"""Of post-encroachment times that ask for more places than these Python measures."""


def has_strangers(now: Snapshot, entity: EntityTable) -> bool:
    """Whether there are actors that are no entities."""
    tables = (now.vehicle, now.traffic, now.ghost, now.people.state, now.obstacles.state)
    known = entity.actor.tolist()
    return any(one.rows and not all(actor in known for actor in one.id.tolist()) for one in tables)


def kind_of(criterion: Criterion) -> CriterionKind | None:
    """What a criterion looks at; None where compiled code does not know it."""
    if isinstance(criterion, ValueLimit):
        return criterion.kind
    return _RULES.get(type(criterion))


class CompiledCriteria:
    """Criteria of a scenario, all of which compiled code knows.

    Args:
        program: of the scenario.
        ego: number of the entity that is judged.
        criteria: what must hold.
        lines: all stop lines of the map.
        tick: length of a tick [ns].

    Attributes:
        words: what the kernel is given (`CriterionWord`).
        time: of the last moment that they were held against [ns]; -1: none.
        has_failed: whether one is violated.
    """

    def __init__(
        self, program: Program, ego: int, criteria: Sequence[Criterion], lines: Sequence[RedLine], tick: int
    ) -> None:
        count, entities = len(criteria), len(program.entities)
        self._names = [one.name for one in program.entities]
        self._memories: list[FloatArray | None] = [None] * count
        self._kinds = np.array([kind_of(one) for one in criteria], np.int64)
        self._numbers = np.array([list(_numbers_of(one)) for one in criteria], np.float64)
        self._boxes = np.array([list(_box_numbers(program, number)) for number in range(entities)], np.float64)
        self._ranks = np.argsort(np.argsort(np.array(self._names, object), kind="stable")).astype(np.int64)
        self._lines = np.array([(one.x, one.y, one.half_width) for one in lines], np.float64).reshape(-1, 3)
        rows = JERK_TIME // max(tick, 1) + 4 if CriterionKind.JERK in self._kinds.tolist() else 1
        self._floats, self._ints = np.empty((count, STATE_FLOATS)), np.zeros((count, len(StateInt)), np.int64)
        self._memory = np.zeros((count, rows, MEMORY_COLUMNS))
        self._trail = np.zeros((trail_rows(criteria, entities, tick), TRAIL_COLUMNS))
        self._overflows = False
        roads = NO_ROADS if program.roads is None else (program.roads.tables.floats, program.roads.tables.ints)
        self._roads = roads
        self.words = np.zeros(len(CriterionWord), np.int64)
        self.words[: CriterionWord.KINDS] = count, entities, ego
        for word, array in (
            (CriterionWord.KINDS, self._kinds),
            (CriterionWord.NUMBERS, self._numbers),
            (CriterionWord.BOXES, self._boxes),
            (CriterionWord.RANKS, self._ranks),
            (CriterionWord.LINES, self._lines),
            (CriterionWord.FLOATS, self._floats),
            (CriterionWord.INTS, self._ints),
            (CriterionWord.MEMORY, self._memory),
            (CriterionWord.TRAIL, self._trail),
            (CriterionWord.ROAD_NUMBERS, roads[0]),
            (CriterionWord.ROAD_ENTRIES, roads[1]),
        ):
            self.words[word] = array.ctypes.data
        self.words[CriterionWord.LINE_COUNT], self.words[CriterionWord.MEMORY_ROWS] = len(self._lines), rows
        self.words[CriterionWord.TRAIL_ROWS] = len(self._trail)
        self.words[CriterionWord.ROAD_NUMBER_COUNT], self.words[CriterionWord.ROAD_ENTRY_COUNT] = map(len, roads)
        self.put([START] * count)

    def look(self, now: Snapshot, time: int) -> int:
        """Hold the end of a tick against them.

        Args:
            now: the snapshot after it.
            time: of that, since the storyboard's start [ns].

        Returns:
            1 where one is violated, 0 where none is; CANNOT_SAY where Python has to judge the tick.
        """
        if self.is_left_to_python(now):
            return CANNOT_SAY
        table = now.storyboard.entity
        return hold_against_criteria(self.words, read_only(table.floats), read_only(table.ints), time)

    def is_left_to_python(self, now: Snapshot) -> bool:
        """Whether there is something in the world that the kernel does not see: contacts, and what is no entity."""
        return self._overflows or bool(now.contact.rows) or has_strangers(now, now.storyboard.entity)

    def put(self, states: Sequence[CriterionState]) -> None:
        """Go on from some states."""
        self._overflows = False
        for row, state in enumerate(states):
            self._floats[row] = state.value, state.x, state.y
            other = -1
            if state.other:
                if state.other not in self._names:
                    self._names.append(state.other)
                other = self._names.index(state.other)
            kept = state.memory
            self._memories[row] = kept
            if self._kinds[row] == CriterionKind.RED_LIGHT:
                count = min(len(kept), 2)
                if count:
                    self._memory[row, 0] = kept[0, -MEMORY_COLUMNS:]
            elif self._kinds[row] == CriterionKind.ENCROACHMENT:
                count = len(kept)
                # actors that are no entities leave trails, too
                self._overflows = count > len(self._trail) - len(self._boxes)
                if not self._overflows:
                    self._trail[:count] = kept.reshape(-1, TRAIL_COLUMNS)
            else:
                count = len(kept)
                self._memory[row, :count] = kept.reshape(-1, MEMORY_COLUMNS)
            self._ints[row] = int(state.failed), state.time, other, 0, count

    def states(self) -> tuple[CriterionState, ...]:
        """The states as Python has them."""
        return tuple(self._state(row) for row in range(len(self._kinds)))

    def _state(self, row: int) -> CriterionState:
        failed, time, other, first, count = self._ints[row].tolist()
        value, x, y = self._floats[row].tolist()
        state = CriterionState(
            failed=bool(failed), value=value, time=time, other=self._names[other] if other >= 0 else "", x=x, y=y
        )
        kept = self._memories[row]
        if not count:
            return state
        if self._kinds[row] == CriterionKind.RED_LIGHT:
            memory = kept if count > 1 else np.array([[0.0, -1.0, *self._memory[row, 0].tolist()]])
        elif self._kinds[row] == CriterionKind.ENCROACHMENT:
            memory = self._trail[(first + np.arange(count)) % len(self._trail)]
        else:
            memory = self._memory[row, (first + np.arange(count)) % self._memory.shape[1]]
        assert memory is not None
        return replace(state, memory=read_only(memory))


def trail_rows(criteria: Sequence[Criterion], entities: int, tick: int) -> int:
    """How many places of entities are kept: those of the longest post-encroachment time, and of two ticks more.

    Args:
        criteria: of a scenario.
        entities: how many it has.
        tick: length of a tick [ns].
    """
    spans = [one.limit for one in criteria if isinstance(one, MinPostEncroachmentTime)]
    return (int(max(spans) * 1e9 // max(tick, 1)) + 3) * entities if spans else 1


def _numbers_of(criterion: Criterion) -> Iterator[float]:
    """The `LIMIT_NUMBERS` of a criterion."""
    limit = np.inf if criterion.limit is None else criterion.limit
    place = (criterion.x, criterion.y, criterion.radius) if isinstance(criterion, Arrival) else (0.0, 0.0, 0.0)
    yield from (limit, *place)[:LIMIT_NUMBERS]


def _box_numbers(program: Program, number: int) -> Iterator[float]:
    """The `BOX_NUMBERS` of an entity."""
    box = program.entities[number].box
    yield from (box.x, box.y, box.z, box.length, box.width, box.height)
    yield Body(name="", number=number, x=0.0, y=0.0, box=box).radius


def compiled_criteria(
    program: Program, ego: int, criteria: Sequence[Criterion], lines: Sequence[RedLine], tick: int
) -> CompiledCriteria | None:
    """Criteria as compiled code has them; None where there are none, or it does not know one of them.

    Args:
        program: of the scenario.
        ego: number of the entity that is judged, -1 for none.
        criteria: what must hold.
        lines: all stop lines of the map.
        tick: length of a tick [ns].
    """
    kinds = [kind_of(one) for one in criteria]
    if ego < 0 or not criteria or None in kinds or kinds.count(CriterionKind.ENCROACHMENT) > 1:
        return None
    if trail_rows(criteria, len(program.entities), tick) > MAX_TRAIL_ROWS:
        return None
    return CompiledCriteria(program, ego, criteria, lines, tick)
