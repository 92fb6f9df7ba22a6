"""What commands about NPC vehicles and spawn points do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.route import link_end
from dorosim.world.command.traffic import (
    ChangeNpc,
    CreateNpc,
    EnableSpawnPoints,
    PlaceNpcGhost,
    RemoveSpawnPoints,
    SetPedestrianSpawnPoints,
    SetVehicleSpawnPoints,
)
from dorosim.world.draft import Draft
from dorosim.world.effect.actor import row_in
from dorosim.world.effect.bound import FASTEST, problem_with_pose
from dorosim.world.effect.vehicle import ALL_IDS_GIVEN
from dorosim.world.ghost import GhostState, new_ghost, place_ghost
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.scene import Scene
from dorosim.world.spawn.mode import BiasRule
from dorosim.world.spawn.point import NO_LINK, PedestrianSpawnPoint, VehicleSpawnPoint, checked_point
from dorosim.world.traffic.journey import set_route
from dorosim.world.traffic.placement import Body, new_traffic
from dorosim.world.traffic.road import LENGTH
from dorosim.world.traffic.state import SpeedMode, TrafficState
from dorosim.world.vehicle.catalogue import model_row, nearest_model_row
from dorosim.world.vehicle.model import VehicleModel

MOST_NPCS = 20_000
"""NPC vehicles in the world at a time; ids leave room for no more."""
CLEARANCE = 0.5
"""Room before and behind a vehicle that comes in [m]."""
ASIDE = 0.3
"""Room beside it [m]."""
MOVE_ON = 200.0
"""How far along its lane and the next ones a place is looked for where the one asked for is taken [m]."""
MOST_BIAS = 1.0
"""Bound of the lateral bias over half the lane width."""


def body_of(model: VehicleModel, row: int) -> Body:
    """The body of a vehicle model as traffic sees it."""
    return Body(model.length, model.width, model.wheelbase, model.front_overhang, row)


class _Entry(NamedTuple):
    """Where a vehicle comes in: link and arc length of its front bumper [m], and the links behind, -1 for none."""

    link: int
    front: float
    previous: int = -1
    before_previous: int = -1


def _create(scene: Scene, draft: Draft, command: CreateNpc) -> str:
    try:
        model = model_row(command.model)
        way = _way_of(scene, command)
    except InputError as error:
        return f"{error.place}: {error.problem}" if error.place else f"{error.problem}; {error.cure}"
    problem = _problem_with(scene, command)
    if problem:
        return problem
    if len(draft.traffic) >= MOST_NPCS:
        return f"there are {MOST_NPCS} NPC vehicles"
    body = body_of(scene.models[model], model)
    place = _free_place(scene, draft, command, body)
    if place is None:
        return f"the place at {command.s:.1f} m of link {scene.network.link_ids[command.link]} is taken"
    actor = draft.new_id()
    if not actor:
        return ALL_IDS_GIVEN
    before = draft.traffic
    draft.traffic = before.append(_row_of(scene, draft, command, actor, body, place))
    # who stands with its front beyond the last link of its way has no way left
    passed = place.link not in way and place.previous in way and not command.close_loop
    problem = "" if not way or passed else _set_way(scene, draft, len(before), way, command.close_loop)
    if problem:
        draft.traffic, draft.last_id, draft.made = before, actor - 1, 0
    return problem


def _way_of(scene: Scene, command: CreateNpc) -> tuple[int, ...]:
    """Rows of the links that the vehicle drives along, empty for a way at random.

    Raises:
        InputError: there is no way to where it ends.
    """
    if command.way or command.end < 0 or not 0 <= command.link < scene.network.link_count:
        return command.way
    if not 0 <= command.end < scene.network.link_count:
        raise InputError("traffic", "end", f"the map has no link {command.end}", "give a row of the map's links")
    ids = scene.network.link_ids
    start, goal = (link_end(scene.network, ids[link]) for link in (command.link, command.end))
    return tuple(int(link) for link in scene.router.find_route(start, goal).links)


def _problem_with(scene: Scene, command: CreateNpc) -> str:
    count = scene.network.link_count
    if not 0 <= command.link < count:
        return f"the map has no link {command.link}"
    if not scene.network.link_drivable[command.link]:
        return f"link {scene.network.link_ids[command.link]} is not for vehicles"
    if any(not 0 <= link < count for link in command.way) or not -1 <= command.ahead < count:
        return "a link of its way is not on the map"
    if not 0.0 <= command.s <= float(scene.network.link_length[command.link]):
        return f"{command.s:g} m is not on link {scene.network.link_ids[command.link]}"
    if not (0.0 <= command.speed <= FASTEST and 0.0 <= command.desired_speed <= FASTEST):
        return f"speeds are 0 to {FASTEST:g} m/s"
    if not 0.0 <= command.ratio <= 10.0 or not abs(command.bias) <= MOST_BIAS:
        return f"ratio {command.ratio:g} is not within 0 to 10, or bias {command.bias:g} not within -1 to 1"
    return ""


def _free_place(scene: Scene, draft: Draft, command: CreateNpc, body: Body) -> _Entry | None:
    """Where the vehicle comes in; None if there is no room."""
    plan, link = scene.traffic_plan, command.link
    previous = before = -1
    front = command.s + body.wheelbase + body.front_overhang
    left = MOVE_ON
    while True:
        length = float(plan.road.lane[link, LENGTH])
        if front > length:
            after = [int(one) for one in scene.network.successors.of(link) if plan.drivable[one]]
            if after:
                before, previous = previous, link
                link, front = _next_of(scene, command, after), front - length
                continue
            if front - length > body.wheelbase + body.front_overhang:
                return None
            front = length
        entry = _Entry(link, front, previous, before)
        if not _is_taken(scene, draft, entry, body):
            return entry
        if not command.move_on or left <= 0.0:
            return None
        front, left = front + 1.0, left - 1.0


def _next_of(scene: Scene, command: CreateNpc, after: list[int]) -> int:
    """The link among those after one on which a vehicle stands with its front: as told, else on its way."""
    if command.ahead in after:
        return command.ahead
    leading = [one for one in after if command.ahead in scene.network.successors.of(one)]
    return (leading or [one for one in after if one in command.way] or after)[0]


def _is_taken(scene: Scene, draft: Draft, entry: _Entry, body: Body) -> bool:
    """Whether somebody is in a place."""
    if rear_of_next(draft.traffic, entry.link, entry.front, body.length) is not None:
        return True
    if entry.previous >= 0 and entry.front < body.length:
        front = entry.front + float(scene.network.link_length[entry.previous])
        if rear_of_next(draft.traffic, entry.previous, front, body.length) is not None:
            return True
    traffic = draft.traffic
    leaving = (traffic.previous == entry.link) & (traffic.present == 1)
    rears = traffic.s[leaving] - traffic.length[leaving] + float(scene.network.link_length[entry.link])
    if (rears - CLEARANCE < entry.front).any():
        return True
    return egos_near(scene, draft, entry.link, entry.front, body)


def rear_of_next(traffic: TrafficState, link: int, front: float, length: float) -> float | None:
    """Where a body on a link begins that overlaps a place, front bumper at `front` [m]; None if the place is free."""
    there = ((traffic.link == link) | (traffic.change_from == link)) & (traffic.present == 1)
    fronts, lengths = traffic.s[there], traffic.length[there]
    taken = (fronts + CLEARANCE > front - length) & (fronts - lengths - CLEARANCE < front)
    return float((fronts - lengths)[taken].min()) if taken.any() else None


def egos_near(scene: Scene, draft: Draft, link: int, front: float, body: Body) -> bool:
    """Whether a vehicle with full dynamics stands in a place on a link: its box, along the lane and across."""
    pose = scene.network.pose_at(link, max(front - 0.5 * body.length, 0.0))
    point, heading = pose.point[0], float(pose.heading[0])
    vehicle, parameter = draft.vehicle, draft.parameter
    ahead = 0.5 * (parameter.wheelbase + parameter.front_overhang - parameter.rear_overhang)
    x, y = vehicle.x + ahead * np.cos(vehicle.yaw), vehicle.y + ahead * np.sin(vehicle.yaw)
    x, y, turn = x - point[0], y - point[1], vehicle.yaw - heading
    along, across = x * math.cos(heading) + y * math.sin(heading), y * math.cos(heading) - x * math.sin(heading)
    c, s = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    near = np.abs(along) < 0.5 * (body.length + parameter.length * c + parameter.width * s) + CLEARANCE
    near &= np.abs(across) < 0.5 * (body.width + parameter.length * s + parameter.width * c) + ASIDE
    return bool((near & (np.abs(vehicle.z - point[2]) < 3.0)).any())


def _row_of(scene: Scene, draft: Draft, command: CreateNpc, actor: int, body: Body, entry: _Entry) -> TrafficState:
    """The row of a new NPC vehicle."""
    link, front = entry.link, entry.front
    row = new_traffic([actor], [body], np.array([link]), np.array([front]), draft.noise)
    if command.desired_speed > 0.0:
        row.speed_mode[0], row.desired_speed[0] = SpeedMode.CONSTANT, command.desired_speed
    else:
        row.desired_speed[0] = command.ratio * (1.0 if command.exact_ratio else row.desired_speed[0])
    row.speed[0], row.previous[0], row.before_previous[0] = command.speed, entry.previous, entry.before_previous
    row.may_change[0], row.close_loop[0] = command.lane_change, command.close_loop
    row.spawn_point[0] = command.spawn_point
    share = command.bias
    if command.bias_rule is BiasRule.GAUSSIAN:
        drawn = float(draft.noise.stream(f"traffic/bias/{actor}").standard_normal())
        share = min(max(command.bias * drawn, -MOST_BIAS), MOST_BIAS)
    row.lateral_bias[0] = share
    back = front - body.wheelbase - body.front_overhang
    if back < 0.0 and entry.previous >= 0:
        link, back = entry.previous, back + float(scene.network.link_length[entry.previous])
    pose = scene.network.pose_at(link, max(back, 0.0))
    row.x[0], row.y[0], row.z[0] = pose.point[0]
    row.yaw[0] = float(pose.heading[0])
    return row


def _set_way(scene: Scene, draft: Draft, row: int, way: tuple[int, ...], close_loop: bool) -> str:
    """Give a vehicle its way, to which it first drives if it is elsewhere; why there is none, or an empty string.

    Where there is no way back from its end, a way that is to be driven in rounds is driven once.
    """
    links, problem = np.array(way, np.int64), ""
    for closed in (True, False) if close_loop else (False,):
        try:
            draft.route = set_route(scene.router, draft.traffic, draft.route, row, links, close_loop=closed)
        except InputError as error:
            problem = f"{error.place}: {error.problem}"
        else:
            return ""
    return problem


def _change(scene: Scene, draft: Draft, command: ChangeNpc) -> str:
    row = row_in(draft.traffic, command.actor)
    if row < 0 or draft.traffic.plan_of_ego[row]:
        return f"no NPC vehicle {command.actor}"
    traffic = draft.traffic
    link, now = int(traffic.link[row]), traffic
    asked = CreateNpc(
        model="",
        link=link,
        s=0.0,
        ratio=1.0 if command.ratio is None else command.ratio,
        desired_speed=command.desired_speed or 0.0,
        way=command.way or (),
        end=-1 if command.end is None else command.end,
        bias=command.bias or 0.0,
    )
    try:
        way = _way_of(scene, asked)
    except InputError as error:
        return f"{error.place}: {error.problem}"
    problem = _problem_with(scene, asked)
    if problem:
        return problem
    loop = bool(traffic.close_loop[row]) if command.close_loop is None else command.close_loop
    problem = _set_way(scene, draft, row, way, loop) if way else ""
    if problem:
        return problem
    if command.ratio is not None:
        now.speed_mode[row], now.desired_speed[row] = SpeedMode.LINK_RATIO, command.ratio
    if command.desired_speed is not None:
        now.speed_mode[row], now.desired_speed[row] = SpeedMode.CONSTANT, command.desired_speed
    if command.close_loop is not None:
        now.close_loop[row] = command.close_loop
    if command.lane_change is not None:
        now.may_change[row] = command.lane_change
    if command.bias is not None:
        now.lateral_bias[row] = command.bias
    return ""


def _place_ghost(__: Scene, draft: Draft, command: PlaceNpcGhost) -> str:
    if command.alias == 0:
        return "alias 0 is that of an empty slot"
    problem = problem_with_pose(command.position, command.rotation)
    if problem:
        return problem
    rows = np.flatnonzero(draft.ghost.alias == command.alias)
    if len(rows):
        place_ghost(draft.ghost, int(rows[0]), command, draft.time)
        return ""
    model, _ = nearest_model_row(command.model)
    actor = draft.new_id()
    if not actor:
        return ALL_IDS_GIVEN
    row = new_ghost(actor, model, command, draft.time)
    draft.ghost = draft.ghost.append(row) if len(draft.ghost) else GhostState(row.real, row.whole)
    return ""


def _set_vehicle_points(scene: Scene, draft: Draft, command: SetVehicleSpawnPoints) -> str:
    points: list[VehicleSpawnPoint] = []
    for number, point in enumerate(command.points):
        for name in ("start_link", "end_link"):
            if not NO_LINK <= getattr(point, name) < scene.network.link_count:
                return f"points[{number}].{name}: the map has no link {getattr(point, name)}"
        if not -1 <= point.model < len(scene.models):
            return f"points[{number}].model: there are models 0 to {len(scene.models) - 1}, not {point.model}"
        points.append(point)
    checked = _checked(draft, points, draft.spawn.vehicle.id.tolist())
    if isinstance(checked, str):
        return checked
    draft.spawn = draft.spawn.with_vehicles(checked, draft.time)
    return ""


def _set_pedestrian_points(_: Scene, draft: Draft, command: SetPedestrianSpawnPoints) -> str:
    for number, point in enumerate(command.points):
        if not -1 <= point.model < len(PEDESTRIAN_MODELS):
            return f"points[{number}].model: there are models 0 to {len(PEDESTRIAN_MODELS) - 1}, not {point.model}"
    checked = _checked(draft, list(command.points), draft.spawn.pedestrian.id.tolist())
    if isinstance(checked, str):
        return checked
    draft.spawn = draft.spawn.with_pedestrians(checked, draft.time)
    return ""


def _checked(draft: Draft, points: list[Any], known: list[int]) -> list[Any] | str:
    """Points that can be used, each with an id; else why they cannot, and then no id has been given.

    Args:
        draft: gives ids.
        points: as they are asked for.
        known: ids of the points of their kind; other ids are somebody else's.
    """
    last = draft.last_id
    found: list[VehicleSpawnPoint | PedestrianSpawnPoint] = []
    problem = ""
    for number, point in enumerate(points):
        try:
            usable = checked_point(point, "spawn point", f"points[{number}]")
        except InputError as error:
            problem = f"{error.place}: {error.problem}"
            break
        if point.id and any(one.id == point.id for one in found):
            problem = f"points[{number}].id: there are two points {point.id}"
            break
        if point.id and point.id not in known:
            problem = f"points[{number}].id: there is no such spawn point {point.id}; give 0 for a new one"
            break
        made = point.id or draft.new_id()
        if not made:
            problem = ALL_IDS_GIVEN
            break
        found.append(replace(usable, id=made))
    if problem:
        draft.last_id, draft.made = last, 0
    return problem or found


def _enable(_: Scene, draft: Draft, command: EnableSpawnPoints) -> str:
    known = draft.spawn.ids()
    unknown = [point for point in command.ids if point not in known]
    if unknown:
        return f"no spawn point {unknown[0]}"
    draft.spawn = draft.spawn.enabled(command.ids or known, command.enabled)
    return ""


def _remove_points(_: Scene, draft: Draft, command: RemoveSpawnPoints) -> str:
    known = draft.spawn.ids()
    unknown = [point for point in command.ids if point not in known]
    if unknown:
        return f"no spawn point {unknown[0]}"
    draft.spawn = draft.spawn.without(command.ids or known)
    return ""


TRAFFIC_EFFECTS: dict[type[Any], Callable[[Scene, Draft, Any], str]] = {
    CreateNpc: _create,
    ChangeNpc: _change,
    PlaceNpcGhost: _place_ghost,
    SetVehicleSpawnPoints: _set_vehicle_points,
    SetPedestrianSpawnPoints: _set_pedestrian_points,
    EnableSpawnPoints: _enable,
    RemoveSpawnPoints: _remove_points,
}
"""Effect of each command."""
