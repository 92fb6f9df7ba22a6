"""What the physics needs to know of every vehicle."""

from __future__ import annotations

from dorosim.ground.column import Columns, real, reals, whole
from dorosim.ground.unit import (
    KILOGRAM,
    KILOGRAM_METRE2,
    METRE,
    METRE_PER_SECOND,
    METRE_PER_SECOND2,
    NEWTON,
    NONE,
    RADIAN,
    RADIAN_PER_SECOND,
    RATIO,
    SECOND,
    WATT,
    Unit,
)
from dorosim.world.vehicle.state import AXLES

SQUARE_METRE = Unit("m²", "m²")
PER_RADIAN = Unit("1/rad", "1/rad")
PER_SECOND = Unit("1/s", "1/s")
RADIAN_SECOND2_PER_METRE = Unit("rad/(m/s²)", "rad/(m/s²)")


class VehicleParameter(Columns):
    """One row per vehicle and not per model, since mass and limits of a vehicle can change while it drives.

    Names follow `VehicleModel` (dorosim.world.vehicle.catalogue), which holds the values and their sources.
    """

    mass = real(KILOGRAM, "of the loaded vehicle")
    yaw_inertia = real(KILOGRAM_METRE2, "about the vertical axis through the centre of gravity")
    wheelbase = real(METRE, "front to rear axle; of a multi-axle vehicle first to last axle")
    front_distance = real(METRE, "centre of gravity to front axle")
    rear_distance = real(METRE, "centre of gravity to rear axle")
    cg_height = real(METRE, "centre of gravity over the ground")
    front_track = real(METRE, "between the front wheels")
    rear_track = real(METRE, "between the rear wheels")
    length = real(METRE, "front to rear bumper")
    width = real(METRE, "without mirrors")
    height = real(METRE, "over the ground")
    front_overhang = real(METRE, "front axle to front bumper")
    rear_overhang = real(METRE, "rear axle to rear bumper")
    max_steer = real(RADIAN, "largest front wheel angle of the single track")
    max_rear_steer = real(RADIAN, "largest rear wheel angle, 0 if the rear wheels do not steer")
    steer_rate = real(RADIAN_PER_SECOND, "fastest turn of a wheel about its steering axis")
    front_cornering_coefficient = real(PER_RADIAN, "cornering stiffness of the front axle over its load")
    rear_cornering_coefficient = real(PER_RADIAN, "cornering stiffness of the rear axle over its load")
    friction = real(RATIO, "largest tyre force over load on dry asphalt")
    drive_force = real(NEWTON, "largest drive force at the wheels")
    drive_power = real(WATT, "largest drive power at the wheels")
    drive_lag = real(SECOND, "time constant of the drive force, and of the acceleration that a controller asks for")
    drive_front_share = real(RATIO, "share of the drive force at the front axle")
    max_speed = real(METRE_PER_SECOND, "no drive force above it")
    max_reverse_speed = real(METRE_PER_SECOND, "no drive force above it in reverse")
    low_gear_speed = real(METRE_PER_SECOND, "no drive force above it in gear L")
    brake_force = real(NEWTON, "at full brake, as far as the tyres hold")
    drag_area = real(SQUARE_METRE, "drag coefficient times frontal area")
    rolling_resistance = real(RATIO, "rolling resistance force over load")
    engine_brake = real(NEWTON, "drag of the engine at released accelerator in gear D")
    roll_gradient = real(RADIAN_SECOND2_PER_METRE, "body roll per lateral acceleration")
    pitch_gradient = real(RADIAN_SECOND2_PER_METRE, "body pitch per longitudinal deceleration")
    max_acceleration = real(METRE_PER_SECOND2, "ground vehicles: limit of the speed of a wheel")
    max_yaw_rate = real(RADIAN_PER_SECOND, "ground vehicles: fastest turn on the spot, 0 if it cannot")
    slip_track = real(METRE, "ground vehicles: wheel speed difference over yaw rate, wider than the track by the slip")
    axle_position = reals(AXLES, METRE, "ground vehicles: each axle, front first, along x of the body", frame="body")
    axle_max_steer = reals(AXLES, RADIAN, "ground vehicles: largest angle of each axle, 0 if it does not steer")
    control_low = reals(3, NONE, "least that accelerator, brake and front wheels [rad] take")
    control_high = reals(3, NONE, "most that they take")
    control_fall = reals(3, PER_SECOND, "how fast they fall")
    control_rise = reals(3, PER_SECOND, "how fast they rise")
    dynamics = whole("DynamicsKind")
    tire_law = whole("TireLaw")
    axle_count = whole("axles of a multi-axle vehicle")
