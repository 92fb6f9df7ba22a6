"""Effects of the commands that place actors of any kind, and give them speeds, lane offsets and goals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.road.location import locate
from dorosim.world.actor.command import EnableDriver, PlaceActor, SetGoal, SetLaneOffset, SetSpeed
from dorosim.world.actor.effect import AI_OFF, hold
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import check_pose, check_speed, check_up_to, refusing_input
from dorosim.world.obstacle.command import MAX_OBSTACLE_SPEED, PlaceObstacle
from dorosim.world.obstacle.effect import place_obstacle
from dorosim.world.pedestrian.command import MAX_PEDESTRIAN_SPEED
from dorosim.world.pedestrian.effect import place_pedestrian
from dorosim.world.scene import Scene
from dorosim.world.spawn.mode import BiasRule
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.traffic.effect import MAX_LATERAL_BIAS, drawn_bias
from dorosim.world.traffic.ghost import place_ghost
from dorosim.world.traffic.lane_matching import MAX_MATCHING_DISTANCE, is_along_lane, lane_place, traffic_row_at
from dorosim.world.traffic.lane_return import MAX_RETURN_SPEED, begin_return, is_beside, stand
from dorosim.world.traffic.route import set_route
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.command import PlaceGhost, PlaceVehicle
from dorosim.world.vehicle.drive_effect import place_vehicle, place_vehicle_ghost
from dorosim.world.vehicle.goal import DEFAULT_GOAL_RADIUS, MAX_GOAL_RADIUS, MAX_ROUTE_LINKS, GoalTable
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear

ASKEW = math.radians(10.0)
"""An NPC vehicle that is put down with a heading farther than this from that of its lane [rad] stands as it is put."""
_KEPT = ("s", "lateral", "authority", "change_start", "change_length")
"""Columns of an NPC vehicle's place on the lanes, beside its pose."""
_PLACE = ("link", "previous", "before_previous", "change_from", "present", "waiting")


def place_actor(scene: Scene, draft: Draft, command: PlaceActor) -> None:
    actor, position, rotation = command.actor, command.position, command.rotation
    check_pose(position, rotation)
    if draft.row_of(actor) >= 0:
        _place_vehicle(scene, draft, draft.row_of(actor), command)
    elif draft.traffic.row_of(actor) >= 0:
        _place_npc(scene, draft, draft.traffic.row_of(actor), command)
    elif draft.ghost.row_of(actor) >= 0:
        row = draft.ghost.row_of(actor)
        there = PlaceNpcGhost(int(draft.ghost.alias[row]), "", position, rotation)
        place_ghost(draft.ghost, row, there, draft.time, scene.models[int(draft.ghost.model[row])].wheelbase)
    elif draft.people.row_of(actor) >= 0:
        place_pedestrian(draft, draft.people.row_of(actor), position, rotation[2])
    elif draft.obstacles.row_of(actor) >= 0:
        place_obstacle(scene, draft, PlaceObstacle(actor, position, rotation))
    else:
        raise CommandError(f"no actor {actor} that can be put elsewhere")


def _place_vehicle(scene: Scene, draft: Draft, row: int, command: PlaceActor) -> None:
    vehicle, (actor, position, rotation) = draft.vehicle, (command.actor, command.position, command.rotation)
    speed = float(vehicle.velocity_x[row])
    if vehicle.control_mode[row] == ControlMode.GHOST:
        steer = float(vehicle.steer[row])
        place_vehicle_ghost(scene, draft, PlaceGhost(actor, position, rotation, speed, steer))
    else:
        gear = Gear(int(vehicle.gear[row]))
        place_vehicle(scene, draft, PlaceVehicle(actor, position, rotation, speed, gear))


