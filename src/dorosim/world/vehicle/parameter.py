"""What the physics needs to know of every vehicle."""

from __future__ import annotations

from dorosim.ground.column import Columns, float64, float64_vector, int64
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

    mass = float64(KILOGRAM, "of the loaded vehicle")
    yaw_inertia = float64(KILOGRAM_METRE2, "about the vertical axis through the centre of gravity")
    wheelbase = float64(METRE, "front to rear axle; of a multi-axle vehicle first to last axle")
    front_distance = float64(METRE, "centre of gravity to front axle")
    rear_distance = float64(METRE, "centre of gravity to rear axle")
    cg_height = float64(METRE, "centre of gravity over the ground")
    wheel_radius = float64(METRE, "of all wheels, unloaded")
    front_track = float64(METRE, "between the front wheels")
    rear_track = float64(METRE, "between the rear wheels")
    length = float64(METRE, "front to rear bumper")
    width = float64(METRE, "without mirrors")
    height = float64(METRE, "over the ground")
    front_overhang = float64(METRE, "front axle to front bumper")
    rear_overhang = float64(METRE, "rear axle to rear bumper")
    max_steer = float64(RADIAN, "largest front wheel angle of the single track")
    max_rear_steer = float64(RADIAN, "largest rear wheel angle, 0 if the rear wheels do not steer")
    steer_rate = float64(RADIAN_PER_SECOND, "fastest turn of a wheel about its steering axis")
    front_cornering_coefficient = float64(PER_RADIAN, "cornering stiffness of the front axle over its load")
    rear_cornering_coefficient = float64(PER_RADIAN, "cornering stiffness of the rear axle over its load")
    friction = float64(RATIO, "largest tyre force over load on dry asphalt")
    drive_force = float64(NEWTON, "largest drive force at the wheels")
    drive_power = float64(WATT, "largest drive power at the wheels")
    drive_lag = float64(SECOND, "time constant of the drive force, and of the acceleration that a controller asks for")
    drive_front_share = float64(RATIO, "share of the drive force at the front axle")
    max_speed = float64(METRE_PER_SECOND, "no drive force above it")
    max_reverse_speed = float64(METRE_PER_SECOND, "no drive force above it in reverse")
    low_gear_speed = float64(METRE_PER_SECOND, "no drive force above it in gear L")
    brake_force = float64(NEWTON, "at full brake, as far as the tyres hold")
    drag_area = float64(SQUARE_METRE, "drag coefficient times frontal area")
    rolling_resistance = float64(RATIO, "rolling resistance force over load")
    engine_brake = float64(NEWTON, "drag of the engine at released accelerator in gear D")
    roll_gradient = float64(RADIAN_SECOND2_PER_METRE, "body roll per lateral acceleration")
    pitch_gradient = float64(RADIAN_SECOND2_PER_METRE, "body pitch per longitudinal deceleration")
    max_acceleration = float64(METRE_PER_SECOND2, "ground vehicles: limit of the speed of a wheel")
    max_yaw_rate = float64(RADIAN_PER_SECOND, "ground vehicles: fastest turn on the spot, 0 if it cannot")
    slip_track = float64(
        METRE, "ground vehicles: wheel speed difference over yaw rate, wider than the track by the slip"
    )
    axle_position = float64_vector(
        AXLES, METRE, "ground vehicles: each axle, front first, along x of the body", frame="body"
    )
    axle_max_steer = float64_vector(
        AXLES, RADIAN, "ground vehicles: largest angle of each axle, 0 if it does not steer"
    )
    control_low = float64_vector(3, NONE, "least that accelerator, brake and front wheels [rad] take")
    control_high = float64_vector(3, NONE, "most that they take")
    control_fall = float64_vector(3, PER_SECOND, "how fast they fall")
    control_rise = float64_vector(3, PER_SECOND, "how fast they rise")
    creep_force = float64(NEWTON, "drive force at released accelerator and standstill in gear; 0: it does not creep")
    creep_speed = float64(METRE_PER_SECOND, "speed at which that has fallen to zero")
    dynamics = int64("DynamicsKind")
    tire_law = int64("TireLaw")
    axle_count = int64("axles of a multi-axle vehicle")
