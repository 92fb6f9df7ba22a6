"""The 2D lidar's packet of 1107 bytes: 360 rays of distance and intensity.

Source: documents/sensor-protocols-en.txt, "2D LiDAR"; facts/udp-wire.md, 5.3. Ray `i` points `i` degrees to the left
of forward. The documented name is `2DLidar`; one public client asks for `Lidar2D`, so the name can be chosen.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dorosim.wire.error import WireError

LIDAR_2D_DATAGRAM_SIZE = 1107
LIDAR_2D_RAYS = 360
NAMES = ("2DLidar", "Lidar2D")
"""Header names, the documented one first."""
NO_RETURN_MM = 10_000
"""What the public client takes for no return: exactly 10 m (facts/udp-wire.md, 5.3)."""
_HEAD = struct.Struct("<9sI3f")
_TAIL = b"\r\n"
_RAY = np.dtype([("distance", "<u2"), ("intensity", "u1")])


@dataclass(frozen=True, slots=True, eq=False)
class Lidar2dPacket:
    """A packet, read.

    Attributes:
        distance_mm: (360,). intensity: (360,), 0 to 255.
        position: x and y [m] and heading [deg, 0 to the east, counter-clockwise] of the sensor in the map: what the aux
            data hold; the documents do not give its frame (docs/decisions/0041-sensor-messages.md).
        name: the header's.
    """

    distance_mm: NDArray[np.uint16]
    intensity: NDArray[np.uint8]
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = NAMES[0]


def encode_lidar_2d(packet: Lidar2dPacket) -> bytes:
    """The packet as it is sent.

    Raises:
        WireError: there are not 360 rays, or the name is none that clients know.
    """
    if packet.name not in NAMES:
        raise WireError("header", f"name {packet.name!r} must be one of {', '.join(NAMES)}", "2D lidar")
    if len(packet.distance_mm) != LIDAR_2D_RAYS or len(packet.intensity) != LIDAR_2D_RAYS:
        raise WireError("length", f"{len(packet.distance_mm)} rays instead of {LIDAR_2D_RAYS}", "2D lidar")
    rays = np.empty(LIDAR_2D_RAYS, _RAY)
    rays["distance"] = packet.distance_mm
    rays["intensity"] = packet.intensity
    head = _HEAD.pack(f"#{packet.name}$".encode("ascii"), rays.nbytes, *packet.position)
    return head + rays.tobytes() + _TAIL


def decode_lidar_2d(data: bytes) -> Lidar2dPacket:
    """The packet in a datagram.

    Raises:
        WireError: it is none.
    """
    if len(data) != LIDAR_2D_DATAGRAM_SIZE:
        raise WireError("size", f"{len(data)} bytes instead of {LIDAR_2D_DATAGRAM_SIZE}", "2D lidar")
    header, length, *position = _HEAD.unpack_from(data)
    name = header[1:-1].decode("ascii", "replace")
    if header[:1] != b"#" or header[-1:] != b"$" or name not in NAMES:
        raise WireError("header", f"{header!r} is not the header of a 2D lidar", "2D lidar")
    if length != LIDAR_2D_RAYS * _RAY.itemsize:
        raise WireError("length", f"data length {length} instead of {LIDAR_2D_RAYS * _RAY.itemsize}", "2D lidar")
    if data[-2:] != _TAIL:
        raise WireError("tail", f"{bytes(data[-2:])!r} instead of {_TAIL!r}", "2D lidar")
    if not np.isfinite(position).all():
        raise WireError("non-finite", "position is not finite", "2D lidar")
    rays = np.frombuffer(data, _RAY, LIDAR_2D_RAYS, _HEAD.size)
    x, y, heading = position
    return Lidar2dPacket(rays["distance"], rays["intensity"], (x, y, heading), name)
