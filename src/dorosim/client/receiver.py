"""What sensors send by UDP: pictures, lidar packets, positions and inertial measurements."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.client.datagram import DatagramInbox, receive, receive_async
from dorosim.client.error import ClientError, NoAnswerError
from dorosim.client.operation import AwaitingContext, BlockingContext
from dorosim.client.quantity import Triple
from dorosim.wire.codec import compile_codec
from dorosim.wire.device.camera import ImageAssembler, ImageChunk, decode_boxes, decode_image_chunk
from dorosim.wire.device.gps import KNOT
from dorosim.wire.device.imu import ImuData
from dorosim.wire.device.nmea import Rmc, Sentence, decode_sentence
from dorosim.wire.device.velodyne import DISTANCE_STEP, decode_data
from dorosim.wire.error import WireError

_IMU = {layout.size: compile_codec(ImuData, layout) for layout in ImuData.table.layouts}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a camera.

    Attributes:
        time: since the epoch [s]. jpeg: the file.
    """

    time: float
    jpeg: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """The boxes of a picture.

    Attributes:
        time: of the picture [s].
        corners: `(N, 8, 3)` in the camera's optical frame: x right, y down, z forward [m].
        bounds: `(N, 4)` x min, y min, x max, y max [pixels]. colour: `(N, 3)` of the class.
    """

    time: float
    corners: NDArray[np.float64]
    bounds: NDArray[np.float64]
    colour: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class LidarPacket:
    """A packet of a 3D lidar, in the form of Velodyne's sensors.

    Attributes:
        time: past the hour [s].
        azimuth: `(12,)` of each block's first laser, clockwise from forward [rad].
        distance: `(12, 32)` [m], 0 for no return. intensity: `(12, 32)`, 0 to 255.
    """

    time: float
    azimuth: NDArray[np.float64]
    distance: NDArray[np.float64]
    intensity: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Fix:
    """A position of a GPS receiver.

    Attributes:
        time_of_day: [s]. valid: whether there is reception.
        latitude, longitude: north and east positive [rad]. altitude: over the geoid [m].
        speed: over ground [m/s]. course: clockwise from north [rad].
    """

    time_of_day: float
    valid: bool
    latitude: float
    longitude: float
    altitude: float
    speed: float
    course: float


@dataclass(frozen=True, slots=True)
class Inertia:
    """A measurement of an IMU, in its own frame: x forward, y left, z up.

    Attributes:
        time: since the epoch [s], 0 where the layout has none.
        orientation: quaternion w, x, y, z that turns the sensor's frame into the map's.
        angular_velocity: [rad/s]. acceleration: specific force, 9.81 along z at rest [m/s²].
    """

    time: float
    orientation: tuple[float, float, float, float]
    angular_velocity: Triple
    acceleration: Triple


Reading = Picture | Boxes | LidarPacket | Fix | Inertia


