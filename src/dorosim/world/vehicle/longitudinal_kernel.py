"""From the held command to forces along the vehicle: gears, pedals, speed and acceleration control.

Directions: a gear has one (D, L and M forward, R backward, N and P none), and the controlled quantities count along
it. In R a target velocity of 5 or of -5 m/s both mean 5 m/s backwards; in a forward gear a negative target velocity
means standstill. An acceleration above zero speeds up along the gear, one at or below zero brakes, and holds a
vehicle that stands. A vehicle that moves against its gear is braked first.
"""

from __future__ import annotations

from math import atan
from typing import NamedTuple

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.vehicle.mode import ControlKind, Gear, SteerType
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

SPEED_UP_LIMIT = 1.0
SLOW_DOWN_LIMIT = 2.0
"""Limits of speed control [m/s²] (documents/udp-messages-en.txt, Ego Ctrl Cmd)."""
FINAL_DECELERATION = 0.3
"""Speed control to zero does not fall below it, so that it ends [m/s²]."""
ACCELERATION_LIMIT = 30.0
"""Beyond what any vehicle can do; keeps the lagged demand from winding up [m/s²]."""
LIMITER_WIDTH = 0.2
"""The drive force fades to zero over this speed below the top speed [m/s]."""
ENGINE_BRAKE_SPEED = 2.0
"""Below it the clutch opens and the engine's drag fades [m/s]."""
LOW_GEAR_ENGINE_BRAKE = 3.0
"""Engine drag in L over that in D: about the ratio of second to fourth gear."""
PARK_SHARE = 0.5
"""P locks the driven wheels, which carry about half of the load."""
ACCELERATOR = 0
BRAKE = 1
"""Rows of the pedals in the three controls that faults can disturb."""
_HOLD_BRAKE = 0.2
"""Brake that a controller keeps at standstill beyond what the slope needs."""

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at

_HOLD, _PEDALS, _ACCELERATION = int(ControlKind.HOLD), int(ControlKind.PEDALS), int(ControlKind.ACCELERATION)
_BY_ABILITY, _ROLL = int(ControlKind.VELOCITY_BY_ABILITY), int(ControlKind.ROLL)
_GROUND_DIRECT, _GROUND_STATE = int(ControlKind.GROUND_DIRECT), int(ControlKind.GROUND_STATE)
_REVERSE, _NEUTRAL, _PARK, _LOW = int(Gear.R), int(Gear.N), int(Gear.P), int(Gear.L)
_SKID_TYPE, _ZERO_TURN_TYPE = int(SteerType.SKID), int(SteerType.ZERO_TURN)


class Intent(NamedTuple):
    """What the held command asks of a vehicle with tyres.

    Attributes:
        direction: 1 forward, -1 backward, 0 no drive.
        controlled: `acceleration` counts, else `accelerator` and `brake`.
        accelerator, brake: 0 to 1.
        acceleration: along the direction [m/s²].
        steer, rear_steer: wheel angles asked for [rad].
    """

    direction: float
    controlled: bool
    accelerator: float
    brake: float
    acceleration: float
    steer: float
    rear_steer: float


@inner_kernel
def unit_clip(value: float) -> float:
    """The value within 0 to 1."""
    return min(max(value, 0.0), 1.0)


@inner_kernel
def gear_direction(gear: int) -> float:
    """Where a gear drives: 1, -1 or 0."""
    if gear == _REVERSE:
        return -1.0
    return 0.0 if gear in (_NEUTRAL, _PARK) else 1.0


@inner_kernel
def demand_for_speed(target: float, speed: float, lag: float, rise: float, fall: float) -> float:
    """Acceleration along the gear by which speed control reaches a target speed [m/s²].

    Proportional within the limits. With the lag T of the vehicle the loop is s² T + s + k = 0; k T <= 0.2 keeps
    both roots real, so the speed meets its target without overshoot.

    Args:
        target: along the gear, not negative [m/s].
        speed: along the gear [m/s].
        lag: of the acceleration [s].
        rise: limit of the acceleration, not negative [m/s²].
        fall: limit of the deceleration, not negative [m/s²].
    """
    if speed < 0.0:
        return fall
    demand = (target - speed) * 0.2 / max(lag, 0.1)
    if target == 0.0 and speed > 0.0:
        demand = min(demand, -FINAL_DECELERATION)
    return min(max(demand, -fall), rise)


