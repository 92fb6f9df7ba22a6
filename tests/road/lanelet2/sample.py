"""Small Lanelet2 files, written by hand as Autoware's editor writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import quoteattr

LATITUDE, LONGITUDE = 35.0, 139.0
TO_NORTH, TO_EAST = 110_940.58, 91_288.26
"""Metres a degree there."""
DASHED = {"type": "line_thin", "subtype": "dashed"}
SOLID = {"type": "line_thin", "subtype": "solid"}
ROAD = {"type": "lanelet", "subtype": "road", "location": "urban", "one_way": "yes"}


def tag_lines(tags: Mapping[str, str]) -> str:
    return "".join(f"<tag k={quoteattr(key)} v={quoteattr(value)}/>\n" for key, value in tags.items())


class Sheet:
    """A file as it is drawn: points in metres, lines over them, relations of lines."""

    def __init__(self, local: bool = True) -> None:
        self.local = local
        self.parts: list[str] = []
        self.count = 0
        self.points: dict[tuple[float, ...], int] = {}

    def _id(self) -> int:
        self.count += 1
        return self.count

    def node(self, x: float, y: float, z: float = 0.0, tags: Mapping[str, str] | None = None) -> int:
        """A point; the same place is the same point."""
        if (x, y, z) in self.points and not tags:
            return self.points[x, y, z]
        number = self.points.setdefault((x, y, z), self._id()) if not tags else self._id()
        place = f'lat="{LATITUDE + y / TO_NORTH:.11f}" lon="{LONGITUDE + x / TO_EAST:.11f}"'
        given = {"ele": f"{z}"} | ({"local_x": f"{x}", "local_y": f"{y}"} if self.local else {}) | dict(tags or {})
        self.parts.append(f'<node id="{number}" {place}>\n{tag_lines(given)}</node>\n')
        return number

    def way(self, points: Sequence[Sequence[float]], tags: Mapping[str, str] | None = None) -> int:
        return self.way_of([self.node(*one) for one in points], tags)

    def way_of(self, nodes: Sequence[int], tags: Mapping[str, str] | None = None) -> int:
        number = self._id()
        refs = "".join(f'<nd ref="{node}"/>\n' for node in nodes)
        self.parts.append(f'<way id="{number}">\n{refs}{tag_lines(tags or {})}</way>\n')
        return number

    def relation(self, members: Sequence[tuple[str, int, str]], tags: Mapping[str, str]) -> int:
        number = self._id()
        inside = "".join(f'<member type="{kind}" ref="{ref}" role="{role}"/>\n' for kind, ref, role in members)
        self.parts.append(f'<relation id="{number}">\n{inside}{tag_lines(tags)}</relation>\n')
        return number

    def lanelet(self, left: int, right: int, tags: Mapping[str, str] | None = None, rules: Sequence[int] = ()) -> int:
        members = [("way", left, "left"), ("way", right, "right")]
        members += [("relation", rule, "regulatory_element") for rule in rules]
        return self.relation(members, ROAD | dict(tags or {}))

    def rule(self, subtype: str, members: Sequence[tuple[str, int, str]], **tags: str) -> int:
        return self.relation(members, {"type": "regulatory_element", "subtype": subtype} | tags)

    def content(self) -> bytes:
        order = ("<node", "<way", "<relation")
        parts = [part for kind in order for part in self.parts if part.startswith(kind)]
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<osm generator="VMB">\n'
        return f'{head}<MetaInfo format_version="1" map_version="3"/>\n{"".join(parts)}</osm>\n'.encode()


def two_lanes(local: bool = True, line: Mapping[str, str] | None = None, **tags: str) -> bytes:
    """Two lanes beside each other, 40 m to the east, with `line` between them; ids 10 and 11."""
    sheet = Sheet(local)
    lines = [sheet.way([(0.0, y), (40.0, y)], kind) for y, kind in ((7.0, SOLID), (3.5, line or DASHED), (0.0, SOLID))]
    sheet.lanelet(lines[0], lines[1], tags)
    sheet.lanelet(lines[1], lines[2], tags)
    return sheet.content()


def crossing(where: str = "inside", local: bool = True) -> bytes:
    """A lane to the east that goes on straight or to the left behind a light, with much of what such files have.

    Args:
        where: whether lanelets "inside" the junction name the light, as in Autoware's files, or the one "before" it.
        local: see `Sheet`.
    """
    sheet = Sheet(local)
    stop = sheet.way([(29.0, 3.5, 1.0), (29.0, 0.0, 1.0)], {"type": "stop_line", "subtype": "solid"})
    kind = {"type": "traffic_light", "subtype": "red_yellow_green", "height": "0.5"}
    head = sheet.way([(50.0, 4.0, 6.0), (50.0, 3.0, 6.0)], kind)
    bulbs = [
        sheet.node(50.0, 3.8 - 0.3 * place, 6.25, about)
        for place, about in enumerate(({"color": "red"}, {"color": "yellow"}, {"color": "green"}))
    ]
    bulbs.append(sheet.node(50.0, 2.9, 6.25, {"color": "green", "arrow": "left"}))
    lamps = sheet.way_of(bulbs, {"type": "light_bulbs", "traffic_light_id": str(head)})
    members = [("way", head, "refers"), ("way", lamps, "light_bulbs"), ("way", stop, "ref_line")]
    light = sheet.rule("traffic_light", members)
    speed = sheet.rule("speed_limit", [], sign_type="de274-30")
    inside, before = ([light], []) if where == "inside" else ([], [light])
    turns = ({"turn_direction": "straight"}, {"turn_direction": "left"}) if where == "inside" else ({}, {})
    sides = sheet.way([(0.0, 3.5, 1.0), (30.0, 3.5, 1.0)], SOLID), sheet.way([(0.0, 0.0, 1.0), (30.0, 0.0, 1.0)], SOLID)
    sheet.lanelet(*sides, {"speed_limit": "40"}, before)
    left = sheet.way([(30.0, 3.5, 1.0), (60.0, 3.5, 1.0)])
    right = sheet.way([(60.0, 0.0, 1.0), (30.0, 0.0, 1.0)])  # against the direction of driving, as files may have it
    sheet.lanelet(left, right, turns[0], [*inside, speed])
    sheet.lanelet(
        sheet.way([(30.0, 3.5, 1.0), (34.0, 5.0, 1.0), (36.0, 9.0, 1.0)]),
        sheet.way([(30.0, 0.0, 1.0), (36.0, 2.5, 1.0), (39.5, 9.0, 1.0)]),
        turns[1],
        inside,
    )
    people = sheet.way([(26.0, 6.0, 4.0), (27.0, 6.0, 4.0)], {"type": "traffic_light", "subtype": "red_green"})
    walk = sheet.rule("traffic_light", [("way", people, "refers")])
    sheet.lanelet(
        sheet.way([(25.0, -1.0, 1.0), (25.0, 5.0, 1.0)]),
        sheet.way([(28.0, -1.0, 1.0), (28.0, 5.0, 1.0)]),
        {"subtype": "crosswalk", "participant:pedestrian": "yes"},
        [walk],
    )
    sheet.way([(5.0, -6.0, 1.0), (5.0, -1.0, 1.0)], {"type": "parking_space", "width": "2.5"})
    sign = sheet.way([(10.0, -0.5, 3.0), (10.0, -1.1, 3.0)], {"type": "traffic_sign", "subtype": "stop_sign"})
    sheet.rule("traffic_sign", [("way", sign, "refers")])
    lot = sheet.way([(0.0, -7.0, 1.0), (20.0, -7.0, 1.0), (20.0, -1.0, 1.0), (0.0, -1.0, 1.0), (0.0, -7.0, 1.0)])
    sheet.relation([("way", lot, "outer")], {"type": "multipolygon", "subtype": "parking"})
    return sheet.content()
