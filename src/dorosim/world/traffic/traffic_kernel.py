"""All drivers decide, and all vehicles move."""

from __future__ import annotations

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.crew_kernel import (
    await_parts,
    await_ready,
    begin_job,
    call_crew,
    end_job,
    first_part,
    next_part,
    open_phase,
    say_ready,
)
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.shelf_kernel import is_new_piece, put_piece
from dorosim.world.traffic.ahead_kernel import fetch_asking, is_beyond_caches
from dorosim.world.traffic.courtesy_kernel import ask_for_room
from dorosim.world.traffic.crossing_kernel import sort_crossings
from dorosim.world.traffic.decide_kernel import choose_accelerations, decide_in_turn, keep_decisions
from dorosim.world.traffic.decision_table_kernel import MAX_TRAFFIC_PARTS, Workspace
from dorosim.world.traffic.distraction_kernel import distract_drivers
from dorosim.world.traffic.emergency_kernel import make_room
from dorosim.world.traffic.entry_kernel import reinsert_vehicles
from dorosim.world.traffic.entry_list_kernel import count_vehicles, fill_vehicles, place_vehicles, sort_obstructions
from dorosim.world.traffic.junction_kernel import grant_authorities
from dorosim.world.traffic.link_occupancy_kernel import register_obstructions
from dorosim.world.traffic.move_kernel import move_vehicles
from dorosim.world.traffic.passing_body_kernel import with_passing_bodies
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import Obstruction
from dorosim.world.traffic.survey_kernel import ASKING, enter_vehicles, first_entry_of, survey_links
from dorosim.world.traffic.traffic_job_kernel import JobWord, write_roads, write_scratch, write_tables, write_times
from dorosim.world.traffic.workspace_kernel import (
    clear_workspace,
    forget,
    forget_bodies,
    take_scratch,
    workspace_in,
)

MANY_VEHICLES = 2_000
"""From so many vehicles on a crew is called: fewer are done sooner than others can come."""

PART_VEHICLES = 200
"""Where one thread does all, a part has so many vehicles: what a phase does to them in turn is done in the caches."""

_FILL, _SURVEY, _CHOOSE, _MOVE = range(4)
"""The phases of a job."""

_BODY_COLUMNS = Obstruction.float_width
_W_PIECE, _W_BODY, _W_BODY_INTS = int(JobWord.PIECE), int(JobWord.BODY), int(JobWord.BODY_INTS)
_W_BODIES, _W_END = int(JobWord.BODIES), int(JobWord.END)
_W_FEWEST, _W_SHELF = int(JobWord.FEWEST), int(JobWord.SHELF)


