"""All drivers decide, and all vehicles move."""

from __future__ import annotations

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.traffic.abandon_change_kernel import abandon_change, is_change_blocked
from dorosim.world.traffic.change_kernel import begin_change, can_change, choose_lane
from dorosim.world.traffic.courtesy_kernel import ask_for_room
from dorosim.world.traffic.crossing_kernel import sort_crossings
from dorosim.world.traffic.decision_table_kernel import (
    REPORT,
    VEHICLE,
    Workspace,
    fetch_vehicle,
    make_workspace,
    sort_obstructions,
    sort_vehicles,
)
from dorosim.world.traffic.distraction_kernel import distract_drivers
from dorosim.world.traffic.emergency_kernel import make_room
from dorosim.world.traffic.entry_kernel import reinsert_vehicles
from dorosim.world.traffic.follow_kernel import choose_acceleration, free_acceleration
from dorosim.world.traffic.junction_kernel import grant_authorities
from dorosim.world.traffic.link_occupancy_kernel import register_obstructions, register_vehicles
from dorosim.world.traffic.move_kernel import move_vehicles
from dorosim.world.traffic.pass_kernel import decide_to_pass
from dorosim.world.traffic.passing_body_kernel import with_passing_bodies
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.start_kernel import start_acceleration
from dorosim.world.traffic.state import TrafficState

_TRAFFIC = TrafficState.at


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
) -> None:
    """Decide, if `decision` is positive, and move all vehicles by `dt`, in place; see `step_traffic`.

    `floats` and `ints` are `TrafficState`, the next four `Obstruction` and `Crossing`, `roadside` is as of `Workspace`.
    """
    road, routes = bare(road), bare(routes)
    if decision > 0.0:
        body, body_ints = with_passing_bodies(road, bare(floats), bare(ints), bare(obstruction), bare(obstruction_ints))
        scratch = make_workspace(road.link.shape[0], floats, ints, body, crossing, roadside, permission)
        work, obstructed = bare(scratch), bare(body_ints)
        sort_vehicles(road, work, decision_number)
        sort_obstructions(work, obstructed)
        sort_crossings(work, bare(crossing_ints))
        register_vehicles(road, work, routes, seed)
        register_obstructions(road, work, obstructed)
        if work.obstruction.shape[1] > 0:
            ask_for_room(road, work)
        make_room(road, work, obstructed)
        grant_authorities(road, work, decision)
        distract_drivers(work, seed, decision_number, decision)
        decide(road, work, routes, decision)
        reinsert_vehicles(road, work, seed, decision)
        hold(scratch)
        hold(body_ints)
    move_vehicles(road, routes, bare(floats), bare(ints), seed, dt)


@inner_kernel
def decide(road: RoadArrays, work: Workspace, routes: Routes, decision: float) -> None:
    """Every driver chooses an acceleration, and some of them another lane."""
    for at in range(work.link_ints[road.link.shape[0], REPORT.entry_first]):
        fetch_vehicle(work, at)
        row = work.entry_vehicle[at]
        if work.vehicle_ints[row, VEHICLE.entry] != at or work.vehicle_ints[row, VEHICLE.paused] != 0:
            continue
        if work.floats[_TRAFFIC.distraction, row] > 0.0:
            continue
        acceleration, lane_acceleration, clear, body, k = choose_acceleration(road, work, row, decision)
        work.floats[_TRAFFIC.acceleration, row] = start_acceleration(work, row, acceleration, decision)
        if work.vehicle_ints[row, VEHICLE.source_link] >= 0 and is_change_blocked(work, row, body):
            abandon_change(road, work.floats, work.ints, row)
            continue
        if work.vehicle_ints[row, VEHICLE.considers_change] == 1 and can_change(road, work, row):
            without_leader = free_acceleration(road, work, row)
            target = choose_lane(road, work, routes, row, lane_acceleration, without_leader, clear)
            if target >= 0:
                begin_change(road, work, routes, row, target)
                continue
        if work.obstruction.shape[1] > 0:
            decide_to_pass(road, work, row, body, k, clear, decision)
