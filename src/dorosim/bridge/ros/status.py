"""Topics that tell of the ego vehicle (documents/ros-messages-ko.txt; facts/ros-grpc-mgeo.md, 1.5 and 1.6)."""

from __future__ import annotations

import math
from typing import Any

from dorosim.bridge.ros.topic import Published, RosSituation
from dorosim.world.snapshot import EGO


def _ego(to: RosSituation) -> Any:
    """Velocity in m/s in the body's axes; heading in degrees from east; wheel angle in degrees, left positive."""
    state = to.at.index.actors.state(to.at.now, EGO)
    assert state is not None
    registry = to.form.registry
    vector = "geometry_msgs/Vector3"
    return registry.make(
        "morai_msgs/EgoVehicleStatus",
        header=to.header(to.form.map_frame),
        unique_id=state.id,
        acceleration=registry.make(vector, **dict(zip("xyz", state.acceleration, strict=True))),
        position=registry.make(vector, **dict(zip("xyz", state.position, strict=True))),
        velocity=registry.make(vector, **dict(zip("xyz", state.velocity, strict=True))),
        heading=math.degrees(state.rotation[2]),
        accel=state.accelerator,
        brake=state.brake,
        wheel_angle=math.degrees(state.steer),
        front_steer_angle=math.degrees(state.steer),
    )


PUBLISHED = (
    Published(key="ego", topic="/Ego_topic", type="morai_msgs/EgoVehicleStatus", make=_ego, module=770, frame="map"),
)
