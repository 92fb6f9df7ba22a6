"""Codes that spawn points hold, with the numbers of the gRPC page (facts/ros-grpc-mgeo.md, rows L7 to L9)."""

from __future__ import annotations

from enum import IntEnum, IntFlag


class LengthType(IntEnum):
    """Length class of a vehicle (documents/grpc-api-en.txt, VehicleClass.VehicleLengthType).

    The document gives names and no lengths. Mini and compact end at 3.6 m and 4.7 m, as in the Korean vehicle classes
    of these names (Enforcement Rule of the Motor Vehicle Management Act, table 1); large begins at 5.0 m, where
    full-size cars, vans, trucks and buses do.
    """

    MINI = 0
    COMPACT = 1
    MIDDLE_SIZE = 2
    LARGE = 3


class LengthSet(IntFlag):
    """Several length classes; the bit of a class is `1 << LengthType`."""

    MINI = 1
    COMPACT = 2
    MIDDLE_SIZE = 4
    LARGE = 8
    ALL = 15


_MAX_LENGTHS = ((3.6, LengthType.MINI), (4.7, LengthType.COMPACT), (5.0, LengthType.MIDDLE_SIZE))


def length_type_of(length: float) -> LengthType:
    """The class of a vehicle of a length [m]; the upper ends belong to the classes that they end."""
    for longest, kind in _MAX_LENGTHS:
        if length <= longest:
            return kind
    return LengthType.LARGE


class SpeedRule(IntEnum):
    """What a speed is set by (CruiseModeType.VelocityType): the lane's limit times a ratio, or a number."""

    LINK = 1
    CUSTOM = 2


class SpeedRange(IntEnum):
    """Whether a vehicle's desired speed is the one set or drawn from a range (DesiredVelocityType.ParameterType).

    CONSTANT takes the lower end, or the upper one if the lower is 0, since the document does not say which field of the
    two holds the value.
    """

    CONSTANT = 1
    VARIABLE = 2


class BiasRule(IntEnum):
    """How the lateral bias of a vehicle is drawn (BiasMode.LatBiasMode).

    FIX: evenly from the range, and then kept. GAUSSIAN: from a normal distribution whose range is three standard
    deviations to either side of its middle; what falls outside is put at the end.
    """

    FIX = 1
    GAUSSIAN = 2


class CharacterMode(IntEnum):
    """What a pedestrian of a spawn point does (PedestrianBehavior.CHARACTER_MODE). The document gives names only.

    ONCE: walks to its destinations in order and leaves the world at the last. CLOSED_LOOP: from the last destination
    back to where it came in, and on. REPEAT: to and fro along its way. LOOP: from the last destination back to the
    first, and on. NEW_PATH: the destinations in an order of its own. STAND: stays.
    """

    ONCE = 1
    CLOSED_LOOP = 2
    REPEAT = 3
    LOOP = 4
    NEW_PATH = 5
    STAND = 6
