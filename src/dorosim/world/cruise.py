"""Cruise mode: an ego vehicle is driven by the same drivers as NPC vehicles.

The driver's plan is a row of the traffic: it moves along the lanes by all rules, and others see it there. The vehicle
with its full dynamics follows its plan: by the acceleration of the plan and what it lacks in place and speed, and by
the curvature of the plan's way and a steering law on heading and lateral error of the front axle (G. Hoffmann et al.,
"Autonomous automobile trajectory tracking for off-road driving", ACC 2007, equation 5).
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.world.draft import Draft
from dorosim.world.lane_entry import traffic_row_at
from dorosim.world.scene import Scene
from dorosim.world.traffic.state import SpeedMode, TrafficState
from dorosim.world.vehicle.mode import ControlKind, ControlMode

PLACE_GAIN, SPEED_GAIN = 1.0, 2.0
"""Acceleration for each metre [1/s²] and for each metre per second [1/s] that the vehicle lacks: critically damped."""
STEER_GAIN, SOFTENING = 4.0, 1.0
"""Of the lateral error [1/s], and the speed that keeps the law gentle when slow [m/s]."""
_CRUISE = int(ControlMode.CRUISE)
LOST = 4.0
"""A plan that is farther than this from its vehicle [m] is given up, and another one made from where that is."""
HOLD_SPEED, HOLD_BRAKE = 0.3, 1.0
"""Slower than this [m/s] behind a plan that stands, the vehicle is stopped with this deceleration [m/s²]."""


def keep_plans(scene: Scene, draft: Draft) -> bool:
    """Make plans for vehicles whose cruise mode has begun, and drop those of vehicles that are driven otherwise.

    A vehicle that is on no lane stands with its brake on until it is driven otherwise or placed elsewhere.

    Returns:
        whether any vehicle cruises.
    """
    vehicle, traffic = draft.vehicle, draft.traffic
    before = draft.before.vehicle.control_mode.tolist()
    if _CRUISE not in vehicle.control_mode.tolist() and _CRUISE not in before:
        return False
    cruises = (vehicle.control_mode == _CRUISE) & (vehicle.paused == 0)
    rows = {int(traffic.id[row]): row for row in np.flatnonzero(traffic.plan_of_ego).tolist()}
    drop = {actor for actor in rows if (own := draft.row_of(actor)) < 0 or not cruises[own]}
    for own in np.flatnonzero(cruises).tolist():
        actor = draft.egos[own]
        row = rows.get(actor)
        if row is not None and math.hypot(traffic.x[row] - vehicle.x[own], traffic.y[row] - vehicle.y[own]) > LOST:
            drop.add(actor)
    if drop:
        draft.traffic = traffic = traffic.take(~np.isin(traffic.id, list(drop)))
    for own in np.flatnonzero(cruises).tolist():
        if draft.egos[own] not in rows or draft.egos[own] in drop:
            _begin_plan(scene, draft, own)
    _say_speeds(draft)
    return True


def _begin_plan(scene: Scene, draft: Draft, own: int) -> None:
    """Add the plan of one vehicle, from the lane under it."""
    vehicle = draft.vehicle
    point = (float(vehicle.x[own]), float(vehicle.y[own]), float(vehicle.z[own]))
    row = traffic_row_at(scene, draft.egos[own], int(vehicle.model[own]), point, float(vehicle.yaw[own]), draft.noise)
    if row is None:
        vehicle.control_kind[own] = ControlKind.HOLD
        return
    row.speed[0], row.plan_of_ego[0] = max(float(vehicle.velocity_x[own]), 0.0), 1
    table = draft.traffic.append(row)
    draft.traffic = table.take(np.argsort(table.id, kind="stable"))


def _say_speeds(draft: Draft) -> None:
    """Let plans know at which speed their vehicles are to cruise."""
    traffic, vehicle = draft.traffic, draft.vehicle
    for row in np.flatnonzero(traffic.plan_of_ego).tolist():
        own = draft.row_of(int(traffic.id[row]))
        ratio = float(vehicle.cruise_ratio[own])
        traffic.speed_mode[row] = SpeedMode.LINK_RATIO if ratio > 0.0 else SpeedMode.CONSTANT
        traffic.desired_speed[row] = ratio if ratio > 0.0 else float(vehicle.cruise_speed[own])


def follow_plans(draft: Draft) -> None:
    """Write acceleration and steering of all vehicles that follow a plan; call it after traffic has moved."""
    traffic, vehicle = draft.traffic, draft.vehicle
    for row in np.flatnonzero(traffic.plan_of_ego).tolist():
        own = draft.row_of(int(traffic.id[row]))
        vehicle.control_kind[own] = ControlKind.ACCELERATION
        vehicle.target_acceleration[own], vehicle.target_steer[own] = _controls(draft, traffic, row, own)
        vehicle.target_rear_steer[own] = 0.0


def _controls(draft: Draft, traffic: TrafficState, row: int, own: int) -> tuple[float, float]:
    """Acceleration [m/s²] and wheel angle [rad] of a vehicle that follows its plan."""
    vehicle, parameter = draft.vehicle, draft.parameter
    yaw, plan_yaw = float(vehicle.yaw[own]), float(traffic.yaw[row])
    dx, dy = float(traffic.x[row] - vehicle.x[own]), float(traffic.y[row] - vehicle.y[own])
    c, s = math.cos(plan_yaw), math.sin(plan_yaw)
    behind = dx * c + dy * s
    speed, plan_speed = float(vehicle.velocity_x[own]), float(traffic.speed[row])
    acceleration = float(traffic.acceleration[row]) + PLACE_GAIN * behind + SPEED_GAIN * (plan_speed - speed)
    if plan_speed < 0.05 and speed < HOLD_SPEED:
        acceleration = -HOLD_BRAKE
    wheelbase = float(parameter.wheelbase[own])
    heading_error = math.remainder(plan_yaw - yaw, math.tau)
    to_left = dy * c - dx * s - wheelbase * math.sin(-heading_error)
    curvature = float(traffic.yaw_rate[row]) / max(plan_speed, 1.0)
    steer = math.atan(wheelbase * curvature) + heading_error
    steer += math.atan(STEER_GAIN * to_left / (SOFTENING + max(speed, 0.0)))
    most = float(parameter.max_steer[own])
    return acceleration, min(max(steer, -most), most)
