"""Where a route may change lanes, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dorosim.road.adjacency import FlagArray, FloatArray, IntArray, adjacency_from_lists, frozen
from dorosim.road.mgeo.record import Link

_AVAILABLE = (10.0, 50.0, 100.0, 500.0, 1000.0, 2000.0)
_PENALTY = (500.0, 300.0, 200.0, 50.0, 20.0, 10.0)


def lane_change_cost(length: float, changes: int) -> float:
    """What changing lanes adds to the cost of a route [m].

    Each change costs the more, the shorter the way that is left for it: 500 for 10 m, 300 for 50 m, 200 for 100 m,
    50 for 500 m, 20 for 1000 m and 10 from 2000 m on, in between linearly, and below 10 m it is impossible
    (facts/ros-grpc-mgeo.md, section 3.4).

    Args:
        length: of the stretch on which all changes happen [m].
        changes: how many lanes are crossed, 0 or more.
    """
    if changes == 0:
        return 0.0
    available = length / changes
    if available < _AVAILABLE[0]:
        return float("inf")
    return changes * float(np.interp(available, _AVAILABLE, _PENALTY))


@dataclass(frozen=True, slots=True, eq=False)
class LaneChanges:
    """The changes that the map offers, from one lane over its neighbours to another.

    Attributes:
        ids: the map's id of each change, "" for one that follows from the permissions of the lanes.
        path_first: `(C + 1,)` where each change's lanes begin in `path`.
        path: lanes crossed, from the one that is left to the one that is reached.
        side: `(C,)` +1 to the left, -1 to the right.
    """

    ids: tuple[str, ...]
    path_first: IntArray
    path: IntArray
    side: IntArray

    def __len__(self) -> int:
        """The number of changes."""
        return len(self.ids)

    def path_of(self, change: int) -> IntArray:
        """`(N,)` rows of the lanes of one change, a view."""
        return self.path[self.path_first[change] : self.path_first[change + 1]]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The lane beside each lane, -1 for none, and whether one may change into it. All arrays are `(L,)`."""

    left: IntArray
    right: IntArray
    left_allowed: FlagArray
    right_allowed: FlagArray

    @property
    def sides(self) -> tuple[tuple[IntArray, FlagArray], ...]:
        """The lanes beside, and whether one may change into them: to the left, and to the right."""
        return (self.left, self.left_allowed), (self.right, self.right_allowed)


def neighbours_from_mgeo(links: Sequence[Link], index: Mapping[str, int]) -> Neighbours:
    """Neighbouring lanes as the links name them.

    The product's loader takes the permission away from NGII link types 1 to 3 (inside a junction and the like).

    Args:
        links: the lanes of the network, in order.
        index: the row of each lane's id.
    """
    left = np.array([index.get(link.left_lane_change_dst_link_idx or "", -1) for link in links], np.int64)
    right = np.array([index.get(link.right_lane_change_dst_link_idx or "", -1) for link in links], np.int64)
    free = np.array([link.link_type not in {"1", "2", "3"} for link in links], np.bool_)
    may_left = np.array([link.can_move_left_lane for link in links], np.bool_)
    may_right = np.array([link.can_move_right_lane for link in links], np.bool_)
    return Neighbours(
        frozen(left), frozen(right), frozen(may_left & free & (left >= 0)), frozen(may_right & free & (right >= 0))
    )


def lane_changes_from_mgeo(
    lazy_links: Sequence[Link],
    index: Mapping[str, int],
    neighbours: Neighbours,
    start: FloatArray,
    tangent: FloatArray,
    notices: list[str],
) -> LaneChanges:
    """The changes that the map lists as links of their own, or, if it lists none, those that permissions give.

    Args:
        lazy_links: the lane-change links of the map.
        index: the row of each lane's id.
        neighbours: the lanes' neighbours.
        start: `(L, 2)` where each lane starts in map [m].
        tangent: `(L, 2)` its direction there, of length 1.
        notices: takes a line when a change names no lanes of the network.
    """
    ids: list[str] = []
    paths: list[list[int]] = []
    lost: list[str] = []
    for link in lazy_links:
        path = [index.get(name, -1) for name in link.lane_ch_link_path]
        if len(path) < 2 or min(path) < 0:
            lost.append(link.idx)
            continue
        ids.append(link.idx)
        paths.append(path)
    if lost:
        notices.append(f"lane changes left out, since they name no lanes: {', '.join(lost[:5])} ({len(lost)} in all)")
    if not lazy_links:
        paths = _paths_by_permission(neighbours)
        ids = [""] * len(paths)
    side = np.array([_side(path[0], path[1], neighbours, start, tangent) for path in paths], np.int64)
    lists = adjacency_from_lists(paths)
    return LaneChanges(tuple(ids), lists.first, lists.item, frozen(side))


def _paths_by_permission(neighbours: Neighbours) -> list[list[int]]:
    """Every run of neighbours that may be crossed in one direction, shortest first for each lane."""
    paths: list[list[int]] = []
    sides = [(beside.tolist(), allowed.tolist()) for beside, allowed in neighbours.sides]
    for lane in np.flatnonzero(neighbours.left_allowed | neighbours.right_allowed).tolist():
        for beside, allowed in sides:
            path = [lane]
            while allowed[path[-1]] and beside[path[-1]] not in path:
                path.append(beside[path[-1]])
                paths.append(list(path))
    return paths


def _side(here: int, there: int, neighbours: Neighbours, start: FloatArray, tangent: FloatArray) -> int:
    """+1 if the lane `there` lies left of `here`, -1 if right: by name, else by where the two lanes start."""
    if neighbours.left[here] == there:
        return 1
    if neighbours.right[here] == there:
        return -1
    across = start[there] - start[here]
    return 1 if tangent[here, 0] * across[1] - tangent[here, 1] * across[0] >= 0 else -1
