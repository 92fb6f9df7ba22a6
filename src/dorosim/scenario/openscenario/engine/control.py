"""How overridden controls move an entity: throttle, brakes, clutch, gear and steering wheel.

An override stands for what a controller of the file gives (ASAM OpenSCENARIO XML 1.3, OverrideControllerValueAction):
it moves an entity while such a controller is active in the domain, and otherwise it is kept and moves nothing. How a
vehicle follows is not said there. Here it follows by the numbers of the file: full throttle is `maxAcceleration`, full
brakes are `maxDeceleration`, a force is divided by the mass. What is not overridden is what the actions command. A
pressed clutch and the gears N and P let no throttle through; R drives backwards; P holds. The wheels turn by the
steering wheel over its ratio, at most by `maxSteering`, and the body goes where a single-track vehicle goes that does
not slip.
"""

from __future__ import annotations

import math

from dorosim.scenario.openscenario.engine.control_rows import ControlRow
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import find_road, settle_height
from dorosim.scenario.openscenario.engine.program import Domain, EntityPlan, Program, Use
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.world.storyboard.control_state import NEUTRAL, PARK, ControlTable, Override, VehicleControl
from dorosim.world.storyboard.state import NEVER

STANDARD_GRAVITY = 9.80665
_DEFAULT_MASS = 1_500.0
"""Of a vehicle whose file says none [kg]."""
_TRAIL = 0.05
"""Lever by which the tyres turn the wheels back: caster and pneumatic trail of a car [m]
(Rajamani, Vehicle Dynamics and VehicleControl, 2nd ed., 13.2)."""
_DIRECTION = {NEUTRAL: 0.0, PARK: 0.0}
_LONGITUDINAL = Override.THROTTLE | Override.BRAKE | Override.CLUTCH | Override.PARKING_BRAKE | Override.GEAR


def apply_overrides(frame: StoryboardFrame) -> None:
    """Let overridden controls act on the entities for a tick, after the actions."""
    if not frame.dt or Use.OVERRIDE not in frame.program.uses:
        return
    for number, control in enumerate(frame.control):
        if not control.overridden or not frame.present(number):
            continue
        _follow_goals(control, frame.dt)
        body, plan = frame.entity[number], frame.program.entities[number]
        if control.overridden & _LONGITUDINAL and control.longitudinal >= 0:
            before = float(frame.state.entity.speed[number])
            body.speed = _speed(control, plan, before, body.speed, frame.dt)
        if control.overridden & Override.STEERING_WHEEL and control.lateral >= 0:
            _steer(frame, control, plan, body)


def _follow_goals(control: ControlRow, dt: float) -> None:
    """Let each control go towards where it was told to be, as fast as it may."""
    for at in VehicleControl:
        away, rate = control.goal[at] - control.value[at], control.rate[at]
        if away:
            bound = abs(away) if rate <= 0.0 else rate * dt
            control.value[at] += math.copysign(min(abs(away), bound), away)


def _speed(control: ControlRow, plan: EntityPlan, before: float, commanded: float, dt: float) -> float:
    """The speed at the end of a tick [m/s], from that before it and that which the actions command."""
    travel = math.copysign(1.0, before if before else commanded)
    rise = (commanded - before) / dt * travel
    drive, brake = max(rise, 0.0) * travel, max(-rise, 0.0)
    if control.overridden & Override.THROTTLE:
        # it stands for all that the controller does along the lane, but for a brake that is overridden, too
        drive, brake = control.value[VehicleControl.THROTTLE] * _finite(plan.max_acceleration), 0.0
    if control.overridden & Override.GEAR:
        drive = abs(drive) * _DIRECTION.get(control.gear, 1.0 if control.gear > 0 else -1.0)
    if control.overridden & Override.CLUTCH:
        drive *= 1.0 - control.value[VehicleControl.CLUTCH]
    if control.overridden & Override.BRAKE:
        brake = _braking(control, plan, VehicleControl.BRAKE, VehicleControl.BRAKE_FORCE)
    if control.overridden & Override.PARKING_BRAKE:
        brake += _braking(control, plan, VehicleControl.PARKING_BRAKE, VehicleControl.PARKING_BRAKE_FORCE)
    if control.overridden & Override.GEAR and control.gear == PARK:
        brake = _finite(plan.max_deceleration)
    speed = before + drive * dt
    speed -= math.copysign(min(brake * dt, abs(speed)), speed)
    return min(max(speed, -plan.max_speed), plan.max_speed)


def _braking(control: ControlRow, plan: EntityPlan, share: VehicleControl, force: VehicleControl) -> float:
    """The deceleration of a brake that is given as a share or as a force [m/s2], at most what the vehicle can."""
    mass = _DEFAULT_MASS if math.isnan(plan.mass) or plan.mass <= 0.0 else plan.mass
    greatest = _finite(plan.max_deceleration)
    return min(control.value[share] * greatest + control.value[force] / mass, greatest)


def _finite(greatest: float) -> float:
    """A limit that a file does not bind is that of gravity [m/s2]."""
    return greatest if math.isfinite(greatest) else STANDARD_GRAVITY


def _steer(frame: StoryboardFrame, control: ControlRow, plan: EntityPlan, body: EntityRow) -> None:
    """Move a body for a tick along the arc of its front wheels."""
    wheelbase = plan.wheelbase if plan.wheelbase > 0.0 else 0.6 * max(plan.box.length, 1.0)
    angle = control.value[VehicleControl.STEERING_WHEEL] / plan.steering_ratio
    lock = plan.max_steering if plan.max_steering > 0.0 else math.pi / 4.0
    angle = min(max(angle, -lock), lock)
    if control.torque > 0.0:
        angle = math.copysign(min(abs(angle), _held_angle(control, plan, body.speed, wheelbase)), angle)
    control.wheel_angle = angle
    way, curvature = body.speed * frame.dt, math.tan(angle) / wheelbase
    middle = body.heading + 0.5 * way * curvature
    body.x += way * math.cos(middle)
    body.y += way * math.sin(middle)
    body.heading = (body.heading + way * curvature) % math.tau
    body.moved |= Domain.LONGITUDINAL | Domain.LATERAL
    body.free = 1
    find_road(frame.program.roads, body)
    settle_height(frame.program.roads, body)


def _held_angle(control: ControlRow, plan: EntityPlan, speed: float, wheelbase: float) -> float:
    """The greatest angle of the wheels that a torque at the steering wheel holds against the tyres [rad].

    The force across the front axle is its share of the mass, half of it, times v² tan(angle) / wheelbase; it turns the
    wheels back at the trail.
    """
    mass = _DEFAULT_MASS if math.isnan(plan.mass) or plan.mass <= 0.0 else plan.mass
    turning = 0.5 * mass * speed * speed / wheelbase * _TRAIL
    if turning <= 0.0:
        return math.pi / 2.0
    return math.atan(control.torque * plan.steering_ratio / turning)


def controls_before_start(program: Program) -> ControlTable:
    """The controls of the entities of a scenario that has not started: they have their controllers, none is active."""
    table = ControlTable.zeros(len(program.entities))
    for column in (table.lateral, table.longitudinal, table.lighting, table.animation, table.trailer, table.tractor):
        column[:] = NEVER
    table.blind[:] = NEVER
    for number, plan in enumerate(program.entities):
        table.assigned[number] = sum(1 << one for one in plan.controllers)
    return table