class SensorPorts:
    """Ports at which sensors' data comes, and what is put together of it.

    Args:
        host: address of this machine.
        camera: port, None for no camera, 0 for any that is free.
        lidar: likewise.
        gps: likewise.
        imu: likewise.
        timeout: how long a reading is waited for [s].

    Raises:
        ClientError: a port cannot be had, or there is none.

    Attributes:
        ports: by name, with those that were found free.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        *,
        camera: int | None = None,
        lidar: int | None = None,
        gps: int | None = None,
        imu: int | None = None,
        timeout: float = 5.0,
    ) -> None:
        self._timeout = timeout
        self._assembler = ImageAssembler()
        self._course = (0.0, 0.0)
        self._ready: list[Reading] = []
        self._inboxes: list[DatagramInbox[Any]] = []
        self.ports: dict[str, int] = {}
        wanted = (
            ("camera", camera, _decode_camera),
            ("lidar", lidar, _decode_lidar),
            ("gps", gps, decode_sentence),
            ("imu", imu, _decode_imu),
        )
        try:
            for name, port, decode in wanted:
                if port is not None:
                    self._inboxes.append(DatagramInbox(host, port, f"{name} data", decode))
                    self.ports[name] = self._inboxes[-1].port
        except ClientError:
            self.close()
            raise
        if not self._inboxes:
            raise ClientError("no port is given", "give one at least: SensorReceiver(camera=1232)")

    @property
    def dropped(self) -> int:
        """Pictures of which a part was lost, and datagrams that were something else."""
        return self._assembler.dropped + sum(inbox.broken for inbox in self._inboxes)

    def close(self) -> None:
        """Let go of all ports."""
        for inbox in self._inboxes:
            inbox.close()

    def _take(self) -> Reading | None:
        """The next reading of what has come, None for none."""
        if not self._ready:
            for inbox in self._inboxes:
                for message in inbox.drain():
                    self._ready += self._readings(message)
        return self._ready.pop(0) if self._ready else None

    def _found(self, reading: Reading | None) -> Reading:
        """A reading.

        Raises:
            NoAnswerError: there is none.
        """
        if reading is not None:
            return reading
        names = ", ".join(f"{name} {port}" for name, port in self.ports.items())
        raise NoAnswerError(
            f"no sensor data came to the ports ({names}) in {self._timeout:g} s",
            "does the simulator run with sensors that send there? See docs/how-to/sensor.md",
        )

    def _readings(self, message: Any) -> list[Reading]:
        """What a message completes."""
        if isinstance(message, ImageChunk):
            jpeg = self._assembler.add(message)
            return [] if jpeg is None else [Picture(message.time / 1e9, jpeg)]
        return self._fixes(message) if isinstance(message, Sentence) else [message]

    def _fixes(self, sentence: Sentence) -> list[Reading]:
        """The fix that a GGA sentence completes; RMC, which comes before it, gives speed and course."""
        if isinstance(sentence, Rmc):
            self._course = sentence.speed_knots * KNOT, math.radians(sentence.course_deg)
            return []
        speed, course = self._course
        fix = Fix(
            time_of_day=sentence.time_of_day,
            valid=sentence.quality > 0,
            latitude=math.radians(sentence.latitude),
            longitude=math.radians(sentence.longitude),
            altitude=sentence.altitude,
            speed=speed,
            course=course,
        )
        return [fix]


class SensorReceiver(SensorPorts, BlockingContext):
    """Receives what sensors send, on any number of ports. One thread at a time may use it.

        with SensorReceiver(camera=1232, imu=1236) as sensors:
            for reading in sensors:
                ...

    Arguments and errors: as of `SensorPorts`.
    """

    def __iter__(self) -> Iterator[Reading]:
        """Readings as they come, without end.

        Raises:
            NoAnswerError: none comes in time.
        """
        while True:
            yield self.next()

    def next(self) -> Reading:
        """The next reading.

        Raises:
            NoAnswerError: none comes in time.
        """
        return self._found(receive(self._take, self._inboxes, self._timeout))


class AsyncSensorReceiver(SensorPorts, AwaitingContext):
    """The same for asyncio: `async for reading in sensors`. Arguments and errors: as of `SensorPorts`."""

    async def __aiter__(self) -> AsyncIterator[Reading]:
        """Readings as they come, as of `SensorReceiver`."""
        while True:
            yield await self.next()

    async def next(self) -> Reading:
        """The next reading, as of `SensorReceiver`."""
        return self._found(await receive_async(self._take, self._inboxes, self._timeout))


def _decode_camera(data: bytes) -> ImageChunk | Boxes:
    if not data.startswith(b"BOX"):
        return decode_image_chunk(data)
    found = decode_boxes(data)
    rows = found.boxes
    return Boxes(found.time / 1e9, rows["corners"].astype(float), rows["bounds"].astype(float), rows["colour"])


def _decode_lidar(data: bytes) -> LidarPacket:
    packet = decode_data(data)
    return LidarPacket(
        time=packet.microsecond * 1e-6,
        azimuth=np.radians(packet.azimuth * 0.01),
        distance=packet.distance.astype(np.float64) * DISTANCE_STEP,
        intensity=packet.reflectivity,
    )


def _decode_imu(data: bytes) -> Inertia:
    codec = _IMU.get(len(data))
    if codec is None:
        raise WireError("size", f"{len(data)} bytes are not valid IMU data", "ImuData")
    message = codec.decode(data)
    w, x, y, z = message.orientation
    (p, q, r), (a, b, c) = message.angular_velocity, message.linear_acceleration
    return Inertia(message.time / 1e9, (w, x, y, z), (p, q, r), (a, b, c))
