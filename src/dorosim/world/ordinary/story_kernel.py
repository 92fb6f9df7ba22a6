"""The share of a storyboard in an ordinary tick: one that is quiet, in which none of its elements changes its state."""

from __future__ import annotations

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.obstacle.state import ObstacleState
from dorosim.world.ordinary.link_kernel import (
    FOLLOW_VEHICLES,
    PLACE_OTHER_ENTITIES,
    PLACE_VEHICLES_OF_LINE,
    QUIET_TICK,
    WRITE_WISHES,
)
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.storyboard.quiet_block_kernel import BlockEntry
from dorosim.world.storyboard.quiet_code import DONE
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.state import VehicleState

_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_ENTITY_COLUMNS, _ENTITY_INT_COLUMNS = EntityTable.float_width, len(EntityTable.int_columns)
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_PERSON_COLUMNS, _PERSON_INT_COLUMNS = PedestrianState.float_width, len(PedestrianState.int_columns)
_THING_COLUMNS, _THING_INT_COLUMNS = ObstacleState.float_width, len(ObstacleState.int_columns)
_ENTRIES, _LAST_LINE = len(BlockEntry), int(BlockEntry.LINE)
_STORY, _KERNEL = int(Rare.STORY), int(Rare.KERNEL)

_quiet_tick, _place_vehicles = QUIET_TICK.call, PLACE_VEHICLES_OF_LINE.call
_place_others = PLACE_OTHER_ENTITIES.call
_write_wishes, _follow_vehicles = WRITE_WISHES.call, FOLLOW_VEHICLES.call

_W_TICK, _W_PARAMETER = int(TickWord.TICK), int(TickWord.PARAMETER_FLOATS)
_W_ROWS, _W_FLOATS, _W_INTS = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS), int(TickWord.VEHICLE_INTS)
_W_PEOPLE, _W_PERSON, _W_PERSON_INTS = (
    int(TickWord.PEOPLE),
    int(TickWord.PEOPLE_FLOATS),
    int(TickWord.PEOPLE_INTS),
)
_W_STORY, _W_LINE, _W_LINE_WORDS = int(TickWord.STORY), int(TickWord.STORY_LINE), int(TickWord.STORY_LINE_WORDS)
_W_STARTED, _W_UNTIL = int(TickWord.STORY_STARTED), int(TickWord.STORY_UNTIL)
_W_ENTITIES, _W_ENTITY_INTS = int(TickWord.STORY_ENTITIES), int(TickWord.STORY_ENTITY_INTS)
_W_SHAPES, _W_OFFSETS = int(TickWord.STORY_SHAPES), int(TickWord.STORY_OFFSETS)
_W_QUIET, _W_PLACE = int(TickWord.QUIET_TICK), int(TickWord.PLACE_VEHICLES_OF_LINE)
_W_PLACE_OTHERS = int(TickWord.PLACE_OTHER_ENTITIES)
_W_DRIVEN, _W_ORDERS = int(TickWord.STORY_DRIVEN), int(TickWord.STORY_ORDERS)
_W_WISHES, _W_FOLLOW = int(TickWord.WRITE_WISHES), int(TickWord.FOLLOW_VEHICLES)
_W_TRAFFIC, _W_PLANS, _W_PLAN_INTS = (
    int(TickWord.TRAFFIC),
    int(TickWord.TRAFFIC_FLOATS),
    int(TickWord.TRAFFIC_INTS),
)


@inner_kernel
def tell(words: IntArray, before: int, start: int, time: int) -> int:
    """Let the storyboard go on, if there is one; returns `Rare`: `storyboard.advance.advance_storyboard`.

    Args:
        words: of the tick.
        before: address of the block of the state now.
        start: of that of the next state.
        time: simulated time now [ns].
    """
    if words[_W_STORY] == 0:
        return 0
    if words[_W_QUIET] == 0 or words[_W_PLACE] == 0 or (words[_W_SHAPES] != 0 and words[_W_PLACE_OTHERS] == 0):
        return _KERNEL
    if (words[_W_DRIVEN] != 0 and words[_W_FOLLOW] == 0) or (words[_W_ORDERS] != 0 and words[_W_WISHES] == 0):
        return _KERNEL
    now = time - words[_W_STARTED]
    if now >= words[_W_UNTIL]:
        return _STORY
    given, blocks = ints_at(words[_W_STORY], _ENTRIES), np.empty(_ENTRIES, np.int64)
    for k in range(_ENTRIES):
        blocks[k] = given[k]
    # the kernel writes to its own copy, so that threads may have one frame
    blocks[_LAST_LINE] = before + 8 * words[_W_LINE]
    line = ints_at(start + 8 * words[_W_LINE], words[_W_LINE_WORDS])
    code = _quiet_tick(words[_W_QUIET], (blocks, line, now, words[_W_TICK]))
    if code != DONE:
        return _STORY
    return 0 if words[_W_ORDERS] == 0 or drivers_know(words, start, blocks, line) else _STORY


