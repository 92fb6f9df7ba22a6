"""Links that go on into one another without any choice become one.

OpenDRIVE cuts roads where a curve, a profile or the number of lanes changes. Vehicles decide at ends of links whether
the way behind is free, so a bend whose lanes are links of their own would be a narrow place with waiting on both sides,
where two long vehicles that need it all never get on.
"""

from __future__ import annotations

import numpy as np

from dorosim.road.mgeo.record import Link, MGeoMap, Points

_SAME_PLACE = 0.01
"""Ends that lie closer than this are one point of the merged link [m]."""


def merge_links(town: MGeoMap) -> None:
    """Join each link with the one behind it, where that is the only one and all else is equal.

    Links join only together with those beside them, so that lanes side by side stay so from end to end. Links in
    junctions stay as they are. A merged link has the id of its first part.

    Args:
        town: the map, which is changed.
    """
    links = {link.idx: link for link in town.links}
    following = _following(town.links, links)
    behind = set(following.values())
    names: dict[str, str] = {}
    merged: list[Link] = []
    for link in [*(one for one in town.links if one.idx not in behind), *town.links]:
        if link.idx in names:
            continue  # only a ring has no first link; it begins where the file does
        parts = [link]
        names[link.idx] = link.idx
        while (after := following.get(parts[-1].idx)) is not None and after not in names:
            parts.append(links[after])
            names[after] = link.idx
        merged.append(_joined(parts))
    for link in merged:
        for side in ("left", "right"):
            name = getattr(link, f"{side}_lane_change_dst_link_idx")
            setattr(link, f"{side}_lane_change_dst_link_idx", names.get(name, name))
    town.precedences = [(names[high], names[low]) for high, low in town.precedences]
    order = {link.idx: row for row, link in enumerate(town.links)}
    town.links = sorted(merged, key=lambda one: order[one.idx])
    used = {name for link in town.links for name in (link.from_node_idx, link.to_node_idx)}
    town.nodes = [node for node in town.nodes if node.idx in used]


def _following(links: list[Link], by_id: dict[str, Link]) -> dict[str, str]:
    """Link to the one that it becomes one with."""
    begins: dict[str | None, list[Link]] = {}
    ends: dict[str | None, list[Link]] = {}
    for link in links:
        begins.setdefault(link.from_node_idx, []).append(link)
        ends.setdefault(link.to_node_idx, []).append(link)
    found = {
        link.idx: begins[link.to_node_idx][0].idx
        for link in links
        if len(ends[link.to_node_idx]) == 1
        and len(begins.get(link.to_node_idx, ())) == 1
        and begins[link.to_node_idx][0] is not link
        and _are_alike(link, begins[link.to_node_idx][0])
    }
    changed = True
    while changed:
        apart = [name for name, after in found.items() if not _stay_beside(by_id[name], by_id[after], found)]
        for name in apart:
            del found[name]
        changed = bool(apart)
    return found


def _are_alike(link: Link, after: Link) -> bool:
    """Whether nothing changes for vehicles from one link to the next."""
    same = ("link_type", "max_speed", "can_move_left_lane", "can_move_right_lane")
    return (
        link.related_signal is None
        and after.related_signal is None
        and all(getattr(link, name) == getattr(after, name) for name in same)
    )


def _stay_beside(link: Link, after: Link, following: dict[str, str]) -> bool:
    """Whether the links beside one go on into those beside the next."""
    for side in ("left", "right"):
        beside = getattr(link, f"{side}_lane_change_dst_link_idx")
        beside_after = getattr(after, f"{side}_lane_change_dst_link_idx")
        if (beside is None) != (beside_after is None):
            return False
        if beside is not None and following.get(beside) != beside_after:
            return False
    return True


def _joined(parts: list[Link]) -> Link:
    """The first of some links with what the others add."""
    first, last = parts[0], parts[-1]
    if len(parts) > 1:
        first.points = _joined_points(parts)
        first.to_node_idx = last.to_node_idx
        first.width_end = last.width_end
        first.lane_mark_left = [name for part in parts for name in part.lane_mark_left]
        first.lane_mark_right = [name for part in parts for name in part.lane_mark_right]
    return first


def _joined_points(parts: list[Link]) -> Points:
    """The points of links one after the other; where they meet, one point is enough."""
    pieces = [parts[0].points]
    for part in parts[1:]:
        meets = np.linalg.norm(part.points[0] - pieces[-1][-1]) < _SAME_PLACE and len(part.points) > 1
        pieces.append(part.points[1:] if meets else part.points)
    return np.concatenate(pieces)
