"""Which links become lanes of one road: those that lie beside each other from end to end."""

from __future__ import annotations

from dorosim.road.lane_network import RoadNetwork

_MAX_SHIFT = 1.0
"""Links whose starts, or ends, lie farther apart along the road than this are not lanes of one road [m]."""

_MAX_SPACING = 8.0
"""Links whose middles are farther apart than this at an end are not lanes of one road [m]."""


def links_by_road(network: RoadNetwork) -> tuple[tuple[int, ...], ...]:
    """Links in groups, each from left to right; every link is in one.

    A neighbour is taken where both links begin and end beside each other; one of them has to name the other.
    """
    right: dict[int, int] = {}
    left: dict[int, int] = {}
    for link in range(network.link_count):
        for one, other in ((link, int(network.neighbours.right[link])), (int(network.neighbours.left[link]), link)):
            if min(one, other) >= 0 and one not in right and other not in left and _beside(network, one, other):
                right[one], left[other] = other, one
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
