"""Codes that the whole columns of a vehicle hold: what drives it, how, in which gear, and by which physics."""

from __future__ import annotations

from enum import IntEnum


class ControlMode(IntEnum):
    """What drives a vehicle (seams: "Who drives"). Internal codes; the bridge maps each protocol's own."""

    KEEP = 0
    KEYBOARD = 1
    AUTO = 2
    CRUISE = 3
    GHOST = 4


class Gear(IntEnum):
    """The gear selector, with the codes of the product's documents (facts/udp-wire.md, section 3.1).

    M drives like D, since the vehicles have no separate gear ratios. R drives backwards. P locks the driven
    wheels. N rolls. L is D with stronger engine braking and no drive above the vehicle's low-gear speed.
    """

    M = 0
    P = 1
    R = 2
    N = 3
    D = 4
    L = 5


class ControlKind(IntEnum):
    """Which of the held command's columns apply.

    HOLD: full brake, steering kept. PEDALS: target_accelerator, target_brake. ROLL: the same, for a vehicle that has
    not been driven yet or that keys drive: released pedals let it roll to a stop, and it does not creep.
    VELOCITY: target_velocity, within the document's limits of acceleration. VELOCITY_BY_ABILITY: the same within those
    of the vehicle. ACCELERATION: target_acceleration. All five with target_steer and target_rear_steer.
    GROUND_DIRECT: steer_type, throttle, skid_steering, axle_steer. GROUND_STATE: target_velocity,
    target_yaw_rate. TRAJECTORY: VELOCITY with targets that the built-in driver writes each tick.
    GHOST: the pose is as the sender gave it; nothing moves on its own.
    """

    HOLD = 0
    PEDALS = 1
    VELOCITY = 2
    ACCELERATION = 3
    GROUND_DIRECT = 4
    GROUND_STATE = 5
    TRAJECTORY = 6
    GHOST = 7
    VELOCITY_BY_ABILITY = 8
    ROLL = 9


class SteerType(IntEnum):
    """How a GROUND_DIRECT command steers (documents/udp-messages-en.txt, "steer_type")."""

    SKID = 1
    ACKERMANN = 2
    ZERO_TURN = 3


class DynamicsKind(IntEnum):
    """The physics of a vehicle: tyres and inertia, two driven sides, or steered axles that roll without slip."""

    SINGLE_TRACK = 0
    DIFFERENTIAL = 1
    MULTI_AXLE = 2


class TireLaw(IntEnum):
    """Lateral tyre force over slip angle: the brush tyre of Fiala (1954), or a straight line."""

    FIALA = 0
    LINEAR = 1


class TurnLamp(IntEnum):
    """The turn signal (UDP page, Turn Signal Lamp Control, without "keep")."""

    OFF = 0
    LEFT = 1
    RIGHT = 2
