"""Areas in which traffic is kept."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.position import Position
from dorosim.scenario.openscenario.record.table import OscRecord, attribute, child, children, choice, sequence


@choice(since="1.3")
class TrafficArea(OscRecord):
    """Where traffic is kept."""

    polygon: Polygon | None = child(default=None)
    road_ranges: tuple[RoadRange, ...] = children("RoadRange", default=())


@sequence(since="1.3")
class Polygon(OscRecord):
    """An area between corners."""

    positions: tuple[Position, ...] = children("Position", default=(), required=(), least=3)


@sequence(since="1.3")
class RoadRange(OscRecord):
    """A stretch along roads."""

    length: float | None = attribute("[m]", default=None)
    road_cursors: tuple[RoadCursor, ...] = children("RoadCursor", default=(), required=(), least=2)


@sequence(since="1.3")
class RoadCursor(OscRecord):
    """A place where a stretch begins, ends or passes."""

    road_id: str = attribute("id of the road")
    s: float | None = attribute("along the reference line [m]", default=None)
    lanes: tuple[Lane, ...] = children("Lane", default=())


@sequence(since="1.3")
class Lane(OscRecord):
    """A lane."""

    id: int = attribute("id")
