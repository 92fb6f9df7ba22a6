"""Topics of the ego vehicle's state (documents/ros-messages-ko.txt; facts/ros-grpc-mgeo.md, 1.5 and 1.6)."""

from __future__ import annotations

import math
from typing import Any

from dorosim.bridge.ros.topic import Published, RosSituation
from dorosim.ground.unit import degrees_of
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.state import VehicleState

WHEELS = ("fl", "fr", "rl", "rr")
_VEHICLE = VehicleState.at
_TYRES = (
    ("tire_lateral_force", _VEHICLE.tire_lateral_force, 1.0),
    ("side_slip_angle", _VEHICLE.tire_slip_angle, 180.0 / math.pi),
    ("tire_cornering_stiffness", _VEHICLE.tire_cornering_stiffness, 1.0),
)
"""Fields of each wheel, their columns, and factors on these."""


def ego_status(to: RosSituation) -> Any:
    """State of the ego vehicle: a morai_msgs/EgoVehicleStatus of the user's generation.

    Velocity in m/s and acceleration in the body's axes, heading in degrees from east, wheel angles in degrees, left
    positive; the offset from the lane's centre is left positive, and cross_track_error right positive, as on UDP.
    """
    at, registry = to.at, to.form.registry
    state = at.index.actors.state(at.now, EGO)
    assert state is not None
    lane = at.index.around.at(at.now).lane
    floats = at.now.vehicle.floats[:, at.now.row_of(EGO)].tolist()
    vector = registry.kind("geometry_msgs/Vector3")
    tyres = {
        f"{name}_{wheel}": factor * floats[column + row]
        for name, column, factor in _TYRES
        for row, wheel in enumerate(WHEELS)
    }
    return registry.make(
        "morai_msgs/EgoVehicleStatus",
        header=to.map_header(),
        unique_id=state.id,
        acceleration=vector(*state.acceleration),
        position=vector(*state.position),
        velocity=vector(*state.velocity),
        heading=degrees_of(state.rotation[2]),
        accel=state.accelerator,
        brake=state.brake,
        wheel_angle=math.degrees(state.steer),
        front_steer_angle=math.degrees(state.steer),
        rear_steer_angle=math.degrees(floats[_VEHICLE.rear_steer]),
        lateral_offset=lane.lateral,
        distance_left_lane_boundary=lane.left,
        distance_right_lane_boundary=lane.right,
        cross_track_error=-lane.lateral,
        **tyres,
    )


def _transform(to: RosSituation) -> Any:
    """Where the body's axes are in the map: REP-103 and REP-105."""
    at, registry = to.at, to.form.registry
    state = at.index.actors.state(at.now, EGO)
    assert state is not None
    x, y, z, w = quaternion(*state.rotation)
    pose = registry.make(
        "geometry_msgs/Transform",
        translation=registry.kind("geometry_msgs/Vector3")(*state.position),
        rotation=registry.kind("geometry_msgs/Quaternion")(x, y, z, w),
    )
    stamped = registry.make(
        "geometry_msgs/TransformStamped",
        header=to.map_header(),
        child_frame_id=to.form.body_frame,
        transform=pose,
    )
    return registry.make("tf2_msgs/TFMessage", transforms=[stamped])


def quaternion(roll: float, pitch: float, yaw: float) -> tuple[float, float, float, float]:
    """x, y, z, w of a body's rotation about z, then y, then x [rad] (REP-103), w not negative."""
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    w = cr * cp * cy + sr * sp * sy
    sign = -1.0 if w < 0.0 else 1.0
    return (
        sign * (sr * cp * cy - cr * sp * sy),
        sign * (cr * sp * cy + sr * cp * sy),
        sign * (cr * cp * sy - sr * sp * cy),
        sign * w,
    )


def _clock(to: RosSituation) -> Any:
    """The time of the simulation, for nodes that take theirs from /clock (ROS wiki, "Clock")."""
    registry = to.form.registry
    return registry.make("rosgraph_msgs/Clock", clock=registry.time(to.form.epoch + to.at.now.time))


PUBLISHED = (
    Published("ego", "/Ego_topic", "morai_msgs/EgoVehicleStatus", ego_status, module=770, frame="map"),
    # tf2 warns of transforms that come twice for one moment
    Published("tf", "/tf", "tf2_msgs/TFMessage", _transform, module=267, frame="map", standing=False),
    Published("clock", "/clock", "rosgraph_msgs/Clock", _clock, rate_hz=0.0, on=False),
)
