"""Sensors, ground truth and rays."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from dorosim.client.operation import Session, Steps, call, do, operation
from dorosim.client.quantity import EGO, Vector, identity, transform, vector, word
from dorosim.client.states import SEEN_KINDS, SeenObject, seen_from_message

SensorKind = Literal["camera", "lidar_3d", "lidar_2d", "gps", "imu", "radar", "ultrasonic", "ground_truth"]
SeenKind = Literal["vehicle", "pedestrian", "ego", "obstacle"]
_KINDS: tuple[SensorKind, ...] = get_args(SensorKind)
_SENSORS = {kind: f"SENSOR_TYPE_{kind.upper().replace('_', '')}" for kind in _KINDS}
_SEEN = {kind: number for number, kind in SEEN_KINDS.items()}
_KIND_OF_TYPE = dict(enumerate(_KINDS, start=1))
"""By number of the SensorType, as in sensor_enum.proto."""


@dataclass(frozen=True, slots=True)
class MountedSensor:
    """A sensor on a vehicle.

    The API reports no more. Its place, rate and settings are those of the sensor set or of `add_sensor`.

    Attributes:
        id: its number, by which other operations know it.
        kind: camera, lidar_3d, lidar_2d, gps, imu, radar, ultrasonic or ground_truth.
        vehicle: id or name of the vehicle that it is on.
    """

    id: str
    kind: str
    vehicle: str


class SensingOperations(Session):
    """Mounting sensors and reading what they see."""

    @operation
    def add_sensor(
        self,
        kind: SensorKind,
        actor: str | int = EGO,
        *,
        position: Vector = (0.0, 0.0, 0.0),
        rotation: Vector | float = 0.0,
    ) -> Steps[str]:
        """Mount a sensor on a vehicle.

        Args:
            kind: of the sensor.
            actor: id or name of the vehicle.
            position: forward, left, up from the vehicle's origin [m].
            rotation: yaw, or roll, pitch and yaw against the vehicle [rad].

        Returns:
            Its id.
        """
        sensor = word("sensor", kind, _SENSORS)
        where = transform(position, rotation)
        return (yield from do("Sensor/AddSensor", vehicle_id=identity(actor), sensor_type=sensor, transform=where))

    @operation
    def remove_sensor(self, sensor: str | int, actor: str | int = EGO) -> Steps[None]:
        """Take a sensor off a vehicle."""
        yield from do("Sensor/RemoveSensor", **_sensor(sensor, actor))

    @operation
    def sensors(self, actor: str | int = EGO) -> Steps[tuple[MountedSensor, ...]]:
        """The sensors of a vehicle, in the order of their numbers."""
        answer = yield call("Sensor/GetSensorInfos", **identity(actor))
        return tuple(
            MountedSensor(one.sensor_id.value, _KIND_OF_TYPE.get(one.sensor_type, ""), one.vehicle_info.id.value)
            for one in answer.values
        )

    @operation
    def load_sensors(self, name: str) -> Steps[None]:
        """Mount the sensors of a sensor set file of the data folder."""
        yield from do("Sensor/LoadSensorFile", value=name)

    @operation
    def save_sensor_data(self, folder: str = "", name: str = "") -> Steps[None]:
        """Save what the sensors see as files, in a folder inside that of sensor data."""
        custom = bool(name)
        yield from do("Sensor/SaveSensorData", is_custom_file_name=custom, custom_file_name=name, file_dir=folder)

    @operation
    def set_ground_truth(
        self,
        sensor: str | int,
        actor: str | int = EGO,
        *,
        reach: float = 100.0,
        horizontal_fov: float | None = None,
        vertical_fov: float = math.pi,
        nearest: float = 0.0,
        kinds: Iterable[SeenKind] = (),
        most: int = -1,
    ) -> Steps[None]:
        """Set what a ground truth sensor reports.

        Args:
            sensor: its id.
            actor: vehicle that it is on.
            reach: how far it sees [m].
            horizontal_fov: of a cone [rad]; None: all round, in a cylinder.
            vertical_fov: [rad].
            nearest: how far off a cone begins [m].
            kinds: that are reported; none for all.
            most: objects at most, -1 for all.
        """
        degrees = math.degrees(vertical_fov)
        setting: dict[str, Any] = {"filter": [word("kind", kind, _SEEN) for kind in kinds], "max_count": most}
        if horizontal_fov is None:
            setting["shape_type"] = "GT_SHAPE_CYLINDER"
            setting["cylinder_setting"] = {"vertical_fov": degrees, "range": reach, "segments": 16}
        else:
            setting["shape_type"] = "GT_SHAPE_CONE"
            setting["cone_setting"] = {
                "vertical_fov": degrees,
                "horizontal_fov": math.degrees(horizontal_fov),
                "range_min": nearest,
                "range_max": reach,
                "segments": 16,
                "resolution": 5,
            }
        info = _sensor(sensor, actor, "GROUNDTRUTH")
        yield from do("Sensor/SetSensorSetting", sensor_info=info, gt_sensor=setting)

    @operation
    def ground_truth(self, sensor: str | int, actor: str | int = EGO) -> Steps[tuple[SeenObject, ...]]:
        """What a ground truth sensor sees, the nearest first."""
        answer = yield call("Sensor/GetSensorData", **_sensor(sensor, actor, "GROUNDTRUTH"))
        return seen_from_message(answer.ground_truth.data)

    @operation
    def cast_ray(
        self,
        source: Vector,
        target: Vector,
        reach: float = 200.0,
        *,
        actor: str | int = EGO,
        own_vehicle: bool = False,
    ) -> Steps[float | None]:
        """How far along a ray the first thing is that it meets [m]; None if it meets nothing.

        Args:
            source: where it begins, in the map [m].
            target: a point that it goes through.
            reach: how far it goes [m].
            actor: id or name of the vehicle that casts it, through which it passes.
            own_vehicle: whether it meets that vehicle, too.
        """
        through = "" if own_vehicle else str(actor)
        fields = {"source": vector(source), "target": vector(target), "max_dist": reach}
        answer = yield call("Sensing/RayCast", through=through, **fields)
        return float(answer.distance) if answer.met else None


def _sensor(sensor: str | int, actor: str | int, kind: str = "UNSPECIFIED") -> dict[str, Any]:
    return {
        "vehicle_info": identity(actor),
        "sensor_id": {"value": str(sensor)},
        "sensor_type": f"SENSOR_TYPE_{kind}",
    }
