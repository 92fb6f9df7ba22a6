"""Positions by latitude and longitude (ASAM OpenSCENARIO XML 1.3, GeoPosition)."""

from __future__ import annotations

import math
from dataclasses import replace

from dorosim.ground.error import InputError
from dorosim.road.opendrive.road_course_network import CourseNetwork, CoursePlace
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.position import FixedPosition, OrientationPlan, PositionPlan, road_place
from dorosim.scenario.openscenario.record.place import GeoPosition

_STEP = 5.0
"""Distance between the places at which a road is sought below a point [m]."""


def geo_position(names: ScenarioNames, one: GeoPosition, angles: OrientationPlan) -> PositionPlan:
    """A place by latitude and longitude; without angles of its own a body points as vehicles drive there.

    Without an altitude it is on the road; of roads above each other on the one that the file counts from the lowest, or
    on the one whose middle is nearest.

    Raises:
        InputError: there is no map, its projection is not known, or there is no place on it.
    """
    roads = names.roads
    if roads is None:
        raise names.refuse(one, "there is no road network", "name one in <LogicFile>")
    if one.latitude_deg is None or one.longitude_deg is None:
        raise names.refuse(one, "the position has no latitude or no longitude", "give latitudeDeg and longitudeDeg")
    try:
        projection = roads.projection
    except InputError as error:
        raise names.refuse(one, f"{error.place}: {error.problem}", error.cure) from None
    if projection is None:
        raise names.refuse(one, "the map has no projection, so there are no latitudes on it", "give a LanePosition")
    latitude, longitude = math.radians(one.latitude_deg), math.radians(one.longitude_deg)
    x, y = projection.point_from_geographic(latitude, longitude)
    if not (math.isfinite(x) and math.isfinite(y)):
        problem = f"latitude {one.latitude_deg} and longitude {one.longitude_deg} are not in the map's projection"
        raise names.refuse(one, problem, "correct them")
    if one.vertical_road_selection is None:
        at = roads.locate(x, y)
    else:
        below = _roads_at(roads, x, y)
        if not 0 <= one.vertical_road_selection < len(below):
            problem = f"verticalRoadSelection is {one.vertical_road_selection}, and there are {len(below)} roads there"
            raise names.refuse(one, problem, "count from 0, the lowest one")
        at = below[one.vertical_road_selection]
    found = road_place(roads, at.road, at.s, at.t, angles)
    return FixedPosition(found if one.altitude is None else replace(found, z=one.altitude - projection.origin[2]))


def _roads_at(roads: CourseNetwork, x: float, y: float) -> list[CoursePlace]:
    """The roads that a point lies on in plan, from the lowest to the highest."""
    found = []
    for number, course in enumerate(roads.roads):
        count = max(math.ceil(course.length / _STEP), 1)
        places = [course.length * part / count for part in range(count + 1)]
        nearest = min(places, key=lambda s: math.hypot(course.line(s).x - x, course.line(s).y - y))
        place = course.nearest(x, y, nearest)
        if place.is_on:
            found.append((course.pose(place.s, place.t).z, CoursePlace(number, place.s, place.t)))
    return [place for _, place in sorted(found)]
