"""Where each kind of sensor is made. The modules are imported when a mount of their kind is first read.

Geometry and kernels are heavy; a run without cameras must not load or compile them.
"""

from __future__ import annotations

from importlib import import_module

from dorosim.sensor.sensor_input import Sensor
from dorosim.world.mount.setting import SensorKind
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene

MAKERS: dict[SensorKind, str] = {
    SensorKind.CAMERA: "dorosim.sensor.camera.mounted:make_camera",
    SensorKind.LIDAR_3D: "dorosim.sensor.lidar.mounted:make_lidar_3d",
    SensorKind.LIDAR_2D: "dorosim.sensor.lidar.mounted:make_lidar_2d",
    SensorKind.GPS: "dorosim.sensor.gnss:make_gnss",
    SensorKind.IMU: "dorosim.sensor.imu:make_imu",
    SensorKind.RADAR: "dorosim.sensor.radar.radar:make_radar",
    SensorKind.ULTRASONIC: "dorosim.sensor.ultrasonic:make_ultrasonic",
    SensorKind.GROUND_TRUTH: "dorosim.sensor.truth:make_truth",
}
"""Module and function (a `SensorMaker`) of each kind."""

SPINNING = frozenset({SensorKind.LIDAR_3D})
"""Kinds that read in every tick: the slice of their turn that falls into it."""

BLIND = frozenset({SensorKind.GPS, SensorKind.IMU, SensorKind.GROUND_TRUTH})
"""Kinds that never ask for the geometry."""


def make_sensor(mount: Mount, scene: Scene) -> Sensor:
    """The sensor of a mount."""
    module, _, name = MAKERS[mount.kind].partition(":")
    sensor: Sensor = getattr(import_module(module), name)(mount, scene)
    return sensor
