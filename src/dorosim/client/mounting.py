"""Mounting sensors of each kind, and finding those that are there."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, TypeVar, Unpack, overload

from dorosim.client.error import RefusedError
from dorosim.client.operation import Awaiting, Blocking, Session, Steps, call
from dorosim.client.quantity import EGO, MAX_ANGLE, Vector, vector
from dorosim.client.reading import (
    GpsFix,
    ImuSample,
    PlanarScan,
    RadarDetections,
    SeenObjects,
    UltrasonicEcho,
)
from dorosim.client.sensor import AsyncCamera, AsyncLidar, AsyncSensor, Camera, Lidar, Sensor
from dorosim.client.sensor_setting import (
    CameraSettings,
    GpsSettings,
    GroundTruthSettings,
    ImuSettings,
    LidarSettings,
    PlanarLidarSettings,
    RadarSettings,
    UltrasonicSettings,
)
from dorosim.client.setting_check import checked_settings

P = ParamSpec("P")
S = TypeVar("S")
A = TypeVar("A")
_KINDS = ("camera", "lidar_3d", "lidar_2d", "gps", "imu", "radar", "ultrasonic", "ground_truth")


class Mounting(NamedTuple):
    """A sensor that is there: its number, and its kind."""

    id: str
    kind: str


class _MountingMethod(Generic[P, S, A]):
    """A method that gives a sensor of the client's own kind: blocking or to be awaited."""

    def __init__(
        self, steps: Callable[Concatenate[Any, P], Steps[Mounting]], blocking: type[S], awaiting: type[A]
    ) -> None:
        self._steps, self._blocking, self._awaiting = steps, blocking, awaiting
        self.__doc__ = steps.__doc__

    @overload
    def __get__(self, owner: None, kind: type[Any]) -> Callable[Concatenate[Any, P], Generator[Any, Any, Mounting]]: ...
    @overload
    def __get__(self, owner: Blocking, kind: type[Any]) -> Callable[P, S]: ...
    @overload
    def __get__(self, owner: Awaiting, kind: type[Any]) -> Callable[P, Coroutine[Any, Any, A]]: ...
    def __get__(self, owner: Any, kind: type[Any]) -> Any:
        """The generator function on the class, a method on a client."""
        if owner is None:
            return self._steps

        def blocking(*args: P.args, **kwargs: P.kwargs) -> Any:
            found = owner.run(self._steps(owner, *args, **kwargs))
            return _BLOCKING.get(found.kind, self._blocking)(owner, *found)

        async def awaiting(*args: P.args, **kwargs: P.kwargs) -> Any:
            found = await owner.run(self._steps(owner, *args, **kwargs))
            return _AWAITING.get(found.kind, self._awaiting)(owner, *found)

        method: Any = awaiting if isinstance(owner, Awaiting) else blocking
        method.__name__, method.__doc__ = self._steps.__name__, self.__doc__
        signature = inspect.signature(self._steps)
        method.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])
        return method


class mounting(Generic[S, A]):  # noqa: N801 - a decorator
    """Makes a method of both clients of a generator function that returns a `Mounting`.

    Args:
        blocking: class of the sensor of the blocking client. awaiting: that of the asyncio client.
    """

    def __init__(self, blocking: type[S], awaiting: type[A]) -> None:
        self._blocking, self._awaiting = blocking, awaiting

    def __call__(self, steps: Callable[Concatenate[Any, P], Steps[Mounting]]) -> _MountingMethod[P, S, A]:
        """The method."""
        return _MountingMethod(steps, self._blocking, self._awaiting)


_BLOCKING: dict[str, Any] = {"camera": Camera, "lidar_3d": Lidar}
_AWAITING: dict[str, Any] = {"camera": AsyncCamera, "lidar_3d": AsyncLidar}
"""Kinds of sensors with a class of their own."""


