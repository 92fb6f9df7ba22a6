"""Commands to vehicles with full dynamics: the ego vehicle, other egos and ground vehicles.

A user that presses a key of the live page drives the vehicle alone: until the user leaves it, no other source changes
its control mode (design/seams.md, Who drives).
"""

from __future__ import annotations

from dorosim.world.command import NEW_ACTOR, ActorCommand, Vector
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, SteerType, TurnLamp


class CreateVehicle(ActorCommand, frozen=True, tag=True, kw_only=True):
    """Puts another vehicle with full dynamics into the world: a multi-ego vehicle.

    Attributes:
        model: name in the catalogue.
        position: body origin in the map [m]; it settles on the ground below.
        rotation: roll, pitch, yaw [rad]; roll and pitch follow the ground.
        speed: along body x [m/s]; with 0 it is held until the first command, else it rolls.
        cruise_ratio, cruise_speed: as of `SetCruise`.
        paused: it stays where it is until it is let go (`PauseActor`).
    """

    actor: int = NEW_ACTOR
    model: str
    position: Vector
    rotation: Vector = (0.0, 0.0, 0.0)
    speed: float = 0.0
    gear: Gear = Gear.D
    mode: ControlMode = ControlMode.AUTO
    cruise_ratio: float = 1.0
    cruise_speed: float = 0.0
    paused: bool = False


class DriveVehicle(ActorCommand, frozen=True, tag=True):
    """Drives a vehicle from outside.

    Attributes:
        mode: the control mode from now on; KEEP leaves it.
        gear: None leaves it.
        kind: PEDALS, VELOCITY or ACCELERATION: which of the numbers count.
        accelerator, brake: pedals, 0 to 1.
        velocity: target along body x [m/s]. acceleration: target along body x [m/s^2].
        steer, rear_steer: wheel angles [rad], left positive.
    """

    kind: ControlKind
    mode: ControlMode = ControlMode.KEEP
    gear: Gear | None = None
    accelerator: float = 0.0
    brake: float = 0.0
    velocity: float = 0.0
    acceleration: float = 0.0
    steer: float = 0.0
    rear_steer: float = 0.0


class DriveGroundVehicle(ActorCommand, frozen=True, tag=True):
    """Drives a ground vehicle by fractions of its throttle.

    Attributes:
        throttle: -1 to 1, forward positive; with ZERO_TURN rotation, left positive.
        rotation: -1 to 1 with SKID, left positive.
        axle_steer: wheel angle of each axle from the front with ACKERMANN [rad], left positive.
    """

    steer_type: SteerType
    throttle: float
    rotation: float = 0.0
    axle_steer: tuple[float, ...] = ()


class DriveGroundState(ActorCommand, frozen=True, tag=True):
    """Gives a ground vehicle a target velocity [m/s] and yaw rate [rad/s, left positive]."""

    velocity: float
    yaw_rate: float


class PlaceGhost(ActorCommand, frozen=True, tag=True):
    """Puts a vehicle at a pose without physics, and lets it report a speed [m/s] and wheel angle [rad].

    Attributes:
        position: body origin in the map [m].
        rotation: roll, pitch, yaw [rad].
    """

    position: Vector
    rotation: Vector
    speed: float
    steer: float


class PlaceVehicle(ActorCommand, frozen=True, tag=True):
    """Puts a vehicle with physics at a pose, with a speed along body x [m/s]; it goes on from there.

    Attributes:
        position: body origin in the map [m]; it stands on the ground below.
        rotation: roll, pitch, yaw [rad]; the body settles from roll and pitch to the ground's within some tenths of a
            second, and stands as the ground has it at once where both are 0.
    """

    position: Vector
    rotation: Vector
    speed: float
    gear: Gear
    mode: ControlMode = ControlMode.KEEP


class FollowTrajectory(ActorCommand, frozen=True, tag=True):
    """Lets the built-in driver follow a trajectory until it ends.

    Attributes:
        points: (x, y, z, speed) in the map [m, m/s], at most 30.
    """

    points: tuple[tuple[float, float, float, float], ...]


class SelectMode(ActorCommand, frozen=True, tag=True):
    """Sets the control mode and the gear of a vehicle; KEEP and None leave them."""

    mode: ControlMode = ControlMode.KEEP
    gear: Gear | None = None


