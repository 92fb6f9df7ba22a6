"""Messages about the ego vehicle and the objects around it (facts/udp-wire.md, 3.3, 3.4, 3.6, 4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.ground.unit import (
    DEGREE,
    DEGREE_PER_SECOND,
    KMH,
    METRE,
    METRE_PER_SECOND2,
    NEWTON,
    NEWTON_PER_RADIAN,
    RATIO,
)
from dorosim.wire.message import (
    Envelope,
    Layout,
    Wire,
    chars,
    f32,
    f32s,
    i8,
    i16,
    i32,
    message,
    record,
    slots,
    stamp,
)
from dorosim.wire.udp.code import CtrlMode, Gear, ObjectType

_SINCE_26 = frozenset(
    {"rear_steer_angle", "distance_left_lane_boundary", "distance_right_lane_boundary", "cross_track_error"}
)
_TYRES = frozenset({"tire_lateral_force", "side_slip_angle", "tire_cornering_stiffness"})
_NO_TIME = frozenset({"time"})
_ZERO4 = (0.0, 0.0, 0.0, 0.0)


@message(
    Envelope("MoraiInfo"),
    to="user",
    source="UDP page, Ego Vehicle Status; facts/udp-wire.md 3.3",
    layouts=(
        Layout(245),
        Layout(229, without=_SINCE_26),
        Layout(181, without=_SINCE_26 | _TYRES),
        Layout(161, without=_SINCE_26 | _TYRES | _NO_TIME | {"angular_velocity"}),
    ),
    default_port=909,
)
class EgoVehicleStatus(Wire):
    """State of the ego vehicle."""

    time: int = stamp("time of the state", default=0)
    ctrl_mode: CtrlMode = i8("driver", enum=CtrlMode)
    gear: Gear = i8("gear", enum=Gear)
    signed_velocity: float = f32(KMH, "speed along body x, negative in reverse", frame="body")
    map_data_id: int = i32("0 to 9999 digital twin, 10000 to 19999 virtual map")
    accel: float = f32(RATIO, "accelerator pedal, 0 to 1")
    brake: float = f32(RATIO, "brake pedal, 0 to 1")
    size: tuple[float, ...] = f32s(3, METRE, "length, width, height")
    overhang: float = f32(METRE, "front overhang")
    wheelbase: float = f32(METRE, "wheelbase")
    rear_overhang: float = f32(METRE, "rear overhang")
    position: tuple[float, ...] = f32s(3, METRE, "centre of the rear axle on the ground", frame="map")
    rotation: tuple[float, ...] = f32s(
        3, DEGREE, "roll, pitch, heading; heading 0 east, counter-clockwise", frame="map"
    )
    velocity: tuple[float, ...] = f32s(3, KMH, "velocity", frame="body")
    angular_velocity: tuple[float, ...] = f32s(
        3, DEGREE_PER_SECOND, "angular velocity", frame="body", default=(0.0, 0.0, 0.0)
    )
    acceleration: tuple[float, ...] = f32s(3, METRE_PER_SECOND2, "acceleration without gravity", frame="body")
    steer_angle: float = f32(DEGREE, "front wheel angle", steering=True)
    rear_steer_angle: float = f32(DEGREE, "rear wheel angle", steering=True, default=0.0)
    link_id: str = chars(38, "MGeo link under the vehicle")
    tire_lateral_force: tuple[float, ...] = f32s(4, NEWTON, "lateral force FL FR RL RR", frame="wheel", default=_ZERO4)
    side_slip_angle: tuple[float, ...] = f32s(4, DEGREE, "slip angle FL FR RL RR", frame="wheel", default=_ZERO4)
    tire_cornering_stiffness: tuple[float, ...] = f32s(
        4, NEWTON_PER_RADIAN, "cornering stiffness FL FR RL RR", default=_ZERO4
    )
    distance_left_lane_boundary: float = f32(METRE, "distance to the left lane boundary", default=0.0)
    distance_right_lane_boundary: float = f32(METRE, "distance to the right lane boundary", default=0.0)
    cross_track_error: float = f32(METRE, "offset from the lane centre, right positive", default=0.0)


@record
class ObjectSlot(Wire):
    """One object around the ego vehicle. A slot of zero bytes is empty."""

    obj_id: int = i16("object id, never 0")
    obj_type: ObjectType = i16("what it is", enum=ObjectType)
    position: tuple[float, ...] = f32s(
        3, METRE, "of vehicles the centre of the rear axle on the ground, else the centre of the base", frame="map"
    )
    heading: float = f32(DEGREE, "heading, 0 east, counter-clockwise", frame="map")
    size: tuple[float, ...] = f32s(3, METRE, "length, width, height")
    overhang: float = f32(METRE, "front overhang, 0 of what is no vehicle")
    wheelbase: float = f32(METRE, "wheelbase, 0 of what is no vehicle")
    rear_overhang: float = f32(METRE, "rear overhang, 0 of what is no vehicle")
    velocity: tuple[float, ...] = f32s(3, KMH, "velocity", frame="body of the object")
    acceleration: tuple[float, ...] = f32s(3, METRE_PER_SECOND2, "acceleration", frame="body of the object")
    link_id: str = chars(38, "MGeo link, of NPC vehicles only")


@message(
    Envelope("MoraiObjInfo"),
    to="user",
    source="UDP page, Object Info; facts/udp-wire.md 3.4",
    layouts=(Layout(2160), Layout(2152, without=_NO_TIME)),
    default_port=7505,
)
class ObjectInfo(Wire):
    """Up to 20 objects around the ego vehicle, nearest first, without holes.

    They are other ego vehicles, NPC vehicles, ghosts, pedestrians and obstacles. Their order is that of the distances
    between the positions that are sent, in space.
    """

    time: int = stamp("time of the state", default=0)
    objects: Sequence[ObjectSlot] = slots(ObjectSlot, 20, "objects, nearest first")


@record
class CollisionSlot(Wire):
    """One object that the ego vehicle touches. Type -1 or a slot of zero bytes means none."""

    obj_type: ObjectType = i16("what it is", enum=ObjectType)
    obj_id: int = i16("object id")
    position: tuple[float, ...] = f32s(3, METRE, "position of the object", frame="map")
    global_offset: tuple[float, ...] = f32s(3, METRE, "origin of the map in its projection: east, north, up")


@message(
    Envelope("CollisionData"),
    to="user",
    source="UDP page, Collision Data; facts/udp-wire.md 3.6",
    layouts=(Layout(181), Layout(173, without=_NO_TIME)),
    default_port=9092,
)
class CollisionData(Wire):
    """Up to 5 objects that the ego vehicle touches, or has touched within a tenth of a second, nearest first."""

    time: int = stamp("time of the state", default=0)
    collisions: tuple[CollisionSlot, ...] = slots(CollisionSlot, 5, "contacts, nearest first")


@record
class CollisionPair(Wire):
    """Two objects that touch; the second half repeats the fields of the first."""

    obj_type_1: ObjectType = i16("what the first is", enum=ObjectType)
    obj_id_1: int = i16("its id")
    position_1: tuple[float, ...] = f32s(3, METRE, "its position", frame="map")
    heading_1: float = f32(DEGREE, "its heading", frame="map")
    size_1: tuple[float, ...] = f32s(3, METRE, "its length, width, height")
    velocity_1: tuple[float, ...] = f32s(3, KMH, "its velocity", frame="its body")
    acceleration_1: tuple[float, ...] = f32s(3, METRE_PER_SECOND2, "its acceleration", frame="its body")
    obj_type_2: ObjectType = i16("what the second is", enum=ObjectType)
    obj_id_2: int = i16("its id")
    position_2: tuple[float, ...] = f32s(3, METRE, "its position", frame="map")
    heading_2: float = f32(DEGREE, "its heading", frame="map")
    size_2: tuple[float, ...] = f32s(3, METRE, "its length, width, height")
    velocity_2: tuple[float, ...] = f32s(3, KMH, "its velocity", frame="its body")
    acceleration_2: tuple[float, ...] = f32s(3, METRE_PER_SECOND2, "its acceleration", frame="its body")


@message(
    Envelope("VehicleCollision"),
    to="user",
    source="UDP page, NPC Vehicle Collision Data; facts/udp-wire.md 4.2",
    layouts=(Layout(1156),),
    default_port=9108,
)
class NpcVehicleCollisionData(Wire):
    """Up to 10 pairs of an NPC vehicle and what it touches, or has touched within a tenth of a second, egos too.

    The pair that is nearest to the ego vehicle stands first, and in a pair the nearer one.
    """

    pairs: tuple[CollisionPair, ...] = slots(CollisionPair, 10, "pairs")