@inner_kernel
def fill(road: RoadArrays, work: Workspace, turn: tuple[int, bool, int, int, int, float]) -> None:
    """List the vehicles of each link, and fill their records, part by part; `turn` is as of `decide`.

    Others fill the records that the caller has placed while it goes on placing.
    """
    crew, is_caller, parts, seed, decision_number, decision = turn
    rows = work.state_ints.shape[1]
    if is_caller:
        count_vehicles(work)
        open_phase(crew, _FILL, parts)
        for part in range(parts - 1, -1, -1):
            place_vehicles(work, rows * part // parts, rows * (part + 1) // parts)
            say_ready(crew, part)
    part = first_part(crew, _FILL, parts, is_caller)
    while part < parts:
        await_ready(crew, part)
        begin, end = rows * part // parts, rows * (part + 1) // parts
        distract_drivers(work, begin, end, seed, decision_number, decision)
        fill_vehicles(road, work, begin, end, decision_number)
        part = next_part(crew, _FILL, part, parts, is_caller)


@inner_kernel
def grant_in_turn(road: RoadArrays, work: Workspace, body_ints: IntArray, crossing_ints: IntArray, parts: int) -> None:
    """Do what drivers cannot find out alone: enter who concerns others, and grant junctions, link by link."""
    sort_obstructions(work, body_ints)
    sort_crossings(work, crossing_ints)
    enter_vehicles(road, work, parts)
    register_obstructions(road, work, body_ints)
    if work.obstruction.shape[1] > 0:
        ask_for_room(road, work)
    make_room(road, work, body_ints)
    far = is_beyond_caches(work)
    for part in range(parts):
        first = first_entry_of(work, part, parts)
        end = first + work.listed[part, ASKING]
        for listed in range(first, end):
            if far:
                fetch_asking(road, work, listed, end)
            grant_authorities(road, work, work.asking[listed], work.blocker[listed])


@inner_kernel
def decide(
    road: RoadArrays,
    routes: Routes,
    work: Workspace,
    body_ints: IntArray,
    crossing_ints: IntArray,
    turn: tuple[int, bool, int, int, int, float],
) -> None:
    """Every driver chooses an acceleration, and some of them another lane.

    `turn` has the crew, whether the thread is the caller, the number of parts, and `seed`, `decision_number` and
    `decision`, which are as of `advance_traffic`, as the other arguments.
    """
    crew, is_caller, parts, seed, _, decision = turn
    fill(road, work, turn)
    if is_caller:
        await_parts(crew, _FILL, parts)
    part = first_part(crew, _SURVEY, parts, is_caller)
    while part < parts:
        survey_links(road, work, routes, part, parts, seed)
        part = next_part(crew, _SURVEY, part, parts, is_caller)
    if is_caller:
        await_parts(crew, _SURVEY, parts)
        grant_in_turn(road, work, body_ints, crossing_ints, parts)
    part = first_part(crew, _CHOOSE, parts, is_caller)
    while part < parts:
        choose_accelerations(road, work, routes, part, parts, decision)
        part = next_part(crew, _CHOOSE, part, parts, is_caller)
    if is_caller:
        await_parts(crew, _CHOOSE, parts)
        decide_in_turn(road, work, routes, parts, decision)
        reinsert_vehicles(road, work, seed, decision)
        forget_bodies(work, body_ints, crossing_ints)


@inner_kernel
def move(
    road: RoadArrays, routes: Routes, work: Workspace, turn: tuple[int, bool, int, int, int, float], dt: float
) -> None:
    """Write back what was decided, leave the scratch for the next decision, and move all vehicles by `dt` [s].

    `turn` is as of `decide`.
    """
    crew, is_caller, parts, seed, _, decision = turn
    rows = work.state_ints.shape[1]
    part = first_part(crew, _MOVE, parts, is_caller)
    while part < parts:
        begin, end = rows * part // parts, rows * (part + 1) // parts
        if decision > 0.0:
            keep_decisions(work, begin, end, decision)
            forget(work, part, parts)
        move_vehicles(road, routes, work.state, work.state_ints, begin, end, seed, dt)
        part = next_part(crew, _MOVE, part, parts, is_caller)


@kernel
def advance_traffic(
    road: RoadArrays,
    routes: Routes,
    floats: FloatArray,
    ints: IntArray,
    obstruction: FloatArray,
    obstruction_ints: IntArray,
    crossing: FloatArray,
    crossing_ints: IntArray,
    roadside: FloatArray,
    permission: IntArray,
    seed: int,
    decision_number: int,
    decision: float,
    dt: float,
    crew: int,
    is_caller: bool,
) -> None:
    """Decide, if `decision` is positive, and move all vehicles by `dt`, in place; see `step_traffic`.

    `floats` and `ints` are `TrafficState`, the next four `Obstruction` and `Crossing`, `roadside` is as of `Workspace`.
    `crew`: address of a crew that may help, or 0. Its threads come in here, too, with `is_caller` false.
    """
    rows, links = ints.shape[1], road.link.shape[0]
    shelf = crew + 8 * _W_SHELF if crew != 0 else 0
    if is_caller and (crew == 0 or rows < ints_at(crew, _W_END)[_W_FEWEST] or not call_crew(crew)):
        crew = 0
    if is_caller and crew != 0:
        block = ints_at(crew, _W_END)
        write_times(crew, seed, decision_number, decision, dt)
        write_roads(block, road, routes)
        tables = (floats, ints, obstruction, obstruction_ints, crossing, crossing_ints, roadside)
        write_tables(block, tables, permission)
    parts = MAX_TRAFFIC_PARTS if crew != 0 else min(rows // PART_VEHICLES + 1, MAX_TRAFFIC_PARTS)
    roads, ways = bare(road), bare(routes)
    body, body_ints, piece = float_rows_at(0, _BODY_COLUMNS, 0), int_rows_at(0, 1, 0), 0
    if decision > 0.0 and is_caller:
        body, body_ints = with_passing_bodies(
            roads, bare(floats), bare(ints), bare(obstruction), bare(obstruction_ints)
        )
        piece = take_scratch(shelf, rows, links, body.shape[1])
    elif decision > 0.0:
        block = ints_at(crew, _W_END)
        body = float_rows_at(block[_W_BODY], _BODY_COLUMNS, block[_W_BODIES])
        body_ints = int_rows_at(block[_W_BODY_INTS], 1, block[_W_BODIES])
        piece = block[_W_PIECE]
    work = workspace_in(piece, links, floats, ints, body, crossing, roadside, permission)
    if is_caller and piece != 0 and is_new_piece(piece):
        clear_workspace(work)
    if is_caller and crew != 0:
        write_scratch(crew, piece, body, body_ints)
        begin_job(crew)
    turn = (crew, is_caller, parts, seed, decision_number, decision)
    if decision > 0.0:
        decide(roads, ways, work, bare(body_ints), bare(crossing_ints), turn)
    move(roads, ways, work, turn, dt)
    if is_caller:
        await_parts(crew, _MOVE, parts)
        end_job(crew)
        if piece != 0:
            put_piece(shelf, piece)
    hold(body)
    hold(body_ints)
