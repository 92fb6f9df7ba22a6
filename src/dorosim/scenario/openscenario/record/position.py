"""Positions, routes and trajectories: they are made of each other."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.parameter import ParameterDeclarations
from dorosim.scenario.openscenario.record.place import (
    GeoPosition,
    InRoutePosition,
    LanePosition,
    LinkPosition,
    Orientation,
    RelativeLanePosition,
    RelativeObjectPosition,
    RelativeRoadPosition,
    RelativeWorldPosition,
    RoadPosition,
    WorldPosition,
)
from dorosim.scenario.openscenario.record.reference import CatalogReference
from dorosim.scenario.openscenario.record.table import (
    EXTENSION,
    OscRecord,
    UnsignedInt,
    Word,
    attribute,
    child,
    children,
    choice,
    sequence,
    unordered,
    words,
)


@words()
class RouteStrategy(Word):
    """By which way a waypoint is reached."""

    FASTEST = "fastest"
    LEAST_INTERSECTIONS = "leastIntersections"
    RANDOM = "random"
    SHORTEST = "shortest"


@choice(choice_required="1.3")
class Position(OscRecord):
    """A place and an orientation."""

    world_position: WorldPosition | None = child(default=None)
    relative_world_position: RelativeWorldPosition | None = child(default=None)
    relative_object_position: RelativeObjectPosition | None = child(default=None)
    road_position: RoadPosition | None = child(default=None)
    relative_road_position: RelativeRoadPosition | None = child(default=None)
    lane_position: LanePosition | None = child(default=None)
    relative_lane_position: RelativeLanePosition | None = child(default=None)
    route_position: RoutePosition | None = child(default=None)
    geo_position: GeoPosition | None = child(default=None, since="1.1")
    trajectory_position: TrajectoryPosition | None = child(default=None, since="1.1")
    link_position: LinkPosition | None = child(default=None, since=EXTENSION)


@unordered()
class RoutePosition(OscRecord):
    """A place on a route."""

    route_ref: RouteRef = child()
    orientation: Orientation | None = child(default=None)
    in_route_position: InRoutePosition = child()


@choice(choice_required="1.3")
class RouteRef(OscRecord):
    """A route, here or in a catalog."""

    route: Route | None = child(default=None)
    catalog_reference: CatalogReference | None = child(default=None)


@sequence()
class Route(OscRecord):
    """A way along waypoints."""

    closed: bool = attribute("whether the last waypoint leads to the first", assumed=False)
    name: str = attribute("name", assumed="")
    parameter_declarations: ParameterDeclarations | None = child(default=None)
    waypoints: tuple[Waypoint, ...] = children("Waypoint", default=(), required=(), least=2)


@sequence()
class Waypoint(OscRecord):
    """A place that a route passes."""

    route_strategy: RouteStrategy = attribute("way by which it is reached", assumed=RouteStrategy.SHORTEST)
    position: Position = child()


@unordered(since="1.1")
class TrajectoryPosition(OscRecord):
    """A place on a trajectory."""

    s: float = attribute("along the trajectory [m]")
    t: float | None = attribute("to the left of it [m]", default=None)
    orientation: Orientation | None = child(default=None)
    trajectory_ref: TrajectoryRef = child()


@choice(since="1.1")
class TrajectoryRef(OscRecord):
    """A trajectory, here or in a catalog."""

    trajectory: Trajectory | None = child(default=None)
    catalog_reference: CatalogReference | None = child(default=None)


@sequence()
class Trajectory(OscRecord):
    """A line that a body follows."""

    closed: bool = attribute("whether the end leads to the start", assumed=False)
    name: str = attribute("name", assumed="")
    parameter_declarations: ParameterDeclarations | None = child(default=None)
    shape: Shape = child()


@choice(choice_required="1.3")
class Shape(OscRecord):
    """The form of a trajectory."""

    polyline: Polyline | None = child(default=None)
    clothoid: Clothoid | None = child(default=None)
    clothoid_spline: ClothoidSpline | None = child(default=None, since="1.3")
    nurbs: Nurbs | None = child(default=None)


@sequence()
class Polyline(OscRecord):
    """A line through vertices."""

    vertices: tuple[Vertex, ...] = children("Vertex", default=(), required=(), least=2)


@sequence()
class Vertex(OscRecord):
    """A point of a polyline."""

    time: float | None = attribute("when a body is there [s]", default=None, required=("1.0", "1.0"), assumed=None)
    position: Position = child()


@sequence()
class Clothoid(OscRecord):
    """A line whose curvature changes evenly."""

    curvature: float = attribute("at the start, positive to the left [1/m]")
    curvature_dot: float | None = attribute(
        "old name of curvaturePrime [1/m2]", default=None, required=("1.0", "1.0"), deprecated="1.1", assumed=None
    )
    curvature_prime: float | None = attribute("change of curvature by length [1/m2]", default=None, since="1.1")
    length: float = attribute("length [m]")
    start_time: float | None = attribute("time at the start [s]", default=None)
    stop_time: float | None = attribute("time at the end [s]", default=None)
    position: Position = child()


@sequence(since="1.3")
class ClothoidSpline(OscRecord):
    """Clothoids one after another."""

    time_end: float | None = attribute("time at the end [s]", default=None)
    clothoid_spline_segments: tuple[ClothoidSplineSegment, ...] = children(
        "ClothoidSplineSegment", default=(), required=()
    )


@sequence(since="1.3")
class ClothoidSplineSegment(OscRecord):
    """A clothoid of a spline."""

    curvature_start: float = attribute("at the start, positive to the left [1/m]")
    curvature_end: float = attribute("at the end [1/m]")
    length: float = attribute("length [m]")
    h_offset: float | None = attribute("turn at the start [rad]", default=None)
    time_start: float | None = attribute("time at the start [s]", default=None)
    position_start: Position | None = child(default=None)


@sequence()
class Nurbs(OscRecord):
    """A rational B-spline."""

    order: UnsignedInt = attribute("degree of the curve plus one")
    control_points: tuple[ControlPoint, ...] = children("ControlPoint", default=(), required=(), least=2)
    knots: tuple[Knot, ...] = children("Knot", default=(), required=(), least=2)


@sequence()
class ControlPoint(OscRecord):
    """A control point of a rational B-spline."""

    time: float | None = attribute("when a body is nearest [s]", default=None)
    weight: float | None = attribute("weight", default=None)
    position: Position = child()


@sequence()
class Knot(OscRecord):
    """A knot of a rational B-spline."""

    value: float = attribute("its value")
