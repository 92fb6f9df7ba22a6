"""What is known of a vehicle model: the data of its sheet, and what is estimated from them.

Data sheets give sizes, masses, power and performance. What they leave out is estimated, for every road vehicle alike:

- yaw inertia = m a b times a yaw index, which is k² / (a b) and about 1 for cars (W. Milliken and D. Milliken, "Race
  Car Vehicle Dynamics", 1995); buses and trucks use the inertia of a box, m (length² + width²) / 12;
- centre of gravity at 0.38 of the height for cars with an engine, less with a battery in the floor, more for buses
  (measured vehicles: G. Heydinger et al., "Measured vehicle inertial parameters", SAE 1999-01-1336);
- cornering coefficients that give an understeer gradient of 1 to 2 degrees per g, as of road cars (T. Gillespie,
  "Fundamentals of Vehicle Dynamics", 1992, chapter 6), and less stiff tyres for heavy vehicles;
- drive force and power at the wheels such that the time from 0 to 100 km/h is that of the sheet;
- steering rate 2 rad/s at the wheels, that of a fast actuator rather than of a driver's hands (0.65), since clients
  of the product steer without a limit of their own and leave a tight path where the wheels lag (docs/decisions/0005);
- creep at released pedals by the kind of transmission (`CREEP`);
- largest wheel angle, where the product does not give it, from the turning radius by Ackermann geometry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from dorosim.ground.physics import GRAVITY
from dorosim.world.vehicle.mode import DynamicsKind, TireLaw
from dorosim.world.vehicle.state import AXLES


class Transmission(Enum):
    """What stands between an engine and the wheels, as far as creeping at released pedals depends on it."""

    NONE = "none"
    MANUAL = "manual"
    CONVERTER = "converter"
    DUAL_CLUTCH = "dual clutch"
    ELECTRIC = "electric"
    ELECTRIC_WITHOUT_CREEP = "electric without creep"


class Creep(NamedTuple):
    """How a vehicle creeps.

    Attributes:
        acceleration: drive force over mass at standstill [m/s²].
        speed: at which that force has fallen to zero [m/s]; on the flat a vehicle creeps a little slower.
    """

    acceleration: float
    speed: float


CREEP: dict[Transmission, Creep] = {
    Transmission.CONVERTER: Creep(0.8, 2.2),
    Transmission.DUAL_CLUTCH: Creep(0.6, 2.0),
    Transmission.ELECTRIC: Creep(0.7, 2.0),
}
"""Creep by transmission; others have none. In a car the engine idles at about 70 rad/s; a first gear and final drive
of 11 to 14 together and wheels of 0.31 to 0.34 m make that 1.6 to 2.2 m/s.
CONVERTER: the converter takes 12 to 18 N m at idle and doubles them at stall, which is some 800 to 1400 N at the
wheels (R. Rajamani, "Vehicle Dynamics and Control", 2nd ed. (2012), section 4.2.1, for how a converter multiplies).
DUAL_CLUTCH: the clutch is let slip at 10 to 14 N m, 30 N m at most (US patent application 2010/0145588, Creeping
process); the greatest torque is asked for here where the vehicle stands, about 20 N m.
ELECTRIC: by software in D, as far as no other mode of the accelerator is chosen; its values are estimated, like a
converter's, whose feel it copies."""

