"""What is asked of the sensors of a run: where packets go, and what is saved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dorosim.endpoint.udp_socket import Address
from dorosim.world.mount.setting import SensorKind

DEFAULT_PORTS: dict[SensorKind, int] = {
    SensorKind.CAMERA: 1232,
    SensorKind.LIDAR_3D: 2368,
    SensorKind.LIDAR_2D: 1111,
    SensorKind.GPS: 1234,
    SensorKind.IMU: 1236,
}
"""Where packets of a sensor go for which no address was given: the ports of the product's sensor viewer, and of its 2D
lidar example (facts/udp-wire.md, section 6)."""
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class SensorAddress:
    """Where the packets of a sensor go.

    Attributes:
        source, destination: `source` may have port 0 for any.
    """

    source: Address
    destination: Address


@dataclass(frozen=True, slots=True)
class SaveRequest:
    """What is to be saved: what every sensor sees at the next tick.

    Attributes:
        folder: an existing folder, or one to be made. name: with which the names of the files begin; "" for the time.
    """

    folder: Path
    name: str = ""
