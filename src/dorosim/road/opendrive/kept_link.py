"""The lanes of a file of which dorosim wrote which links they are, so that the same links come back.

A lane is taken for its link where its road has but this one lane section, and no other lane names the same link. So it
is where dorosim wrote the file, and where roads were changed since but not cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.mgeo.record import Link
from dorosim.road.opendrive.lane_graph import LaneKey, is_linked_type
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.lane_polyline import SectionPolylines
from dorosim.road.opendrive.lane_record import OdrLane, RoadMark
from dorosim.road.opendrive.own_data import (
    CHANGES,
    INNER,
    LEFT,
    LINK,
    LINK_TYPE,
    MARGIN,
    MOVEMENT,
    OUTER,
    RIGHT,
    json_of,
    profile_at,
    profile_of,
)
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap


def kept_links(town: OpenDriveMap) -> dict[LaneKey, str]:
    """The lanes that are links of dorosim, and the ids of these."""
    found = {
        LaneKey(road.id, 0, lane.id): lane.user_data[LINK]
        for road in town.roads
        if len(road.lane_sections) == 1
        for lane in road.lane_sections[0].lanes
        if lane.user_data.get(LINK) and is_linked_type(lane)
    }
    counts = Counter(found.values())
    return {key: name for key, name in found.items() if counts[name] == 1}


class KeptLane(NamedTuple):
    """A lane that is a link of dorosim.

    Attributes:
        road: of the file. lane: of its only section.
    """

    road: OdrRoad
    lane: OdrLane

    @property
    def side(self) -> int:
        """1 for a lane on the left of the reference line, else -1."""
        return 1 if self.lane.id > 0 else -1

    def places(self) -> FloatArray:
        """Places along the road at which the room beside the lane bends `(N,)` [m]."""
        found = [profile_of(self.lane.user_data.get(code, ""), self.road.length)[0] for code in (INNER, OUTER)]
        return np.concatenate(found)

    def rooms(self, s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How much more room the link has on its inner and its outer side than half of its lane's width `(N,)` [m]."""
        inner, outer = (profile_at(self.lane.user_data, code, self.road.length, s) for code in (INNER, OUTER))
        return inner, outer

    def fill(self, link: Link, speed: float) -> None:
        """Give a link what dorosim knew of it.

        Args:
            link: which is changed.
            speed: of the lane [km/h].
        """
        data = self.lane.user_data
        link.link_type = data.get(LINK_TYPE) or None
        link.related_signal = data.get(MOVEMENT)
        link.max_speed = speed
        for code, side in ((LEFT, "left"), (RIGHT, "right")):
            known = json_of(data.get(code, ""))
            if isinstance(known, list) and len(known) == 2 and isinstance(known[0], str | None):
                setattr(link, f"{side}_lane_change_dst_link_idx", known[0])
                setattr(link, f"can_move_{side}_lane", known[1] is True)


def listed_changes(links: Mapping[str, Link], kept: Iterable[KeptLane]) -> list[Link]:
    """The changes between lanes that a map of dorosim listed, as links that stand for them.

    Args:
        links: of the map, by id.
        kept: the lanes that are links of dorosim.
    """
    found: dict[str, Link] = {}
    for one in kept:
        known = json_of(one.lane.user_data.get(CHANGES, ""))
        for change in known if isinstance(known, list) else ():
            name, path = change if isinstance(change, list) and len(change) == 2 else ("", None)
            if (
                not isinstance(name, str)
                or not isinstance(path, list)
                or len(path) < 2
                or name in found
                or name in links
            ):
                continue
            lanes = [links[step] for step in path if isinstance(step, str) and step in links]
            if name and len(lanes) == len(path):
                found[name] = Link(
                    idx=name,
                    from_node_idx=lanes[0].from_node_idx,
                    to_node_idx=lanes[-1].to_node_idx,
                    points=np.array([lanes[0].points[0], lanes[-1].points[-1]]),
                    max_speed=lanes[0].max_speed,
                    lazy_init=True,
                    lane_ch_link_path=[lane.idx for lane in lanes],
                )
    return list(found.values())


def with_lines_of_links(lines: RoadLines, kept: Mapping[int, KeptLane], found: SectionPolylines) -> SectionPolylines:
    """The polylines of a section with the borders of its lanes where the lines beside its links are.

    Args:
        lines: of the road.
        kept: the lanes that are links of dorosim, by their ids.
        found: the polylines of all lanes.
    """
    heading = lines.reference.at(found.s).heading
    aside = np.column_stack((-np.sin(heading), np.cos(heading), np.zeros(len(heading))))
    borders = dict(found.borders)
    for lane, one in kept.items():
        inner, outer = one.rooms(found.s)
        borders[lane] = found.borders[lane] + one.side * outer[:, None] * aside
        if abs(lane) == 1:
            borders[0] = found.borders[0] - one.side * inner[:, None] * aside
    return found._replace(borders=borders)


def outer_marks(lanes: Mapping[int, OdrLane], border: int) -> tuple[int, tuple[RoadMark, ...]]:
    """The marks on the outer border of a lane or, where dorosim has put a margin beside it, on that one's.

    Args:
        lanes: of the section, by id.
        border: the lane; 0 is the centre, whose margin may lie on either side.

    Returns:
        The lane that has the marks, and these.
    """
    for beside in (1, -1) if border == 0 else (border + (1 if border > 0 else -1),):
        if beside in lanes and MARGIN in lanes[beside].user_data:
            return beside, lanes[beside].road_marks
    return border, lanes[border].road_marks if border in lanes else ()