@inner_kernel
def ground_intent(parameter: FloatArray, state: FloatArray, ints: IntArray, i: int, vx: float) -> Intent:
    """A ground vehicle command to a vehicle with tyres, which cannot skid-steer or turn on the spot.

    Skid steering turns its steering wheel, zero turn stops it.
    """
    if ints[_VEHICLE.control_kind, i] == _GROUND_STATE:
        target = state[_VEHICLE.target_velocity, i]
        direction = 1.0 if target > 0.0 or (target == 0.0 and vx >= 0.0) else -1.0
        demand = demand_for_speed(
            abs(target), vx * direction, parameter[_PARAMETER.drive_lag, i], SPEED_UP_LIMIT, SLOW_DOWN_LIMIT
        )
        speed = vx if abs(vx) > 0.5 else 0.5 * direction
        steer = atan(parameter[_PARAMETER.wheelbase, i] * state[_VEHICLE.target_yaw_rate, i] / speed)
        return Intent(direction, True, 0.0, 0.0, demand, steer, 0.0)
    throttle = min(max(state[_VEHICLE.throttle, i], -1.0), 1.0)
    direction = -1.0 if throttle < 0.0 else 1.0
    if ints[_VEHICLE.steer_type, i] == _ZERO_TURN_TYPE:
        return Intent(direction, False, 0.0, 1.0, 0.0, state[_VEHICLE.steer, i], state[_VEHICLE.rear_steer, i])
    front, rear = state[_VEHICLE.axle_steer, i], state[_VEHICLE.axle_steer + 1, i]
    if ints[_VEHICLE.steer_type, i] == _SKID_TYPE:
        front, rear = state[_VEHICLE.skid_steering, i] * parameter[_PARAMETER.max_steer, i], 0.0
    if vx * direction < 0.0:
        return Intent(direction, False, 0.0, abs(throttle), 0.0, front, rear)
    return Intent(direction, False, abs(throttle), 0.0, 0.0, front, rear)


@inner_kernel
def read_intent(parameter: FloatArray, state: FloatArray, ints: IntArray, i: int, vx: float) -> Intent:
    """What the held command of a row asks for, at a forward speed `vx` [m/s]."""
    kind = ints[_VEHICLE.control_kind, i]
    if kind in (_GROUND_DIRECT, _GROUND_STATE):
        return ground_intent(parameter, state, ints, i, vx)
    direction = gear_direction(ints[_VEHICLE.gear, i])
    if kind == _HOLD:
        return Intent(direction, False, 0.0, 1.0, 0.0, state[_VEHICLE.steer, i], state[_VEHICLE.rear_steer, i])
    front, rear = state[_VEHICLE.target_steer, i], state[_VEHICLE.target_rear_steer, i]
    if kind in (_PEDALS, _ROLL):
        accelerator = unit_clip(state[_VEHICLE.target_accelerator, i])
        brake = unit_clip(state[_VEHICLE.target_brake, i])
        return Intent(direction, False, accelerator, brake, 0.0, front, rear)
    if kind == _ACCELERATION:
        demand = min(max(state[_VEHICLE.target_acceleration, i], -ACCELERATION_LIMIT), ACCELERATION_LIMIT)
        if direction == 0.0:
            brake = unit_clip(-demand * parameter[_PARAMETER.mass, i] / parameter[_PARAMETER.brake_force, i])
            return Intent(0.0, False, 0.0, brake, 0.0, front, rear)
        return Intent(direction, True, 0.0, 0.0, demand, front, rear)
    if direction == 0.0:
        return Intent(0.0, False, 0.0, 0.0, 0.0, front, rear)
    target = (
        max(state[_VEHICLE.target_velocity, i], 0.0) if direction > 0.0 else abs(state[_VEHICLE.target_velocity, i])
    )
    rise, fall = SPEED_UP_LIMIT, SLOW_DOWN_LIMIT
    if kind == _BY_ABILITY:
        # forces are limited by engine, brakes and tyres
        rise = fall = ACCELERATION_LIMIT
    demand = demand_for_speed(target, vx * direction, parameter[_PARAMETER.drive_lag, i], rise, fall)
    return Intent(direction, True, 0.0, 0.0, demand, front, rear)


