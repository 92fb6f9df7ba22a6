"""Vehicles whose lane stays blocked drive out of it: back up, turn around, or go round, onto a lane that goes on.

A driver that has stood for long behind a body, and finds no way past it along its lane, looks for a way by turns
forwards and backwards (`manoeuvre_kernel`); so do those that stand in its queue. Whoever has found one leaves its lane
(`Presence.RETURNING`) and stops before bodies on its way. The way ends on a lane that is free ahead.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray, read_only
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.traffic.blocked_lane import lanes_around
from dorosim.world.traffic.lane_matching import along_lane
from dorosim.world.traffic.manoeuvre_body import bodies_around, body_sizes
from dorosim.world.traffic.manoeuvre_kernel import BODY, MANOEUVRE_HORIZON, find_manoeuvre, free_way
from dorosim.world.traffic.state import MANOEUVRE_PARTS, Passing, Presence, TrafficState, Waiting

STUCK_TIME, JUNCTION_STUCK_TIME = 30.0, 45.0
"""A driver looks for a way out when it has stood so long behind a body, and before a junction that stays full [s]."""

RETRY_DECISIONS = 60
"""Of so many decisions a driver looks for a way out in one."""

MAX_PLANS = 1
"""So many drivers look for a way out in one decision."""

QUEUE_REACH, QUEUE_SIDE = 25.0, 2.5
"""A vehicle whose origin is so near behind that of one that is stuck, and this near to its line [m], queues there."""

MAX_STUCK_SPEED = 0.1
"""A vehicle that is slower stands [m/s]."""

MANOEUVRE_SPEED, MANOEUVRE_DECELERATION = 2.5, 1.5
"""Vehicles manoeuvre with at most this speed [m/s], and slow down with this [m/s²]."""

CREEP_SPEED, STOP_GAP, REVERSAL_WAY = 0.3, 0.2, 0.02
"""Speed of the last of a part [m/s], distance to where it would touch a body, and what is left where it turns [m]."""

REPLAN_TIME = 5.0
"""A driver that has stood for so long on its way looks for another [s]."""

PLAN_FORESIGHT, GUARD_FORESIGHT = 3.0, 1.0
"""Drivers keep off the way that vehicles on their lanes drive in this time [s], when they look for a way and on it."""

MAX_ENTRY_ANGLE = math.radians(15.0)
"""A vehicle that is turned farther from its lane than this [rad] cannot drive on there."""

_ON_LANE, _RETURNING = int(Presence.ON_LANE), int(Presence.RETURNING)
_FULL = (int(Waiting.OCCUPIED), int(Waiting.PRIORITY), int(Waiting.EXIT))
_POWERS = 3 ** np.arange(MANOEUVRE_PARTS)


class _Way(NamedTuple):
    """A manoeuvre: `(MANOEUVRE_PARTS,)` lengths of its parts [m], negative backwards, and turns."""

    lengths: FloatArray
    turns: IntArray


def code_of_turns(turns: IntArray) -> int:
    """The turns of parts, 1 left, 0 straight and -1 right, as one number, `TrafficState.manoeuvre_turns`."""
    return int(((turns + 1) * _POWERS[: len(turns)]).sum())


def turns_of_code(code: int) -> IntArray:
    """`(MANOEUVRE_PARTS,)` the turns that `code_of_turns` wrote."""
    found: IntArray = code // _POWERS % 3 - 1
    return found


def _manoeuvring(traffic: TrafficState) -> np.ndarray:
    """`(N,)` which vehicles are on a way out that they found."""
    return np.asarray((traffic.present == _RETURNING) & (traffic.manoeuvring != 0))


def count_standing(traffic: TrafficState, obstructed: bool, decision: float) -> None:
    """Count how long vehicles stand, but at red.

    Args:
        traffic: writable.
        obstructed: whether a body stands on any lane: without one no vehicle is stuck.
        decision: time until the next decision [s].
    """
    manoeuvres = _manoeuvring(traffic)
    stands = ((traffic.present == _ON_LANE) | manoeuvres) & (traffic.speed < MAX_STUCK_SPEED) & (traffic.paused == 0)
    stands &= (traffic.waiting != Waiting.LIGHT) | manoeuvres
    traffic.standing_time[:] = np.where(stands & obstructed, traffic.standing_time + decision, 0.0)


def stuck_rows(traffic: TrafficState) -> IntArray:
    """Rows `(N,)` of the vehicles that a body keeps where they are, and of those in their queues, in their order."""
    long = (traffic.standing_time > STUCK_TIME) & (traffic.present == _ON_LANE) & (traffic.plan_of_ego == 0)
    behind_body = long & ((traffic.blocked_time > STUCK_TIME) | (traffic.passing != Passing.NOTHING))
    before_junction = long & (traffic.standing_time > JUNCTION_STUCK_TIME) & np.isin(traffic.waiting, _FULL)
    stuck = behind_body | before_junction
    if not stuck.any():
        return np.flatnonzero(stuck)
    rows = np.flatnonzero(long)
    dx, dy = (value[None, :] - value[rows, None] for value in (traffic.x, traffic.y))
    c, s = np.cos(traffic.yaw[rows])[:, None], np.sin(traffic.yaw[rows])[:, None]
    along, aside = c * dx + s * dy, np.abs(c * dy - s * dx)
    follows = (along > 0.0) & (along < QUEUE_REACH) & (aside < QUEUE_SIDE)
    manoeuvres = _manoeuvring(traffic)
    for _ in range(len(rows)):
        more = stuck.copy()
        more[rows] |= (follows & (stuck | manoeuvres)[None, :]).any(axis=1)
        if (more == stuck).all():
            break
        stuck = more
    return np.flatnonzero(stuck)


def begin_manoeuvres(scene: Scene, draft: Draft, turn: int) -> None:
    """Let drivers that are stuck look for a way out, and those on their way that cannot go on for another.

    Args:
        scene: the roads.
        draft: the actors, writable.
        turn: number of the decision.
    """
    traffic = draft.traffic
    if float(traffic.standing_time.max(initial=0.0)) < REPLAN_TIME:
        return
    waits = _manoeuvring(traffic) & (traffic.standing_time > REPLAN_TIME)
    rows = np.concatenate((np.flatnonzero(waits), stuck_rows(traffic)))
    tries = 0
    for row in rows.tolist():
        if (turn + int(traffic.id[row])) % RETRY_DECISIONS or tries >= MAX_PLANS:
            continue
        tries += 1
        way = _find_way(scene, draft, row)
        if way is not None:
            _begin(traffic, row, way)


def _find_way(scene: Scene, draft: Draft, row: int) -> _Way | None:
    """A way out for a vehicle, None if it finds none."""
    traffic = draft.traffic
    body = body_sizes(scene, traffic, row)
    boxes, stands = bodies_around(scene, draft, row, PLAN_FORESIGHT)
    goals, lanes = lanes_around(scene, traffic, row, boxes[:, stands])
    if not goals.shape[1]:
        return None
    count, lengths, turns = find_manoeuvre(
        read_only(body), read_only(boxes), read_only(goals), read_only(lanes), float(traffic.yaw[row])
    )
    if count < 1:
        return None
    way = _Way(np.zeros(MANOEUVRE_PARTS), np.zeros(MANOEUVRE_PARTS, np.int64))
    way.lengths[:count], way.turns[:count] = lengths[:count], turns[:count]
    return way


def _begin(traffic: TrafficState, row: int, way: _Way) -> None:
    """Let a vehicle leave its lane for its way out."""
    traffic.present[row], traffic.manoeuvring[row] = _RETURNING, 1
    traffic.manoeuvre[:, row], traffic.manoeuvre_turns[row] = way.lengths, code_of_turns(way.turns)
    for link in (traffic.previous, traffic.before_previous, traffic.change_from):
        link[row] = -1
    traffic.passing[row], traffic.waiting[row] = Passing.NOTHING, Waiting.NOTHING
    traffic.making_room[row] = 0
    for column in (traffic.lateral, traffic.lateral_slope, traffic.authority, traffic.patience):
        column[row] = 0.0
    traffic.blocked_time[row] = traffic.standing_time[row] = traffic.start_delay[row] = traffic.distraction[row] = 0.0


def advance_manoeuvres(scene: Scene, draft: Draft, dt: float) -> None:
    """Move all vehicles on their way out by a tick [s]; one that has come to its lane drives on from there."""
    traffic = draft.traffic
    for row in np.flatnonzero(_manoeuvring(traffic)).tolist():
        if traffic.paused[row] != 0:
            _write_motion(traffic, row, 0.0, 0.0, 0.0)
            continue
        if not traffic.manoeuvre[:, row].any() and _enter(scene.network, traffic, row):
            continue
        _drive(scene, draft, row, dt)


def _drive(scene: Scene, draft: Draft, row: int, dt: float) -> None:
    """Drive a vehicle on along its manoeuvre for a tick."""
    traffic = draft.traffic
    lengths, turns = traffic.manoeuvre[:, row], turns_of_code(int(traffic.manoeuvre_turns[row]))
    parts = np.flatnonzero(lengths)
    if not len(parts):
        _write_motion(traffic, row, 0.0, 0.0, 0.0)
        return
    sign = math.copysign(1.0, float(lengths[parts[0]]))
    turned = np.flatnonzero(lengths[parts] * sign < 0.0)
    run = float(np.abs(lengths[parts[: turned[0]] if len(turned) else parts]).sum())
    body, before = body_sizes(scene, traffic, row), float(traffic.speed[row])
    reach = 0.5 * before * before / MANOEUVRE_DECELERATION + 2.0
    boxes, _ = bodies_around(scene, draft, row, GUARD_FORESIGHT)
    kept = np.ascontiguousarray(lengths[parts])
    pose = (MANOEUVRE_HORIZON, MANOEUVRE_HORIZON, float(traffic.yaw[row]))
    free = free_way(read_only(body), read_only(boxes), *pose, read_only(kept), read_only(turns[parts]), reach)
    room = math.sqrt(2.0 * MANOEUVRE_DECELERATION * max(free - STOP_GAP, 0.0))
    end = max(math.sqrt(2.0 * MANOEUVRE_DECELERATION * run), CREEP_SPEED) if len(turned) else MANOEUVRE_SPEED
    rise, fall = float(traffic.comfortable_acceleration[row]) * dt, 4.0 * MANOEUVRE_DECELERATION * dt
    wanted = min(MANOEUVRE_SPEED, end, room)
    speed = max(min(wanted, before + rise), before - fall, 0.0)
    way, bend = min(speed * dt, run), 0.0
    for part in parts.tolist():
        step = min(way, abs(float(lengths[part])))
        if step <= 0.0:
            break
        bend = float(turns[part]) * float(body[BODY.curvature])
        _move(traffic, row, sign * step, bend)
        left = abs(float(lengths[part])) - step
        traffic.manoeuvre[part, row] = sign * left if left > REVERSAL_WAY else 0.0
        way -= step
    if len(turned) and run - speed * dt <= REVERSAL_WAY:
        speed = 0.0
    _write_motion(traffic, row, sign * speed, bend, (speed - before) / dt)
    found = locate(scene.network, (traffic.x[row], traffic.y[row], traffic.z[row]), reach=20.0)
    if found.link[0] >= 0:
        height = float(scene.network.pose_at(found.link, found.s).point[0, 2])
        traffic.z[row] += (height - float(traffic.z[row])) * min(speed * dt, 1.0)
        traffic.pitch[row] *= 1.0 - min(speed * dt, 1.0)
        traffic.roll[row] *= 1.0 - min(speed * dt, 1.0)


def _move(traffic: TrafficState, row: int, way: float, bend: float) -> None:
    """Move a vehicle a way [m], negative backwards, along an arc of a curvature [1/m]."""
    half = 0.5 * bend * way
    chord, yaw = way * float(np.sinc(half / np.pi)), float(traffic.yaw[row])
    traffic.x[row] += chord * math.cos(yaw + half)
    traffic.y[row] += chord * math.sin(yaw + half)
    traffic.yaw[row] = math.remainder(yaw + 2.0 * half, math.tau)


def _write_motion(traffic: TrafficState, row: int, speed: float, bend: float, acceleration: float) -> None:
    """Write speed [m/s], negative backwards, curvature [1/m] and change of speed [m/s²] of a vehicle on its way."""
    yaw, rate = float(traffic.yaw[row]), bend * speed
    middle = float(traffic.wheelbase[row] + traffic.front_overhang[row] - 0.5 * traffic.length[row])
    c, s = math.cos(yaw), math.sin(yaw)
    traffic.speed[row], traffic.yaw_rate[row], traffic.acceleration[row] = abs(speed), rate, acceleration
    traffic.slide_x[row], traffic.slide_y[row] = speed * c - rate * middle * s, speed * s + rate * middle * c
    along, across = math.copysign(acceleration, speed * acceleration), rate * speed
    traffic.slide_acceleration_x[row] = along * c - across * s
    traffic.slide_acceleration_y[row] = along * s + across * c


def _enter(network: RoadNetwork, traffic: TrafficState, row: int) -> bool:
    """Put a vehicle that has come to the end of its way onto the lane there; False if it is on none."""
    yaw, point = float(traffic.yaw[row]), (float(traffic.x[row]), float(traffic.y[row]), float(traffic.z[row]))
    found = locate(network, point, yaw, drivable_only=True, reach=3.0)
    link, s = int(found.link[0]), float(found.s[0])
    if link < 0:
        return False
    turn = math.remainder(yaw - float(network.heading_at(np.array([link]), np.array([s]))[0]), math.tau)
    if abs(turn) > MAX_ENTRY_ANGLE:
        return False
    there, front = along_lane(network, link, s + float(traffic.wheelbase[row] + traffic.front_overhang[row]))
    traffic.present[row], traffic.manoeuvring[row] = _ON_LANE, 0
    traffic.link[row], traffic.s[row] = there, min(front, float(network.link_length[there]))
    traffic.previous[row] = link if there != link else -1
    traffic.lateral[row], traffic.lateral_slope[row] = float(found.lateral[0]), math.tan(turn)
    traffic.standing_time[row] = traffic.manoeuvre_turns[row] = 0
    traffic.slide_x[row] = traffic.slide_y[row] = 0.0
    traffic.slide_acceleration_x[row] = traffic.slide_acceleration_y[row] = 0.0
    return True
