"""The kinematic bicycle: no tyre slips, so the middle of the rear axle moves where the body points.

R. Rajamani, "Vehicle Dynamics and Control", 2nd edition, Springer 2012, section 2.2, with the rear axle as the
reference: x' = v cos(yaw), y' = v sin(yaw), yaw' = v tan(steer) / wheelbase. Acceleration and wheel angle are constant
in a tick, so that a tick is an arc of a circle, and is not integrated in parts.
"""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel
from dorosim.sensor.agent.action_kernel import ActionCode
from dorosim.sensor.agent.kinematic.state import BicycleNumbers, KinematicRules, KinematicState

_S = KinematicState.at
_PEDALS, _VELOCITY = int(ActionCode.PEDALS), int(ActionCode.VELOCITY)


@inner_kernel
def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


@inner_kernel
def asked_of(
    rules: KinematicRules,
    car: BicycleNumbers,
    acceleration: FloatArray,
    share: FloatArray,
    first: float,
    second: float,
    speed: float,
) -> tuple[float, float]:
    """The acceleration [m/s²] and the wheel angle [rad] that an action asks for.

    Args:
        rules: of the actions.
        car: the vehicle.
        acceleration: those of discrete actions [m/s²].
        share: their roots of wheel angles over the largest one.
        first: the action's first number.
        second: its second one; both are finite, and numbers of a list are in it.
        speed: present one [m/s].
    """
    if rules.action == _PEDALS:
        pedal = _within(first, -1.0, 1.0)
        most = drive_at(car, speed) if pedal > 0.0 else car.brake
        return pedal * most, _within(second, -1.0, 1.0) * car.max_steer
    if rules.action == _VELOCITY:
        wanted = 0.5 * (_within(first, -1.0, 1.0) + 1.0) * rules.max_speed
        angle = math.atan(car.wheelbase * (_within(second, -1.0, 1.0) * rules.max_curvature))
        return (wanted - speed) / rules.tick, angle
    part = share[int(second)]
    return acceleration[int(first)], math.copysign(part * part, part) * car.max_steer


@inner_kernel
def drive_at(car: BicycleNumbers, speed: float) -> float:
    """The largest acceleration of a vehicle at a speed [m/s²]: by its drive force, and by its power."""
    return min(car.drive, car.power / max(speed, 1.0))


@inner_kernel
def move(state: FloatArray, a: int, car: BicycleNumbers, asked: float, angle: float, dt: float) -> None:
    """Let a vehicle go on by a tick.

    Args:
        state: float block of `KinematicState`.
        a: row of the vehicle there.
        car: its numbers.
        asked: acceleration [m/s²]; it gets what its drive and its brakes allow.
        angle: front wheel angle to turn to [rad]; it turns as fast as the steering allows.
        dt: of the tick [s].
    """
    speed = state[_S.speed, a]
    given = _within(asked, -car.brake, drive_at(car, speed))
    most = max(car.max_speed - speed, 0.0) / dt
    given = min(given, most)
    after = speed + given * dt
    path = 0.5 * (speed + after) * dt
    if after < 0.0:
        # it stands before the tick is over
        path, after = -0.5 * speed * speed / given, 0.0
    turn = car.steer_rate * dt
    steer = state[_S.steer, a]
    steer += _within(_within(angle, -car.max_steer, car.max_steer) - steer, -turn, turn)
    half = 0.5 * path * math.tan(steer) / car.wheelbase
    # the chord of the arc, which lies half of the turn beside the heading
    square = half * half
    chord = path * (1.0 - square / 6.0 if square < 1e-4 else math.sin(half) / half)
    yaw = state[_S.yaw, a]
    state[_S.x, a] += chord * math.cos(yaw + half)
    state[_S.y, a] += chord * math.sin(yaw + half)
    yaw += 2.0 * half
    if yaw > math.pi:
        yaw -= 2.0 * math.pi
    elif yaw < -math.pi:
        yaw += 2.0 * math.pi
    state[_S.yaw, a] = yaw
    state[_S.cosine, a], state[_S.sine, a] = math.cos(yaw), math.sin(yaw)
    state[_S.acceleration, a] = (after - speed) / dt
    state[_S.yaw_rate, a] = 2.0 * half / dt
    state[_S.speed, a], state[_S.steer, a] = after, steer
