"""Puts the actors of entities where the table of the storyboard has them."""

from __future__ import annotations

from math import atan, cos, floor, hypot, pi, sin

from dorosim.ground.address_kernel import float_rows_at, int_rows_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.search_kernel import row_of_item
from dorosim.world.obstacle.state import ObstacleState
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_ENTITY = EntityTable.at
_FLOATS, _INTS = EntityTable.float_width, len(EntityTable.int_columns)
_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at
_PERSON = PedestrianState.at
_THING = ObstacleState.at
_DEFAULT = int(Mover.DEFAULT)
_IS_VEHICLE, _IS_PERSON = 0, 1
"""`BodyShape`, whose module the kernel does not need otherwise."""
_GHOST_KIND, _GHOST_MODE, _LED = int(ControlKind.GHOST), int(ControlMode.GHOST), int(Stage.LED)
LED_TIME = 1.0
"""A person that is put somewhere in each tick does not stop being led [s]."""
_MIN_STEERED_SPEED = 0.1
"""Below this [m/s] the front wheels stay as they are."""


@inner_kernel
def _wrapped(angle: float) -> float:
    """An angle from -pi to pi [rad]."""
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi))


@inner_kernel
def _place_vehicle(
    entity: FloatArray, k: int, parameter: FloatArray, state: FloatArray, ints: IntArray, i: int, moves: float
) -> None:
    """Write pose and motion of an entity into a row of vehicles; vectors turn from the map into the body."""
    yaw, pitch, roll = entity[_ENTITY.heading, k], entity[_ENTITY.pitch, k], entity[_ENTITY.roll, k]
    state[_VEHICLE.x, i], state[_VEHICLE.y, i], state[_VEHICLE.z, i] = (
        entity[_ENTITY.x, k],
        entity[_ENTITY.y, k],
        entity[_ENTITY.z, k],
    )
    state[_VEHICLE.roll, i], state[_VEHICLE.pitch, i], state[_VEHICLE.yaw, i] = roll, pitch, yaw
    cy, sy, cp, sp, cr, sr = cos(yaw), sin(yaw), cos(pitch), sin(pitch), cos(roll), sin(roll)
    for source, target in (
        (_ENTITY.velocity_x, _VEHICLE.velocity_x),
        (_ENTITY.acceleration_x, _VEHICLE.acceleration),
    ):
        east, north, up = (
            entity[source, k] * moves,
            entity[source + 1, k] * moves,
            entity[source + 2, k] * moves,
        )
        level, left = cy * east + sy * north, cy * north - sy * east
        along, above = cp * level - sp * up, sp * level + cp * up
        state[target, i] = along
        state[target + 1, i] = cr * left + sr * above
        state[target + 2, i] = cr * above - sr * left
    yaw_rate = entity[_ENTITY.yaw_rate, k] * moves
    state[_VEHICLE.angular_velocity, i] = state[_VEHICLE.angular_velocity + 1, i] = 0.0
    state[_VEHICLE.angular_velocity + 2, i] = yaw_rate
    speed = state[_VEHICLE.velocity_x, i]
    if abs(speed) > _MIN_STEERED_SPEED:
        angle, most = atan(parameter[_PARAMETER.wheelbase, i] * yaw_rate / speed), parameter[_PARAMETER.max_steer, i]
        state[_VEHICLE.steer, i] = min(max(angle, -most), most)
    state[_VEHICLE.last_speed, i], state[_VEHICLE.last_yaw, i] = speed, yaw
    ints[_VEHICLE.control_kind, i], ints[_VEHICLE.control_mode, i] = _GHOST_KIND, _GHOST_MODE
    ints[_VEHICLE.rolled, i] = ints[_VEHICLE.placed, i] = 0


@inner_kernel
def _place_person(
    entity: FloatArray, k: int, offset: FloatArray, state: FloatArray, ints: IntArray, i: int, moves: float
) -> None:
    """Write pose and motion of an entity into a row of pedestrians."""
    yaw = entity[_ENTITY.heading, k]
    c, s = cos(yaw), sin(yaw)
    right, left = c * offset[0, k] - s * offset[1, k], s * offset[0, k] + c * offset[1, k]
    x, y = entity[_ENTITY.x, k] + right, entity[_ENTITY.y, k] + left
    yaw_rate = entity[_ENTITY.yaw_rate, k] * moves
    vx = entity[_ENTITY.velocity_x, k] * moves - left * yaw_rate
    vy = entity[_ENTITY.velocity_y, k] * moves + right * yaw_rate
    state[_PERSON.walked, i] = entity[_ENTITY.travelled, k]
    state[_PERSON.x, i], state[_PERSON.y, i], state[_PERSON.z, i] = x, y, entity[_ENTITY.z, k] + offset[2, k]
    state[_PERSON.yaw, i], state[_PERSON.yaw_rate, i] = _wrapped(yaw), yaw_rate
    state[_PERSON.velocity_x, i], state[_PERSON.velocity_y, i], state[_PERSON.speed, i] = vx, vy, hypot(vx, vy)
    state[_PERSON.acceleration_x, i] = entity[_ENTITY.acceleration_x, k] * moves
    state[_PERSON.acceleration_y, i] = entity[_ENTITY.acceleration_y, k] * moves
    state[_PERSON.rest, i] = LED_TIME
    state[_PERSON.fall_angle, i] = state[_PERSON.fall_speed, i] = 0.0
    ints[_PERSON.stage, i] = _LED