@inner_kernel
def drivers_know(words: IntArray, start: int, blocks: IntArray, line: IntArray) -> bool:
    """Let drivers know what the storyboard wishes of them; false where Python has to: `engine.order.wishes_of`."""
    vehicles, plans = words[_W_ROWS], words[_W_TRAFFIC]
    asked = (
        blocks,
        line,
        float_rows_at(start + 8 * words[_W_FLOATS], _COLUMNS, vehicles),
        int_rows_at(start + 8 * words[_W_INTS], _INT_COLUMNS, vehicles),
        float_rows_at(start + 8 * words[_W_PLANS], _TRAFFIC_COLUMNS, plans),
        int_rows_at(start + 8 * words[_W_PLAN_INTS], _TRAFFIC_INT_COLUMNS, plans),
    )
    return bool(_write_wishes(words[_W_WISHES], asked))


@inner_kernel
def follow_entities(words: IntArray, start: int, time: int) -> int:
    """Let the storyboard see where the entities are that the world moves; returns `Rare`.

    Args:
        words: of the tick.
        start: address of the block of the next state.
        time: simulated time at the end of the tick [ns].
    """
    if words[_W_STORY] == 0 or words[_W_DRIVEN] == 0:
        return 0
    rows = words[_W_ROWS]
    moved = (
        ints_at(words[_W_STORY], _ENTRIES),
        ints_at(start + 8 * words[_W_LINE], words[_W_LINE_WORDS]),
        float_rows_at(start + 8 * words[_W_FLOATS], _COLUMNS, rows),
        int_rows_at(start + 8 * words[_W_INTS], _INT_COLUMNS, rows),
        time - words[_W_STARTED],
    )
    return 0 if _follow_vehicles(words[_W_FOLLOW], moved) else _STORY


@inner_kernel
def place_entities(words: IntArray, start: int) -> None:
    """Put vehicles and people where the storyboard has them: `storyboard.advance.place_entities`."""
    if words[_W_STORY] == 0:
        return
    line = ints_at(start + 8 * words[_W_LINE], words[_W_LINE_WORDS])
    vehicle = float_rows_at(start + 8 * words[_W_FLOATS], _COLUMNS, words[_W_ROWS])
    ints = int_rows_at(start + 8 * words[_W_INTS], _INT_COLUMNS, words[_W_ROWS])
    placed = (line, words[_W_ENTITIES], words[_W_ENTITY_INTS], words[_W_PARAMETER], vehicle, ints)
    _place_vehicles(words[_W_PLACE], placed)
    place_people(words, start)


@inner_kernel
def place_people(words: IntArray, start: int) -> None:
    """Put people where the storyboard has them, if some of its entities are none of the vehicles."""
    if words[_W_STORY] == 0 or words[_W_SHAPES] == 0:
        return
    place, count = start + 8 * words[_W_LINE], words[_W_ENTITIES]
    people = words[_W_PEOPLE]
    placed = (
        float_rows_at(place, _ENTITY_COLUMNS, count),
        int_rows_at(place + words[_W_ENTITY_INTS], _ENTITY_INT_COLUMNS, count),
        words[_W_SHAPES],
        words[_W_OFFSETS],
        float_rows_at(start + 8 * words[_W_PERSON], _PERSON_COLUMNS, people),
        int_rows_at(start + 8 * words[_W_PERSON_INTS], _PERSON_INT_COLUMNS, people),
        np.empty((_THING_COLUMNS, 0)),
        np.empty((_THING_INT_COLUMNS, 0), np.int64),
        1.0,
    )
    _place_others(words[_W_PLACE_OTHERS], placed)
