"""Readings to UDP packets, by the forms of the product and of the sensors' makers (facts/udp-wire.md, section 5)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from dorosim.wire.device.camera import BOX_ROWS, encode_boxes, encode_image
from dorosim.wire.device.gps import PRODUCT, STANDARD, GpsFix, datagrams_from_fix
from dorosim.wire.device.imu import ImuData
from dorosim.wire.device.lidar_2d import NAMES, Lidar2dPacket, encode_lidar_2d
from dorosim.wire.device.sized_picture import encode_sized_picture
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import Revision

if TYPE_CHECKING:
    from dorosim.sensor.lidar.planar import PlanarReading
    from dorosim.sensor.reading import CameraReading, GpsReading, ImuReading, Reading

Buffer = bytes | bytearray | memoryview
MICROSECOND = 1_000
"""Nanoseconds; pictures of a camera are farther apart."""
MAX_KEPT_JPEGS = 64
"""JPEGs that are kept for a moment."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One datagram.

    Attributes:
        due: simulated time at which a real sensor would send it [ns].
        data: its bytes.
        port: where it goes on the host that gets the sensor's packets; None: where those go.
    """

    due: int
    data: Buffer
    port: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorForm:
    """Choices where the product, its documents and its clients differ.

    Attributes:
        nmea: "product" as captured, with the extra comma and the local clock; "standard" as NMEA 0183 says.
        utc_offset: of the local clock [s].
        imu_stamp: IMU packets with a time stamp (115 bytes), or as the sensor page prints them (107 bytes); None: as
            the revision has them.
        lidar_2d_name: header of 2D lidar packets.
        box_milliseconds: the second time word of box packets counts milliseconds, as the page says.
        camera_padding: datagrams of pictures and boxes are filled up to 65,000 bytes.
        box_colour: colour of an object: its own, as in pictures of instances, or that of its class.
    """

    nmea: Literal["product", "standard"] = "product"
    utc_offset: int = 32_400
    imu_stamp: bool | None = None
    lidar_2d_name: str = NAMES[0]
    box_milliseconds: bool = False
    camera_padding: bool = True
    box_colour: Literal["instance", "class"] = "instance"


class Packer:
    """What packets need beside the readings (`bridge/sensor/kind.py` `packets_of`).

    Args:
        revision: of the product.
        form: choices.
        sized: numbers of the cameras whose pictures go as a template of MORAI SIM 2 lays them out, without boxes.

    Attributes:
        epoch: wall time of tick 0 [ns since 1970]. form, revision, sized: as given.
    """

    def __init__(
        self,
        revision: Revision,
        epoch: int,
        form: SensorForm | None = None,
        sized: frozenset[int] = frozenset(),
    ) -> None:
        self.epoch, self.sized = epoch, sized
        self.form = form or SensorForm()
        self.revision = revision
        self._pictures: dict[int, tuple[CameraReading, bytes]] = {}

    def jpeg(self, reading: CameraReading) -> bytes:
        """Returns a picture as JPEG. The JPEG of each camera's last reading is kept for other messages that send it."""
        kept = self._pictures.get(reading.sensor)
        if kept is None or kept[0] is not reading:
            if len(self._pictures) >= MAX_KEPT_JPEGS:
                self._pictures.clear()
            kept = self._pictures[reading.sensor] = (reading, jpeg_of(reading))
        return kept[1]


def camera_packets(packer: Packer, reading: CameraReading) -> Iterable[Packet]:
    """A picture, and the boxes of what it shows."""
    if reading.sensor in packer.sized:
        parts = encode_sized_picture(packer.jpeg(reading), reading.time // MICROSECOND)
        return [Packet(reading.time, part) for part in parts]
    stamp, form = packer.epoch + reading.time, packer.form
    datagrams = encode_image(packer.jpeg(reading), stamp, padded=form.camera_padding)
    boxes = reading.boxes
    if boxes is not None and len(boxes.actor):
        rows = np.empty(len(boxes.actor), BOX_ROWS)
        rows["corners"], rows["bounds"] = boxes.corners, boxes.bounds
        rows["colour"] = boxes.own_colour if form.box_colour == "instance" else boxes.class_colour
        datagrams += encode_boxes(rows, stamp, milliseconds=form.box_milliseconds, padded=form.camera_padding)
    return [Packet(reading.time, datagram) for datagram in datagrams]


def lidar_2d_packets(packer: Packer, reading: PlanarReading) -> Iterable[Packet]:
    """One packet of 360 rays."""
    x, y, heading = reading.place
    place = x, y, math.degrees(heading)
    packet = Lidar2dPacket(reading.distance_mm, reading.intensity, place, packer.form.lidar_2d_name)
    return (Packet(reading.time, encode_lidar_2d(packet)),)


def gps_packets(packer: Packer, reading: GpsReading) -> Iterable[Packet]:
    """NMEA sentences in the product's or the standard's form."""
    form = PRODUCT if packer.form.nmea == "product" else STANDARD
    return [
        Packet(reading.time, data) for data in datagrams_from_fix(fix_of(packer, reading), form, packer.form.utc_offset)
    ]


def fix_of(packer: Packer, reading: GpsReading) -> GpsFix:
    """What a receiver reads, as its sentences say it."""
    names = ("denied", "latitude", "longitude", "altitude", "speed", "course")
    return GpsFix(time=packer.epoch + reading.time, **{name: getattr(reading, name) for name in names})


def imu_packets(packer: Packer, reading: ImuReading) -> Iterable[Packet]:
    """One packet, in the layout of the revision unless the form picks another."""
    sizes = {True: 115, False: 107, None: packer.revision.imu}
    codec = codec_of(ImuData, packer.revision, sizes[packer.form.imu_stamp])
    message = ImuData(
        time=packer.epoch + reading.time,
        orientation=reading.orientation,
        angular_velocity=tuple(np.asarray(reading.angular_velocity).tolist()),
        linear_acceleration=tuple(np.asarray(reading.acceleration).tolist()),
    )
    return (Packet(reading.time, codec.encode(message)),)


def jpeg_of(reading: CameraReading) -> bytes:
    """A picture as JPEG."""
    from dorosim.sensor.camera.camera import jpeg_of as compress

    return compress(np.ascontiguousarray(reading.image), reading.quality)


def no_packets(_packer: Packer, _reading: Reading) -> Sequence[Packet]:
    """None, where UDP has no form for readings: radar (facts/udp-wire.md, 5.6), ultrasonic, ground truth."""
    return ()
