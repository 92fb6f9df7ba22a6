"""Points of lidars on actors go with these actors until the next turn: a point is older than the picture that shows it.

A lidar takes a turn to look around, and its readings come later than the snapshots that the page shows. What stands is
where it was; a car at 50 km/h has gone on by 14 m in a second. So each point in an actor's box is kept in the frame of
that actor, as it was at the stamp of the reading, and drawn where the actor is at the stamp of the picture.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.view.sensor import box_rows
from dorosim.sensor.scene.actor.catalogue import ActorModels
from dorosim.sensor.scene.instance import Placement

MEMORY = 1_500_000_000
"""Simulated time for which places of actors are kept [ns]; older readings stay where they were."""


class CarriedPoints(NamedTuple):
    """Points that lie on actors.

    Attributes:
        actor: `(N,)` id of the actor of each. point: `(N, 3)` in the frame of its model.
    """

    actor: NDArray[np.int64]
    point: NDArray[np.float64]


class PlaceHistory:
    """Where all actors were lately."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, Placement]] = deque()

    def note(self, time: int, placed: Placement) -> None:
        """Keep where they are at a simulated time [ns]; an earlier time than the last begins anew."""
        if self._kept and time < self._kept[-1][0]:
            self._kept.clear()
        if self._kept and time == self._kept[-1][0]:
            self._kept.pop()
        self._kept.append((time, placed))
        while self._kept[0][0] < time - MEMORY:
            self._kept.popleft()

    def is_before(self, time: int) -> bool:
        """Whether the last time that is known is before a simulated time [ns]."""
        return bool(self._kept) and self._kept[-1][0] < time

    def at(self, time: int) -> Placement | None:
        """Where those were that were there before and after a simulated time [ns], between both; None if that is gone.

        A time after the last is taken for the last.
        """
        if not self._kept or time < self._kept[0][0]:
            return None
        later = next((number for number, one in enumerate(self._kept) if one[0] >= time), len(self._kept) - 1)
        end, after = self._kept[later]
        if time >= end:
            return after
        begin, before = self._kept[later - 1]
        _, first, second = np.intersect1d(before.actor, after.actor, return_indices=True)
        share = (time - begin) / (end - begin)
        pose = (1.0 - share) * before.pose[first] + share * after.pose[second]
        made = Placement.zeros(len(first))
        made.actor[:], made.model[:] = after.actor[second], after.model[second]
        return replace(made, pose=pose)


def carried_by(
    points: NDArray[np.floating], placed: Placement, models: ActorModels
) -> tuple[NDArray[np.bool_], CarriedPoints]:
    """Which points `(N,)` lie on actors, and those.

    Args:
        points: `(N, 3)` in map [m].
        placed: where all actors are at the stamp of the points.
        models: of all actors.
    """
    rows = box_rows(points, placed, models)
    on = rows >= 0
    pose = placed.pose[rows[on]]
    offset = points[on] - pose[:, :, 3]
    local = np.linalg.solve(pose[:, :, :3], offset[:, :, None])[:, :, 0] if len(offset) else offset
    return on, CarriedPoints(placed.actor[rows[on]], local.astype(np.float64))


def places_of(carried: CarriedPoints, placed: Placement) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Which carried points `(N,)` still have their actor, and where these are `(M, 3)` in map [m].

    Args:
        carried: points on actors.
        placed: where all actors are at the stamp of the picture.
    """
    order = np.argsort(placed.actor, kind="stable")
    if not len(order):
        return np.zeros(len(carried.actor), bool), np.zeros((0, 3))
    found = order[np.minimum(np.searchsorted(placed.actor[order], carried.actor), len(order) - 1)]
    there = placed.actor[found] == carried.actor
    pose = placed.pose[found[there]]
    places = np.einsum("nij,nj->ni", pose[:, :, :3], carried.point[there]) + pose[:, :, 3]
    return there, places.astype(np.float64)
