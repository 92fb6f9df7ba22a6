"""The state of every vehicle with full dynamics: ego, other egos and ground vehicles."""

from __future__ import annotations

from dorosim.ground.column import Columns, float64, float64_vector, int64
from dorosim.ground.unit import (
    METRE,
    METRE_PER_SECOND,
    METRE_PER_SECOND2,
    NEWTON,
    NEWTON_PER_RADIAN,
    NONE,
    RADIAN,
    RADIAN_PER_SECOND,
    RATIO,
    SECOND,
)

AXLES = 10
"""Axles that a ground vehicle can have at most (documents/udp-messages-en.txt, "steer_angle")."""


class VehicleState(Columns):
    """One row per vehicle.

    The body origin is the centre of the rear axle on the ground. Roll, pitch and yaw turn the map frame into the
    body frame in the order z, y, x by the right-hand rule (REP-103): pitch is positive nose down, roll is positive
    left side up. Wheels are in the order FL FR RL RR.
    """

    x = float64(METRE, "body origin, east", frame="map")
    y = float64(METRE, "body origin, north", frame="map")
    z = float64(METRE, "body origin, up; follows the ground", frame="map")
    roll = float64(RADIAN, "left side up positive: ground and suspension", frame="map")
    pitch = float64(RADIAN, "nose down positive: ground and suspension", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east, not wrapped", frame="map")
    velocity_x = float64(METRE_PER_SECOND, "of the body origin, forward", frame="body")
    velocity_y = float64(METRE_PER_SECOND, "of the body origin, to the left", frame="body")
    velocity_z = float64(
        METRE_PER_SECOND, "of the body origin, up: the suspension's share of the road speed", frame="body"
    )
    angular_velocity = float64_vector(3, RADIAN_PER_SECOND, "roll, pitch and yaw rate", frame="body")
    acceleration = float64_vector(3, METRE_PER_SECOND2, "of the body origin, without gravity", frame="body")
    steer = float64(RADIAN, "front wheel angle, left positive")
    rear_steer = float64(RADIAN, "rear wheel angle, left positive")
    accelerator = float64(
        RATIO, "accelerator as applied, 0 to 1; drive force over available force if a controller drives"
    )
    brake = float64(RATIO, "brake as applied, 0 to 1; brake force over full brake force if a controller drives")
    tire_lateral_force = float64_vector(4, NEWTON, "to the left of the wheel; on a side slope it holds the vehicle")
    tire_slip_angle = float64_vector(
        4, RADIAN, "of the wheel's motion from its plane, left positive (ISO 8855); 0 at rest"
    )
    tire_cornering_stiffness = float64_vector(4, NEWTON_PER_RADIAN, "-force / tan(slip angle) as it is now; 0 at rest")
    ground_height = float64(METRE, "of the ground under the body origin, written before each step", frame="map")
    ground_slope_x = float64(RATIO, "dz/dx of the ground, written before each step", frame="map")
    ground_slope_y = float64(RATIO, "dz/dy of the ground, written before each step", frame="map")
    surface_friction = float64_vector(
        4, RATIO, "grip of each wheel over that on dry asphalt: ground and tyre; 1 when new"
    )
    tire_stiffness_loss = float64_vector(4, RATIO, "share of the cornering stiffness that a damaged tyre lacks")
    tire_drag = float64_vector(4, RATIO, "rolling resistance over load that a damaged tyre adds")
    target_accelerator = float64(RATIO, "PEDALS: accelerator, 0 to 1")
    target_brake = float64(RATIO, "PEDALS: brake, 0 to 1")
    target_velocity = float64(
        METRE_PER_SECOND, "VELOCITY, TRAJECTORY: along the gear; GROUND_STATE: forward", frame="body"
    )
    target_acceleration = float64(METRE_PER_SECOND2, "ACCELERATION: along the gear's direction")
    target_steer = float64(RADIAN, "front wheel angle, left positive")
    target_rear_steer = float64(RADIAN, "rear wheel angle, left positive")
    asked_control = float64_vector(
        3, NONE, "accelerator, brake, front wheel angle [rad] that command or controller ask for"
    )
    control_loss = float64_vector(3, NONE, "share of each asked control that a fault keeps from its actuator")
    control_bias = float64_vector(3, NONE, "what a fault adds to each control at its actuator; angle in rad")
    throttle = float64(RATIO, "GROUND_DIRECT: -1 to 1, forward positive; with ZERO_TURN the rotation, left positive")
    skid_steering = float64(RATIO, "GROUND_DIRECT with SKID: -1 to 1, left positive")
    axle_steer = float64_vector(
        AXLES, RADIAN, "GROUND_DIRECT with ACKERMANN: angle of each axle, front first, left positive"
    )
    target_yaw_rate = float64(RADIAN_PER_SECOND, "GROUND_STATE: counter-clockwise", frame="body")
    drive_force = float64(
        NEWTON, "drive force at the wheels after the powertrain's lag, forward positive", frame="body"
    )
    demanded_acceleration = float64(METRE_PER_SECOND2, "what a controller asks for after its lag, along the gear")
    axle_angle = float64_vector(AXLES, RADIAN, "actual angle of each axle of a multi-axle vehicle, left positive")
    last_speed = float64(METRE_PER_SECOND, "GHOST: speed at the last step")
    last_yaw = float64(RADIAN, "GHOST: yaw at the last step", frame="map")
    cruise_ratio = float64(RATIO, "cruise mode: desired speed over each link's limit; 0 if cruise_speed counts")
    cruise_speed = float64(METRE_PER_SECOND, "cruise mode: desired speed")
    cruise_bias = float64(RATIO, "cruise mode: offset that it keeps, over half the width of the lane, left positive")
    disturbance = float64_vector(3, NONE, "what is added to accelerator, brake and front wheel angle [rad] for a time")
    disturbance_left = float64_vector(3, SECOND, "how long each of them still lasts")
    wheel_height = float64_vector(4, METRE, "of the ground under each wheel, written before each step", frame="map")
    wheel_gap = float64_vector(4, METRE, "how far a wheel hangs above the ground under it; 0: it stands on it")
    wheel_surface = float64_vector(4, NONE, "SurfaceKind under each wheel")
    surface_drag = float64_vector(4, RATIO, "rolling resistance over load that the ground adds to that of asphalt")
    heave = float64(METRE, "how far the body is above the plane that its wheels stand on")
    heave_rate = float64(METRE_PER_SECOND, "how fast that changes")
    roll_lag = float64(RATIO, "how far the body's slope to the left is behind that of the ground")
    pitch_lag = float64(RATIO, "how far its slope forward is")
    id = int64("actor id")
    model = int64("row of the catalogue")
    gear = int64("Gear")
    control_mode = int64("ControlMode")
    control_kind = int64("ControlKind")
    steer_type = int64("SteerType of the held GROUND_DIRECT command")
    segment = int64("road segment under the body origin, a hint for the next search; -1 none")
    trajectory_index = int64("TRAJECTORY: the point that was passed last")
    paused = int64("1 while it is paused: it stays as it is, and goes on from there")
    turn_lamp = int64("TurnLamp")
    emergency_lamp = int64("1 while the emergency lamps flash")
    seized = int64("1 while somebody is at the keyboard: nobody else changes who drives")
    rolled = int64("1 while it has left its wheels: it falls and slides as a rigid box")
    placed = int64(
        "until the first step after a placement 1, if that takes roll and pitch from the ground at once, or 2, if it "
        "leaves them as they were told; else 0"
    )
