"""What drivers wish by their orders in a quiet tick, as `dorosim.scenario.openscenario.engine.order` has it."""

from __future__ import annotations

import math

from dorosim.ground.address_kernel import float_rows_at, int_rows_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.search_kernel import row_of_item
from dorosim.road.opendrive.course_kernel import middle_at
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.quiet_block_kernel import BlockEntry, road_floats, road_ints
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.mode import ControlMode
from dorosim.world.vehicle.state import VehicleState

_ENTITY, _VEHICLE, _TRAFFIC = EntityTable.at, VehicleState.at, TrafficState.at
_WIDTH, _INT_WIDTH = EntityTable.float_width, len(EntityTable.int_columns)
_DRIVER, _CRUISE = int(Mover.DRIVER), int(ControlMode.CRUISE)
MIN_LANE_WIDTH, MIN_BIAS_CHANGE = 1.0, 1e-3
"""Of lanes [m], and of changes of an offset over half a lane."""
_PLAIN_SPEED = 100.0
"""Whether a driver may wish to go faster [m/s], is looked up in Python."""


@inner_kernel
def bias_of(order: FloatArray, row: int, width: float) -> float:
    """Where in its lane an order is: from -1 at the right border to 1 at the left one."""
    half = 0.5 * max(width, MIN_LANE_WIDTH)
    bias = order[_ENTITY.offset, row] * (1.0 if math.cos(order[_ENTITY.turn, row]) >= 0.0 else -1.0) / half
    return float(min(max(bias, -1.0), 1.0))


@inner_kernel
def wish_speed(vehicle: FloatArray, own: int, ordered: float) -> bool:
    """Write the speed that a driver wishes; false where Python has to look whether a command may ask for it."""
    speed = 0.0 if ordered < 0.0 else ordered
    if vehicle[_VEHICLE.cruise_speed, own] == speed and vehicle[_VEHICLE.cruise_ratio, own] == 0.0:
        return True
    vehicle[_VEHICLE.cruise_ratio, own], vehicle[_VEHICLE.cruise_speed, own] = 0.0, speed
    return bool(0.0 <= speed <= _PLAIN_SPEED)


@kernel
def write_wishes(
    blocks: IntArray, line: IntArray, vehicle: FloatArray, ints: IntArray, traffic: FloatArray, traffic_ints: IntArray
) -> bool:
    """Write the speeds and the places in their lanes that drivers wish by their orders after a quiet tick.

    Args:
        blocks: what the tick has taken as given (`BlockEntry`); read-only.
        line: the line that it has written.
        vehicle: the writable float block of `VehicleState`.
        ints: its int block.
        traffic: the writable float block of `TrafficState`, which has the drivers' plans.
        traffic_ints: its int block.

    Returns:
        whether that is all: false where a driver is to begin, to change its lane, or wishes what no command may.
    """
    start, entities, orders = line.ctypes.data, blocks[BlockEntry.ENTITIES], blocks[BlockEntry.ORDERS]
    entity = int_rows_at(start + blocks[BlockEntry.ENTITY_INTS], _INT_WIDTH, entities)
    order = float_rows_at(start + blocks[BlockEntry.ORDER_FLOATS], _WIDTH, orders)
    order_ints = int_rows_at(start + blocks[BlockEntry.ORDER_INTS], _INT_WIDTH, orders)
    for row in range(orders):
        actor = entity[_ENTITY.actor, row]
        if entity[_ENTITY.mover, row] != _DRIVER or not order_ints[_ENTITY.present, row] or actor <= 0:
            continue
        own = row_of_item(ints[_VEHICLE.id], actor)
        if own < 0:
            continue
        if ints[_VEHICLE.control_mode, own] != _CRUISE:
            return False
        if not wish_speed(vehicle, own, order[_ENTITY.speed, row]):
            return False
        road, lane = order_ints[_ENTITY.road, row], order_ints[_ENTITY.lane, row]
        if blocks[BlockEntry.ROAD_INT_COUNT] <= 1 or road < 0:
            continue
        there, _, _, width = middle_at(road_floats(blocks), road_ints(blocks), road, order[_ENTITY.s, row], lane)
        if not there:
            continue
        if lane != entity[_ENTITY.lane, row] and road == entity[_ENTITY.road, row]:
            return False
        bias = bias_of(order, row, width)
        if abs(vehicle[_VEHICLE.cruise_bias, own] - bias) > MIN_BIAS_CHANGE:
            vehicle[_VEHICLE.cruise_bias, own] = bias
            plan = row_of_item(traffic_ints[_TRAFFIC.id], actor)
            if plan >= 0:
                traffic[_TRAFFIC.lateral_bias, plan] = bias
    return True
