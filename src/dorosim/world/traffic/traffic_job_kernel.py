"""What the threads of a crew are told of a step of the traffic: where its tables are."""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.address_kernel import floats_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.crew_kernel import CrewWord
from dorosim.ground.jit import inner_kernel
from dorosim.ground.shelf_kernel import SHELF_WORDS
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.route import Routes

Tables = tuple[FloatArray, IntArray, FloatArray, IntArray, FloatArray, IntArray, FloatArray]

_LIST, _TABLE = 7, 9
"""Numbers that describe an array of one dimension, and of two, as kernels take them (`linked_kernel.describe`)."""

_ROADS = 7 * _LIST + 7 * _TABLE


class JobWord(IntEnum):
    """Where in the block of a crew are the numbers of a step, and the descriptions of its arrays."""

    SEED = int(CrewWord.FIRST_FREE)
    TURN = SEED + 1
    DECISION = SEED + 2
    """Real."""
    DT = SEED + 3
    """Real."""
    PIECE = SEED + 4
    """Address of the scratch of a decision."""
    BODY = SEED + 5
    """Address of obstructions, with those of the traffic that pass; then that of their ints, and how many they are."""
    BODY_INTS = SEED + 6
    BODIES = SEED + 7
    ROADS = SEED + 8
    ROUTES = ROADS + _ROADS
    FLOATS = ROUTES + 3 * _LIST
    INTS = FLOATS + _TABLE
    OBSTRUCTION = INTS + _TABLE
    OBSTRUCTION_INTS = OBSTRUCTION + _TABLE
    CROSSING = OBSTRUCTION_INTS + _TABLE
    CROSSING_INTS = CROSSING + _TABLE
    ROADSIDE = CROSSING_INTS + _TABLE
    PERMISSION = ROADSIDE + _TABLE
    FEWEST = PERMISSION + _LIST
    """From so many vehicles on the crew is called."""
    SHELF = FEWEST + 1
    """Scratch that is kept, of all steps of the process."""
    END = SHELF + SHELF_WORDS


_W_SEED, _W_TURN, _W_DECISION = int(JobWord.SEED), int(JobWord.TURN), int(JobWord.DECISION)
_W_DT, _W_PIECE, _W_BODY, _W_END = int(JobWord.DT), int(JobWord.PIECE), int(JobWord.BODY), int(JobWord.END)
_W_BODY_INTS, _W_BODIES = int(JobWord.BODY_INTS), int(JobWord.BODIES)
_W_ROADS, _W_ROUTES, _W_FLOATS = int(JobWord.ROADS), int(JobWord.ROUTES), int(JobWord.FLOATS)


@inner_kernel
def write_list(block: IntArray, at: int, array: FloatArray | IntArray) -> int:
    """Describe an array `(N,)` in a block; returns the place after it."""
    block[at] = block[at + 1] = 0
    block[at + 2], block[at + 3], block[at + 4] = array.size, 8, array.ctypes.data
    block[at + 5], block[at + 6] = array.shape[0], 8
    return at + _LIST


@inner_kernel
def write_table(block: IntArray, at: int, array: FloatArray | IntArray) -> int:
    """The same of an array `(M, N)`."""
    block[at] = block[at + 1] = 0
    block[at + 2], block[at + 3], block[at + 4] = array.size, 8, array.ctypes.data
    block[at + 5], block[at + 6] = array.shape[0], array.shape[1]
    block[at + 7], block[at + 8] = 8 * array.shape[1], 8
    return at + _TABLE


@inner_kernel
def write_roads(block: IntArray, road: RoadArrays, routes: Routes) -> None:
    """Describe the roads and routes in a block."""
    at = write_table(block, _W_ROADS, road.link)
    at = write_table(block, at, road.link_ints)
    at = write_list(block, at, road.half_width)
    at = write_list(block, at, road.keep_clear_end)
    at = write_list(block, at, road.connection)
    at = write_list(block, at, road.boundary_entry)
    at = write_list(block, at, road.interior_entry)
    at = write_table(block, at, road.conflict)
    at = write_table(block, at, road.diverge)
    at = write_table(block, at, road.side)
    at = write_list(block, at, road.side_place)
    at = write_table(block, at, road.course)
    at = write_list(block, at, road.station_first)
    write_table(block, at, road.beside)
    at = write_list(block, _W_ROUTES, routes.first)
    at = write_list(block, at, routes.link)
    write_list(block, at, routes.again)


@inner_kernel
def write_times(crew: int, seed: int, turn: int, decision: float, dt: float) -> None:
    """Write the numbers of a step into the block of a crew; arguments as of `advance_traffic`."""
    block, real = ints_at(crew, _W_END), floats_at(crew, _W_END)
    block[_W_SEED], block[_W_TURN] = seed, turn
    real[_W_DECISION], real[_W_DT] = decision, dt


@inner_kernel
def write_tables(block: IntArray, tables: Tables, permission: IntArray) -> None:
    """Describe the other arrays of a step in a block: `tables` from `floats` to `roadside`, as of `advance_traffic`."""
    at = write_table(block, _W_FLOATS, tables[0])
    at = write_table(block, at, tables[1])
    at = write_table(block, at, tables[2])
    at = write_table(block, at, tables[3])
    at = write_table(block, at, tables[4])
    at = write_table(block, at, tables[5])
    at = write_table(block, at, tables[6])
    write_list(block, at, permission)


@inner_kernel
def write_scratch(crew: int, piece: int, body: FloatArray, body_ints: IntArray) -> None:
    """Write where the scratch of a decision is, and the obstructions."""
    block = ints_at(crew, _W_END)
    block[_W_PIECE], block[_W_BODY], block[_W_BODY_INTS] = piece, body.ctypes.data, body_ints.ctypes.data
    block[_W_BODIES] = body.shape[1]
