"""A driver in cruise mode is asked to change to another lane."""

from __future__ import annotations

import numpy as np

from dorosim.road.location import locate
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import check_pose, refusing_input
from dorosim.world.scene import Scene
from dorosim.world.traffic.lane_matching import MAX_MATCHING_DISTANCE
from dorosim.world.traffic.route import set_route
from dorosim.world.vehicle.command import WishLane


def wish_lane(scene: Scene, draft: Draft, command: WishLane) -> None:
    """Give the driver's plan a way that leads over the lane at a place, unless it leads over it already."""
    check_pose(command.position, (0.0, 0.0, command.heading))
    if draft.row_of(command.actor) < 0:
        raise CommandError(f"no vehicle {command.actor}")
    row = draft.traffic.row_of(command.actor)
    if row < 0:
        return  # it has no plan yet
    network = scene.network
    found = locate(network, command.position, command.heading, drivable_only=True, reach=MAX_MATCHING_DISTANCE)
    link, present = int(found.link[0]), int(draft.traffic.link[row])
    if link < 0:
        raise CommandError(f"there is no lane at {command.position}")
    route = int(draft.traffic.route[row])
    if link == present or (route >= 0 and link in draft.route.of(route)):
        return
    with refusing_input():
        way = np.array((present, link), np.int64)
        draft.route = set_route(scene.router, draft.traffic, draft.route, row, way, growth=draft.growth)
