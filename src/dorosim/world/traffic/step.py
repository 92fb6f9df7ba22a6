"""The traffic's share of a tick."""

from __future__ import annotations

from typing import Any

import numpy as np

from dorosim.ground.column import IntArray, read_only
from dorosim.world.traffic.decision_table_kernel import make_work
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.route import RouteTable
from dorosim.world.traffic.state import Crossing, Obstruction, TrafficState
from dorosim.world.traffic.traffic_kernel import advance_traffic

_NOTHING = Obstruction.zeros(0).freeze()
_NOBODY = Crossing.zeros(0).freeze()
_NO_ROUTES = RouteTable.from_lists([])
_NO_WORK = make_work(0, 0, 0)


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
    obstruction: Obstruction = _NOTHING,
    crossing: Crossing = _NOBODY,
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
    """
    time = float(dt if decision is None else decision)
    work = make_work(len(state), len(plan.drivable), len(obstruction)) if time > 0.0 else _NO_WORK
    arguments: tuple[Any, ...] = (
        *plan.road,
        *work,
        routes.first,
        routes.link,
        routes.again,
        state.floats,
        state.ints,
        read_only(obstruction.floats),
        read_only(obstruction.ints),
        read_only(crossing.floats),
        read_only(crossing.ints),
        read_only(np.ascontiguousarray(permission, np.int64)),
        seed,
        turn,
        time,
        float(dt),
    )
    advance_traffic(*arguments)
