"""Data of the ground vehicles: robots and transporters (commands of facts/udp-wire.md, section 3.12)."""

from __future__ import annotations

import math
from dataclasses import replace

from dorosim.world.vehicle.mode import DynamicsKind
from dorosim.world.vehicle.model import GroundVehicle

_HUSKY = GroundVehicle(
    name="Clearpath_Husky_A200",
    category="robot",
    source="Clearpath Robotics, Husky A200 data sheet: 990 x 670 x 390 mm, 50 kg, 1.0 m/s; wheel base 512 mm and wheel "
    "separation 571 mm, multiplied by 1.875 for skidding, from the manufacturer's husky_description",
    estimated=("max_acceleration", "max_yaw_rate", "front_overhang", "rear_overhang"),
    length=0.990,
    width=0.670,
    height=0.390,
    front_overhang=0.239,
    wheelbase=0.512,
    rear_overhang=0.239,
    mass=50,
    max_steer=0.0,
    max_speed=1.0,
    max_reverse_speed=1.0,
    drive_lag=0.10,
    dynamics=DynamicsKind.DIFFERENTIAL,
    max_acceleration=3.0,
    max_yaw_rate=2 * 1.0 / (0.571 * 1.875),
    slip_track=0.571 * 1.875,
    axles=((0.512, 0.0), (0.0, 0.0)),
)

_SCOUT = replace(
    _HUSKY,
    name="WeGoScout-Mini",
    source="AgileX Robotics, Scout Mini data sheet: 612 x 580 x 245 mm, 23 kg, 2.7 m/s, wheelbase 452 mm, track 490 mm",
    estimated=("max_acceleration", "max_yaw_rate", "front_overhang", "rear_overhang", "slip_track"),
    length=0.612,
    width=0.580,
    height=0.245,
    front_overhang=0.080,
    wheelbase=0.452,
    rear_overhang=0.080,
    mass=23,
    max_speed=2.7,
    max_reverse_speed=2.7,
    max_yaw_rate=3.0,
    slip_track=0.490 * 1.6,
    axles=((0.452, 0.0), (0.0, 0.0)),
)

_TURTLEBOT = GroundVehicle(
    name="TurtleBot",
    category="robot",
    source="Robotis e-manual, TurtleBot3 Waffle Pi: 281 x 306 x 141 mm, 1.8 kg, 0.26 m/s, 1.82 rad/s, wheel separation "
    "287 mm; two driven wheels, casters behind them",
    estimated=("max_acceleration", "front_overhang", "wheelbase", "rear_overhang"),
    length=0.281,
    width=0.306,
    height=0.141,
    front_overhang=0.030,
    wheelbase=0.130,
    rear_overhang=0.121,
    mass=1.8,
    max_steer=0.0,
    max_speed=0.26,
    max_reverse_speed=0.26,
    drive_lag=0.05,
    dynamics=DynamicsKind.DIFFERENTIAL,
    max_acceleration=2.5,
    max_yaw_rate=1.82,
    slip_track=0.287,
    axles=((0.130, 0.0), (0.0, 0.0)),
)

_WEBOT = replace(
    _TURTLEBOT,
    name="Wego_WeBot2.0",
    source="stands for the product's differential-drive robot, of which no data are public: a robot of half a metre",
    estimated=("length", "width", "height", "mass", "max_speed", "max_yaw_rate", "slip_track", "wheelbase"),
    length=0.500,
    width=0.450,
    height=0.300,
    front_overhang=0.080,
    wheelbase=0.300,
    rear_overhang=0.120,
    mass=30,
    max_speed=1.5,
    max_reverse_speed=1.5,
    max_yaw_rate=3.0,
    slip_track=0.400,
    axles=((0.300, 0.0), (0.0, 0.0)),
)

_ERP42 = GroundVehicle(
    name="WeGoERP42",
    category="robot",
    source="Unmanned Solution, ERP-42: wheelbase 1040 mm as in public ROS packages for it",
    estimated=("length", "width", "height", "front_overhang", "rear_overhang", "mass", "max_steer", "max_acceleration"),
    length=1.650,
    width=1.160,
    height=0.550,
    front_overhang=0.305,
    wheelbase=1.040,
    rear_overhang=0.305,
    mass=300,
    max_steer=math.radians(28.17),
    max_speed=20 / 3.6,
    max_reverse_speed=20 / 3.6,
    steer_rate=0.5,
    drive_lag=0.20,
    dynamics=DynamicsKind.MULTI_AXLE,
    max_acceleration=2.0,
    max_yaw_rate=0.0,
    slip_track=0.985,
    axles=((1.040, math.radians(28.17)), (0.0, 0.0)),
)

_EIGHT_BY_EIGHT = GroundVehicle(
    name="2018_HyundaiRotem_K808",
    category="robot",
    source="Hyundai Rotem, K808 8x8: 7200 x 2700 x 2300 mm, 420 PS, 100 km/h, front two axles steer",
    estimated=("axles", "front_overhang", "wheelbase", "rear_overhang", "mass", "max_steer", "max_acceleration"),
    length=7.200,
    width=2.700,
    height=2.300,
    front_overhang=1.350,
    wheelbase=4.450,
    rear_overhang=1.400,
    mass=20000,
    max_steer=math.radians(32.0),
    max_speed=100 / 3.6,
    max_reverse_speed=15 / 3.6,
    steer_rate=0.4,
    drive_lag=0.40,
    dynamics=DynamicsKind.MULTI_AXLE,
    max_acceleration=2.0,
    max_yaw_rate=0.0,
    slip_track=2.3,
    axles=((4.45, math.radians(32.0)), (3.15, math.radians(24.0)), (1.35, 0.0), (0.0, 0.0)),
)

_ALL_WHEEL = replace(
    _EIGHT_BY_EIGHT,
    name="2018_HyundaiRotem_K808_AllSteer",
    source="the K808 with all four axles steered, as on four-axle mobile cranes",
    max_rear_steer=math.radians(32.0),
    axles=(
        (4.45, math.radians(32.0)),
        (3.15, math.radians(24.0)),
        (1.35, math.radians(24.0)),
        (0.0, math.radians(32.0)),
    ),
)

_SPMT = GroundVehicle(
    name="SPMT",
    category="robot",
    source="Mammoet fleet sheet, self-propelled modular transporter of six lines: 8400 x 2430 x 1200..1800 mm, 24 t, "
    "1400 mm between lines; 5 km/h (Scheuerle). Its axles swing +-130 deg; beyond 60 deg x is no direction of travel",
    estimated=("max_acceleration", "steer_rate", "height", "max_yaw_rate"),
    length=8.400,
    width=2.430,
    height=1.500,
    front_overhang=0.700,
    wheelbase=7.000,
    rear_overhang=0.700,
    mass=24000,
    max_steer=math.radians(60.0),
    max_speed=5 / 3.6,
    max_reverse_speed=5 / 3.6,
    steer_rate=0.2,
    drive_lag=0.50,
    max_rear_steer=math.radians(60.0),
    dynamics=DynamicsKind.MULTI_AXLE,
    max_acceleration=0.3,
    max_yaw_rate=0.3,
    slip_track=2.43,
    axles=tuple((1.4 * (5 - line), math.radians(60.0)) for line in range(6)),
)

GROUND_VEHICLES = (_HUSKY, _SCOUT, _TURTLEBOT, _WEBOT, _ERP42, _EIGHT_BY_EIGHT, _ALL_WHEEL, _SPMT)
