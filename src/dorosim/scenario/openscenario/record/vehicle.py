"""What a vehicle, pedestrian or object is like."""

from __future__ import annotations

import math

from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    Word,
    attribute,
    child,
    children,
    sequence,
    unordered,
    words,
)


@words()
class VehicleCategory(Word):
    """The category of a vehicle."""

    BICYCLE = "bicycle"
    BUS = "bus"
    CAR = "car"
    MOTORBIKE = "motorbike"
    SEMITRAILER = "semitrailer"
    TRAILER = "trailer"
    TRAIN = "train"
    TRAM = "tram"
    TRUCK = "truck"
    VAN = "van"


@words()
class PedestrianCategory(Word):
    """The category of a pedestrian."""

    ANIMAL = "animal"
    PEDESTRIAN = "pedestrian"
    WHEELCHAIR = "wheelchair"


@words()
class MiscObjectCategory(Word):
    """The category of an object that is neither vehicle nor pedestrian."""

    BARRIER = "barrier"
    BUILDING = "building"
    CROSSWALK = "crosswalk"
    GANTRY = "gantry"
    NONE = "none"
    OBSTACLE = "obstacle"
    PARKING_SPACE = "parkingSpace"
    PATCH = "patch"
    POLE = "pole"
    RAILING = "railing"
    ROAD_MARK = "roadMark"
    SOUND_BARRIER = "soundBarrier"
    STREET_LAMP = "streetLamp"
    TRAFFIC_ISLAND = "trafficIsland"
    TREE = "tree"
    VEGETATION = "vegetation"
    WIND = "wind", "", "1.1"


@words()
class ObjectType(Word):
    """The type of an entity."""

    MISCELLANEOUS = "miscellaneous"
    PEDESTRIAN = "pedestrian"
    VEHICLE = "vehicle"
    EXTERNAL = "external", "1.1"


@words(since="1.2")
class Role(Word):
    """The role of a vehicle or pedestrian in traffic."""

    NONE = "none"
    AMBULANCE = "ambulance"
    CIVIL = "civil"
    FIRE = "fire"
    MILITARY = "military"
    POLICE = "police"
    PUBLIC_TRANSPORT = "publicTransport"
    ROAD_ASSISTANCE = "roadAssistance"


@unordered()
class BoundingBox(OscRecord):
    """The box around a body."""

    center: Center = child()
    dimensions: Dimensions = child()


@sequence()
class Center(OscRecord):
    """The middle of a box, in the body's frame."""

    x: float = attribute("forward [m]")
    y: float = attribute("left [m]")
    z: float = attribute("up [m]")


@sequence()
class Dimensions(OscRecord):
    """The size of a box."""

    height: float = attribute("height [m]")
    length: float = attribute("length [m]")
    width: float = attribute("width [m]")


@sequence()
class Performance(OscRecord):
    """How fast a vehicle can be, speed up and brake."""

    max_acceleration: float = attribute("[m/s2]", assumed=math.inf)
    max_acceleration_rate: float | None = attribute("jerk while speeding up [m/s3]", default=None, since="1.2")
    max_deceleration: float = attribute("positive [m/s2]", assumed=math.inf)
    max_deceleration_rate: float | None = attribute("jerk while braking, positive [m/s3]", default=None, since="1.2")
    max_speed: float = attribute("[m/s]", assumed=math.inf)


@sequence()
class Axles(OscRecord):
    """The axles of a vehicle."""

    front_axle: Axle | None = child(default=None, required=("1.0", "1.2"), assumed=None)
    rear_axle: Axle = child()
    additional_axles: tuple[Axle, ...] = children("AdditionalAxle", default=())


@sequence()
class Axle(OscRecord):
    """An axle."""

    max_steering: float = attribute("greatest angle of its wheels [rad]")
    position_x: float = attribute("forward of the rear axle [m]")
    position_z: float = attribute("above the ground [m]")
    track_width: float = attribute("between the wheels [m]")
    wheel_diameter: float = attribute("[m]")


@sequence(since="1.3")
class TrailerHitch(OscRecord):
    """Where a trailer is fixed to a vehicle."""

    dx: float = attribute("forward of the rear axle [m]")
    dz: float | None = attribute("above the ground [m]", default=None)


@sequence(since="1.3")
class TrailerCoupler(OscRecord):
    """Where a trailer is fixed to the vehicle ahead."""

    dx: float = attribute("forward of the rear axle [m]")
    dz: float | None = attribute("above the ground [m]", default=None)
