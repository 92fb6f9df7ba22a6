"""The packet of an inertial measurement unit (documents/sensor-protocols-en.txt, IMU; facts/udp-wire.md, 5.5)."""

from __future__ import annotations

from dorosim.ground.unit import METRE_PER_SECOND2, RADIAN_PER_SECOND, RATIO
from dorosim.wire.message import Envelope, Layout, Wire, f64s, message, stamp


@message(
    Envelope("IMUData"),
    to="user",
    source="Sensor page, IMU; facts/udp-wire.md 5.5",
    layouts=(Layout(115), Layout(107, without=frozenset({"time"}))),
    default_port=1236,
)
class ImuData(Wire):
    """What an IMU measures, in its own frame: x forward, y left, z up.

    The 107-byte layout is what the page prints; the product sends 115 bytes since it has time stamps, from 2023 on, and
    clients of that time need those.
    """

    time: int = stamp("time of the measurement", default=0)
    orientation: tuple[float, ...] = f64s(4, RATIO, "quaternion w, x, y, z that turns the sensor frame into the map's")
    angular_velocity: tuple[float, ...] = f64s(3, RADIAN_PER_SECOND, "about x, y, z", frame="sensor")
    linear_acceleration: tuple[float, ...] = f64s(
        3, METRE_PER_SECOND2, "specific force: +9.81 along z at rest", frame="sensor"
    )