@inner_kernel
def _place_thing(
    entity: FloatArray, k: int, offset: FloatArray, state: FloatArray, ints: IntArray, i: int, moves: float
) -> None:
    """Write pose and motion of an entity into a row of obstacles."""
    yaw = entity[_ENTITY.heading, k]
    c, s = cos(yaw), sin(yaw)
    right, left = c * offset[0, k] - s * offset[1, k], s * offset[0, k] + c * offset[1, k]
    yaw_rate = entity[_ENTITY.yaw_rate, k] * moves
    state[_THING.x, i] = entity[_ENTITY.x, k] + right
    state[_THING.y, i] = entity[_ENTITY.y, k] + left
    state[_THING.z, i] = entity[_ENTITY.z, k] + offset[2, k]
    state[_THING.roll, i], state[_THING.pitch, i] = entity[_ENTITY.roll, k], entity[_ENTITY.pitch, k]
    state[_THING.yaw, i], state[_THING.yaw_rate, i] = _wrapped(yaw), yaw_rate
    state[_THING.velocity_x, i] = entity[_ENTITY.velocity_x, k] * moves - left * yaw_rate
    state[_THING.velocity_y, i] = entity[_ENTITY.velocity_y, k] * moves + right * yaw_rate
    state[_THING.velocity_z, i] = entity[_ENTITY.velocity_z, k] * moves
    for part in range(3):
        state[_THING.acceleration_x + part, i] = entity[_ENTITY.acceleration_x + part, k] * moves
    ints[_THING.loose, i] = ints[_THING.moving, i] = 0


@inner_kernel
def _place_vehicles(
    entity: FloatArray,
    entity_ints: IntArray,
    parameter: FloatArray,
    vehicle: FloatArray,
    vehicle_ints: IntArray,
    moves: float,
) -> None:
    """See `place_vehicle_entities`."""
    for k in range(entity.shape[1]):
        actor = entity_ints[_ENTITY.actor, k]
        if actor <= 0 or entity_ints[_ENTITY.mover, k] != _DEFAULT:
            continue
        # persons and obstacles have other ids
        i = row_of_item(vehicle_ints[_VEHICLE.id], actor)
        if i >= 0:
            _place_vehicle(entity, k, parameter, vehicle, vehicle_ints, i, moves)


@kernel
def place_vehicle_entities(
    entity: FloatArray,
    entity_ints: IntArray,
    parameter: FloatArray,
    vehicle: FloatArray,
    vehicle_ints: IntArray,
    moves: float,
) -> None:
    """Put vehicles that the default controller moves where the table has them.

    Args:
        entity: `(columns, entities)` the read-only float block of `EntityTable`.
        entity_ints: its read-only int block.
        parameter: the read-only float block of `VehicleParameter`.
        vehicle: the writable float block of `VehicleState`.
        vehicle_ints: its writable int block.
        moves: 1, or 0 where all stand although the table has speeds.
    """
    _place_vehicles(entity, entity_ints, parameter, vehicle, vehicle_ints, moves)


@kernel
def place_vehicles_of_line(
    line: IntArray,
    entities: int,
    entity_ints: int,
    parameter: FloatArray,
    vehicle: FloatArray,
    vehicle_ints: IntArray,
) -> None:
    """The same from a line of a `QuietSpan`, in which the storyboard goes on.

    Args:
        line: of the tables.
        entities: how many there are.
        entity_ints: where their ints begin in the line, in bytes.
        parameter: the read-only float block of `VehicleParameter`.
        vehicle: the writable float block of `VehicleState`.
        vehicle_ints: its writable int block.
    """
    start = line.ctypes.data
    floats, ints = float_rows_at(start, _FLOATS, entities), int_rows_at(start + entity_ints, _INTS, entities)
    _place_vehicles(floats, ints, parameter, vehicle, vehicle_ints, 1.0)


@kernel
def place_other_entities(
    entity: FloatArray,
    entity_ints: IntArray,
    shapes: IntArray,
    offset: FloatArray,
    person: FloatArray,
    person_ints: IntArray,
    thing: FloatArray,
    thing_ints: IntArray,
    moves: float,
) -> None:
    """Put persons and obstacles where the table has them.

    Args:
        entity: `(columns, entities)` the read-only float block of `EntityTable`.
        entity_ints: its read-only int block.
        shapes: `(entities,)` the `BodyShape` of each; read-only.
        offset: `(3, entities)` from the entity's origin to the middle of its base [m]; read-only.
        person: the writable float block of `PedestrianState`.
        person_ints: its writable int block.
        thing: the writable float block of `ObstacleState`.
        thing_ints: its writable int block.
        moves: 1, or 0 where all stand although the table has speeds.
    """
    for k in range(entity.shape[1]):
        actor = entity_ints[_ENTITY.actor, k]
        if actor <= 0 or shapes[k] == _IS_VEHICLE:
            continue
        if shapes[k] == _IS_PERSON:
            i = row_of_item(person_ints[_PERSON.id], actor)
            if i >= 0:
                _place_person(entity, k, offset, person, person_ints, i, moves)
        else:
            i = row_of_item(thing_ints[_THING.id], actor)
            if i >= 0:
                _place_thing(entity, k, offset, thing, thing_ints, i, moves)
