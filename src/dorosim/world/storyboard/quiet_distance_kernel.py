"""Distances of a quiet tick on one road, as `dorosim.scenario.openscenario.engine.distance` has them."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.road.opendrive.course_kernel import middle_at, section_at
from dorosim.road.opendrive.course_place_kernel import length_of_lane, nearest_on_road
from dorosim.world.storyboard.box_kernel import box_corners, interval_gap, outline_gap
from dorosim.world.storyboard.quiet_code import (
    ENTITY_NUMBERS,
    EntityNumber,
    Metre,
    MetreNumber,
    QuietHead,
)
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.storyboard.vector_kernel import in_body_frame, space_length

NONE, FOUND, AWAY = 0, 1, 2
"""There is no such distance; there is; it leads over several roads or sections, which is for the engine."""

EUCLIDEAN, LONGITUDINAL, LATERAL = 0, 1, 2
BY_ENTITY, BY_LANE, BY_ROAD, BY_TRAJECTORY, BY_WORLD = range(5)
"""Directions and coordinate systems, as the engine numbers them."""

Box = tuple[float, float, float, float]
Body = tuple[float, float, float, float, float, float, float, float]
"""x, y, z [m], heading [rad], s, t [m], offset from the middle of the lane [m], turn from the road [rad]."""
COLUMN = EntityTable.at


@inner_kernel
def body_of(floats: FloatArray, entity: int) -> Body:
    """The numbers of an entity."""
    return (
        floats[COLUMN.x, entity],
        floats[COLUMN.y, entity],
        floats[COLUMN.z, entity],
        floats[COLUMN.heading, entity],
        floats[COLUMN.s, entity],
        floats[COLUMN.t, entity],
        floats[COLUMN.offset, entity],
        floats[COLUMN.turn, entity],
    )


@inner_kernel
def box_of(plan_floats: FloatArray, plan_ints: IntArray, entity: int) -> Box:
    """Middle, length and width of an entity's box in plan [m]."""
    at = plan_ints[QuietHead.ENTITIES] + entity * ENTITY_NUMBERS
    return (
        plan_floats[at + EntityNumber.BOX_X],
        plan_floats[at + EntityNumber.BOX_Y],
        plan_floats[at + EntityNumber.LENGTH],
        plan_floats[at + EntityNumber.WIDTH],
    )


@inner_kernel
def place_of(plan_floats: FloatArray, at: int) -> Body:
    """The numbers of a place."""
    return (
        plan_floats[at + MetreNumber.X],
        plan_floats[at + MetreNumber.Y],
        plan_floats[at + MetreNumber.Z],
        plan_floats[at + MetreNumber.HEADING],
        plan_floats[at + MetreNumber.S],
        plan_floats[at + MetreNumber.T],
        0.0,
        0.0,
    )


@inner_kernel
def _gap_in_frame(body: Body, heading: float, there: Body, boxes: tuple[Box, Box], axis: int) -> float:
    """The gap of two boxes along an axis of a frame at a body."""
    low, high, other_low, other_high = math.inf, -math.inf, math.inf, -math.inf
    own = box_corners(body[0], body[1], body[3], boxes[0])
    others = box_corners(there[0], there[1], there[3], boxes[1])
    for number in range(len(own)):
        mine = in_body_frame(body[0], body[1], heading, own[number, 0], own[number, 1])
        theirs = in_body_frame(body[0], body[1], heading, others[number, 0], others[number, 1])
        value, other = (mine[0], theirs[0]) if axis == 0 else (mine[1], theirs[1])
        low, high = min(low, value), max(high, value)
        other_low, other_high = min(other_low, other), max(other_high, other)
    return interval_gap(low, high, other_low, other_high)


@outlined_kernel
def _gap_on_road(
    road_floats: FloatArray,
    road_ints: IntArray,
    road: int,
    body: Body,
    there: Body,
    boxes: tuple[Box, Box],
    longitudinal: bool,
    facing: float,
    shift: float,
) -> float:
    """The gap of two boxes along or across a road."""
    low, high, other_low, other_high = math.inf, -math.inf, math.inf, -math.inf
    own = box_corners(body[0], body[1], body[3], boxes[0])
    others = box_corners(there[0], there[1], there[3], boxes[1])
    for number in range(len(own)):
        s, t = nearest_on_road(road_floats, road_ints, road, own[number, 0], own[number, 1], body[4])
        value = (s - body[4]) * facing if longitudinal else t * facing
        s, t = nearest_on_road(road_floats, road_ints, road, others[number, 0], others[number, 1], there[4])
        other = shift + (s - there[4]) * facing if longitudinal else t * facing + shift
        low, high = min(low, value), max(high, value)
        other_low, other_high = min(other_low, other), max(other_high, other)
    return interval_gap(low, high, other_low, other_high)


