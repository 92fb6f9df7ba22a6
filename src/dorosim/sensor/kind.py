"""Each kind of sensor as one descriptor: which module makes it, when it reads, and what it needs.

Other floors have a row of the same kind each: its settings in `world/mount/setting.py`, its keys in sensor set files in
`scenario/sensor_set/kind.py`, its packets, topics and drawing in `bridge/sensor/kind.py`.

The module of a kind is imported when a mount of it is first read: geometry and kernels are heavy, and a run without
cameras must not load or compile them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from dorosim.sensor.sensor_input import Sensor
from dorosim.world.mount.setting import SensorKind
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene


@dataclass(frozen=True, slots=True)
class SensorDescriptor:
    """A kind of sensor.

    Attributes:
        maker: module and function (a `SensorMaker`), separated by a colon.
        needs_geometry: whether it asks for the geometry, which is not built where no sensor does.
        spins: whether it reads in every tick: the slice of its turn that falls into it.
    """

    maker: str
    needs_geometry: bool = True
    spins: bool = False


DESCRIPTORS: dict[SensorKind, SensorDescriptor] = {
    SensorKind.CAMERA: SensorDescriptor("dorosim.sensor.camera.mounted:make_camera"),
    SensorKind.LIDAR_3D: SensorDescriptor("dorosim.sensor.lidar.mounted:make_lidar_3d", spins=True),
    SensorKind.LIDAR_2D: SensorDescriptor("dorosim.sensor.lidar.mounted:make_lidar_2d"),
    SensorKind.GPS: SensorDescriptor("dorosim.sensor.gnss:make_gnss", needs_geometry=False),
    SensorKind.IMU: SensorDescriptor("dorosim.sensor.imu:make_imu", needs_geometry=False),
    SensorKind.RADAR: SensorDescriptor("dorosim.sensor.radar.radar:make_radar"),
    SensorKind.ULTRASONIC: SensorDescriptor("dorosim.sensor.ultrasonic:make_ultrasonic"),
    SensorKind.GROUND_TRUTH: SensorDescriptor("dorosim.sensor.truth:make_truth", needs_geometry=False),
}


def make_sensor(mount: Mount, scene: Scene) -> Sensor:
    """The sensor of a mount."""
    module, _, name = DESCRIPTORS[mount.kind].maker.partition(":")
    sensor: Sensor = getattr(import_module(module), name)(mount, scene)
    return sensor
