"""The codes that UDP messages carry (UDP page; facts/udp-wire.md, sections 3 and 7)."""

from __future__ import annotations

from enum import IntEnum


class Gear(IntEnum):
    """Gear of a vehicle."""

    M = 0
    P = 1
    R = 2
    N = 3
    D = 4
    L = 5


class CtrlMode(IntEnum):
    """The driver of the ego vehicle.

    The page knows 1 and 2. As a command, 0 keeps the present mode (facts, 3.1); 3 and 4 are external control and
    cruise in the product's ROS and gRPC interfaces, 6 is cruise there since 26.R1 (facts/ros-grpc-mgeo.md, 1.6, row
    18); 16 is auto in the older multi ego page (facts, 8.8).
    """

    KEEP = 0
    KEYBOARD = 1
    AUTO = 2
    EXTERNAL = 3
    CRUISE = 4
    CRUISE_26_R1 = 6
    AUTO_MULTI_EGO = 16


class LongCmdType(IntEnum):
    """Which numbers of a control command count. Clients that leave it 0 mean the pedals (facts, 7)."""

    UNSET = 0
    THROTTLE = 1
    VELOCITY = 2
    ACCELERATION = 3


class ObjectType(IntEnum):
    """What an object is."""

    EGO = -1
    PEDESTRIAN = 0
    VEHICLE = 1
    OBJECT = 2


class SteerType(IntEnum):
    """How a ground vehicle steers."""

    SKID = 1
    ACKERMANN = 2
    ZERO_TURN = 3


class EmergencySignal(IntEnum):
    """Emergency lamps."""

    OFF = 0
    ON = 1


class TurnSignal(IntEnum):
    """Turn signal lamps. The page knows 0 to 2; 3 keeps them, as in ROS (facts/ros-grpc-mgeo.md, 1.6, row 27)."""

    NONE = 0
    LEFT = 1
    RIGHT = 2
    KEEP = 3
