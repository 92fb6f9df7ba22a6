"""Orders of drivers in a quiet tick, as `dorosim.scenario.openscenario.engine.order` has them.

An order is a row of a table like that of the entities. It goes along with its entity, and actions of that write it.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.road.opendrive.course_kernel import middle_at
from dorosim.road.opendrive.course_place_kernel import is_on_road, lane_of_body, nearest_on_road
from dorosim.road.opendrive.course_tables import ROAD_ENTRIES, CourseEntry
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.quiet_code import DONE, ORDER, ROAD
from dorosim.world.storyboard.quiet_motion_kernel import LONGITUDINAL_BIT, follow_lane, move_along
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.storyboard.vector_kernel import derived

_ORDER = EntityTable.at
_DRIVER = int(Mover.DRIVER)
_STANDS_BELOW = 1e-9
_SHAPED = int(CourseEntry.IS_SHAPED)
BEFORE_NUMBERS = 7
"""Place, heading and velocity of an order before it moves."""


@inner_kernel
def has_order(ints: IntArray, row: int) -> bool:
    """Whether an entity has a driver, and so an order."""
    return bool(ints[_ORDER.mover, row] == _DRIVER)


@inner_kernel
def swap_rows(floats: FloatArray, ints: IntArray, order: FloatArray, order_ints: IntArray, row: int) -> None:
    """Let the row of an entity and that of its order change places: actions write the order."""
    for column in range(floats.shape[0]):
        kept = floats[column, row]
        floats[column, row], order[column, row] = order[column, row], kept
    for column in range(ints.shape[0]):
        whole = ints[column, row]
        ints[column, row], order_ints[column, row] = order_ints[column, row], whole


@inner_kernel
def find_on_road(road_floats: FloatArray, road_ints: IntArray, floats: FloatArray, ints: IntArray, row: int) -> bool:
    """Find lane, s, t, offset and turn of a row by its x, y and heading; false where it has left its road.

    As `placing.find_road` where the present road is kept.
    """
    road, x, y = ints[_ORDER.road, row], floats[_ORDER.x, row], floats[_ORDER.y, row]
    s, t = nearest_on_road(road_floats, road_ints, road, x, y, floats[_ORDER.s, row])
    if not is_on_road(road_floats, road_ints, road, s, t, x, y):
        return False
    floats[_ORDER.s, row], floats[_ORDER.t, row] = s, t
    lane, offset, turn = lane_of_body(road_floats, road_ints, road, s, t, floats[_ORDER.heading, row])
    ints[_ORDER.lane, row], floats[_ORDER.offset, row], floats[_ORDER.turn, row] = lane, offset, turn
    return True


@outlined_kernel
def catch_up_orders(
    road_floats: FloatArray,
    road_ints: IntArray,
    floats: FloatArray,
    ints: IntArray,
    order: FloatArray,
    order_ints: IntArray,
) -> int:
    """Put all orders beside their entities: same place along the road, their own lanes and offsets; a `Quiet` code."""
    for row in range(ints.shape[1]):
        if not has_order(ints, row):
            continue
        if order.shape[1] == 0 or order_ints[_ORDER.mover, row] != ints[_ORDER.mover, row]:
            return ORDER
        if order_ints[_ORDER.present, row] != ints[_ORDER.present, row]:
            return ORDER
        order[_ORDER.x, row], order[_ORDER.y, row] = floats[_ORDER.x, row], floats[_ORDER.y, row]
        road = order_ints[_ORDER.road, row]
        if len(road_ints) <= 1 or road < 0:
            continue
        # heights of such roads are not in the tables
        if road_ints[road * ROAD_ENTRIES + _SHAPED]:
            return ROAD
        lane, offset, turn = order_ints[_ORDER.lane, row], order[_ORDER.offset, row], order[_ORDER.turn, row]
        if not find_on_road(road_floats, road_ints, order, order_ints, row):
            return ROAD
        there, _, _, _ = middle_at(road_floats, road_ints, road, order[_ORDER.s, row], lane)
        if ints[_ORDER.lane, row] * lane > 0 and there:
            order_ints[_ORDER.lane, row], order[_ORDER.offset, row] = lane, offset
        order[_ORDER.turn, row] = turn
        follow_lane(road_floats, road_ints, order, order_ints, row)
    return DONE


@inner_kernel
def motion_of_orders(order: FloatArray) -> FloatArray:
    """`(7, orders)` x, y, z, heading and velocities before the orders move."""
    before = np.empty((BEFORE_NUMBERS, order.shape[1]))
    for row in range(order.shape[1]):
        before[0, row], before[1, row] = order[_ORDER.x, row], order[_ORDER.y, row]
        before[2, row], before[3, row] = order[_ORDER.z, row], order[_ORDER.heading, row]
        before[4, row], before[5, row] = order[_ORDER.velocity_x, row], order[_ORDER.velocity_y, row]
        before[6, row] = order[_ORDER.velocity_z, row]
    return before


@outlined_kernel
def move_orders(
    road_floats: FloatArray,
    road_ints: IntArray,
    order: FloatArray,
    order_ints: IntArray,
    before: FloatArray,
    moved: IntArray,
    dt: float,
) -> int:
    """Move all orders as the default controller does; a `Quiet` code.

    Args:
        road_floats: of `CourseTables`.
        road_ints: the same.
        order: floats of the orders; written.
        order_ints: ints of them; written.
        before: of `motion_of_orders`.
        moved: `(orders,)` bits of the domains in which an action has moved an order.
        dt: length of the tick [s].
    """
    for row in range(order.shape[1]):
        if not has_order(order_ints, row):
            continue
        speed = order[_ORDER.speed, row]
        drives = order_ints[_ORDER.present, row] and abs(speed) > _STANDS_BELOW and not moved[row] & LONGITUDINAL_BIT
        if drives and not move_along(road_floats, road_ints, order, order_ints, row, speed * dt):
            return ROAD
        was = (
            before[0, row],
            before[1, row],
            before[2, row],
            before[3, row],
            before[4, row],
            before[5, row],
            before[6, row],
        )
        x, y, z = order[_ORDER.x, row], order[_ORDER.y, row], order[_ORDER.z, row]
        found = derived(x, y, z, order[_ORDER.heading, row], was, dt)
        for part in range(3):
            order[_ORDER.velocity_x + part, row] = found[part]
            order[_ORDER.acceleration_x + part, row] = found[3 + part]
        order[_ORDER.yaw_rate, row] = found[6]
        order[_ORDER.travelled, row] += found[7]
    return DONE
