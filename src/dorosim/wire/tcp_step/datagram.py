"""Datagrams without a header: what leaves the simulator (facts/tcp-fixed-step.md). What it takes is `ManualControl`."""

from __future__ import annotations

from dorosim.ground.unit import (
    DEGREE,
    DEGREE_PER_SECOND,
    METRE,
    METRE_PER_SECOND,
    METRE_PER_SECOND2,
    RATIO,
)
from dorosim.wire.message import Wire, chars, f32, f32s, i32, i64, record, records, u32

ID_SIZE = 24
"""Bytes of an id."""
Triple = tuple[float, float, float]


@record
class WheelInfo(Wire):
    """A wheel, in the order front left, front right, rear left, rear right."""

    world_position: Triple = f32s(3, METRE, "its centre", frame="map")


@record
class VehicleInfo(Wire):
    """A vehicle (108 bytes)."""

    seconds: int = i64("simulated time, whole seconds")
    nanos: int = i32("and nanoseconds")
    id: str = chars(ID_SIZE, "by which clients know it")
    location: Triple = f32s(3, METRE, "centre of the rear axle on the ground", frame="map")
    rotation: Triple = f32s(3, DEGREE, "roll, pitch, yaw", frame="map")
    local_velocity: Triple = f32s(3, METRE_PER_SECOND, "of the location: forward, left, up", frame="body")
    local_acceleration: Triple = f32s(3, METRE_PER_SECOND2, "of the location, without gravity", frame="body")
    angular_velocity: Triple = f32s(3, DEGREE_PER_SECOND, "about the body's axes", frame="body")
    throttle: float = f32(RATIO, "accelerator, 0 to 1")
    brake: float = f32(RATIO, "brake, 0 to 1")
    steer_angle: float = f32(RATIO, "of the largest wheel angle, left positive")


@record
class WheelList(Wire):
    """Where the wheels of a vehicle are; stands behind `VehicleInfo` where a client wants it."""

    wheels: tuple[WheelInfo, ...] = records(WheelInfo, "front left, front right, rear left, rear right")


@record
class CollisionObject(Wire):
    """What a vehicle has run into."""

    id: str = chars(ID_SIZE, "by which clients know it")
    object_type: int = u32("EntityType: 1 vehicle, 2 pedestrian, 3 obstacle")
    seconds: int = i64("simulated time at which they met, whole seconds")
    nanos: int = i32("and nanoseconds")
    location: Triple = f32s(3, METRE, "of the object; of what belongs to the map, of the contact", frame="map")
    rotation: Triple = f32s(3, DEGREE, "roll, pitch, yaw", frame="map")
    size: Triple = f32s(3, METRE, "length, width, height")
    velocity: Triple = f32s(3, METRE_PER_SECOND, "forward, left, up", frame="body")
    acceleration: Triple = f32s(3, METRE_PER_SECOND2, "without gravity", frame="body")
    front_overhang: float = f32(METRE, "of a vehicle, else 0")
    rear_overhang: float = f32(METRE, "of a vehicle, else 0")
    wheel_base: float = f32(METRE, "of a vehicle, else 0")


@record
class CollisionEvent(Wire):
    """A vehicle has run into something."""

    id: str = chars(ID_SIZE, "of the vehicle")
    objects: tuple[CollisionObject, ...] = records(CollisionObject, "all that it touches")
