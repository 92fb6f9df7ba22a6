"""What sensors read as named arrays (wire/grpc/proto/dorosim/sensing.proto)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from google.protobuf.message import Message
from numpy.typing import NDArray

from dorosim.bridge.actor import Names, names_of
from dorosim.bridge.grpc.standard.result import write_vector
from dorosim.bridge.ros.cloud import cloud_of, joined_turn
from dorosim.ground.column import FloatArray
from dorosim.sensor.lidar.reading import LidarReading
from dorosim.sensor.pose import Pose, hanging_pose, motion_of
from dorosim.sensor.reading import (
    CameraReading,
    GpsReading,
    ImuReading,
    RadarReading,
    Reading,
    TruthReading,
    UltrasonicReading,
)
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.mount.setting import SensorKind
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.sensor.lidar.planar import PlanarReading

MILLIMETRES = 1e3
"""In a metre."""
Texts = tuple[str, ...]
Value = NDArray[Any] | float | Texts
Named = dict[str, Value]


class ShownReading(NamedTuple):
    """A reading and the snapshot that it shows.

    Attributes:
        slices: one reading, or the slices of a turn of a spinning sensor, in order.
        now: the snapshot at the last of them.
        epoch: wall time of simulated time 0 in stamps [ns since 1970].
    """

    slices: Sequence[Reading]
    now: Snapshot
    epoch: int

    @property
    def last(self) -> Reading:
        """The reading, or the last slice."""
        return self.slices[-1]


def put_values(message: Any, name: str, values: NDArray[Any]) -> None:
    """Put an array into a message with all of its values."""
    put_form(message, name, values).values = values.tobytes()


def put_form(message: Any, name: str, values: NDArray[Any]) -> Any:
    """Put an array without its values into a Reading message; returns the Array."""
    fields = values.dtype.names or ()
    kinds = [values.dtype[field].str for field in fields] or [values.dtype.str]
    return message.arrays.add(name=name, type=",".join(kinds), fields=fields, shape=values.shape)


def reading_message(shown: ShownReading, arrays: Named) -> Message:
    """A Reading with a pose and without large arrays; `arrays` are those of `arrays_of`.

    Texts and single numbers are put into it, arrays are left to the caller.
    """
    last, now = shown.last, shown.now
    message: Any = message_class("dorosim.Reading")(
        sensor=last.sensor, kind=int(last.KIND), time_ns=last.time, stamp_ns=shown.epoch + last.time
    )
    pose = _pose_of(now, last.sensor)
    if pose is not None:
        write_vector(message.position, pose.position.tolist())
        write_vector(message.rotation, angles_of_rotation(pose.rotation))
    for name, value in arrays.items():
        if isinstance(value, tuple):
            message.arrays.add(name=name, texts=value, shape=(len(value),))
        elif not isinstance(value, np.ndarray):
            put_values(message, name, np.array(value))
    return message


def whole_message(shown: ShownReading) -> Message:
    """A Reading with all values in it."""
    arrays = arrays_of(shown)
    message = reading_message(shown, arrays)
    for name, values in arrays.items():
        if isinstance(values, np.ndarray):
            put_values(message, name, values)
    return message


def arrays_of(shown: ShownReading) -> Named:
    """What a reading holds, by name: arrays, single numbers and texts.

    Angles are in rad, vectors in the frame that the proto's reader documents (`dorosim.client.reading`).
    """
    return _ARRAYS[shown.last.KIND](shown)


def angles_of_rotation(rotation: FloatArray) -> tuple[float, float, float]:
    """Roll, pitch, yaw [rad] of a rotation `(3, 3)` (REP-103)."""
    r = rotation
    pitch = math.asin(max(-1.0, min(1.0, -float(r[2, 0]))))
    return math.atan2(r[2, 1], r[2, 2]), pitch, math.atan2(r[1, 0], r[0, 0])


def _pose_of(now: Snapshot, sensor: int) -> Pose | None:
    """Where a sensor is in the map; None if it, or its vehicle, has gone."""
    row = now.mounts.row_of(sensor)
    if row < 0:
        return None
    mount = now.mounts.mount(row)
    motion = motion_of(now, mount.actor)
    return None if motion is None else motion.pose @ hanging_pose(now, mount)


def _camera(shown: ShownReading) -> Named:
    reading: CameraReading = shown.last  # type: ignore[assignment]
    found: Named = {"image": reading.image}
    for name in ("depth", "semantic", "instance"):
        values = getattr(reading, name)
        if values is not None:
            found[name] = values
    boxes = reading.boxes
    if boxes is not None:
        found |= {
            "box_actor": _ids(names_of(shown.now), boxes.actor),
            "box_label": boxes.label.astype(np.uint8),
            "box_corners": boxes.corners,
            "box_bounds": boxes.bounds,
            "box_visible": boxes.visible,
            "box_covered": boxes.covered,
        }
    return found


def _lidar(shown: ShownReading) -> Named:
    slices: list[LidarReading] = [one for one in shown.slices if isinstance(one, LidarReading) and len(one.start)]
    if not slices:
        empty: LidarReading = shown.last  # type: ignore[assignment]
        return {"points": empty.points(), "start_ns": np.array(empty.time, np.int64)}
    turn = joined_turn(slices)
    start = int(turn.start[0])
    return {"points": cloud_of(turn, start), "start_ns": np.array(start, np.int64)}


def _planar(shown: ShownReading) -> Named:
    reading: PlanarReading = shown.last  # type: ignore[assignment]
    return {"distance": (reading.distance_mm / MILLIMETRES).astype(np.float32), "intensity": reading.intensity}


def _gps(shown: ShownReading) -> Named:
    reading: GpsReading = shown.last  # type: ignore[assignment]
    names = ("latitude", "longitude", "altitude", "speed", "course", "east", "north")
    return {"denied": float(reading.denied), **{name: float(getattr(reading, name)) for name in names}}


def _imu(shown: ShownReading) -> Named:
    reading: ImuReading = shown.last  # type: ignore[assignment]
    return {
        "orientation": np.array(reading.orientation, np.float64),
        "angular_velocity": np.asarray(reading.angular_velocity, np.float64),
        "acceleration": np.asarray(reading.acceleration, np.float64),
    }


def _radar(shown: ShownReading) -> Named:
    reading: RadarReading = shown.last  # type: ignore[assignment]
    names = ("point", "distance", "azimuth", "elevation", "range_rate", "cross_section", "amplitude")
    return {
        **{name: np.ascontiguousarray(getattr(reading, name)) for name in names},
        "actor": _ids(names_of(shown.now), reading.actor),
    }


def _ultrasonic(shown: ShownReading) -> Named:
    reading: UltrasonicReading = shown.last  # type: ignore[assignment]
    return {"distance": float(reading.distance)}


def _truth(shown: ShownReading) -> Named:
    reading: TruthReading = shown.last  # type: ignore[assignment]
    vectors = ("position", "velocity", "acceleration", "size", "position_in_sensor", "velocity_in_sensor")
    numbers = ("heading", "heading_in_sensor")
    return {
        "actor": _ids(names_of(shown.now), reading.actor),
        "kind": reading.kind.astype(np.int32),
        "model": reading.name,
        **{name: np.ascontiguousarray(getattr(reading, name), np.float64) for name in (*vectors, *numbers)},
    }


def _ids(names: Names, actors: NDArray[np.int64]) -> Texts:
    """Ids of actors as clients know them; "" for what is none: 0 the static world, below it clutter."""
    return tuple(names.text_of(actor) if actor > 0 else "" for actor in actors.tolist())


_ARRAYS: dict[SensorKind, Callable[[ShownReading], Named]] = {
    SensorKind.CAMERA: _camera,
    SensorKind.LIDAR_3D: _lidar,
    SensorKind.LIDAR_2D: _planar,
    SensorKind.GPS: _gps,
    SensorKind.IMU: _imu,
    SensorKind.RADAR: _radar,
    SensorKind.ULTRASONIC: _ultrasonic,
    SensorKind.GROUND_TRUTH: _truth,
}
