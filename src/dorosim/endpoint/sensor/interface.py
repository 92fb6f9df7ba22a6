"""Settings and protocols of the sensors of a run: where packets go, what is saved, and listeners of readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from dorosim.endpoint.udp.socket import Address
from dorosim.world.mount.setting import SensorKind

if TYPE_CHECKING:
    from dorosim.sensor.reading import CameraReading, Reading
    from dorosim.world.snapshot import Snapshot

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
        folder: an existing folder, or one to be made, without links.
        name: with which the names of the files begin; "" for the time.
    """

    folder: Path
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """Readings of a tick, as a listener gets them.

    Attributes:
        readings: in ascending order of the sensors' numbers. now: the snapshot that they show.
        jpeg: a picture as JPEG, made once for packets and listeners.
        epoch: wall time of simulated time 0 in their stamps [ns since 1970].
    """

    readings: Sequence[Reading]
    now: Snapshot
    jpeg: Callable[[CameraReading], bytes]
    epoch: int = 0


class Listener(Protocol):
    """Is called with the readings of each tick, in order, on the thread that makes packets; it never raises."""

    def __call__(self, heard: Heard) -> Iterable[tuple[int | None, Callable[[], None]]]:
        """Functions to call, in order, each with the simulated time [ns] at which a packet of the same would be sent.

        None is at once. The functions run on the thread that sends packets, and must not take long.
        """
