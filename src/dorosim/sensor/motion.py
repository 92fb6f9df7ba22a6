"""How a sensor moves and what it feels, on a body that moves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.sensor.motion_kernel import move_fixture
from dorosim.sensor.pose import BodyMotion, Pose
from dorosim.sensor.sensor_input import SensorInput


class SensorMotion(NamedTuple):
    """The motion of a sensor at one moment.

    Attributes:
        position: `(3,)` in map [m].
        rotation: `(3, 3)` map_from_sensor.
        velocity: `(3,)` in map [m/s].
        angular_velocity: `(3,)` in the sensor frame [rad/s].
        specific_force: `(3,)` what an accelerometer feels, in the sensor frame [m/s²].
    """

    position: FloatArray
    rotation: FloatArray
    velocity: FloatArray
    angular_velocity: FloatArray
    specific_force: FloatArray


def motion_of_sensor(inputs: SensorInput) -> SensorMotion:
    """The motion of the sensor that reads."""
    dt = (inputs.now.time - inputs.before.time) * 1e-9
    return sensor_motion(inputs.motion, inputs.body_from_sensor, inputs.motion_before, dt)


def sensor_motion(
    body: BodyMotion, body_from_sensor: Pose, before: BodyMotion | None = None, dt: float = 0.0
) -> SensorMotion:
    """The motion of a sensor.

    Args:
        body: the motion of its vehicle.
        body_from_sensor: where it is mounted.
        before: the vehicle's motion a while earlier, from which the change of its angular velocity follows; without it,
            the angular velocity is taken as constant.
        dt: that while [s].
    """
    change = _STEADY
    if before is not None and dt > 0.0:
        change = (body.angular_velocity - before.angular_velocity) / dt
    return SensorMotion(
        *move_fixture(
            body.pose.position,
            body.pose.rotation,
            body.velocity,
            body.angular_velocity,
            body.acceleration,
            change,
            body_from_sensor.position,
            body_from_sensor.rotation,
        )
    )


_STEADY = np.zeros(3)
