"""Positions that need no route and no trajectory."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.table import (
    EXTENSION,
    OscRecord,
    UnsignedInt,
    Word,
    attribute,
    child,
    choice,
    sequence,
    unordered,
    words,
)


@words()
class ReferenceContext(Word):
    """Whether values are absolute or relative to a reference."""

    ABSOLUTE = "absolute"
    RELATIVE = "relative"


@words(since="1.1")
class CoordinateSystem(Word):
    """The system in which a distance or an angle is measured."""

    ENTITY = "entity"
    LANE = "lane"
    ROAD = "road"
    TRAJECTORY = "trajectory"
    WORLD = "world", "1.3"


@words()
class RelativeDistanceType(Word):
    """The direction in which a distance is measured."""

    CARTESIAN_DISTANCE = "cartesianDistance", "", "1.1"
    LATERAL = "lateral"
    LONGITUDINAL = "longitudinal"
    EUCLIDIAN_DISTANCE = "euclidianDistance", "1.1"


@words(since="1.2")
class RoutingAlgorithm(Word):
    """By which way a distance along roads is measured."""

    ASSIGNED_ROUTE = "assignedRoute"
    FASTEST = "fastest"
    LEAST_INTERSECTIONS = "leastIntersections"
    SHORTEST = "shortest"
    UNDEFINED = "undefined"


@sequence()
class Orientation(OscRecord):
    """Angles of a body."""

    h: float | None = attribute("heading, counter-clockwise [rad]", default=None)
    p: float | None = attribute("pitch, positive nose down [rad]", default=None)
    r: float | None = attribute("roll, positive to the right [rad]", default=None)
    type: ReferenceContext | None = attribute("what they are relative to", default=None)


@sequence()
class WorldPosition(OscRecord):
    """A point in the map frame."""

    x: float = attribute("east [m]")
    y: float = attribute("north [m]")
    z: float | None = attribute("up [m]", default=None)
    h: float | None = attribute("heading, 0 to the east [rad]", default=None)
    p: float | None = attribute("pitch [rad]", default=None)
    r: float | None = attribute("roll [rad]", default=None)


@unordered()
class RelativeWorldPosition(OscRecord):
    """A point at a distance from an entity, along the axes of the map frame."""

    dx: float = attribute("east [m]")
    dy: float = attribute("north [m]")
    dz: float | None = attribute("up [m]", default=None)
    entity_ref: str = attribute("name of the entity")
    orientation: Orientation | None = child(default=None)


@unordered()
class RelativeObjectPosition(OscRecord):
    """A point at a distance from an entity, along the axes of its body."""

    dx: float = attribute("forward [m]")
    dy: float = attribute("left [m]")
    dz: float | None = attribute("up [m]", default=None)
    entity_ref: str = attribute("name of the entity")
    orientation: Orientation | None = child(default=None)


@unordered()
class RoadPosition(OscRecord):
    """A point in the coordinates of a road."""

    road_id: str = attribute("id of the road")
    s: float = attribute("along the reference line [m]")
    t: float = attribute("to the left of it [m]")
    orientation: Orientation | None = child(default=None)


@unordered()
class RelativeRoadPosition(OscRecord):
    """A point at a distance from an entity, along its road."""

    ds: float = attribute("along the reference line [m]", assumed=0.0)
    dt: float = attribute("to the left [m]", assumed=0.0)
    entity_ref: str = attribute("name of the entity")
    orientation: Orientation | None = child(default=None)


@unordered()
class LanePosition(OscRecord):
    """A point in the coordinates of a lane."""

    lane_id: str = attribute("id of the lane")
    offset: float | None = attribute("to the left of the lane's middle [m]", default=None)
    road_id: str = attribute("id of the road")
    s: float = attribute("along the reference line [m]")
    orientation: Orientation | None = child(default=None)


@unordered()
class RelativeLanePosition(OscRecord):
    """A point at a distance from an entity, along its lane."""

    d_lane: int = attribute("lanes to the left", assumed=0)
    ds: float | None = attribute("along the reference line [m]", default=None, required=("1.0", "1.0"), assumed=None)
    ds_lane: float | None = attribute("along the lane's middle [m]", default=None, since="1.1")
    entity_ref: str = attribute("name of the entity")
    offset: float | None = attribute("to the left of the lane's middle [m]", default=None)
    orientation: Orientation | None = child(default=None)


@unordered(since="1.1")
class GeoPosition(OscRecord):
    """A point on the earth, WGS 84."""

    altitude: float | None = attribute("above the ellipsoid [m]", default=None, since="1.2")
    height: float | None = attribute("old name of altitude [m]", default=None, deprecated="1.2")
    latitude: float | None = attribute(
        "old form of latitudeDeg [rad]", default=None, required=("1.1", "1.1"), deprecated="1.2", assumed=None
    )
    latitude_deg: float | None = attribute("latitude [deg]", default=None, since="1.2")
    longitude: float | None = attribute(
        "old form of longitudeDeg [rad]", default=None, required=("1.1", "1.1"), deprecated="1.2", assumed=None
    )
    longitude_deg: float | None = attribute("longitude [deg]", default=None, since="1.2")
    vertical_road_selection: int | None = attribute(
        "which of several roads above each other, counted from the lowest", default=None, since="1.3"
    )
    orientation: Orientation | None = child(default=None)


@sequence()
class PositionOfCurrentEntity(OscRecord):
    """The place on a route where an entity is."""

    entity_ref: str = attribute("name of the entity")


@sequence()
class PositionInRoadCoordinates(OscRecord):
    """A place on a route, by the coordinates of its road."""

    path_s: float = attribute("along the route [m]")
    t: float = attribute("to the left of the reference line [m]")


@sequence()
class PositionInLaneCoordinates(OscRecord):
    """A place on a route, by the coordinates of its lane."""

    path_s: float = attribute("along the route [m]")
    lane_id: str = attribute("id of the lane")
    lane_offset: float | None = attribute("to the left of the lane's middle [m]", default=None)


@choice(choice_required="1.3")
class InRoutePosition(OscRecord):
    """A place on a route."""

    from_current_entity: PositionOfCurrentEntity | None = child(default=None)
    from_road_coordinates: PositionInRoadCoordinates | None = child(default=None)
    from_lane_coordinates: PositionInLaneCoordinates | None = child(default=None)


@sequence(since=EXTENSION)
class LinkPosition(OscRecord):
    """A point on a link of an MGeo map (MORAI's Scenario Runner). Its manual shows none, so the names are guesses."""

    link_id: str | None = attribute("id of the link", name="linkId", default=None)
    index: UnsignedInt | None = attribute("number of the link's point, from 0", default=None)
    offset: float | None = attribute("to the left of the link [m]", default=None)
