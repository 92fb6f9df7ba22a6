"""All drivers decide, and all vehicles move."""

from __future__ import annotations

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.traffic.change_kernel import begin_change, can_change, choose_lane
from dorosim.world.traffic.crossing_kernel import sort_crossings
from dorosim.world.traffic.decision_table_kernel import (
    BRAKE,
    FIRST,
    GAIN,
    PATH_START,
    PAUSED,
    SLOT,
    SPEED,
    THINKS,
    Work,
    sort_obstructions,
    sort_vehicles,
)
from dorosim.world.traffic.entry_kernel import come_back
from dorosim.world.traffic.follow_kernel import accelerate, free_acceleration, wish_on
from dorosim.world.traffic.junction_kernel import admit
from dorosim.world.traffic.link_occupancy_kernel import survey, survey_obstructions
from dorosim.world.traffic.move_kernel import move
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import TrafficState

_TRAFFIC = TrafficState.at


@kernel
def advance_traffic(
    lane: FloatArray,
    rim: FloatArray,
    key: IntArray,
    pool: IntArray,
    edge: IntArray,
    inner: IntArray,
    conflict: FloatArray,
    parting: FloatArray,
    beside: FloatArray,
    abreast: FloatArray,
    line: FloatArray,
    entry: FloatArray,
    occupant: IntArray,
    report: FloatArray,
    owner: IntArray,
    sight: IntArray,
    driver: FloatArray,
    wall: FloatArray,
    barrier: IntArray,
    filled: IntArray,
    route_first: IntArray,
    route_link: IntArray,
    route_again: IntArray,
    floats: FloatArray,
    ints: IntArray,
    obstruction_floats: FloatArray,
    obstruction_ints: IntArray,
    crossing_floats: FloatArray,
    crossing_ints: IntArray,
    permission: IntArray,
    seed: int,
    turn: int,
    decision: float,
    dt: float,
) -> None:
    """Decide, if `decision` is positive, and move all vehicles by `dt`, in place; see `step_traffic`.

    `lane` to `line` are `RoadArrays`, `entry` to `filled` `Work`, `route_first` to `route_again` `Routes`, `floats` and
    `ints` `TrafficState`, the next four `Obstruction` and `Crossing`. They come one by one, since numba takes 2 us
    longer to find the types of tuples of arrays.
    """
    road = RoadArrays(
        bare(lane), bare(rim), bare(key), bare(pool), bare(edge), bare(inner), bare(conflict), bare(parting),
        bare(beside), bare(abreast), bare(line),
    )  # fmt: skip
    routes = Routes(bare(route_first), bare(route_link), bare(route_again))
    floats, ints, permission = bare(floats), bare(ints), bare(permission)
    if decision > 0.0:
        work = Work(
            bare(entry), bare(occupant), bare(report), bare(owner), bare(sight), bare(driver), bare(wall),
            bare(barrier), bare(filled),
        )  # fmt: skip
        obstruction = bare(obstruction_floats)
        sort_vehicles(road, work, floats, ints, turn)
        sort_obstructions(work, obstruction, bare(obstruction_ints))
        sort_crossings(work, bare(crossing_ints))
        survey(road, work, routes, ints, permission, seed)
        survey_obstructions(road, work, obstruction, bare(obstruction_ints))
        admit(road, work, floats, ints, permission, decision)
        decide(road, work, routes, floats, ints, obstruction, bare(crossing_floats), decision)
        come_back(road, work, floats, ints, obstruction, seed, decision)
    move(road, routes, floats, ints, seed, dt)


@inner_kernel
def decide(
    road: RoadArrays,
    work: Work,
    routes: Routes,
    floats: FloatArray,
    ints: IntArray,
    obstruction: FloatArray,
    crossing: FloatArray,
    decision: float,
) -> None:
    """Every driver chooses an acceleration, and some of them another lane."""
    for at in range(work.owner[road.lane.shape[0], FIRST]):
        row = work.occupant[at]
        if work.sight[row, SLOT] != at or work.sight[row, PAUSED] != 0:
            continue
        found, now, clear = accelerate(road, work, floats, obstruction, crossing, row, decision)
        floats[_TRAFFIC.acceleration, row] = found
        if work.sight[row, THINKS] == 1 and can_change(road, work, row):
            wish = wish_on(road, work, row, work.sight[row, PATH_START])
            free = free_acceleration(work.driver[row, SPEED], wish, work.driver[row, GAIN], work.driver[row, BRAKE])
            target = choose_lane(road, work, routes, floats, ints, obstruction, row, now, free, clear)
            if target >= 0:
                begin_change(road, work, routes, floats, ints, row, target)
