"""How far an entity reaches over the borders of its lane, in compiled code."""

from __future__ import annotations

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import outlined_kernel
from dorosim.road.opendrive.course_kernel import length_of, middle_at
from dorosim.road.opendrive.course_place_kernel import nearest_on_road
from dorosim.world.storyboard.box_kernel import CORNERS
from dorosim.world.storyboard.criterion_word import CANNOT_SAY
from dorosim.world.storyboard.criticality_kernel import NO, YES, Found, outline_of
from dorosim.world.storyboard.state import EntityTable

_AT = EntityTable.at


@outlined_kernel
def find_overhang(
    road_floats: FloatArray, road_ints: IntArray, floats: FloatArray, ints: IntArray, boxes: FloatArray, ego: int
) -> Found:
    """How far the box of an entity reaches over the borders of its lane [m]: `criterion.event.NoLaneLeft`.

    Args:
        road_floats: of `CourseTables`.
        road_ints: the same.
        floats: of the entities.
        ints: of the entities.
        boxes: of the entities.
        ego: number of the entity.
    """
    road, lane, own = ints[_AT.road, ego], ints[_AT.lane, ego], floats[_AT.s, ego]
    if len(road_ints) <= 1 or road < 0:
        return NO, 0.0, -1
    there, _, _, _ = middle_at(road_floats, road_ints, road, own, lane)
    if not there:
        return CANNOT_SAY, 0.0, -1
    outline, length, over = outline_of(floats, boxes, ego), length_of(road_floats, road_ints, road), 0.0
    for corner in range(CORNERS):
        s, t = nearest_on_road(road_floats, road_ints, road, outline[corner, 0], outline[corner, 1], own)
        # the corner is on another road already, whose borders are others
        if not 0.0 < s < length:
            continue
        found, middle, _, width = middle_at(road_floats, road_ints, road, s, lane)
        if found and lane != 0:
            over = max(over, abs(t - middle) - width / 2.0)
    return YES, over, -1
