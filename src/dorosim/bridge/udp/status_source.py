"""Where the numbers of status messages come from in a state, field by field.

A message of this table is written in compiled code (`dorosim.bridge.udp.status_batch`) as long as its row names each of
its fields. One with a field that the row lacks is made by its function in `dorosim.bridge.udp.publish` alone, which
says what all of them mean. A test holds the bytes of both against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from dorosim.bridge.surroundings import Lane, LightFinder
from dorosim.world.actor.neighbour import is_alone
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.state import VehicleState


class Stamp:
    """The time of the state."""


class Steady:
    """What stays as long as lane, lights and `watched` numbers do, and the frame of ordinary ticks."""


class Elapsed:
    """For how long the reported intersection has had its state [s]."""


class Vehicle(NamedTuple):
    """A number of the vehicle: the first of its columns, and those after it for a vector."""

    column: int


class LaneValue(NamedTuple):
    """One of `status_kernel.LANE_VALUES`, times a sign."""

    number: int
    sign: float = 1.0


Source = type[Stamp] | type[Steady] | type[Elapsed] | Vehicle | LaneValue


@dataclass(frozen=True, slots=True)
class StatusSource:
    """The row of a message.

    Attributes:
        fields: the source of each.
        floats, ints: columns of the vehicle of which steady fields are made.
        needs: whether the row holds in a snapshot, for the lane of the vehicle.
    """

    fields: Mapping[str, Source]
    floats: tuple[int, ...] = ()
    ints: tuple[int, ...] = ()
    needs: Callable[[Snapshot, LightFinder, Lane], bool] = field(default=lambda _, __, ___: True)


def _has_no_others(now: Snapshot, _: LightFinder, __: Lane) -> bool:
    return is_alone(now)


def _has_no_contact(now: Snapshot, _: LightFinder, __: Lane) -> bool:
    return not now.contact.rows


def _has_light_of_lane(_: Snapshot, lights: LightFinder, lane: Lane) -> bool:
    """Whether the light that is faced is that of the lane: else it is the nearest one, which any motion may change."""
    return lights.depends_on_lane(lane)


_AT = VehicleState.at
_STEADY_NAMES = (*("ctrl_mode", "gear", "map_data_id", "size", "overhang", "wheelbase", "rear_overhang", "link_id"),)
_EGO_STATUS = StatusSource(
    {
        "time": Stamp,
        **dict.fromkeys(_STEADY_NAMES, Steady),
        "signed_velocity": Vehicle(_AT.velocity_x),
        "accel": Vehicle(_AT.accelerator),
        "brake": Vehicle(_AT.brake),
        "position": Vehicle(_AT.x),
        "rotation": Vehicle(_AT.roll),
        "velocity": Vehicle(_AT.velocity_x),
        "angular_velocity": Vehicle(_AT.angular_velocity),
        "acceleration": Vehicle(_AT.acceleration),
        "steer_angle": Vehicle(_AT.steer),
        "rear_steer_angle": Vehicle(_AT.rear_steer),
        "tire_lateral_force": Vehicle(_AT.tire_lateral_force),
        "side_slip_angle": Vehicle(_AT.tire_slip_angle),
        "tire_cornering_stiffness": Vehicle(_AT.tire_cornering_stiffness),
        "distance_left_lane_boundary": LaneValue(0),
        "distance_right_lane_boundary": LaneValue(1),
        "cross_track_error": LaneValue(2, -1.0),
    },
    floats=(_AT.throttle, _AT.target_velocity),
    ints=(_AT.control_mode, _AT.gear, _AT.control_kind, _AT.steer_type, _AT.paused),
    needs=lambda now, _, __: not now.vehicle.paused.any(),
)
STATUS_SOURCES: dict[str, StatusSource] = {
    "EgoVehicleStatus": _EGO_STATUS,
    "CompetitionVehicleStatus": StatusSource(
        {**_EGO_STATUS.fields, "position": Steady, "acceleration": Steady},
        _EGO_STATUS.floats,
        _EGO_STATUS.ints,
        _EGO_STATUS.needs,
    ),
    "ObjectInfo": StatusSource({"time": Stamp, "objects": Steady}, needs=_has_no_others),
    "CollisionData": StatusSource({"time": Stamp, "collisions": Steady}, needs=_has_no_contact),
    "NpcVehicleCollisionData": StatusSource({"pairs": Steady}, needs=_has_no_contact),
    "GetTrafficLightStatus": StatusSource(dict.fromkeys(("index", "type", "status"), Steady), needs=_has_light_of_lane),
    "GetIntersectionStatus": StatusSource(
        {"index": Steady, "status": Steady, "elapsed": Elapsed}, needs=_has_light_of_lane
    ),
}
"""By the name of the message in `dorosim.wire.udp.catalogue.STATUS`."""
