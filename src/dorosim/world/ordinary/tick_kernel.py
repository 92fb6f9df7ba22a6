"""An ordinary tick: the one entry into compiled code."""

from __future__ import annotations

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.block import CONTACTS, TICK, TIME
from dorosim.world.ordinary.collision_kernel import meet
from dorosim.world.ordinary.ego_kernel import is_paused, meet_scenery, move_vehicles, reach_goals
from dorosim.world.ordinary.story_kernel import follow_entities, place_entities, place_people, tell
from dorosim.world.ordinary.traffic_kernel import decides, end_ways, follow_plans, is_astray, move_traffic, plans_fit
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.signal.state import ControllerState
from dorosim.world.vehicle.parameter import VehicleParameter

_CONTROLLER, _CONTROLLER_COLUMNS = ControllerState.at, len(ControllerState.int_columns)
_PARAMETERS = VehicleParameter.float_width
_DECISION, _NEAR = int(Rare.DECISION), int(Rare.NEAR)
_LIGHTS, _SPAWN, _MODE = int(Rare.LIGHTS), int(Rare.SPAWN), int(Rare.MODE)
_W_TICK, _W_CONTROLLERS, _W_CONTROLLER_INTS = (
    int(TickWord.TICK),
    int(TickWord.CONTROLLERS),
    int(TickWord.CONTROLLER_INTS),
)
_W_ROWS, _W_PARAMETER = int(TickWord.VEHICLES), int(TickWord.PARAMETER_FLOATS)
_W_NEXT_SPAWN, _W_MEETS, _W_ENDS = int(TickWord.NEXT_SPAWN), int(TickWord.MEETS), int(TickWord.ENDS)
_W_ROUTE_FIRST, _W_ROUTE_LINK = int(TickWord.ROUTE_FIRST), int(TickWord.ROUTE_LINK)
_SIZE, _DATA = 2, 4
"""Which words of the description of an array are how many items it has, and the address of the first."""


@inner_kernel
def count_down_lights(words: IntArray, start: int) -> int:
    """Let the clocks of the lights in the block at an address go on; `Rare.LIGHTS` if lamps change."""
    clock = int_rows_at(start + 8 * words[_W_CONTROLLER_INTS], _CONTROLLER_COLUMNS, words[_W_CONTROLLERS])
    rare = 0
    for c in range(clock.shape[1]):
        clock[_CONTROLLER.remaining, c] -= words[_W_TICK]
        clock[_CONTROLLER.due, c] -= words[_W_TICK]
        if clock[_CONTROLLER.due, c] <= 0:
            rare = _LIGHTS
    return rare


@inner_kernel
def described_floats(words: IntArray, word: int) -> FloatArray:
    """The real numbers `(N,)` of an array that a word says where it is described."""
    place = (words[word] - int(words.ctypes.data)) // 8
    return floats_at(words[place + _DATA], words[place + _SIZE])


@inner_kernel
def described_ints(words: IntArray, word: int) -> IntArray:
    """The ints `(N,)` of an array, likewise."""
    place = (words[word] - int(words.ctypes.data)) // 8
    return ints_at(words[place + _DATA], words[place + _SIZE])


@inner_kernel
def begin_tick(words: IntArray, real: FloatArray, start: int, time: int) -> int:
    """What a tick does before vehicles with full dynamics move: rows 3 to 6 of the table of `step`; returns `Rare`."""
    if time >= words[_W_NEXT_SPAWN]:
        return _SPAWN
    rare = count_down_lights(words, start)
    if rare != 0:
        return rare
    if is_paused(words, start):
        return _MODE
    cruising = plans_fit(words, start)
    if cruising < 0:
        return _MODE
    rare = move_traffic(words, real, start, time)
    if rare == 0 and cruising > 0:
        rare = follow_plans(words, start)
    return rare


@inner_kernel
def make_tick(before: IntArray, after: IntArray, words: IntArray) -> int:
    """Write the state one tick later; arguments and result as of `make_ordinary_tick`."""
    for k in range(before.shape[0]):
        after[k] = before[k]
    start = int(after.ctypes.data)
    # for real numbers among the words
    real = floats_at(int(words.ctypes.data), words.shape[0])
    looks = decides(words, after[TIME])
    rare = tell(words, int(before.ctypes.data), start, after[TIME])
    if rare == 0:
        rare = begin_tick(words, real, start, after[TIME])
    if rare == 0:
        rare = move_vehicles(words, real, start)
    if rare != 0:
        return rare
    place_entities(words, start)
    after[TICK] += 1
    after[TIME] += words[_W_TICK]
    meets = words[_W_MEETS] != 0 or after[CONTACTS] != 0
    rare = _NEAR if meets else meet_scenery(words, real, start)
    if rare == _NEAR:
        rare = meet(words, real, start, looks)
    if rare != 0:
        return rare
    place_people(words, start)
    routes, links = described_ints(words, _W_ROUTE_FIRST), described_ints(words, _W_ROUTE_LINK)
    rare = end_ways(words, real, start, described_floats(words, _W_ENDS), routes, links)
    if rare != 0:
        return rare
    if looks and routes.shape[0] > 1 and is_astray(words, start, links):
        return _DECISION
    place = (words[_W_PARAMETER] - int(words.ctypes.data)) // 8
    rare = reach_goals(words, start, float_rows_at(words[place + _DATA], _PARAMETERS, words[_W_ROWS]))
    return rare if rare != 0 else follow_entities(words, start, after[TIME])


@kernel
def make_ordinary_tick(before: IntArray, after: IntArray, words: IntArray) -> int:
    """Write the state of a world one tick later, unless something rare happens in that.

    Args:
        before: `(words,)` the block of the state now, read-only.
        after: `(words,)` the block of the next state; written. Where something rare happens its content has no meaning.
        words: `(N,)` what the tick takes as given (`TickWord`), read-only.

    Returns:
        what is rare in it (`Rare`), 0 for an ordinary tick.
    """
    return make_tick(before, after, words)
