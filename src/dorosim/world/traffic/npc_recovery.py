"""Lets NPC vehicles that were knocked off their lanes drive on, once they are at rest and where they can."""

from __future__ import annotations

import numpy as np

from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.traffic.lane_insertion import rear_of_next
from dorosim.world.traffic.lane_matching import is_along_lane, lane_place
from dorosim.world.traffic.state import Passing, Presence

_OFF_LANE = int(Presence.OFF_LANE)
NPC_RECOVERY_TIME = 5.0
"""How long a vehicle that was hit stands before it drives on [s]."""
MAX_RECOVERY_OFFSET = 1.5
"""A vehicle that stands farther than this from the middle of a lane [m] is off its lane for good and stays."""


def drive_on(scene: Scene, draft: Draft, dt: float) -> None:
    """Let NPC vehicles that have rested since they were hit drive on, if they stand on a lane and there is room.

    A vehicle that was thrown across or beside the road stays there until a command removes it. Rows of vehicles that
    are off their lane count their rest in the column `patience`.

    Args:
        scene: the roads.
        draft: after the collisions of the tick.
        dt: the tick [s].
    """
    traffic = draft.traffic
    rows = np.flatnonzero(traffic.present == _OFF_LANE)
    rests = (traffic.speed[rows] == 0.0) & (traffic.paused[rows] == 0)
    traffic.patience[rows] = np.where(rests, traffic.patience[rows] + dt, 0.0)
    for row in rows[traffic.patience[rows] >= NPC_RECOVERY_TIME].tolist():
        traffic.patience[row] = 0.0
        point = (float(traffic.x[row]), float(traffic.y[row]), float(traffic.z[row]))
        front = float(traffic.wheelbase[row] + traffic.front_overhang[row])
        place = lane_place(scene.network, point, float(traffic.yaw[row]), front)
        if place is None or not is_along_lane(
            scene.network, point, float(traffic.yaw[row]), front, place, MAX_RECOVERY_OFFSET
        ):
            continue
        link, s, lateral = place
        if rear_of_next(scene.network, traffic, link, s, float(traffic.length[row])) is not None:
            continue
        traffic.present[row], traffic.link[row], traffic.s[row] = Presence.ON_LANE, link, s
        for column in (traffic.previous, traffic.before_previous, traffic.change_from):
            column[row] = -1
        traffic.lateral[row], traffic.authority[row] = lateral, 0.0
        traffic.lateral_slope[row] = traffic.blocked_time[row] = 0.0
        traffic.passing[row] = Passing.NOTHING
