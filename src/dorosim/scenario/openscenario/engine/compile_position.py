"""Positions of a file, made ready to be found in a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dorosim.road.opendrive.road_course import RoadCourse
from dorosim.scenario.openscenario.engine.geo_position import geo_position
from dorosim.scenario.openscenario.engine.link_position import link_position
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.position import (
    FixedPosition,
    MovingPosition,
    OrientationPlan,
    PositionPlan,
    beside_lane,
    beside_object,
    beside_road,
    beside_world,
    lane_place,
    road_place,
)
from dorosim.scenario.openscenario.engine.route import OnRoute, RoutePlan, WithEntityOnRoute
from dorosim.scenario.openscenario.engine.way_search import WayChoice
from dorosim.scenario.openscenario.finding import shown
from dorosim.scenario.openscenario.record.place import (
    GeoPosition,
    LanePosition,
    LinkPosition,
    Orientation,
    ReferenceContext,
    RelativeLanePosition,
    RelativeObjectPosition,
    RelativeRoadPosition,
    RelativeWorldPosition,
    RoadPosition,
    WorldPosition,
)
from dorosim.scenario.openscenario.record.position import (
    Position,
    Route,
    RoutePosition,
    RouteRef,
    RouteStrategy,
)
from dorosim.scenario.openscenario.record.reference import CatalogReference
from dorosim.scenario.openscenario.record.table import OscRecord

_MAX_LANE = 1_000_000
_BEYOND = 1e-3
"""So far beyond the end of a road is at its end [m]."""


def position_plan(names: ScenarioNames, position: Position) -> PositionPlan:
    """A position, ready to be found.

    Raises:
        InputError: it names what there is not, or is of a kind that is not supported.
    """
    chosen = position.chosen
    if chosen is None:
        raise names.refuse(position, "the position is empty", "give one")
    make = POSITIONS.get(type(chosen))
    if make is None:
        raise names.refuse(chosen, f"{type(chosen).__name__} is not supported yet", "give a LanePosition")
    return make(names, chosen)


def angles_of(orientation: Orientation | None) -> OrientationPlan:
    """The angles of an orientation; none is that of the place."""
    if orientation is None:
        return OrientationPlan()
    return OrientationPlan(
        orientation.h or 0.0,
        orientation.p or 0.0,
        orientation.r or 0.0,
        orientation.type is ReferenceContext.RELATIVE,
        is_given=True,
    )


def _world(names: ScenarioNames, one: WorldPosition) -> PositionPlan:
    del names

    def given(value: float | None) -> float:
        return math.nan if value is None else value

    place = Place(one.x, one.y, given(one.z), one.h or 0.0, given(one.p), given(one.r), oriented=one.h is not None)
    return FixedPosition(place)


def lane_number(names: ScenarioNames, record: OscRecord, lane: str) -> int:
    """The id of a lane as a number.

    Raises:
        InputError: it is none.
    """
    try:
        number = int(lane)
    except ValueError:  # int() refuses texts of thousands of digits, too
        raise names.refuse(record, f"lane {shown(lane)} is not a whole number", "give an id of the map") from None
    if abs(number) > _MAX_LANE:
        raise names.refuse(record, f"lane {shown(lane)} is beyond {_MAX_LANE}", "give an id of the map")
    return number


def _lane(names: ScenarioNames, one: LanePosition) -> PositionPlan:
    road = names.road(one, one.road_id)
    assert names.roads is not None
    lane = lane_number(names, one, one.lane_id)
    course = names.roads.roads[road]
    s = _on_road(names, one, course)
    if course.middle(s, lane) is None:
        known = [lane_.id for lane_ in course.lanes(course.section_at(s))]
        if not known:
            raise names.refuse(one, f"road {one.road_id} has no lanes", "name another road")
        nearest = min(known, key=lambda other: (abs(other - lane), abs(other)))
        names.note(one, f"road {one.road_id} has no lane {lane} at s = {s:g} m; lane {nearest} is taken")
        lane = nearest
    return FixedPosition(lane_place(names.roads, road, lane, s, one.offset or 0.0, angles_of(one.orientation)))


def _road(names: ScenarioNames, one: RoadPosition) -> PositionPlan:
    road = names.road(one, one.road_id)
    assert names.roads is not None
    s = _on_road(names, one, names.roads.roads[road])
    return FixedPosition(road_place(names.roads, road, s, one.t, angles_of(one.orientation)))


def _on_road(names: ScenarioNames, one: LanePosition | RoadPosition, course: RoadCourse) -> float:
    """A place along a road [m]; what lies beyond its ends is noted, and is at the end."""
    s = min(max(one.s, 0.0), course.length)
    if abs(s - one.s) > _BEYOND:
        names.note(one, f"s is {one.s:g} m, and road {one.road_id} is {course.length:.3f} m long; its end is taken")
    return s


def _relative_world(names: ScenarioNames, one: RelativeWorldPosition) -> PositionPlan:
    find = beside_world(one.dx, one.dy, one.dz, angles_of(one.orientation))
    return MovingPosition(names.entity(one, one.entity_ref), find)


def _relative_object(names: ScenarioNames, one: RelativeObjectPosition) -> PositionPlan:
    find = beside_object(one.dx, one.dy, one.dz, angles_of(one.orientation))
    return MovingPosition(names.entity(one, one.entity_ref), find)


def _relative_road(names: ScenarioNames, one: RelativeRoadPosition) -> PositionPlan:
    find = beside_road(one.ds, one.dt, angles_of(one.orientation))
    return MovingPosition(names.entity(one, one.entity_ref), find)


def _relative_lane(names: ScenarioNames, one: RelativeLanePosition) -> PositionPlan:
    find = beside_lane(one.d_lane, one.ds or 0.0, one.ds_lane or 0.0, one.offset or 0.0, angles_of(one.orientation))
    return MovingPosition(names.entity(one, one.entity_ref), find)


_STRATEGIES = {
    RouteStrategy.FASTEST: WayChoice.FASTEST,
    RouteStrategy.LEAST_INTERSECTIONS: WayChoice.LEAST_INTERSECTIONS,
    RouteStrategy.RANDOM: WayChoice.RANDOM,
    RouteStrategy.SHORTEST: WayChoice.SHORTEST,
}


def route_plan(names: ScenarioNames, one: Route | CatalogReference | RouteRef) -> RoutePlan:
    """A route, ready to be found.

    Raises:
        InputError: there is none, or a waypoint is not on the map.
    """
    found: Any = one.chosen if isinstance(one, RouteRef) else one.target
    if not isinstance(found, Route):
        raise names.refuse(one, "there is no route", "give one, or name one of a catalog")
    return RoutePlan(
        tuple(position_plan(names, each.position) for each in found.waypoints),
        tuple(_STRATEGIES[each.route_strategy] for each in found.waypoints),
        found.closed,
        found.name,
    )


def _on_route(names: ScenarioNames, one: RoutePosition) -> PositionPlan:
    route, angles, inside = route_plan(names, one.route_ref), angles_of(one.orientation), one.in_route_position
    if inside.from_current_entity is not None:
        current = inside.from_current_entity
        return WithEntityOnRoute(names.entity(current, current.entity_ref), angles)
    if inside.from_lane_coordinates is not None:
        at = inside.from_lane_coordinates
        return OnRoute(route, at.path_s, lane_number(names, at, at.lane_id), at.lane_offset or 0.0, angles)
    if inside.from_road_coordinates is None:
        raise names.refuse(one, "the position is empty", "give one")
    return OnRoute(route, inside.from_road_coordinates.path_s, None, inside.from_road_coordinates.t, angles)


POSITIONS: dict[type, Callable[[ScenarioNames, Any], PositionPlan]] = {
    WorldPosition: _world,
    LanePosition: _lane,
    RoadPosition: _road,
    RelativeWorldPosition: _relative_world,
    RelativeObjectPosition: _relative_object,
    RelativeRoadPosition: _relative_road,
    RelativeLanePosition: _relative_lane,
    RoutePosition: _on_route,
    LinkPosition: link_position,
    GeoPosition: lambda names, one: geo_position(names, one, angles_of(one.orientation)),
}
"""How each kind of positions is made ready."""
