"""Settings and protocols of the sensors of a run: where packets go, what is saved, and listeners of readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dorosim.endpoint.udp.network import moved_address
from dorosim.endpoint.udp.socket import Address

if TYPE_CHECKING:
    from dorosim.sensor.reading import CameraReading, Reading
    from dorosim.world.snapshot import Snapshot

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class SensorAddress:
    """Where the packets of a sensor go.

    Attributes:
        source, destination: `source` may have port 0 for any.
    """

    source: Address
    destination: Address

    def moved(self, ports: int) -> SensorAddress:
        """The same so many ports on.

        Raises:
            InputError: there is no such port.
        """
        return SensorAddress(moved_address(self.source, ports), moved_address(self.destination, ports))


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


DueCall = tuple[int | None, Callable[[], None]]
"""A function, and the simulated time [ns] at which a packet of the same would be sent; None is at once. It is called on
the thread that sends packets, and must not take long."""
Listener = Callable[[Heard], Iterable[DueCall]]
"""Is called with the readings of each tick, in order, on the thread that makes packets, and never raises. It returns
what to call, in order."""
