"""Cruise mode: an ego vehicle is driven by the same drivers as NPC vehicles.

The driver's plan is a row of the traffic: it moves along the lanes by all rules, and others see it there. The vehicle
with its full dynamics follows its plan: by the acceleration of the plan and what it lacks in place and speed, and by
the curvature of the plan's way and a steering law on heading and lateral error of the front axle (G. Hoffmann et al.,
"Autonomous automobile trajectory tracking for off-road driving", ACC 2007, equation 5).
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import holds, read_only
from dorosim.ground.error import InputError
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.traffic.lane_matching import traffic_row_at
from dorosim.world.traffic.route import set_route
from dorosim.world.traffic.state import SpeedMode
from dorosim.world.vehicle.cruise_kernel import PLAN_TRACKED, drive_after_plans
from dorosim.world.vehicle.mode import ControlKind, ControlMode

_CRUISE = int(ControlMode.CRUISE)


def keep_plans(scene: Scene, draft: Draft) -> bool:
    """Make plans for vehicles whose cruise mode has begun, and drop those of vehicles that are driven otherwise.

    A plan that its vehicle has lost is made anew from where that is. A vehicle that is on no lane stands with its
    brake on until it is driven otherwise or placed elsewhere.

    Returns:
        whether any vehicle cruises.
    """
    vehicle = draft.vehicle
    if not holds(vehicle.control_mode, _CRUISE) and not holds(draft.before.vehicle.control_mode, _CRUISE):
        return False
    modes, paused = vehicle.control_mode.tolist(), vehicle.paused.tolist()
    wanted = [actor for row, actor in enumerate(draft.egos) if modes[row] == _CRUISE and not paused[row]]
    followed = draft.traffic.id[draft.traffic.plan_of_ego == PLAN_TRACKED].tolist()
    if followed == wanted and int(draft.traffic.plan_of_ego.max(initial=0)) <= PLAN_TRACKED:
        return True
    good = set(followed) & set(wanted)
    draft.traffic = draft.traffic.take((draft.traffic.plan_of_ego == 0) | np.isin(draft.traffic.id, list(good)))
    for actor in wanted:
        if actor not in good:
            begin_plan(scene, draft, draft.row_of(actor))
    return True


def begin_plan(scene: Scene, draft: Draft, own: int) -> None:
    """Add the plan of one vehicle that has none, from the lane under it; one on no lane stands.

    Args:
        scene: what does not change.
        draft: the tick.
        own: row of the vehicle.
    """
    vehicle = draft.vehicle
    point = (float(vehicle.x[own]), float(vehicle.y[own]), float(vehicle.z[own]))
    row = traffic_row_at(scene, draft.egos[own], int(vehicle.model[own]), point, float(vehicle.yaw[own]), draft.noise)
    if row is None:
        vehicle.control_kind[own] = ControlKind.HOLD
        return
    ratio = float(vehicle.cruise_ratio[own])
    row.speed_mode[0] = SpeedMode.LINK_RATIO if ratio > 0.0 else SpeedMode.CONSTANT
    row.desired_speed[0] = ratio if ratio > 0.0 else float(vehicle.cruise_speed[own])
    row.speed[0], row.plan_of_ego[0] = max(float(vehicle.velocity_x[own]), 0.0), PLAN_TRACKED
    row.lateral_bias[0] = vehicle.cruise_bias[own]
    table = draft.traffic.append(row)
    draft.traffic = table.take(np.argsort(table.id, kind="stable"))
    if len(draft.goal):
        _aim(scene, draft, draft.egos[own])


def _aim(scene: Scene, draft: Draft, actor: int) -> None:
    """Let a new plan follow the way to the vehicle's goal, or go straight to the goal if it is not on that way."""
    goal, row = draft.goal.table.row_of(actor), draft.traffic.row_of(actor)
    if goal < 0 or draft.goal.table.passed[goal]:
        return
    way = draft.goal.way.of(goal)
    links = way if int(draft.traffic.link[row]) in way else way[-1:]
    try:
        draft.route = set_route(scene.router, draft.traffic, draft.route, row, links)
    except InputError:  # there is no way from here: it drives at random until another command comes
        return


def follow_plans(scene: Scene, draft: Draft) -> None:
    """Write acceleration and steering of all vehicles that follow a plan; call it after traffic has moved."""
    traffic, vehicle = draft.traffic, draft.vehicle
    if traffic.rows:
        limit, parameter = scene.network.link_speed_limit, read_only(draft.parameter.floats)
        drive_after_plans(traffic.floats, traffic.ints, limit, parameter, vehicle.floats, vehicle.ints)
