"""All drivers decide, and all vehicles move."""

from __future__ import annotations

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.traffic.change_kernel import TURNS, begin_change, can_change, choose_lane
from dorosim.world.traffic.entry_kernel import come_back
from dorosim.world.traffic.follow_kernel import accelerate, desired_speed, free_acceleration
from dorosim.world.traffic.junction_kernel import admit
from dorosim.world.traffic.move_kernel import move
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import TrafficState
from dorosim.world.traffic.survey_kernel import survey, survey_obstructions
from dorosim.world.traffic.work_kernel import FIRST, SLOT, Work, sort_obstructions, sort_vehicles

_ID, _LINK, _PAUSED = TrafficState.id.index, TrafficState.link.index, TrafficState.paused.index
_SPEED, _ACCELERATION = TrafficState.speed.index, TrafficState.acceleration.index
_A, _B = TrafficState.comfortable_acceleration.index, TrafficState.comfortable_deceleration.index


@kernel
def advance_traffic(
    lane: RealArray,
    key: WholeArray,
    pool: WholeArray,
    edge: WholeArray,
    inner: WholeArray,
    conflict: RealArray,
    parting: RealArray,
    line: RealArray,
    entry: RealArray,
    occupant: WholeArray,
    report: RealArray,
    owner: WholeArray,
    sight: WholeArray,
    driver: RealArray,
    wall: RealArray,
    barrier: WholeArray,
    filled: WholeArray,
    route_first: WholeArray,
    route_link: WholeArray,
    route_again: WholeArray,
    real: RealArray,
    whole: WholeArray,
    obstruction_real: RealArray,
    obstruction_whole: WholeArray,
    permission: WholeArray,
    seed: int,
    turn: int,
    decision: float,
    dt: float,
) -> None:
    """Decide, if `decision` is positive, and move all vehicles by `dt`; see `step_traffic`.

    Args:
        lane: this and the next seven are `RoadArrays`.
        key: see there.
        pool: see there.
        edge: see there.
        inner: see there.
        conflict: see there.
        parting: see there.
        line: see there.
        entry: this and the next eight are `Work`; empty where nothing is decided.
        occupant: see there.
        report: see there.
        owner: see there.
        sight: see there.
        driver: see there.
        wall: see there.
        barrier: see there.
        filled: see there.
        route_first: of the route table.
        route_link: of the route table.
        route_again: of the route table.
        real: of `TrafficState`, in and out.
        whole: of `TrafficState`, in and out.
        obstruction_real: of `Obstruction`.
        obstruction_whole: of `Obstruction`.
        permission: `(L,)` Permission to drive onto each link.
        seed: of the run.
        turn: number of the decision.
        decision: time until the next decision [s], 0 for no decision now.
        dt: [s].
    """
    road = RoadArrays(
        bare(lane), bare(key), bare(pool), bare(edge), bare(inner), bare(conflict), bare(parting), bare(line)
    )
    routes = Routes(bare(route_first), bare(route_link), bare(route_again))
    real, whole, permission = bare(real), bare(whole), bare(permission)
    if decision > 0.0:
        work = Work(
            bare(entry),
            bare(occupant),
            bare(report),
            bare(owner),
            bare(sight),
            bare(driver),
            bare(wall),
            bare(barrier),
            bare(filled),
        )
        obstruction = bare(obstruction_real)
        sort_vehicles(road, work, real, whole)
        sort_obstructions(work, obstruction, bare(obstruction_whole))
        survey(road, work, routes, real, whole, permission, seed)
        survey_obstructions(road, work, obstruction, bare(obstruction_whole))
        admit(road, work, real, whole, permission, decision)
        decide(road, work, routes, real, whole, obstruction, turn, decision)
        come_back(road, work, real, whole, obstruction, seed, decision)
    move(road, routes, real, whole, seed, dt)


@inner_kernel
def decide(
    road: RoadArrays,
    work: Work,
    routes: Routes,
    real: RealArray,
    whole: WholeArray,
    obstruction: RealArray,
    turn: int,
    decision: float,
) -> None:
    """Every driver chooses an acceleration, and some of them another lane."""
    for at in range(work.owner[road.lane.shape[0], FIRST]):
        row = work.occupant[at]
        if work.sight[row, SLOT] != at or whole[_PAUSED, row] == 1:
            continue
        found, now, clear = accelerate(road, work, real, whole, obstruction, row, decision)
        real[_ACCELERATION, row] = found
        if (turn + whole[_ID, row]) % TURNS == 0 and can_change(road, real, whole, row):
            wish = desired_speed(road, real, whole, row, whole[_LINK, row])
            free = free_acceleration(real[_SPEED, row], wish, real[_A, row], real[_B, row])
            target = choose_lane(road, work, routes, real, whole, obstruction, row, now, free, clear)
            if target >= 0:
                begin_change(road, work, routes, real, whole, row, target)
