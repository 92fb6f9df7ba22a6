"""Changes of speed (ASAM OpenSCENARIO XML 1.3, SpeedAction, LongitudinalDistanceAction): formulas for all callers."""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel
from dorosim.world.storyboard.shape_kernel import Dimension, TransitionShape, shape_part, shape_peak

_NEAR = 1e-6
_LEAP = 1e-2
"""A speed so near the target [m/s] is the target when the time of the change is over."""
_SPRING = 0.4
"""Of the spring that draws a body to its place: acceleration per metre and per m/s2 of the limit."""


@inner_kernel
def time_for_distance(distance: float, start: float, target: float) -> float:
    """The time [s] of a linear change of speed over a distance [m]; one that changes sign turns in between."""
    if abs(target - start) < _NEAR:
        return 0.0
    if start * target < -_NEAR:
        part = distance * (start * start) / (start * start + target * target)
        return 2.0 * part / abs(start) + 2.0 * (distance - part) / abs(target)
    return 2.0 * distance / abs(start + target)


@inner_kernel
def time_of_change(shape: int, dimension: int, value: float, start: float, target: float) -> float:
    """How long a change of speed takes [s], by what its value measures."""
    if dimension == Dimension.RATE:
        return shape_peak(shape) * abs(target - start) / abs(value) if value != 0.0 else math.inf
    return time_for_distance(value, start, target) if dimension == Dimension.DISTANCE else value


@inner_kernel
def changed_speed(
    transition: tuple[int, int, float, bool],
    start: float,
    target: float,
    elapsed: float,
    reached: bool,
    speed: float,
    limits: tuple[float, float],
    dt: float,
) -> tuple[float, float, bool]:
    """A change of speed one tick later: speed [m/s], its elapsed time [s], and whether the target is reached.

    Args:
        transition: `TransitionShape`, `Dimension`, value, and whether it is followed whatever the body can.
        start: speed at its start [m/s].
        target: speed at its end.
        elapsed: how far it is [s]; a change that a body cannot follow goes on more slowly.
        reached: whether the target was reached before.
        speed: of the body.
        limits: its greatest acceleration and deceleration [m/s2].
        dt: length of the tick [s].
    """
    shape, dimension, value, exact = transition
    wanted, duration, going = target, 0.0, not reached
    if going:
        duration = time_of_change(shape, dimension, value, start, target)
        share = (elapsed + dt) / duration if duration > 0.0 else 1.0
        wanted = start + (target - start) * shape_part(shape, share)
    if shape == TransitionShape.STEP or exact:
        speed = wanted
        elapsed += dt
    else:
        change = wanted - speed
        allowed = (limits[0] if change > 0.0 else limits[1]) * dt
        part = allowed / abs(change) if abs(change) > allowed else 1.0
        elapsed += dt * part
        speed = wanted if part == 1.0 else speed + math.copysign(allowed, change)
    if going and (elapsed >= duration - _NEAR or abs(speed - target) < _NEAR):
        reached = True
        if abs(speed - target) < _LEAP:
            speed = target
    return speed, elapsed, reached


@inner_kernel
def _limited(wish: float, last: float, rise: float, fall: float, dt: float) -> float:
    """An acceleration that has changed no faster than it may [m/s2]."""
    if wish < 0.0 and wish < last:
        return wish if math.isinf(fall) else max(last - fall * dt, wish)
    if wish >= 0.0 and wish > last:
        return wish if math.isinf(rise) else min(last + rise * dt, wish)
    return wish


@inner_kernel
def sprung_speed(
    away: float, speed: float, other: float, last: float, limits: tuple[float, float, float, float, float], dt: float
) -> tuple[float, float]:
    """Speed [m/s] and acceleration [m/s2] of a body that a spring with critical damping draws to its place.

    Args:
        away: how far ahead the place is [m].
        speed: of the body [m/s].
        other: speed of that to which it keeps its distance.
        last: its acceleration in the last tick [m/s2].
        limits: acceleration, deceleration [m/s2], their rates [m/s3], and speed [m/s].
        dt: length of the tick [s].
    """
    acceleration, deceleration, rise, fall, fastest = limits
    stiffness = _SPRING * (acceleration if away < 0.0 else deceleration)
    wish = away * stiffness - (speed - other) * 2.0 * math.sqrt(stiffness)
    wish = min(max(wish, -deceleration), acceleration)
    last = _limited(wish, last, rise, fall, dt)
    return min(max(speed + last * dt, -fastest), fastest), last


@inner_kernel
def speed_in_piece(elapsed: float, speed: float, acceleration: float, rate: float) -> float:
    """Speed in a piece of a profile [m/s]: so long after its start, with the speed, acceleration and rate there."""
    return speed + elapsed * (acceleration + 0.5 * rate * elapsed if rate != 0.0 else acceleration)