@inner_kernel
def available_force(parameter: FloatArray, i: int, gear: int, direction: float, speed: float) -> float:
    """Largest drive force at a speed along the direction [N]: peak force, power over speed, limiter."""
    cap = parameter[_PARAMETER.max_speed, i] if direction > 0.0 else parameter[_PARAMETER.max_reverse_speed, i]
    if gear == _LOW:
        cap = min(cap, parameter[_PARAMETER.low_gear_speed, i])
    force: float = min(parameter[_PARAMETER.drive_force, i], parameter[_PARAMETER.drive_power, i] / max(speed, 1.0))
    return force * unit_clip((cap - speed) * (1.0 / LIMITER_WIDTH))


@inner_kernel
def actuate(
    parameter: FloatArray, state: FloatArray, i: int, control: int, asked: float, last: float, dt: float
) -> float:
    """The value of a control that its actuator reaches in a sub-step; also notes the asked value (dorosim.world.fault).

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        control: ACCELERATOR, BRAKE, or the front wheel angle.
        asked: by the command or a controller.
        last: the value that the actuator has.
        dt: sub-step [s].
    """
    state[_VEHICLE.asked_control + control, i] = asked
    given: float = asked * (1.0 - state[_VEHICLE.control_loss + control, i]) + state[_VEHICLE.control_bias + control, i]
    given = min(
        max(given, parameter[_PARAMETER.control_low + control, i]),
        parameter[_PARAMETER.control_high + control, i],
    )
    low = last - parameter[_PARAMETER.control_fall + control, i] * dt
    high = last + parameter[_PARAMETER.control_rise + control, i] * dt
    reached: float = min(max(given, low), high)
    return reached


@inner_kernel
def apply_pedals(
    parameter: FloatArray, state: FloatArray, i: int, gear: int, creeps: bool, intent: Intent, vx: float, dt: float
) -> tuple[float, float]:
    """Drive force and braking force by the pedals [N]; the drive force follows its pedal with a lag.

    The lag is the implicit Euler step, which is stable for every time constant. A vehicle that creeps drives with the
    force of its idling engine at least, without a lag, since that force is there while the brake still holds; its
    engine brakes it above that speed only.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        gear: Gear.
        creeps: whether it is driven, so that it creeps if its model does.
        intent: the command.
        vx: forward speed [m/s].
        dt: sub-step [s].
    """
    available = available_force(parameter, i, gear, intent.direction, vx * intent.direction)
    accelerator = unit_clip(
        actuate(parameter, state, i, ACCELERATOR, intent.accelerator, state[_VEHICLE.accelerator, i], dt)
    )
    brake = unit_clip(actuate(parameter, state, i, BRAKE, intent.brake, state[_VEHICLE.brake, i], dt))
    target = intent.direction * accelerator * available
    state[_VEHICLE.drive_force, i] += (
        (target - state[_VEHICLE.drive_force, i]) * dt / (parameter[_PARAMETER.drive_lag, i] + dt)
    )
    idle_speed = 0.0
    if creeps and intent.direction != 0.0 and parameter[_PARAMETER.creep_force, i] > 0.0:
        idle_speed = parameter[_PARAMETER.creep_speed, i]
        creep = min(
            parameter[_PARAMETER.creep_force, i] * unit_clip(1.0 - vx * intent.direction / idle_speed), available
        )
        drive = max(state[_VEHICLE.drive_force, i] * intent.direction, creep)
        state[_VEHICLE.drive_force, i] = drive * intent.direction
    state[_VEHICLE.accelerator, i] = accelerator
    state[_VEHICLE.brake, i] = brake
    state[_VEHICLE.demanded_acceleration, i] = 0.0
    braking = brake * parameter[_PARAMETER.brake_force, i]
    if intent.direction != 0.0:
        drag = (
            parameter[_PARAMETER.engine_brake, i]
            * (1.0 - accelerator)
            * unit_clip((abs(vx) - idle_speed) * (1.0 / ENGINE_BRAKE_SPEED))
        )
        braking += drag * LOW_GEAR_ENGINE_BRAKE if gear == _LOW else drag
    return state[_VEHICLE.drive_force, i], braking


