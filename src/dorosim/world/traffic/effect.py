"""What commands about NPC vehicles do."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.route import link_end
from dorosim.world.actor.number import LAST_NUMBER
from dorosim.world.draft import Draft
from dorosim.world.effect_common import ALL_IDS_GIVEN, MAX_COMMANDED_SPEED, problem_with_pose, problem_with_speed
from dorosim.world.scene import Scene
from dorosim.world.snapshot import LAST_ID
from dorosim.world.spawn.mode import BiasRule
from dorosim.world.traffic.command import ChangeNpc, CreateNpc, PlaceNpcGhost
from dorosim.world.traffic.ghost import MAX_GHOST_STEER, GhostState, new_ghost, place_ghost
from dorosim.world.traffic.lane_insertion import LaneEntry, free_place
from dorosim.world.traffic.lane_return import MAX_RETURN_SPEED, begin_return, stand
from dorosim.world.traffic.placement import PlacedBody, body_of, new_traffic
from dorosim.world.traffic.route import set_route
from dorosim.world.traffic.state import SpeedMode, TrafficState
from dorosim.world.vehicle.catalogue import model_row, nearest_model_row

MAX_NPCS = 20_000
"""NPC vehicles in the world at a time: more would leave too few numbers for others (`world.number`)."""
MAX_LATERAL_BIAS = 1.0
"""Bound of the lateral bias over half the lane width."""


def create_npc(scene: Scene, draft: Draft, command: CreateNpc) -> str:
    try:
        model = model_row(command.model)
        way = _way_of(scene, command)
    except InputError as error:
        return f"{error.place}: {error.problem}" if error.place else f"{error.problem}; {error.cure}"
    problem = problem_with_pose(command.position or _ORIGIN, command.rotation)
    problem = problem or _problem_with(scene, command if command.position is None else _on_some_lane(scene, command))
    if problem:
        return problem
    if len(draft.traffic) >= MAX_NPCS:
        return f"there are {MAX_NPCS} NPC vehicles"
    body = body_of(scene.models[model], model)
    if command.position is not None:
        return _create_beside(scene, draft, command, body)
    place = free_place(scene, draft, command, body)
    if place is None:
        return f"the place at {command.s:.1f} m of link {scene.network.link_ids[command.link]} is taken"
    actor = draft.new_id()
    if not actor:
        return ALL_IDS_GIVEN
    before = draft.traffic
    draft.traffic = before.append(_row_of(scene, draft, command, actor, body, place), draft.growth)
    # a vehicle whose front stands beyond the last link of its way has no way left
    passed = place.link not in way and place.previous in way and not command.close_loop
    problem = "" if not way or passed else _set_way(scene, draft, len(before), way, command.close_loop)
    if problem:
        draft.traffic = before
        draft.take_back(actor - 1)
    return problem


def _create_beside(scene: Scene, draft: Draft, command: CreateNpc, body: PlacedBody) -> str:
    """Put a vehicle where there is no lane; with a speed it drives to one, if one is near."""
    assert command.position is not None
    actor = draft.new_id()
    if not actor:
        return ALL_IDS_GIVEN
    new = _row_of(scene, draft, command, actor, body, LaneEntry(_first_lane(scene), 0.0))
    table = draft.traffic.append(new, draft.growth)
    row = len(table) - 1
    table.x[row], table.y[row], table.z[row] = command.position
    table.pitch[row], table.yaw[row] = (math.remainder(angle, math.tau) for angle in command.rotation[1:])
    stand(table, row)
    if command.speed > 0.0 and not begin_return(scene, table, row):
        table.speed[row] = min(command.speed, MAX_RETURN_SPEED)
    draft.traffic = table
    return ""


def _on_some_lane(scene: Scene, command: CreateNpc) -> CreateNpc:
    """The same command on a lane, to check all of its fields except the place."""
    return msgspec.structs.replace(command, link=_first_lane(scene), s=0.0)


def _first_lane(scene: Scene) -> int:
    return int(np.argmax(scene.network.link_drivable)) if scene.network.link_count else -1


_ORIGIN = (0.0, 0.0, 0.0)


def _way_of(scene: Scene, command: CreateNpc) -> tuple[int, ...]:
    """Rows of the links that the vehicle drives along, empty for a way at random.

    Raises:
        InputError: if there is no way to the link at which it ends.
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
    if not (0.0 <= command.speed <= MAX_COMMANDED_SPEED and 0.0 <= command.desired_speed <= MAX_COMMANDED_SPEED):
        return f"speeds are 0 to {MAX_COMMANDED_SPEED:g} m/s"
    if not 0.0 <= command.ratio <= 10.0 or not abs(command.bias) <= MAX_LATERAL_BIAS:
        return f"ratio {command.ratio:g} is not within 0 to 10, or bias {command.bias:g} not within -1 to 1"
    return ""


