"""What a storyboard's command to make traffic does."""

from __future__ import annotations

import math
from contextlib import suppress

from dorosim.road.location import locate
from dorosim.world.actor.label import check_label
from dorosim.world.command import NEW_ACTOR, CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import check_pose, check_up_to
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.effect import spawn_pedestrian
from dorosim.world.scene import Scene
from dorosim.world.storyboard.command import SpawnTraffic
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.effect import create_npc
from dorosim.world.traffic.lane_matching import MAX_LANE_ANGLE, MAX_MATCHING_DISTANCE

MAX_TRAFFIC_SPEED = 100.0
"""Of traffic at its start [m/s]."""
_WAY_AHEAD = 1_000.0
"""How far a person walks straight ahead [m]."""


def spawn_traffic(scene: Scene, draft: Draft, command: SpawnTraffic) -> None:
    """Make a vehicle on the lane there, or a person who walks."""
    check_pose(command.position, (0.0, 0.0, command.yaw))
    check_up_to(MAX_TRAFFIC_SPEED, " m/s", speed=command.speed, desired_speed=command.desired_speed)
    check_label("", command.owner)
    draft.made = 0
    with suppress(CommandError):  # there is no room
        if command.person >= 0:
            _add_person(scene, draft, command)
        else:
            _add_vehicle(scene, draft, command)
    if draft.made:
        draft.label = draft.label.with_label(draft.made, "", command.owner)


def _add_vehicle(scene: Scene, draft: Draft, command: SpawnTraffic) -> None:
    network = scene.network
    if not network.link_count:
        return
    found = locate(network, command.position, command.yaw, drivable_only=True, reach=MAX_MATCHING_DISTANCE)
    link, s = int(found.link[0]), float(found.s[0])
    if link < 0:
        return
    heading = float(network.heading_at(found.link, found.s)[0])
    if abs(math.remainder(heading - command.yaw, math.tau)) > MAX_LANE_ANGLE:
        return
    create_npc(
        scene,
        draft,
        CreateNpc(
            model=command.model,
            link=link,
            s=s,
            speed=command.speed,
            desired_speed=command.desired_speed,
            lane_change=command.lane_change,
        ),
    )


def _add_person(scene: Scene, draft: Draft, command: SpawnTraffic) -> None:
    x, y, z = command.position
    height = scene.ground_height(x, y, z)
    spawn = SpawnPedestrian(
        NEW_ACTOR,
        command.person,
        (x, y, height if math.isfinite(height) else z),
        command.yaw,
        speed=min(command.speed or command.desired_speed, 3.0),
        move_distance=_WAY_AHEAD,
        start=True,
    )
    spawn_pedestrian(scene, draft, spawn)