@inner_kernel
def demanded_forces(
    parameter: FloatArray,
    state: FloatArray,
    i: int,
    intent: Intent,
    vx: float,
    resistance: float,
    external_acceleration: float,
    available: float,
    dt: float,
) -> tuple[float, float]:
    """Drive force and braking force that the demand needs [N]; the demand follows the intent with a lag.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        intent: the command.
        vx: forward speed [m/s].
        resistance: drag and rolling resistance, not negative [N].
        external_acceleration: acceleration by the slope and the lateral tyre forces, forward positive [m/s²].
        available: greatest drive force [N].
        dt: sub-step [s].
    """
    mass, speed = parameter[_PARAMETER.mass, i], vx * intent.direction
    demand = state[_VEHICLE.demanded_acceleration, i]
    if vx == 0.0:
        demand = max(demand, 0.0)
    demand += (intent.acceleration - demand) * dt / (parameter[_PARAMETER.drive_lag, i] + dt)
    state[_VEHICLE.demanded_acceleration, i] = demand
    drive, braking = 0.0, 0.0
    if vx == 0.0 and intent.acceleration <= 0.0:
        state[_VEHICLE.demanded_acceleration, i] = 0.0
        braking = _HOLD_BRAKE * parameter[_PARAMETER.brake_force, i] + mass * abs(external_acceleration)
    elif speed < 0.0:
        braking = max(mass * (abs(demand) - external_acceleration * intent.direction) - resistance, 0.0)
    else:
        needed = mass * (demand - external_acceleration * intent.direction) + resistance
        if needed >= 0.0:
            drive = min(needed, available)
        else:
            braking = -needed
    return drive, min(braking, parameter[_PARAMETER.brake_force, i])


@inner_kernel
def apply_controller(
    parameter: FloatArray,
    state: FloatArray,
    i: int,
    gear: int,
    intent: Intent,
    vx: float,
    resistance: float,
    external_acceleration: float,
    dt: float,
) -> tuple[float, float]:
    """Drive force and braking force that give an acceleration along the gear [N], as far as they can.

    The demand passes the lag of the vehicle; then the forces are solved for, so that slope, drag and rolling
    resistance are made up for at once.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        gear: Gear.
        intent: the command.
        vx: forward speed [m/s].
        resistance: drag and rolling resistance, not negative [N].
        external_acceleration: acceleration by the slope and the lateral tyre forces, forward positive [m/s²].
        dt: sub-step [s].
    """
    available = available_force(parameter, i, gear, intent.direction, vx * intent.direction)
    drive, braking = demanded_forces(parameter, state, i, intent, vx, resistance, external_acceleration, available, dt)
    accelerator = drive / max(available, 1.0)
    pedal = braking - parameter[_PARAMETER.engine_brake, i] if vx != 0.0 else braking
    brake = unit_clip(pedal / parameter[_PARAMETER.brake_force, i])
    state[_VEHICLE.accelerator, i] = unit_clip(
        actuate(parameter, state, i, ACCELERATOR, accelerator, state[_VEHICLE.accelerator, i], dt)
    )
    state[_VEHICLE.brake, i] = unit_clip(actuate(parameter, state, i, BRAKE, brake, state[_VEHICLE.brake, i], dt))
    # faults and limits stand between what the controller asks for and what it gets
    if state[_VEHICLE.accelerator, i] != accelerator:
        drive = state[_VEHICLE.accelerator, i] * available
    if state[_VEHICLE.brake, i] != brake:
        # the engine's drag is no matter of the brake
        braking += (state[_VEHICLE.brake, i] - brake) * parameter[_PARAMETER.brake_force, i]
    state[_VEHICLE.drive_force, i] = drive * intent.direction
    return state[_VEHICLE.drive_force, i], braking


@inner_kernel
def longitudinal_forces(
    parameter: FloatArray,
    state: FloatArray,
    ints: IntArray,
    i: int,
    intent: Intent,
    vx: float,
    resistance: float,
    external_acceleration: float,
    dt: float,
) -> tuple[float, float]:
    """Drive force, forward positive, and braking force, not negative, before the tyres limit them [N]."""
    gear = ints[_VEHICLE.gear, i]
    if intent.controlled:
        return apply_controller(parameter, state, i, gear, intent, vx, resistance, external_acceleration, dt)
    creeps = ints[_VEHICLE.control_kind, i] == _PEDALS
    return apply_pedals(parameter, state, i, gear, creeps, intent, vx, dt)
