"""What the actions of the agents of many worlds become, in one call."""

from __future__ import annotations

import math
from enum import IntEnum, auto

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.adjacency import FlagArray
from dorosim.world.ordinary.batch_kernel import DriveInt, WorldPlace, row_of_actor
from dorosim.world.ordinary.word import TickWord
from dorosim.world.vehicle.mode import ControlKind, Gear
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState


class ActionCode(IntEnum):
    """Which actions drive agents, as compiled code has them."""

    PEDALS = 0
    VELOCITY = auto()
    DISCRETE = auto()


_VEHICLE, _PARAMETER = VehicleState.at, VehicleParameter.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_PARAMETERS = VehicleParameter.float_width
_NOW, _GIVEN, _GIVEN_LENGTH = int(WorldPlace.NOW), int(WorldPlace.GIVEN), int(WorldPlace.GIVEN_LENGTH)
_GOES, _DRIVES = int(WorldPlace.GOES), int(WorldPlace.DRIVES)
_W_PARAMETER, _W_VEHICLES = int(TickWord.PARAMETER_FLOATS), int(TickWord.VEHICLES)
_W_VEHICLE, _W_VEHICLE_INTS = int(TickWord.VEHICLE_FLOATS), int(TickWord.VEHICLE_INTS)
_ACTOR, _KIND, _TO_AUTO, _GEAR = int(DriveInt.ACTOR), int(DriveInt.KIND), int(DriveInt.AUTO), int(DriveInt.GEAR)
_PEDAL_ACTIONS, _VELOCITY_ACTIONS = int(ActionCode.PEDALS), int(ActionCode.VELOCITY)
_PEDALS, _HOLD, _ASKED = int(ControlKind.PEDALS), int(ControlKind.HOLD), int(ControlKind.ACCELERATION)
_VELOCITY = int(ControlKind.VELOCITY_BY_ABILITY)
_D, _R = int(Gear.D), int(Gear.R)
_ACCELERATOR, _BRAKE, _SPEED, _ACCELERATION, _STEER = 0, 1, 2, 3, 4
SHIFTING_SPEED = 0.05
"""Slower than this a vehicle may change between driving forwards and backwards [m/s]."""
_DATA = 4


@inner_kernel
def _greater(first: float, second: float) -> float:
    """As `max` of Python has it: the first of equal ones."""
    return second if second > first else first


@inner_kernel
def _smaller(first: float, second: float) -> float:
    """As `min` of Python."""
    return second if second < first else first


@inner_kernel
def _by_pedals(pedal: float, wheel: float, limit: float, drive: FloatArray, drive_ints: IntArray) -> None:
    drive_ints[_KIND], drive_ints[_GEAR] = _PEDALS, _D
    drive[_ACCELERATOR], drive[_BRAKE] = _greater(pedal, 0.0), _greater(-pedal, 0.0)
    drive[_STEER] = wheel * limit


@inner_kernel
def _by_velocity(
    speed: float, bend: float, number: FloatArray, car: tuple[float, float, float], drive: FloatArray, ints: IntArray
) -> None:
    """`car`: largest wheel angle, wheelbase, present speed."""
    most, backwards = number[0], number[1]
    velocity = speed * (most if speed > 0 else backwards) if backwards != 0.0 else 0.5 * (speed + 1.0) * most
    angle = math.atan(car[1] * (bend * number[2]))
    ints[_KIND], ints[_GEAR] = _VELOCITY, -1
    if velocity < 0.0:
        if car[2] <= SHIFTING_SPEED:
            ints[_GEAR] = _R
    elif car[2] >= -SHIFTING_SPEED:
        ints[_GEAR] = _D
    drive[_SPEED] = abs(velocity) if velocity < 0.0 else velocity
    drive[_STEER] = _smaller(_greater(angle, -car[0]), car[0])


@kernel
def write_drives(
    code: int,
    number: FloatArray,
    acceleration: FloatArray,
    share: FloatArray,
    actors: IntArray,
    actions: FloatArray,
    over: FlagArray,
    places: IntArray,
    drive: FloatArray,
    drive_ints: IntArray,
) -> int:
    """Write what the actions of the agents of all worlds become; who is done stands with full brake.

    Worlds that are in no block, or are not stepped, are passed over.

    Args:
        code: `ActionCode`.
        number: largest velocity, the same backwards [m/s], largest curvature [1/m].
        acceleration: `(n,)` those of discrete actions [m/s²].
        share: `(m,)` their roots of wheel angles over the largest one.
        actors: `(A,)` ids of the agents' vehicles.
        actions: `(N, A, 2)`; what is beyond the bounds of the space counts as the bound.
        over: `(N, A)` agents that are done.
        places: `(K, N)` `WorldPlace` of each world; DRIVES is written.
        drive: `(N, D, 6)` out.
        drive_ints: `(N, D, 4)` out.

    Returns:
        the first row `N * A` whose action is not finite, or none of the space; -1 for none.
    """
    for i in range(places.shape[1]):
        if places[_NOW, i] == 0 or places[_GOES, i] == 0:
            continue
        words = ints_at(places[_GIVEN, i], places[_GIVEN_LENGTH, i])
        start, rows = places[_NOW, i], words[_W_VEHICLES]
        vehicle = float_rows_at(start + 8 * words[_W_VEHICLE], _COLUMNS, rows)
        vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, rows)
        place = (words[_W_PARAMETER] - int(words.ctypes.data)) // 8
        parameter = float_rows_at(words[place + _DATA], _PARAMETERS, rows)
        places[_DRIVES, i] = actors.shape[0]
        for a in range(actors.shape[0]):
            to, ints = drive[i, a], drive_ints[i, a]
            to[:] = 0.0
            ints[_ACTOR], ints[_KIND], ints[_TO_AUTO], ints[_GEAR] = actors[a], _HOLD, 1, -1
            row = row_of_actor(vehicle_ints, actors[a])
            # a vehicle that is not there is told of when it is driven
            if over[i, a] or row < 0:
                continue
            first, second = actions[i, a, 0], actions[i, a, 1]
            if not (math.isfinite(first) and math.isfinite(second)):
                return i * len(actors) + a
            limit = parameter[_PARAMETER.max_steer, row]
            if code in (_PEDAL_ACTIONS, _VELOCITY_ACTIONS):
                first = _smaller(_greater(first, -1.0), 1.0)
                second = _smaller(_greater(second, -1.0), 1.0)
            if code == _PEDAL_ACTIONS:
                _by_pedals(first, second, limit, to, ints)
            elif code == _VELOCITY_ACTIONS:
                car = (limit, parameter[_PARAMETER.wheelbase, row], vehicle[_VEHICLE.velocity_x, row])
                _by_velocity(first, second, number, car, to, ints)
            else:
                if not (0.0 <= first < acceleration.shape[0] and 0.0 <= second < share.shape[0]):
                    return i * len(actors) + a
                part = share[int(second)]
                ints[_KIND], ints[_GEAR] = _ASKED, _D
                to[_ACCELERATION] = acceleration[int(first)]
                to[_STEER] = math.copysign(part * part, part) * limit
    return -1