def _row_of(
    scene: Scene, draft: Draft, command: CreateNpc, actor: int, body: PlacedBody, entry: LaneEntry
) -> TrafficState:
    """The row of a new NPC vehicle."""
    link, front = entry.link, entry.front
    row = new_traffic([actor], [body], np.array([link]), np.array([front]), draft.noise)
    if command.desired_speed > 0.0:
        row.speed_mode[0], row.desired_speed[0] = SpeedMode.CONSTANT, command.desired_speed
    else:
        row.desired_speed[0] = command.ratio * (1.0 if command.exact_ratio else row.desired_speed[0])
    row.speed[0], row.previous[0], row.before_previous[0] = command.speed, entry.previous, entry.before_previous
    row.may_change[0], row.close_loop[0] = command.lane_change, command.close_loop
    row.spawn_point[0], row.paused[0] = command.spawn_point, command.paused
    share = command.bias
    if command.bias_rule is BiasRule.GAUSSIAN:
        drawn = float(draft.noise.stream(f"traffic/bias/{actor}").standard_normal())
        share = min(max(command.bias * drawn, -MAX_LATERAL_BIAS), MAX_LATERAL_BIAS)
    row.lateral_bias[0] = share
    back = front - body.wheelbase - body.front_overhang
    if back < 0.0 and entry.previous >= 0:
        link, back = entry.previous, back + float(scene.network.link_length[entry.previous])
    pose = scene.network.pose_at(link, max(back, 0.0))
    row.x[0], row.y[0], row.z[0] = pose.point[0]
    row.yaw[0] = float(pose.heading[0])
    return row


def _set_way(scene: Scene, draft: Draft, row: int, way: tuple[int, ...], close_loop: bool) -> str:
    """Give a vehicle its way, to which it first drives if it is elsewhere. Returns why it cannot, or an empty string.

    Where there is no way back from its end, a way that is to be driven in rounds is driven once.
    """
    links, problem = np.array(way, np.int64), ""
    for closed in (True, False) if close_loop else (False,):
        try:
            draft.route = set_route(
                scene.router, draft.traffic, draft.route, row, links, close_loop=closed, growth=draft.growth
            )
        except InputError as error:
            problem = f"{error.place}: {error.problem}"
        else:
            return ""
    return problem


def change_npc(scene: Scene, draft: Draft, command: ChangeNpc) -> str:
    row = draft.traffic.row_of(command.actor)
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


def place_npc_ghost(scene: Scene, draft: Draft, command: PlaceNpcGhost) -> str:
    if command.alias == 0:
        return "alias 0 is that of an empty slot"
    problem = problem_with_pose(command.position, command.rotation) or problem_with_speed(command.speed or 0.0)
    if not problem and not abs(command.steer) <= MAX_GHOST_STEER:
        problem = f"a wheel angle is up to {MAX_GHOST_STEER:g} rad, not {command.steer:g}"
    if problem:
        return problem
    rows = np.flatnonzero(draft.ghost.alias == command.alias)
    if len(rows):
        row = int(rows[0])
        wheelbase = scene.models[int(draft.ghost.model[row])].wheelbase
        place_ghost(draft.ghost, row, command, draft.time, wheelbase)
        return ""
    model, _ = nearest_model_row(command.model)
    # asked before the ghost gets an id, which may be the same as its alias
    is_free = abs(command.alias) <= LAST_ID and not draft.has_number(command.alias)
    actor = draft.new_id()
    if not actor:
        return ALL_IDS_GIVEN
    made = new_ghost(actor, model, command, draft.time, scene.models[model].wheelbase)
    made.is_told[0] = is_free and (draft.room() > 0 or not 0 < command.alias <= LAST_NUMBER)
    draft.ghost = draft.ghost.append(made) if len(draft.ghost) else GhostState(made.floats, made.ints)
    return ""