UNLIMITED_RATE = 1e6
"""Rate of a control without a limit [1/s]: from end to end in a microsecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleModel:
    """A row of the catalogue: what all vehicles have.

    Attributes:
        name: as MORAI writes it, year_maker_model.
        category: sedan, hatchback, suv, van, truck, bus or robot.
        source: where the numbers come from.
        estimated: names of sheet numbers (not of those that the module lists) that are estimates.
        length, width, height: without mirrors [m].
        front_overhang, wheelbase, rear_overhang: their sum is the length [m].
        mass: with a driver of 75 kg where there is one [kg].
        max_steer: largest front wheel angle of the single track [rad].
        max_speed, max_reverse_speed: [m/s].
        steer_rate: of a wheel about its steering axis [rad/s].
        drive_lag: time constant of the drive [s].
        max_rear_steer: largest rear wheel angle, 0 if they do not steer [rad].
    """

    name: str
    category: str
    source: str
    estimated: tuple[str, ...] = ()
    length: float
    width: float
    height: float
    front_overhang: float
    wheelbase: float
    rear_overhang: float
    mass: float
    max_steer: float
    max_speed: float
    max_reverse_speed: float
    steer_rate: float = 2.0
    drive_lag: float = 0.25
    max_rear_steer: float = 0.0

    @property
    def wheel_radius(self) -> float:
        """Of all wheels [m]: by the height, as in side views of cars; at most that of trucks (315/80 R 22.5)."""
        return min(0.225 * self.height, 0.52)

    @property
    def control_low(self) -> tuple[float, float, float]:
        """Least that accelerator, brake and front wheels [rad] take before a command limits them."""
        return (0.0, 0.0, -math.pi)

    @property
    def control_high(self) -> tuple[float, float, float]:
        """Most that they take."""
        return (1.0, 1.0, math.pi)

    @property
    def control_fall(self) -> tuple[float, float, float]:
        """How fast they fall [1/s], [rad/s]: at once."""
        return (UNLIMITED_RATE, UNLIMITED_RATE, UNLIMITED_RATE)

    @property
    def control_rise(self) -> tuple[float, float, float]:
        """How fast they rise [1/s], [rad/s]: at once."""
        return (UNLIMITED_RATE, UNLIMITED_RATE, UNLIMITED_RATE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadVehicle(VehicleModel):
    """A vehicle on tyres.

    Attributes:
        front_weight_share: of the weight on the front axle.
        cg_height: [m].
        yaw_index: k² / (a b).
        front_track, rear_track: [m].
        front_cornering_coefficient, rear_cornering_coefficient: cornering stiffness of an axle over its load [1/rad].
        friction: largest tyre force over load on dry asphalt.
        drive_force, drive_power: largest at the wheels [N], [W].
        drive_front_share: of the drive at the front axle.
        low_gear_speed: top speed in gear L [m/s].
        brake_deceleration: at full brake, if the tyres hold [m/s²].
        drag_area: drag coefficient times frontal area [m²].
        rolling_resistance: force over load.
        engine_brake_deceleration: at released accelerator in D [m/s²].
        roll_gradient, pitch_gradient: body angle over acceleration [rad/(m/s²)].
        transmission: gives its creep at released pedals.
        sprint_time: from 0 to 100 km/h by the sheet [s]; None if it gives none.
    """

    front_weight_share: float
    cg_height: float
    yaw_index: float = 1.0
    front_track: float
    rear_track: float
    front_cornering_coefficient: float = 12.0
    rear_cornering_coefficient: float = 17.0
    friction: float = 0.95
    drive_force: float
    drive_power: float
    drive_front_share: float
    low_gear_speed: float = 50 / 3.6
    brake_deceleration: float = 10.0
    drag_area: float
    rolling_resistance: float = 0.010
    engine_brake_deceleration: float = 0.4
    roll_gradient: float = math.radians(4.5) / GRAVITY
    pitch_gradient: float = math.radians(2.0) / GRAVITY
    transmission: Transmission = Transmission.NONE
    sprint_time: float | None = None
    dynamics: DynamicsKind = DynamicsKind.SINGLE_TRACK
    tire_law: TireLaw = TireLaw.FIALA

    @property
    def front_distance(self) -> float:
        """Centre of gravity to front axle [m]."""
        return self.wheelbase * (1.0 - self.front_weight_share)

    @property
    def rear_distance(self) -> float:
        """Centre of gravity to rear axle [m]."""
        return self.wheelbase * self.front_weight_share

    @property
    def yaw_inertia(self) -> float:
        """About the vertical axis through the centre of gravity [kg m²]."""
        return self.yaw_index * self.mass * self.front_distance * self.rear_distance

    @property
    def brake_force(self) -> float:
        """At full brake [N]."""
        return self.mass * self.brake_deceleration

    @property
    def engine_brake(self) -> float:
        """Drag of the engine in D [N]."""
        return self.mass * self.engine_brake_deceleration

    @property
    def creep_force(self) -> float:
        """Drive force at released accelerator and standstill [N]; 0 if it does not creep."""
        return self.mass * CREEP[self.transmission].acceleration if self.transmission in CREEP else 0.0

    @property
    def creep_speed(self) -> float:
        """Speed at which that has fallen to zero [m/s]."""
        return CREEP[self.transmission].speed if self.transmission in CREEP else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundVehicle(VehicleModel):
    """A robot or transporter whose wheels roll as commanded.

    Attributes:
        dynamics: DIFFERENTIAL or MULTI_AXLE.
        max_acceleration: of the speed of a wheel [m/s²].
        max_yaw_rate: on the spot, 0 if it cannot [rad/s].
        slip_track: wheel speed difference over yaw rate [m].
        axles: position along x of the body [m] and largest angle [rad] of each axle, front first; at most ten. The
            last is at 0, the body origin.
    """

    dynamics: DynamicsKind
    max_acceleration: float
    max_yaw_rate: float
    slip_track: float
    axles: tuple[tuple[float, float], ...]

    @property
    def axle_count(self) -> int:
        """How many axles it has."""
        return len(self.axles)

    @property
    def axle_position(self) -> list[float]:
        """Position of each axle, filled up with zeros to ten [m]."""
        return [position for position, _ in self.axles] + [0.0] * (AXLES - len(self.axles))

    @property
    def axle_max_steer(self) -> list[float]:
        """Largest angle of each axle, filled up with zeros to ten [rad]."""
        return [angle for _, angle in self.axles] + [0.0] * (AXLES - len(self.axles))
