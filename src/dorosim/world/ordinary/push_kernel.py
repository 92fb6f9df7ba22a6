"""What bodies that touch do to each other in an ordinary tick, and which contacts are told of.

As `dorosim.world.collision.response` does it, from where contacts have been found. What gives way, falls, is thrown off
its lane or tumbles is rare, and is left to that.
"""

from __future__ import annotations

from math import cos, hypot, sin

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.block import HEADER, TIME
from dorosim.world.collision.body import BodyChange, BodyKind, BodyTable
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.impact import CAR_BODIES, MIN_BREAKING_MASS
from dorosim.world.collision.impact_kernel import Law
from dorosim.world.collision.response import UNMOVED_SPEED, UNMOVED_TURN, UPRIGHT_SPEED
from dorosim.world.ordinary.contact_kernel import remember
from dorosim.world.ordinary.link_kernel import RESOLVE_CONTACTS
from dorosim.world.ordinary.shift_kernel import shorten_shifts
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_BODY, _CHANGE, _CONTACT = BodyTable.at, BodyChange.at, ContactTable.at
_VEHICLE, _PARAMETER, _PEDESTRIAN = VehicleState.at, VehicleParameter.at, PedestrianState.at
_PRESENT, _OFF_LANE = TrafficState.at.present, int(Presence.OFF_LANE)
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_PARAMETERS = VehicleParameter.float_width
_TRAFFIC_INT_COLUMNS, _PERSON_COLUMNS = len(TrafficState.int_columns), PedestrianState.float_width
_CHANGE_COLUMNS, _CHANGE_INT_COLUMNS = BodyChange.float_width, len(BodyChange.int_columns)
_GHOST_KIND, _NEAR = int(BodyKind.GHOST), int(Rare.NEAR)
_TURN = _VEHICLE.angular_velocity + 2
_RESTITUTION, _SOFT_RESTITUTION, _SOFT_SPEED, _RESTING_SPEED, _FRICTION = (float(one) for one in CAR_BODIES.numbers())
_DATA = 4
"""Which word of the description of an array is the address of its first item."""

_resolve_contacts = RESOLVE_CONTACTS.call

_W_DT, _W_RESOLVE, _W_PARTS = int(TickWord.DT), int(TickWord.RESOLVE_CONTACTS), int(TickWord.PARTS)
_W_VEHICLES, _W_VEHICLE = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS)
_W_VEHICLE_INTS, _W_PARAMETER = int(TickWord.VEHICLE_INTS), int(TickWord.PARAMETER_FLOATS)
_W_TRAFFIC, _W_INTS = int(TickWord.TRAFFIC), int(TickWord.TRAFFIC_INTS)
_W_PEOPLE, _W_PERSON = int(TickWord.PEOPLE), int(TickWord.PEOPLE_FLOATS)


@inner_kernel
def _gives_way(body: FloatArray, body_ints: IntArray, hit: int, by: int, kind: int, speed: float) -> bool:
    """Whether the body of a row gives way to that of another row and kind that meets it with a speed [m/s]."""
    limit = body[_BODY.breakaway_speed, hit]
    heavy = kind <= _GHOST_KIND or body[_BODY.mass, by] >= MIN_BREAKING_MASS
    return bool(heavy and limit > 0.0 and speed >= limit and body_ints[_BODY.movable, hit] == 0)


@inner_kernel
def _something_gives_way(
    body: FloatArray, body_ints: IntArray, contact: FloatArray, contact_ints: IntArray, count: int
) -> bool:
    """Whether a contact makes an object or an obstacle give way: `collision.impact._give_way`."""
    for k in range(count):
        speed = contact[_CONTACT.closing_speed, k]
        first, second = contact_ints[_CONTACT.first, k], contact_ints[_CONTACT.second, k]
        if _gives_way(body, body_ints, second, first, contact_ints[_CONTACT.first_kind, k], speed):
            return True
        if _gives_way(body, body_ints, first, second, contact_ints[_CONTACT.second_kind, k], speed):
            return True
    return False


@inner_kernel
def _order_of(contact: FloatArray, count: int) -> IntArray:
    """`(count,)` contacts in the order in which the bodies met, then of their rows, in which they come."""
    order = np.arange(count)
    for k in range(1, count):
        here, m = order[k], k
        while m > 0 and contact[_CONTACT.meeting, order[m - 1]] > contact[_CONTACT.meeting, here]:
            order[m] = order[m - 1]
            m -= 1
        order[m] = here
    return order


@inner_kernel
def _is_beyond(
    words: IntArray, start: int, npc_row: IntArray, person: int, change: FloatArray, touched: IntArray
) -> bool:
    """Whether impacts do more to an actor than is done here: it tumbles, leaves its lane, falls."""
    vehicles = words[_W_VEHICLES]
    vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, vehicles)
    for i in range(vehicles):
        if touched[_CHANGE.touched, i] > 0 and vehicle_ints[_VEHICLE.rolled, i] != 0:
            return True
    traffic_ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, words[_W_TRAFFIC])
    for k in range(vehicles, person):
        if touched[_CHANGE.touched, k] == 0:
            continue
        push = hypot(change[_CHANGE.velocity_x, k], change[_CHANGE.velocity_y, k])
        if push >= UNMOVED_SPEED or abs(change[_CHANGE.yaw_rate, k]) >= UNMOVED_TURN:
            return True
        if traffic_ints[_PRESENT, npc_row[k - vehicles]] == _OFF_LANE:
            return True
    for k in range(person, person + words[_W_PEOPLE]):
        push = hypot(change[_CHANGE.velocity_x, k], change[_CHANGE.velocity_y, k])
        if touched[_CHANGE.touched, k] > 0 and push >= UPRIGHT_SPEED:
            return True
    return False