class MountingOperations(Session):
    """Mounting sensors whose readings come as numpy arrays.

    All take `actor`, the id or name of the vehicle; `rate`, readings per simulated second; `position`, forward, left
    and up from the centre of its rear axle on the ground [m]; `rotation`, yaw, or roll, pitch and yaw [rad]; and
    `phase`, the simulated time of one reading, from which the others are counted [s].
    """

    @mounting(Camera, AsyncCamera)
    def add_camera(
        self,
        actor: str | int = EGO,
        *,
        rate: float = 30.0,
        position: Vector = (1.5, 0.0, 1.4),
        rotation: Vector | float = 0.0,
        phase: float = 0.0,
        **settings: Unpack[CameraSettings],
    ) -> Steps[Mounting]:
        """Mount a camera, behind the windscreen unless a position is given; `settings` as of `CameraSettings`."""
        plain = checked_settings("camera", CameraSettings, settings)
        return (yield from _mounted("camera", actor, rate, position, rotation, phase, plain))

    @mounting(Lidar, AsyncLidar)
    def add_lidar(
        self,
        actor: str | int = EGO,
        *,
        rate: float = 10.0,
        position: Vector = (1.2, 0.0, 1.9),
        rotation: Vector | float = 0.0,
        phase: float = 0.0,
        **settings: Unpack[LidarSettings],
    ) -> Steps[Mounting]:
        """Mount a spinning lidar, on the roof; `rate` is that of its turns, 5 to 20; settings as of `LidarSettings`."""
        plain = checked_settings("lidar", LidarSettings, settings)
        return (yield from _mounted("lidar_3d", actor, rate, position, rotation, phase, plain))

    @mounting(Sensor[PlanarScan], AsyncSensor[PlanarScan])
    def add_planar_lidar(
        self,
        actor: str | int = EGO,
        *,
        rate: float = 10.0,
        position: Vector = (3.7, 0.0, 0.5),
        rotation: Vector | float = 0.0,
        phase: float = 0.0,
        **settings: Unpack[PlanarLidarSettings],
    ) -> Steps[Mounting]:
        """Mount a lidar of one plane, at the front bumper; settings as of `PlanarLidarSettings`."""
        plain = checked_settings("planar lidar", PlanarLidarSettings, settings)
        return (yield from _mounted("lidar_2d", actor, rate, position, rotation, phase, plain))

    @mounting(Sensor[RadarDetections], AsyncSensor[RadarDetections])
    def add_radar(
        self,
        actor: str | int = EGO,
        *,
        rate: float = 20.0,
        position: Vector = (3.7, 0.0, 0.5),
        rotation: Vector | float = 0.0,
        phase: float = 0.0,
        **settings: Unpack[RadarSettings],
    ) -> Steps[Mounting]:
        """Mount a radar, at the front bumper; settings as of `RadarSettings`."""
        plain = checked_settings("radar", RadarSettings, settings)
        return (yield from _mounted("radar", actor, rate, position, rotation, phase, plain))

    @mounting(Sensor[UltrasonicEcho], AsyncSensor[UltrasonicEcho])
    def add_ultrasonic(
        self,
        actor: str | int = EGO,
        *,
        rate: float = 20.0,
        position: Vector = (3.7, 0.0, 0.5),
        rotation: Vector | float = 0.0,
        phase: float = 0.0,
        **settings: Unpack[UltrasonicSettings],
    ) -> Steps[Mounting]:
        """Mount an ultrasonic sensor, at the front bumper; settings as of `UltrasonicSettings`."""
        plain = checked_settings("ultrasonic sensor", UltrasonicSettings, settings)
        return (yield from _mounted("ultrasonic", actor, rate, position, rotation, phase, plain))

    @mounting(Sensor[GpsFix], AsyncSensor[GpsFix])
    def add_gps(
        self,
        actor: str | int = EGO,
        *,
        rate: float = 5.0,
        position: Vector = (0.5, 0.0, 1.6),
        rotation: Vector | float = 0.0,
        phase: float = 0.0,
        **settings: Unpack[GpsSettings],
    ) -> Steps[Mounting]:
        """Mount a receiver of satellite navigation, on the roof; settings as of `GpsSettings`."""
        plain = checked_settings("gps", GpsSettings, settings)
        return (yield from _mounted("gps", actor, rate, position, rotation, phase, plain))

    @mounting(Sensor[ImuSample], AsyncSensor[ImuSample])
    def add_imu(
        self,
        actor: str | int = EGO,
        *,
        rate: float = 50.0,
        position: Vector = (0.0, 0.0, 0.0),
        rotation: Vector | float = 0.0,
        phase: float = 0.0,
        **settings: Unpack[ImuSettings],
    ) -> Steps[Mounting]:
        """Mount an inertial measurement unit, at the rear axle; settings as of `ImuSettings`."""
        plain = checked_settings("imu", ImuSettings, settings)
        return (yield from _mounted("imu", actor, rate, position, rotation, phase, plain))

    @mounting(Sensor[SeenObjects], AsyncSensor[SeenObjects])
    def add_ground_truth(
        self,
        actor: str | int = EGO,
        *,
        rate: float = 20.0,
        position: Vector = (0.0, 0.0, 0.0),
        rotation: Vector | float = 0.0,
        phase: float = 0.0,
        **settings: Unpack[GroundTruthSettings],
    ) -> Steps[Mounting]:
        """Mount a sensor that reports what is really there; settings as of `GroundTruthSettings`."""
        plain = checked_settings("ground truth", GroundTruthSettings, settings)
        return (yield from _mounted("ground_truth", actor, rate, position, rotation, phase, plain))

    @mounting(Sensor[Any], AsyncSensor[Any])
    def sensor(self, number: str | int, actor: str | int = EGO) -> Steps[Mounting]:
        """A sensor that is there already, such as one of a sensor set.

        Args:
            number: its id.
            actor: id or name of the vehicle that it is on.

        Raises:
            RefusedError: there is none of this id on the vehicle.
        """
        answer = yield call("Sensor/GetSensorInfos", id={"value": str(actor)}, object_type="OBJECT_TYPE_VEHICLE")
        there = {one.sensor_id.value: int(one.sensor_type) for one in answer.values}
        kind = there.get(str(number), 0)
        if not 0 < kind <= len(_KINDS):
            ids = ", ".join(there) or "none"
            raise RefusedError(f"there is no sensor {str(number)!r} on {str(actor)!r}", f"its sensors: {ids}")
        return Mounting(str(number), _KINDS[kind - 1])


def _mounted(
    kind: str,
    actor: str | int,
    rate: float,
    position: Vector,
    rotation: Vector | float,
    phase: float,
    settings: dict[str, Any],
) -> Steps[Mounting]:
    angles: Any = (0.0, 0.0, rotation) if isinstance(rotation, int | float) else rotation
    answer = yield call(
        "Sensing/AddSensor",
        vehicle=str(actor),
        settings=json.dumps({"kind": kind, **settings}),
        rate_hz=rate,
        phase_s=phase,
        position=vector(position),
        rotation=_angles(angles),
    )
    return Mounting(str(answer.sensor), kind)


def _angles(angles: Vector) -> dict[str, float]:
    """Roll, pitch, yaw [rad].

    Raises:
        RefusedError: they are none, or so large that they are degrees.
    """
    found = vector(angles)
    for angle in found.values():
        if abs(angle) > MAX_ANGLE:
            cure = f"angles are in radians: give math.radians({angle:g})"
            raise RefusedError(f"{angle:g} rad is more than two turns", cure)
    return found