class SetCruise(ActorCommand, frozen=True, tag=True):
    """How fast a vehicle goes in cruise mode (gRPC page, CruiseControl).

    Attributes:
        ratio: of each link's speed limit; 0 if `speed` counts.
        speed: constant [m/s].
    """

    ratio: float = 0.0
    speed: float = 0.0


class ChangeLimits(ActorCommand, frozen=True, tag=True):
    """Changes the mass and the limits of a vehicle while it drives; None leaves one.

    Attributes:
        mass: of the loaded vehicle [kg], a tenth to ten times that of its model; its yaw inertia goes with it.
        max_steer, max_rear_steer: largest wheel angles [rad].
        steer_rate: fastest turn of a wheel about its steering axis [rad/s].
        max_speed, max_reverse_speed: [m/s].
        max_acceleration: from standstill on dry asphalt [m/s²].
        max_deceleration: at full brake, if the tyres hold [m/s²].
    """

    mass: float | None = None
    max_steer: float | None = None
    max_rear_steer: float | None = None
    steer_rate: float | None = None
    max_speed: float | None = None
    max_reverse_speed: float | None = None
    max_acceleration: float | None = None
    max_deceleration: float | None = None


class WishLane(ActorCommand, frozen=True, tag=True):
    """Lets the driver of a vehicle in cruise mode change to another lane as soon as it may.

    Attributes:
        position: on that lane, beside the vehicle, in the map [m].
        heading: of the vehicle [rad]; of lanes over one another the one that leads this way counts.
        begins: whether a driver that has no plan yet, or has lost it, makes one at once. Else it does not hear the wish
            in the tick in which it begins; recordings of before 0.7 are such.
    """

    position: Vector
    heading: float
    begins: bool = False


class SteerVehicle(ActorCommand, frozen=True, tag=True):
    """Turns the front wheels of a vehicle that is driven from outside, and leaves its pedals as they are.

    Attributes:
        steer: wheel angle [rad], left positive.
    """

    steer: float


class LimitControl(ActorCommand, frozen=True, tag=True):
    """Limits what an actuator of a vehicle takes, and how fast (Standard API, SetVehicleLimiter).

    Attributes:
        control: 0 accelerator, 1 brake, 2 front wheels.
        low, high: least and most that it takes; pedals 0 to 1, wheels in rad.
        fall, rise: how fast it falls and rises, of the same over a second.
        reset: back to what the vehicle has of itself; the rest does not count.
    """

    control: int
    low: float = 0.0
    high: float = 0.0
    fall: float = 0.0
    rise: float = 0.0
    reset: bool = False


class DisturbControl(ActorCommand, frozen=True, tag=True):
    """Adds something to a control of a vehicle for a time (Standard API, SetVehicleDisturbance).

    Attributes:
        control: 0 accelerator, 1 brake, 2 front wheels, 3 hand brake.
        magnitude: what is added, pedals 0 to 1, wheels in rad, left positive.
        duration: [s]; 0 ends it.
    """

    control: int
    magnitude: float
    duration: float


class SetLamps(ActorCommand, frozen=True, tag=True):
    """Switches a vehicle's turn signal and emergency lamps; None keeps one (UDP page, Turn Signal Lamp Control)."""

    turn: TurnLamp | None = None
    emergency: bool | None = None


class SelectCamera(ActorCommand, frozen=True, tag=True):
    """Lets the viewer's camera follow an actor."""


class TakeKeyboard(ActorCommand, frozen=True, tag=True):
    """Lets the keyboard take over a vehicle. Until a key is pressed, a held one stays held, another one rolls."""


class DriveByKeyboard(ActorCommand, frozen=True, tag=True, kw_only=True):
    """Drives a vehicle that is in keyboard mode, and takes it over.

    Attributes:
        accelerator, brake: pedals, 0 to 1; what is beyond counts as the bound.
        steer: front wheel angle [rad], left positive.
        gear: None leaves it.
    """

    accelerator: float = 0.0
    brake: float = 0.0
    steer: float = 0.0
    gear: Gear | None = None


class LeaveKeyboard(ActorCommand, frozen=True, tag=True):
    """Lets go of a vehicle, which is held with full brake until it is driven again.

    Attributes:
        mode: the control mode from now on; KEEP leaves it in keyboard mode, and any source may ask for another one.
    """

    mode: ControlMode = ControlMode.KEEP
