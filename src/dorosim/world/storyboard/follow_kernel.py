"""Where entities are that the world moves, as `dorosim.scenario.openscenario.engine.mover` finds it after a tick."""

from __future__ import annotations

import math

from dorosim.ground.address_kernel import float_rows_at, int_rows_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.hypot_kernel import python_hypot
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.search_kernel import row_of_item
from dorosim.road.opendrive.course_place_kernel import is_off_road, whole_turn
from dorosim.world.storyboard.order_kernel import find_on_road
from dorosim.world.storyboard.quiet_block_kernel import BlockEntry, road_floats, road_ints
from dorosim.world.storyboard.quiet_motion_kernel import STILL_SPEED, since_when
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.vehicle.state import VehicleState

_ENTITY, _VEHICLE = EntityTable.at, VehicleState.at
_ENTITY_FLOATS, _ENTITY_INTS = EntityTable.float_width, len(EntityTable.int_columns)


@inner_kernel
def adopt_motion(entity: FloatArray, row: int, vehicle: FloatArray, at: int) -> None:
    """Write place and motion of a vehicle into the row of its entity; vectors turn from the body into the map."""
    x, y = vehicle[_VEHICLE.x, at], vehicle[_VEHICLE.y, at]
    entity[_ENTITY.travelled, row] += python_hypot(x - entity[_ENTITY.x, row], y - entity[_ENTITY.y, row])
    entity[_ENTITY.x, row], entity[_ENTITY.y, row], entity[_ENTITY.z, row] = x, y, vehicle[_VEHICLE.z, at]
    heading, pitch = whole_turn(vehicle[_VEHICLE.yaw, at]), vehicle[_VEHICLE.pitch, at]
    entity[_ENTITY.heading, row], entity[_ENTITY.pitch, row] = heading, pitch
    entity[_ENTITY.roll, row] = vehicle[_VEHICLE.roll, at]
    cosine, sine = math.cos(heading), math.sin(heading)
    forward, left = vehicle[_VEHICLE.velocity_x, at], vehicle[_VEHICLE.velocity_y, at]
    level = math.cos(pitch) * forward
    entity[_ENTITY.speed, row] = forward
    entity[_ENTITY.velocity_x, row] = level * cosine - left * sine
    entity[_ENTITY.velocity_y, row] = level * sine + left * cosine
    entity[_ENTITY.velocity_z, row] = -math.sin(pitch) * forward
    ahead, aside = vehicle[_VEHICLE.acceleration, at], vehicle[_VEHICLE.acceleration + 1, at]
    entity[_ENTITY.acceleration_x, row] = ahead * cosine - aside * sine
    entity[_ENTITY.acceleration_y, row] = ahead * sine + aside * cosine
    entity[_ENTITY.acceleration_z, row] = vehicle[_VEHICLE.acceleration + 2, at]
    entity[_ENTITY.yaw_rate, row] = vehicle[_VEHICLE.angular_velocity + 2, at]


@kernel
def follow_vehicles(blocks: IntArray, line: IntArray, vehicle: FloatArray, ints: IntArray, time: int) -> bool:
    """Put entities that the world moves where their vehicles are at the end of a tick.

    Args:
        blocks: what the tick has taken as given (`BlockEntry`); read-only.
        line: of the tables; the entities in it are written.
        vehicle: the writable float block of `VehicleState`.
        ints: its int block.
        time: at the end of the tick, since the storyboard's start [ns].

    Returns:
        whether that is all: false where an entity has left its road.
    """
    start, entities = line.ctypes.data, blocks[BlockEntry.ENTITIES]
    floats = float_rows_at(start + blocks[BlockEntry.ENTITY_FLOATS], _ENTITY_FLOATS, entities)
    entity = int_rows_at(start + blocks[BlockEntry.ENTITY_INTS], _ENTITY_INTS, entities)
    for row in range(entities):
        if entity[_ENTITY.mover, row] == 0 or entity[_ENTITY.actor, row] <= 0:
            continue
        at = row_of_item(ints[_VEHICLE.id], entity[_ENTITY.actor, row])
        if at < 0:
            continue
        adopt_motion(floats, row, vehicle, at)
        off = False
        if blocks[BlockEntry.ROAD_INT_COUNT] > 1:
            roads, tables, road = road_floats(blocks), road_ints(blocks), entity[_ENTITY.road, row]
            if road < 0 or not find_on_road(roads, tables, floats, entity, row):
                return False
            x, y = floats[_ENTITY.x, row], floats[_ENTITY.y, row]
            off = is_off_road(roads, tables, road, floats[_ENTITY.s, row], floats[_ENTITY.t, row], x, y)
        stands = abs(floats[_ENTITY.speed, row]) < STILL_SPEED
        entity[_ENTITY.still_since, row] = since_when(entity[_ENTITY.still_since, row], stands, time)
        entity[_ENTITY.off_road_since, row] = since_when(entity[_ENTITY.off_road_since, row], off, time)
    return True
