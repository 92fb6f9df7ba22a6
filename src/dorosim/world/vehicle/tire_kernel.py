"""Tyres: normal loads, the brush tyre of Fiala, and what each wheel reports.

Sources: E. Fiala, "Seitenkräfte am rollenden Luftreifen", VDI-Zeitschrift 96 (1954); H. Pacejka, "Tire and Vehicle
Dynamics", 3rd ed. (2012), section 3.2 (brush model); the stiffness is proportional to the load as in M. Althoff and
G. Würsching, "CommonRoad: Vehicle Models" (2020), single-track model.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.physics import GRAVITY
from dorosim.world.vehicle.angle_kernel import arc_tangent
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

REGULAR_SPEED = 1.5
"""Wheel speed below which slip is taken over this speed instead, so that no slip is divided by zero [m/s]."""
MIN_TIRE_FRICTION = 0.01
MIN_GRIP_SHARE = 0.3
"""Lateral grip that is left under full longitudinal force: anti-lock brakes keep a vehicle steerable."""

_PARAMETER = VehicleParameter.at
_VEHICLE = VehicleState.at


class Axles(NamedTuple):
    """Lateral grip of both axles during one sub-step.

    Attributes:
        front_peak, rear_peak: largest lateral force that the longitudinal force leaves [N].
        front_scale, rear_scale: tan(slip angle) times this is 1 where the whole contact slides.
    """

    front_peak: float
    rear_peak: float
    front_scale: float
    rear_scale: float


@inner_kernel
def brush(scaled_slip: float) -> float:
    """Lateral force over its peak, opposing the slip, of the brush tyre with a parabolic pressure.

    Args:
        scaled_slip: C tan(alpha) / (3 mu F_z); beyond 1 the whole contact slides.
    """
    slip = min(max(scaled_slip, -1.0), 1.0)
    return slip * (3.0 - 3.0 * abs(slip) + slip * slip)


@inner_kernel
def axle_friction(parameter: FloatArray, state: FloatArray, i: int, wheel: int) -> tuple[float, float]:
    """Friction between an axle's tyres and the ground, and the left wheel's share of it.

    Both wheels carry the same load here, as in a single track.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        wheel: the axle's left wheel, 0 or 2.
    """
    left, right = state[_VEHICLE.surface_friction + wheel, i], state[_VEHICLE.surface_friction + wheel + 1, i]
    if left == right:
        return max(parameter[_PARAMETER.friction, i] * left, MIN_TIRE_FRICTION), 0.5
    left = max(parameter[_PARAMETER.friction, i] * left, MIN_TIRE_FRICTION)
    right = max(parameter[_PARAMETER.friction, i] * right, MIN_TIRE_FRICTION)
    return 0.5 * (left + right), left / (left + right)


@inner_kernel
def axle_force(force: float, limit: float, left: float) -> tuple[float, float]:
    """What an axle bears of a longitudinal force, and how much more its right wheel bears than its left one [N].

    Each wheel is asked for half of the force and bears what its own friction allows.

    Args:
        force: asked for [N].
        limit: largest force of the axle [N].
        left: share of it that the left wheel can bear.
    """
    half = 0.5 * force
    left_limit, right_limit = limit * left, limit * (1.0 - left)
    at_left, at_right = min(max(half, -left_limit), left_limit), min(max(half, -right_limit), right_limit)
    return at_left + at_right, at_right - at_left


@inner_kernel
def share_of_force(load_left: float, friction_left: float) -> float:
    """The left wheel's share of an axle's lateral force, from its shares of load and friction."""
    if friction_left == 0.5:
        return load_left
    left, right = load_left * friction_left, (1.0 - load_left) * (1.0 - friction_left)
    return left / max(left + right, 1e-9)


@inner_kernel
def lateral_grip(load: float, longitudinal: float, friction: float, coefficient: float) -> tuple[float, float]:
    """Lateral peak force of an axle [N] and the scale of its slip, under a longitudinal force.

    What the longitudinal force leaves is the friction ellipse (Pacejka, section 3.2.3).

    Args:
        load: normal force [N].
        longitudinal: force along the wheels [N].
        friction: tyre on ground.
        coefficient: cornering stiffness over load [1/rad].
    """
    limit = friction * load
    left = limit * limit - longitudinal * longitudinal
    peak = sqrt(max(left, MIN_GRIP_SHARE * MIN_GRIP_SHARE * limit * limit))
    return peak, coefficient * load / (3.0 * peak)


@inner_kernel
def report_axle(
    state: FloatArray, i: int, wheel: int, force: float, slip: float, stiffness: float, left_share: float
) -> None:
    """Write what the two wheels of an axle report.

    Both wheels have the slip angle of the single track. The brush force is proportional to the load, so force and
    stiffness are split like the loads.
    """
    state[_VEHICLE.tire_lateral_force + wheel, i] = left_share * force
    state[_VEHICLE.tire_lateral_force + wheel + 1, i] = (1.0 - left_share) * force
    state[_VEHICLE.tire_slip_angle + wheel, i] = slip
    state[_VEHICLE.tire_slip_angle + wheel + 1, i] = slip
    state[_VEHICLE.tire_cornering_stiffness + wheel, i] = left_share * stiffness
    state[_VEHICLE.tire_cornering_stiffness + wheel + 1, i] = (1.0 - left_share) * stiffness


@inner_kernel
def report_brush_axle(
    state: FloatArray, i: int, wheel: int, slip: float, peak: float, scale: float, left_share: float
) -> None:
    """Report an axle on brush tyres from tan(slip angle) (`Axles` names the other numbers)."""
    force = -peak * brush(slip * scale)
    scaled = min(abs(slip * scale), 1.0)
    stiffness = peak * scale * (3.0 - 3.0 * scaled + scaled * scaled)
    if scaled == 1.0:
        stiffness = peak / abs(slip)
    report_axle(state, i, wheel, force, arc_tangent(slip), stiffness, left_share)


@inner_kernel
def left_share(parameter: FloatArray, i: int, lateral: float) -> tuple[float, float]:
    """Share of the load on the left wheel, front and rear, at a lateral acceleration felt by the body [m/s²]."""
    transfer = lateral * parameter[_PARAMETER.cg_height, i] * (1.0 / GRAVITY)
    front = min(max(0.5 - transfer / parameter[_PARAMETER.front_track, i], 0.0), 1.0)
    rear = min(max(0.5 - transfer / parameter[_PARAMETER.rear_track, i], 0.0), 1.0)
    return front, rear
