"""The traffic's share of a tick."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray, read_only
from dorosim.world.environment.driving_conditions import GOOD_CONDITIONS, DrivingConditions
from dorosim.world.traffic.crew import crew_for
from dorosim.world.traffic.driving_conditions import gaps_under, road_under
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.route import Routes, RouteTable
from dorosim.world.traffic.state import NO_CROSSING, NO_OBSTRUCTION, Crossing, Obstruction, TrafficState
from dorosim.world.traffic.traffic_kernel import advance_traffic
from dorosim.world.traffic.verge_kernel import NO_ROADSIDE

_NO_ROUTES = RouteTable.from_lists([])


def step_traffic(
    plan: TrafficPlan,
    state: TrafficState,
    permission: IntArray,
    *,
    dt: float,
    seed: int,
    turn: int,
    decision: float | None = None,
    routes: RouteTable = _NO_ROUTES,
    obstruction: Obstruction = NO_OBSTRUCTION,
    crossing: Crossing = NO_CROSSING,
    roadside: FloatArray = NO_ROADSIDE,
    conditions: DrivingConditions = GOOD_CONDITIONS,
) -> None:
    """Move all vehicles on by `dt`, in place. Rows stay as they are; deterministic; one core; no Python loop.

    Where a run ticks faster than drivers decide, every n-th tick passes `decision=n * dt` and the others 0: between
    decisions vehicles keep their accelerations.

    Args:
        plan: the roads.
        state: the vehicles, writable.
        permission: `(L,)` `signal.permission.Permission` to drive onto each link, as `LinkState.entry` has it.
        dt: the tick [s]; with 0 and no decision only poses are written.
        seed: of the run.
        turn: number of the decision: spreads thoughts of lane changes over time.
        decision: time until the next decision [s], 0 to decide nothing now, None for `dt`.
        routes: what the column `route` points into.
        obstruction: bodies that are not traffic.
        crossing: crosswalks that people use.
        roadside: as of `verge.roadside_bodies`.
        conditions: what drivers make of the weather, where they decide.
    """
    with gaps_under(state, conditions):
        advance_traffic(
            road_under(plan.road, conditions),
            Routes(routes.first, routes.link, routes.again),
            state.floats,
            state.ints,
            read_only(obstruction.floats),
            read_only(obstruction.ints),
            read_only(crossing.floats),
            read_only(crossing.ints),
            read_only(roadside),
            read_only(np.ascontiguousarray(permission, np.int64)),
            seed,
            turn,
            float(dt if decision is None else decision),
            float(dt),
            crew_for(len(state)),
            True,
        )
