"""Which links become lanes of one road: those that lie beside each other from end to end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from dorosim.road.lane_network import RoadNetwork

_MAX_SHIFT = 1.0
"""Links whose starts, or ends, lie farther apart along the road than this are not lanes of one road [m]."""

_MAX_SPACING = 8.0
"""Links whose middles are farther apart than this at an end are not lanes of one road [m]."""


_MAX_GAP = 0.3
"""So much may lie between lanes of one road that do not name each other as neighbours [m]."""


def links_by_road(network: RoadNetwork, *, named: bool = False) -> tuple[tuple[int, ...], ...]:
    """Links in groups, each from left to right; every link is in one.

    A neighbour is taken where both links begin and end beside each other. One of them has to name the other, or both go
    on from, or into, such neighbours: a map need not name lanes without lane changes, as those before a
    light.

    Args:
        network: of the map.
        named: take only neighbours of which one names the other.
    """
    right: dict[int, int] = {}
    left: dict[int, int] = {}

    def join(one: int, other: int) -> None:
        if min(one, other) >= 0 and one not in right and other not in left and _beside(network, one, other):
            right[one], left[other] = other, one

    for link in range(network.link_count):
        join(link, int(network.neighbours.right[link]))
        join(int(network.neighbours.left[link]), link)
    count = len(right) if named else -1
    while count < len(right):
        count = len(right)
        for link in range(network.link_count):
            for other in _going_on_beside(network, link, right):
                join(link, other)
    found: list[tuple[int, ...]] = []
    placed: set[int] = set()
    for link in (*(one for one in range(network.link_count) if one not in left), *range(network.link_count)):
        group: list[int] = []
        at: int | None = link
        while at is not None and at not in placed:
            placed.add(at)
            group.append(at)
            at = right.get(at)
        if group:
            found.append(tuple(group))
    return tuple(sorted(found, key=min))


def _going_on_beside(network: RoadNetwork, link: int, right: Mapping[int, int]) -> Iterator[int]:
    """Links that touch the right side of one, where others before or behind both lie beside each other already.

    Args:
        network: of the map.
        link: the one.
        right: link to the one to its right, as far as it is known.
    """
    if network.link_movements[link] or not network.link_drivable[link]:
        return
    for back, ahead in ((network.predecessors, network.successors), (network.successors, network.predecessors)):
        for before in back.of(link).tolist():
            for beside in {right.get(before, -1), int(network.neighbours.right[before])} - {-1}:
                for other in ahead.of(beside).tolist():
                    if (
                        not network.link_movements[other]
                        and network.link_drivable[other]
                        and _touch(network, link, other)
                    ):
                        yield other


def _touch(network: RoadNetwork, link: int, other: int) -> bool:
    """Whether the right side of a link is the left side of another at both ends, but for a small gap."""
    for row in (0, -1):
        ends = [int(network.lines.first[one + (row != 0)]) + row for one in (link, other)]
        apart = float(np.hypot(*(network.lines.points[ends[1], :2] - network.lines.points[ends[0], :2])))
        if abs(apart - float(network.right_width[ends[0]]) - float(network.left_width[ends[1]])) > _MAX_GAP:
            return False
    return True


def _beside(network: RoadNetwork, link: int, other: int) -> bool:
    """Whether a link begins and ends to the right of another."""
    if link == other:
        return False
    here, there = network.points_of(link), network.points_of(other)
    for row, at in ((0, network.lines.first[link]), (-1, network.lines.first[link + 1] - 1)):
        x, y = (there[row] - here[row])[:2].tolist()
        east, north = network.lines.tangent[at].tolist()
        if abs(x * east + y * north) > _MAX_SHIFT or not 0.0 < x * north - y * east <= _MAX_SPACING:
            return False
    return True