def _place_npc(scene: Scene, draft: Draft, row: int, command: PlaceActor) -> None:
    traffic = draft.traffic
    if traffic.plan_of_ego[row]:
        raise CommandError(f"{command.actor} is not an NPC vehicle")
    new = _row_on_lane(scene, traffic, row, command, draft.noise)
    if new is None:
        traffic.x[row], traffic.y[row], traffic.z[row] = command.position
        traffic.pitch[row], traffic.yaw[row] = (math.remainder(angle, math.tau) for angle in command.rotation[1:])
        stand(traffic, row)
        return
    for name in (*_KEPT, *_PLACE, "x", "y", "z", "yaw"):
        getattr(traffic, name)[row] = getattr(new, name)[0]
    traffic.yaw_rate[row] = traffic.slide_x[row] = traffic.slide_y[row] = traffic.patience[row] = 0.0
    traffic.present[row] = Presence.ON_LANE


def _row_on_lane(
    scene: Scene, traffic: TrafficState, row: int, command: PlaceActor, noise: Noise
) -> TrafficState | None:
    """A row of the traffic for an NPC vehicle at a pose, None where it stands beside the lanes or across one."""
    network, point, yaw = scene.network, command.position, command.rotation[2]
    front = float(traffic.wheelbase[row] + traffic.front_overhang[row])
    place = lane_place(network, point, yaw, front)
    if place is None:
        return None
    width = float(network.width_at(np.array([place[0]]), np.array([place[1]]))[0])
    if not is_along_lane(network, point, yaw, front, place, 0.5 * width):
        return None
    rear = locate(network, point, yaw, drivable_only=True, reach=MAX_MATCHING_DISTANCE)
    heading = float(network.heading_at(rear.link, rear.s)[0])
    if abs(math.remainder(heading - yaw, math.tau)) > ASKEW:
        return None
    return traffic_row_at(scene, command.actor, int(traffic.model[row]), point, yaw, noise)


def set_speed(scene: Scene, draft: Draft, command: SetSpeed) -> None:
    actor, speed = command.actor, command.speed
    check_speed(speed)
    if draft.row_of(actor) >= 0:
        _set_vehicle_speed(draft, draft.row_of(actor), speed)
    elif draft.traffic.row_of(actor) >= 0:
        _set_npc_speed(scene, draft, draft.traffic.row_of(actor), speed)
    elif draft.people.row_of(actor) >= 0:
        check_up_to(MAX_PEDESTRIAN_SPEED, " m/s", speed=speed)
        draft.people.state.desired_speed[draft.people.row_of(actor)] = speed
    elif draft.obstacles.row_of(actor) >= 0:
        check_up_to(MAX_OBSTACLE_SPEED, " m/s", speed=speed)
        draft.obstacles.state.move_speed[draft.obstacles.row_of(actor)] = speed
    else:
        raise CommandError(f"no actor {actor} whose speed can be set")


def _set_npc_speed(scene: Scene, draft: Draft, row: int, speed: float) -> None:
    """Set the speed of an NPC vehicle; beside the lanes it drives onto one at a speed above 0, and stands at 0."""
    traffic = draft.traffic
    if speed < 0.0:
        raise CommandError("NPC vehicles do not drive backwards")
    if not is_beside(traffic, row):
        traffic.speed[row] = speed
    elif speed == 0.0:
        stand(traffic, row)
    else:
        begin_return(scene, traffic, row)
        traffic.speed[row] = min(speed, MAX_RETURN_SPEED)


def _set_vehicle_speed(draft: Draft, row: int, speed: float) -> None:
    """Set the speed of a vehicle; a held one releases its brake unless that is 0, as one created in motion does."""
    vehicle = draft.vehicle
    vehicle.velocity_x[row], vehicle.velocity_y[row] = speed, 0.0
    vehicle.angular_velocity[:, row] = 0.0
    if speed != 0.0 and vehicle.control_kind[row] == ControlKind.HOLD:
        vehicle.control_kind[row] = ControlKind.ROLL
        vehicle.target_accelerator[row] = vehicle.target_brake[row] = vehicle.brake[row] = 0.0
        vehicle.target_steer[row] = vehicle.steer[row]
    plan = draft.traffic.row_of(draft.egos[row])
    if plan >= 0:
        draft.traffic.speed[plan] = max(speed, 0.0)


