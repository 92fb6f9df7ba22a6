"""An ordinary tick: the one entry into compiled code."""

from __future__ import annotations

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at
from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.block import TICK, TIME
from dorosim.world.ordinary.ego_kernel import meet_scenery, move_vehicles, reach_goals
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.signal.state import ControllerState
from dorosim.world.vehicle.parameter import VehicleParameter

_CONTROLLER, _CONTROLLER_COLUMNS = ControllerState.at, len(ControllerState.int_columns)
_PARAMETERS = VehicleParameter.float_width
_LIGHTS = int(Rare.LIGHTS)
_W_TICK, _W_CONTROLLERS, _W_CONTROLLER_INTS = (
    int(TickWord.TICK),
    int(TickWord.CONTROLLERS),
    int(TickWord.CONTROLLER_INTS),
)
_W_ROWS, _W_PARAMETER = int(TickWord.VEHICLES), int(TickWord.PARAMETER_FLOATS)
_DATA = 4
"""Which word of the description of an array is the address of its first item."""


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
def make_tick(before: IntArray, after: IntArray, words: IntArray) -> int:
    """Write the state one tick later; arguments and result as of `make_ordinary_tick`."""
    for k in range(before.shape[0]):
        after[k] = before[k]
    start = int(after.ctypes.data)
    # for real numbers among the words
    real = floats_at(int(words.ctypes.data), words.shape[0])
    rare = count_down_lights(words, start)
    if rare != 0:
        return rare
    rare = move_vehicles(words, real, start)
    if rare != 0:
        return rare
    after[TICK] += 1
    after[TIME] += words[_W_TICK]
    rare = meet_scenery(words, real, start)
    if rare != 0:
        return rare
    described = words[_W_PARAMETER] - int(words.ctypes.data)
    parameter = float_rows_at(words[described // 8 + _DATA], _PARAMETERS, words[_W_ROWS])
    return reach_goals(words, start, parameter)


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
