"""What commands about NPC vehicles do."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import partial

import msgspec
import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.route import link_end
from dorosim.world.actor.number import LAST_NUMBER
from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.room import Footprint, check_clear
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import (
    MAX_COMMANDED_SPEED,
    check_numbers,
    check_pose,
    check_speed,
    check_up_to,
    new_id,
    refusing_input,
)
from dorosim.world.scene import Scene
from dorosim.world.snapshot import LAST_ID
from dorosim.world.spawn.mode import BiasRule
from dorosim.world.traffic.command import ChangeDriver, ChangeNpc, CreateNpc, PlaceNpcGhost
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
DRIVER_RANGES = {
    "time_gap": (0.0, 10.0),
    "standstill_gap": (0.0, 50.0),
    "acceleration": (0.0, 10.0),
    "deceleration": (0.0, 10.0),
}
"""Above what and up to what the numbers of `ChangeDriver` are."""
_DRIVER_COLUMNS = {"acceleration": "comfortable_acceleration", "deceleration": "comfortable_deceleration"}
MAX_MISTAKES = 1.0
"""Of a driver, each second [1/s]."""


def create_npc(scene: Scene, draft: Draft, command: CreateNpc) -> None:
    with refusing_input():
        model = model_row(command.model)
        way = _way_of(scene, command)
    check_pose(command.position or _ORIGIN, command.rotation)
    check_numbers(command.s)
    _check(scene, command if command.position is None else _on_some_lane(scene, command))
    if len(draft.traffic) >= MAX_NPCS:
        raise CommandError(f"there are {MAX_NPCS} NPC vehicles")
    body = body_of(scene.models[model], model)
    if command.position is not None:
        _create_beside(scene, draft, command, body)
        return
    place = free_place(scene, draft, command, body)
    if place is None:
        raise CommandError(f"the place at {command.s:.1f} m of link {scene.network.link_ids[command.link]} is taken")
    actor, before = new_id(draft), draft.traffic
    draft.traffic = before.append(_row_of(scene, draft, command, actor, body, place), draft.growth)
    # a vehicle whose front stands beyond the last link of its way has no way left
    passed = place.link not in way and place.previous in way and not command.close_loop
    try:
        if way and not passed:
            _set_way(scene, draft, len(before), way, command.close_loop)
    except CommandError:
        draft.traffic = before
        draft.take_back(actor - 1)
        raise


def _create_beside(scene: Scene, draft: Draft, command: CreateNpc, body: PlacedBody) -> None:
    """Put a vehicle where there is no lane; with a speed it drives to one, if one is near."""
    assert command.position is not None
    (x, y, z), yaw = command.position, command.rotation[2]
    length, width, height, _, middle = scene.body_sizes[body.model].tolist()
    place = (x + middle * math.cos(yaw), y + middle * math.sin(yaw), z, yaw)
    check_clear(scene, draft, BodyKind.NPC, Footprint(*place, length, width, height))
    new = _row_of(scene, draft, command, new_id(draft), body, LaneEntry(_first_lane(scene), 0.0))
    table = draft.traffic.append(new, draft.growth)
    row = len(table) - 1
    table.x[row], table.y[row], table.z[row] = command.position
    table.pitch[row], table.yaw[row] = (math.remainder(angle, math.tau) for angle in command.rotation[1:])
    stand(table, row)
    if command.speed > 0.0:
        with suppress(CommandError):
            begin_return(scene, table, row)
            table.speed[row] = min(command.speed, MAX_RETURN_SPEED)
    draft.traffic = table


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


def _check(scene: Scene, command: CreateNpc) -> None:
    count = scene.network.link_count
    if not 0 <= command.link < count:
        raise CommandError(f"the map has no link {command.link}")
    if not scene.network.link_drivable[command.link]:
        raise CommandError(f"link {scene.network.link_ids[command.link]} is not for vehicles")
    if any(not 0 <= link < count for link in command.way) or not -1 <= command.ahead < count:
        raise CommandError("a link of its way is not on the map")
    if not 0.0 <= command.s <= float(scene.network.link_length[command.link]):
        raise CommandError(f"{command.s:g} m is not on link {scene.network.link_ids[command.link]}")
    check_up_to(MAX_COMMANDED_SPEED, " m/s", speed=command.speed, desired_speed=command.desired_speed)
    check_up_to(MAX_MISTAKES, " 1/s", mistakes=command.mistakes)
    if not 0.0 <= command.ratio <= 10.0 or not abs(command.bias) <= MAX_LATERAL_BIAS:
        numbers = f"ratio {command.ratio:g} is not within 0 to 10, or bias {command.bias:g} not within -1 to 1"
        raise CommandError(numbers)


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
    row.lateral_bias[0] = command.bias
    row.mistake_interval[0] = 1.0 / command.mistakes if command.mistakes > 0.0 else 0.0
    if command.bias_rule is BiasRule.GAUSSIAN:
        row.lateral_bias[0] = drawn_bias(command.bias, draft.noise.stream(f"traffic/bias/{actor}"))
    back = front - body.wheelbase - body.front_overhang
    if back < 0.0 and entry.previous >= 0:
        link, back = entry.previous, back + float(scene.network.link_length[entry.previous])
    pose = scene.network.pose_at(link, max(back, 0.0))
    row.x[0], row.y[0], row.z[0] = pose.point[0]
    row.yaw[0] = float(pose.heading[0])
    return row


def drawn_bias(deviation: float, stream: np.random.Generator) -> float:
    """A lateral bias over half the width of the lane, drawn from a normal distribution and limited."""
    return min(max(deviation * float(stream.standard_normal()), -MAX_LATERAL_BIAS), MAX_LATERAL_BIAS)


def _set_way(scene: Scene, draft: Draft, row: int, way: tuple[int, ...], close_loop: bool) -> None:
    """Give a vehicle its way, to which it first drives if it is elsewhere; refuses the command if it cannot.

    Where there is no way back from its end, a way that is to be driven in rounds is driven once.
    """
    set_to = partial(set_route, scene.router, draft.traffic, draft.route, row, np.array(way, np.int64))
    if close_loop:
        with suppress(InputError):
            draft.route = set_to(close_loop=True, growth=draft.growth)
            return
    with refusing_input():
        draft.route = set_to(growth=draft.growth)


def change_npc(scene: Scene, draft: Draft, command: ChangeNpc) -> None:
    row = draft.traffic.row_of(command.actor)
    if row < 0 or draft.traffic.plan_of_ego[row]:
        raise CommandError(f"no NPC vehicle {command.actor}")
    traffic = draft.traffic
    asked = CreateNpc(
        model="",
        link=int(traffic.link[row]),
        ratio=1.0 if command.ratio is None else command.ratio,
        desired_speed=command.desired_speed or 0.0,
        way=command.way or (),
        end=-1 if command.end is None else command.end,
        bias=command.bias or 0.0,
    )
    with refusing_input():
        way = _way_of(scene, asked)
    _check(scene, asked)
    if way:
        loop = bool(traffic.close_loop[row]) if command.close_loop is None else command.close_loop
        _set_way(scene, draft, row, way, loop)
    if command.ratio is not None:
        traffic.speed_mode[row], traffic.desired_speed[row] = SpeedMode.LINK_RATIO, command.ratio
    if command.desired_speed is not None:
        traffic.speed_mode[row], traffic.desired_speed[row] = SpeedMode.CONSTANT, command.desired_speed
    if command.close_loop is not None:
        traffic.close_loop[row] = command.close_loop
    if command.lane_change is not None:
        traffic.may_change[row] = command.lane_change
    if command.bias is not None:
        traffic.lateral_bias[row] = command.bias


def change_driver(_scene: Scene, draft: Draft, command: ChangeDriver) -> None:
    row = draft.traffic.row_of(command.actor)
    if row < 0:
        raise CommandError(f"no NPC vehicle and no vehicle that cruises {command.actor}")
    asked = {name: getattr(command, name) for name in DRIVER_RANGES if getattr(command, name) is not None}
    for name, value in asked.items():
        low, high = DRIVER_RANGES[name]
        if not low < value <= high:
            raise CommandError(f"{name.replace('_', ' ')}: above {low:g} to {high:g}, not {value:g}")
    for name, value in asked.items():
        getattr(draft.traffic, _DRIVER_COLUMNS.get(name, name))[row] = value


def place_npc_ghost(scene: Scene, draft: Draft, command: PlaceNpcGhost) -> None:
    if command.alias == 0:
        raise CommandError("alias 0 is that of an empty slot")
    check_pose(command.position, command.rotation)
    check_speed(command.speed or 0.0)
    if not abs(command.steer) <= MAX_GHOST_STEER:
        raise CommandError(f"a wheel angle is up to {MAX_GHOST_STEER:g} rad, not {command.steer:g}")
    rows = np.flatnonzero(draft.ghost.alias == command.alias)
    if len(rows):
        row = int(rows[0])
        wheelbase = scene.models[int(draft.ghost.model[row])].wheelbase
        place_ghost(draft.ghost, row, command, draft.time, wheelbase)
        return
    model, _ = nearest_model_row(command.model)
    # asked before the ghost gets an id, which may be the same as its alias
    is_free = abs(command.alias) <= LAST_ID and not draft.has_number(command.alias)
    made = new_ghost(new_id(draft), model, command, draft.time, scene.models[model].wheelbase)
    made.is_told[0] = is_free and (draft.room() > 0 or not 0 < command.alias <= LAST_NUMBER)
    draft.ghost = draft.ghost.append(made) if len(draft.ghost) else GhostState(made.floats, made.ints)