@inner_kernel
def _push_vehicles(
    words: IntArray, start: int, body: FloatArray, change: FloatArray, touched: IntArray, dt: float
) -> None:
    """Write what impacts do to vehicles with full dynamics: `collision.vehicle.hit_vehicles`."""
    rows = words[_W_VEHICLES]
    vehicle = float_rows_at(start + 8 * words[_W_VEHICLE], _COLUMNS, rows)
    place = (words[_W_PARAMETER] - int(words.ctypes.data)) // 8
    parameter = float_rows_at(words[place + _DATA], _PARAMETERS, rows)
    for i in range(rows):
        if touched[_CHANGE.touched, i] == 0:
            continue
        c, s = cos(vehicle[_VEHICLE.yaw, i]), sin(vehicle[_VEHICLE.yaw, i])
        middle = 0.5 * (
            parameter[_PARAMETER.wheelbase, i]
            + parameter[_PARAMETER.front_overhang, i]
            - parameter[_PARAMETER.rear_overhang, i]
        )
        x, y, turn = change[_CHANGE.velocity_x, i], change[_CHANGE.velocity_y, i], change[_CHANGE.yaw_rate, i]
        forward = c * x + s * y
        left = c * y - s * x - (body[_BODY.cg_forward, i] + middle) * turn
        vehicle[_VEHICLE.velocity_x, i] += forward
        vehicle[_VEHICLE.velocity_y, i] += left
        vehicle[_TURN, i] += turn
        vehicle[_VEHICLE.acceleration, i] += forward / dt
        vehicle[_VEHICLE.acceleration + 1, i] += left / dt
        vehicle[_VEHICLE.x, i] += change[_CHANGE.shift_x, i]
        vehicle[_VEHICLE.y, i] += change[_CHANGE.shift_y, i]


@inner_kernel
def _push_people(
    words: IntArray, start: int, body: FloatArray, first: int, change: FloatArray, touched: IntArray, dt: float
) -> None:
    """Write what impacts do to people who go on walking; `first`: the row of the first one's body."""
    people = float_rows_at(start + 8 * words[_W_PERSON], _PERSON_COLUMNS, words[_W_PEOPLE])
    for i in range(words[_W_PEOPLE]):
        k = first + i
        if touched[_CHANGE.touched, k] == 0:
            continue
        x = body[_BODY.velocity_x, k] + change[_CHANGE.velocity_x, k]
        y = body[_BODY.velocity_y, k] + change[_CHANGE.velocity_y, k]
        people[_PEDESTRIAN.x, i] = body[_BODY.x, k] + change[_CHANGE.shift_x, k]
        people[_PEDESTRIAN.y, i] = body[_BODY.y, k] + change[_CHANGE.shift_y, k]
        people[_PEDESTRIAN.yaw, i] = body[_BODY.yaw, k]
        people[_PEDESTRIAN.velocity_x, i], people[_PEDESTRIAN.velocity_y, i] = x, y
        people[_PEDESTRIAN.yaw_rate, i] = body[_BODY.yaw_rate, k] + change[_CHANGE.yaw_rate, k]
        people[_PEDESTRIAN.speed, i] = hypot(x, y)
        people[_PEDESTRIAN.acceleration_x, i] = (x - body[_BODY.velocity_x, k]) / dt
        people[_PEDESTRIAN.acceleration_y, i] = (y - body[_BODY.velocity_y, k]) / dt


@kernel
def push_bodies(
    words: IntArray,
    start: int,
    body: FloatArray,
    body_ints: IntArray,
    contact: FloatArray,
    contact_ints: IntArray,
    count: int,
    npc_row: IntArray,
    person: int,
) -> int:
    """Let bodies that touch push each other, and note the contacts in the block.

    Args:
        words: of the tick, read-only.
        start: address of the block; written.
        body: `(columns, N)` the float block of the bodies of all actors and of the parts near them.
        body_ints: `(columns, N)` its int block.
        contact: `(columns, C)` the float block of contacts without impulses, in the order of the rows.
        contact_ints: `(columns, C)` its int block.
        count: how many there are.
        npc_row: `(M,)` row in the traffic of each body of an NPC vehicle.
        person: row of the first person's body.

    Returns:
        `Rare.NEAR` where more happens than is done here, 0 otherwise.
    """
    # for real numbers among the words
    dt = floats_at(int(words.ctypes.data), words.shape[0])[_W_DT]
    if _something_gives_way(body, body_ints, contact, contact_ints, count):
        return _NEAR
    order, rows = _order_of(contact, count), body.shape[1]
    if count > 0:
        change, touched = np.zeros((_CHANGE_COLUMNS, rows)), np.zeros((_CHANGE_INT_COLUMNS, rows), np.int64)
        law = Law(_RESTITUTION, _SOFT_RESTITUTION, _SOFT_SPEED, _RESTING_SPEED, _FRICTION)
        resolved = (body, body_ints, contact, contact_ints, order, law, dt, change, touched)
        _resolve_contacts(words[_W_RESOLVE], resolved)
        if _is_beyond(words, start, npc_row, person, change, touched):
            return _NEAR
        if words[_W_PARTS] != 0:
            shorten_shifts(words, body, body_ints, change, dt)
        _push_vehicles(words, start, body, change, touched, dt)
        _push_people(words, start, body, person, change, touched, dt)
    time, joins = ints_at(start, HEADER)[TIME], rows > person + words[_W_PEOPLE]
    return 0 if remember(words, start, contact, contact_ints, order, time, joins) else _NEAR
