"""All drivers decide, and all vehicles move."""

from __future__ import annotations

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.crew_kernel import await_parts, begin_job, call_crew, end_job, first_part, next_part
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.traffic.courtesy_kernel import ask_for_room
from dorosim.world.traffic.crossing_kernel import sort_crossings
from dorosim.world.traffic.decide_kernel import choose_accelerations, decide_in_turn, keep_decisions
from dorosim.world.traffic.decision_table_kernel import (
    MAX_TRAFFIC_PARTS,
    Workspace,
    sort_obstructions,
    workspace_in,
    workspace_words,
)
from dorosim.world.traffic.distraction_kernel import distract_drivers
from dorosim.world.traffic.emergency_kernel import make_room
from dorosim.world.traffic.entry_kernel import reinsert_vehicles
from dorosim.world.traffic.entry_list_kernel import fill_vehicles, list_vehicles, reset_ints
from dorosim.world.traffic.junction_kernel import grant_authorities
from dorosim.world.traffic.link_occupancy_kernel import register_obstructions
from dorosim.world.traffic.move_kernel import move_vehicles
from dorosim.world.traffic.passing_body_kernel import with_passing_bodies
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import Obstruction
from dorosim.world.traffic.survey_kernel import ASKING, enter_vehicles, first_link_of, survey_links
from dorosim.world.traffic.traffic_job_kernel import JobWord, write_roads, write_scratch, write_tables, write_times

MANY_VEHICLES = 2_000
"""From so many vehicles on a crew is called: fewer are done sooner than others can come."""

_FILL, _SURVEY, _CHOOSE, _MOVE = range(4)
"""The phases of a job."""

_BODY_COLUMNS = Obstruction.float_width
_W_SPACE, _W_BODY, _W_BODY_INTS = int(JobWord.SPACE), int(JobWord.BODY), int(JobWord.BODY_INTS)
_W_BODIES, _W_END = int(JobWord.BODIES), int(JobWord.END)


@inner_kernel
def fill(
    work: Workspace, crew: int, is_caller: bool, parts: int, seed: int, decision_number: int, decision: float
) -> None:
    """List the vehicles of each link, as the first part, and fill their records, as the others."""
    rows = work.ints.shape[1]
    part = first_part(crew, _FILL, parts + 1, is_caller)
    while part <= parts:
        if part == 0:
            list_vehicles(work)
        else:
            begin, end = rows * (part - 1) // parts, rows * part // parts
            distract_drivers(work, begin, end, seed, decision_number, decision)
            fill_vehicles(work, begin, end, decision_number)
        part = next_part(crew, _FILL, part, parts + 1)


@inner_kernel
def grant_in_turn(road: RoadArrays, work: Workspace, body_ints: IntArray, crossing_ints: IntArray, parts: int) -> None:
    """Do what drivers cannot find out alone: enter who concerns others, and grant junctions, link by link."""
    reset_ints(work, road.link.shape[0])
    sort_obstructions(work, body_ints)
    sort_crossings(work, crossing_ints)
    enter_vehicles(road, work, parts)
    register_obstructions(road, work, body_ints)
    if work.obstruction.shape[1] > 0:
        ask_for_room(road, work)
    make_room(road, work, body_ints)
    for part in range(parts):
        first = work.first[first_link_of(work, part, parts)]
        for listed in range(first, first + work.listed[part, ASKING]):
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

    `turn` has the last arguments of `fill`, the others are as of `advance_traffic`.
    """
    crew, is_caller, parts, seed, decision_number, decision = turn
    fill(work, crew, is_caller, parts, seed, decision_number, decision)
    if is_caller:
        await_parts(crew, _FILL, parts + 1)
    part = first_part(crew, _SURVEY, parts, is_caller)
    while part < parts:
        survey_links(road, work, routes, part, parts, seed)
        part = next_part(crew, _SURVEY, part, parts)
    if is_caller:
        await_parts(crew, _SURVEY, parts)
        grant_in_turn(road, work, body_ints, crossing_ints, parts)
    part = first_part(crew, _CHOOSE, parts, is_caller)
    while part < parts:
        choose_accelerations(road, work, routes, part, parts, decision)
        part = next_part(crew, _CHOOSE, part, parts)
    if is_caller:
        await_parts(crew, _CHOOSE, parts)
        decide_in_turn(road, work, routes, parts, decision)
        reinsert_vehicles(road, work, seed, decision)


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
    if is_caller and (rows < MANY_VEHICLES or not call_crew(crew)):
        crew = 0
    if is_caller and crew != 0:
        block = ints_at(crew, _W_END)
        write_times(crew, seed, decision_number, decision, dt)
        write_roads(block, road, routes)
        tables = (floats, ints, obstruction, obstruction_ints, crossing, crossing_ints, roadside)
        write_tables(block, tables, permission)
    parts = MAX_TRAFFIC_PARTS if rows >= MANY_VEHICLES else 1
    roads, ways = bare(road), bare(routes)
    body, body_ints, space = float_rows_at(0, _BODY_COLUMNS, 0), int_rows_at(0, 1, 0), ints_at(0, 0)
    if decision > 0.0 and is_caller:
        body, body_ints = with_passing_bodies(
            roads, bare(floats), bare(ints), bare(obstruction), bare(obstruction_ints)
        )
        space = np.empty(workspace_words(rows, links, body.shape[1]), np.int64)
    elif decision > 0.0:
        block = ints_at(crew, _W_END)
        body = float_rows_at(block[_W_BODY], _BODY_COLUMNS, block[_W_BODIES])
        body_ints = int_rows_at(block[_W_BODY_INTS], 1, block[_W_BODIES])
        space = ints_at(block[_W_SPACE], 1)
    if is_caller and crew != 0:
        write_scratch(crew, space, body, body_ints)
        begin_job(crew)
    work = bare(workspace_in(space.ctypes.data, links, floats, ints, body, crossing, roadside, permission))
    if decision > 0.0:
        turn = (crew, is_caller, parts, seed, decision_number, decision)
        decide(roads, ways, work, bare(body_ints), bare(crossing_ints), turn)
    part = first_part(crew, _MOVE, parts, is_caller)
    while part < parts:
        begin, end = rows * part // parts, rows * (part + 1) // parts
        if decision > 0.0:
            keep_decisions(work, begin, end, decision)
        move_vehicles(roads, ways, work.floats, work.ints, begin, end, seed, dt)
        part = next_part(crew, _MOVE, part, parts)
    if is_caller:
        await_parts(crew, _MOVE, parts)
        end_job(crew)
    hold(space)
    hold(body)
    hold(body_ints)
