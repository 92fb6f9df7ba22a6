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
from dorosim.world.vehicle.cruise import begin_plan
from dorosim.world.vehicle.cruise_kernel import PLAN_TRACKED
from dorosim.world.vehicle.mode import ControlMode


def wish_lane(scene: Scene, draft: Draft, command: WishLane) -> None:
    """Give the driver's plan a way that leads over the lane at a place, unless it leads over it already."""
    check_pose(command.position, (0.0, 0.0, command.heading))
    if draft.row_of(command.actor) < 0:
        raise CommandError(f"no vehicle {command.actor}")
    if draft.traffic.row_of(command.actor) < 0 and not command.begins:
        return  # it has no plan yet
    network = scene.network
    found = locate(network, command.position, command.heading, drivable_only=True, reach=MAX_MATCHING_DISTANCE)
    link = int(found.link[0])
    if link < 0:
        raise CommandError(f"there is no lane at {command.position}")
    if command.begins:
        _make_plan(scene, draft, command.actor)
    row = draft.traffic.row_of(command.actor)
    if row < 0:
        return
    present, route = int(draft.traffic.link[row]), int(draft.traffic.route[row])
    if link == present or (route >= 0 and link in draft.route.of(route)):
        return
    with refusing_input():
        way = np.array((present, link), np.int64)
        draft.route = set_route(scene.router, draft.traffic, draft.route, row, way, growth=draft.growth)


def _make_plan(scene: Scene, draft: Draft, actor: int) -> None:
    """Make the plan of a driver that has none that it follows, as it would be made later in this tick."""
    own, row = draft.row_of(actor), draft.traffic.row_of(actor)
    cruises = draft.vehicle.control_mode[own] == ControlMode.CRUISE and not draft.vehicle.paused[own]
    if not cruises or (row >= 0 and draft.traffic.plan_of_ego[row] == PLAN_TRACKED):
        return
    draft.traffic = draft.traffic.take(draft.traffic.id != actor)
    begin_plan(scene, draft, own)