@outlined_kernel
def _on_road(
    road_floats: FloatArray,
    road_ints: IntArray,
    metre: tuple[int, int, bool],
    road: int,
    lane: int,
    body: Body,
    there: Body,
    boxes: tuple[Box, Box],
) -> tuple[int, float]:
    """Along or across a road or lane on which both are."""
    system, direction, freespace = metre
    facing = 1.0 if math.cos(body[7]) >= 0.0 else -1.0
    section = section_at(road_floats, road_ints, road, body[4])
    if system == BY_LANE and section != section_at(road_floats, road_ints, road, there[4]):
        return AWAY, 0.0
    if direction == LATERAL:
        shift = 0.0
        if system == BY_LANE and lane != 0:
            found, middle, _, _ = middle_at(road_floats, road_ints, road, there[4], lane)
            if found:
                shift = (body[5] - body[6]) * facing - middle * facing
        if not freespace:
            return FOUND, there[5] * facing + shift - body[5] * facing
        return FOUND, _gap_on_road(road_floats, road_ints, road, body, there, boxes, False, facing, shift)
    ahead = 1.0 if (there[4] - body[4]) * facing >= 0.0 else -1.0
    along = abs(there[4] - body[4]) * ahead
    if system == BY_LANE and lane != 0:
        along = length_of_lane(road_floats, road_ints, road, section, lane, body[4], there[4]) * ahead
    if not freespace:
        return FOUND, along
    return FOUND, _gap_on_road(road_floats, road_ints, road, body, there, boxes, True, facing, along)


@outlined_kernel
def distance_between(
    road_floats: FloatArray,
    road_ints: IntArray,
    metre: tuple[int, int, bool],
    has_roads: bool,
    roads: tuple[int, int, int],
    body: Body,
    there: Body,
    boxes: tuple[Box, Box],
) -> tuple[int, float]:
    """The distance from a body to another one or a place: NONE, FOUND or AWAY, and [m].

    Args:
        road_floats: of the roads.
        road_ints: the same.
        metre: coordinate system, direction, and whether it is that of the boxes.
        has_roads: whether the scenario has roads.
        roads: road and lane of the body, and road of the other one or the place; -1 for none.
        body: of the entity.
        there: of the other one, or the place.
        boxes: of both.
    """
    system, direction, freespace = metre
    if direction == EUCLIDEAN:
        if freespace:
            own = box_corners(body[0], body[1], body[3], boxes[0])
            return FOUND, outline_gap(own, box_corners(there[0], there[1], there[3], boxes[1]))
        rise = 0.0 if math.isnan(there[2]) else there[2] - body[2]
        return FOUND, space_length(there[0] - body[0], there[1] - body[1], rise)
    if system in (BY_LANE, BY_ROAD) and has_roads and roads[0] >= 0:
        if roads[0] != roads[2]:
            return AWAY, 0.0
        return _on_road(road_floats, road_ints, metre, roads[0], roads[1], body, there, boxes)
    axis, heading = (0 if direction == LONGITUDINAL else 1), (0.0 if system == BY_WORLD else body[3])
    if freespace:
        return FOUND, _gap_in_frame(body, heading, there, boxes, axis)
    along, across = in_body_frame(body[0], body[1], heading, there[0], there[1])
    return FOUND, along if axis == 0 else across


@outlined_kernel
def measured(
    road_floats: FloatArray,
    road_ints: IntArray,
    plan_floats: FloatArray,
    plan_ints: IntArray,
    floats: FloatArray,
    ints: IntArray,
    entity: int,
    metre_at: int,
    place_at: int,
) -> tuple[int, float]:
    """The distance that `Metre` ints and `MetreNumber` floats ask for, from an entity."""
    other = plan_ints[metre_at + Metre.OTHER]
    freespace = plan_ints[metre_at + Metre.FREESPACE] != 0
    metre = (plan_ints[metre_at + Metre.SYSTEM], plan_ints[metre_at + Metre.DIRECTION], freespace)
    own = box_of(plan_floats, plan_ints, entity)
    has_roads = len(road_ints) > 1
    if other >= 0:
        there, box, road = body_of(floats, other), box_of(plan_floats, plan_ints, other), ints[COLUMN.road, other]
    else:
        there, box, road = place_of(plan_floats, place_at), (0.0, 0.0, 0.0, 0.0), plan_ints[metre_at + Metre.ROAD]
    roads = (ints[COLUMN.road, entity], ints[COLUMN.lane, entity], road)
    return distance_between(road_floats, road_ints, metre, has_roads, roads, body_of(floats, entity), there, (own, box))