def enable_driver(scene: Scene, draft: Draft, command: EnableDriver) -> None:
    row = draft.traffic.row_of(command.actor)
    if row >= 0 and not draft.traffic.plan_of_ego[row]:
        if command.enabled and is_beside(draft.traffic, row):
            begin_return(scene, draft.traffic, row)
        hold(draft.traffic.paused, row, AI_OFF, not command.enabled)
    elif draft.people.row_of(command.actor) >= 0:
        hold(draft.people.state.paused, draft.people.row_of(command.actor), AI_OFF, not command.enabled)
    else:
        raise CommandError(f"no NPC vehicle and no pedestrian {command.actor}")


def set_lane_offset(_: Scene, draft: Draft, command: SetLaneOffset) -> None:
    bias, actor = command.bias, command.actor
    if not abs(bias) <= MAX_LATERAL_BIAS:
        limits = f"-{MAX_LATERAL_BIAS:g} to {MAX_LATERAL_BIAS:g}"
        raise CommandError(f"an offset of {bias:g} half lane widths is not within {limits}")
    own, row = draft.row_of(actor), draft.traffic.row_of(actor)
    if own < 0 and row < 0:
        raise CommandError(f"no vehicle {actor} that drives along lanes")
    if command.rule is BiasRule.GAUSSIAN:
        bias = drawn_bias(bias, draft.noise.stream(f"traffic/offset/{actor}", draft.tick))
    if own >= 0:
        draft.vehicle.cruise_bias[own] = bias
    if row >= 0:
        draft.traffic.lateral_bias[row] = bias


def set_goal(scene: Scene, draft: Draft, command: SetGoal) -> None:
    network, actor, links = scene.network, command.actor, command.links
    row = draft.traffic.row_of(actor)
    if draft.row_of(actor) < 0 and row < 0:
        raise CommandError(f"no vehicle {actor} that drives along lanes")
    if not 0 < len(links) <= MAX_ROUTE_LINKS:
        raise CommandError(f"a way has 1 to {MAX_ROUTE_LINKS} links, not {len(links)}")
    if not all(0 <= link < network.link_count and network.link_drivable[link] for link in links):
        raise CommandError("a link of the way is not on the map, or not for vehicles")
    check_up_to(MAX_GOAL_RADIUS, " m", reach=command.reach)
    goal = GoalTable.zeros(1)
    goal.actor[0], goal.link[0], goal.reach[0] = actor, links[-1], command.reach or DEFAULT_GOAL_RADIUS
    goal.s[0] = float(network.link_length[links[-1]])
    point = network.points_of(links[-1])[-1].tolist() if command.position is None else command.position
    check_pose(tuple(point), (0.0, 0.0, 0.0))
    goal.x[0], goal.y[0], goal.z[0] = point
    if command.position is not None:
        goal.s[0] = nearest_arc(network.points_of(links[-1]), point)
    if row >= 0 and is_beside(draft.traffic, row):
        begin_return(scene, draft.traffic, row, links[0])
    if row >= 0:
        with refusing_input():
            way = np.array(links, np.int64)
            draft.route = set_route(scene.router, draft.traffic, draft.route, row, way, growth=draft.growth)
    draft.goal = draft.goal.with_goal(goal, links)


def nearest_arc(points: Any, point: Any) -> float:
    """Arc length of the place on a line that is nearest to a point in the plan [m].

    Args:
        points: `(n, 3)` of the line.
        point: `(3,)`.
    """
    best, arc, found = math.inf, 0.0, 0.0
    for (ax, ay, az), (bx, by, bz) in zip(points[:-1].tolist(), points[1:].tolist(), strict=True):
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        share = min(max(((point[0] - ax) * dx + (point[1] - ay) * dy) / square, 0.0), 1.0) if square else 0.0
        gap = math.hypot(ax + share * dx - point[0], ay + share * dy - point[1])
        length = math.dist((ax, ay, az), (bx, by, bz))
        if gap < best:
            best, found = gap, arc + share * length
        arc += length
    return found
