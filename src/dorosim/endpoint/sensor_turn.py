"""What the threads of the sensors hand on to one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dorosim.endpoint.sensor_order import SaveRequest
from dorosim.sensor.reading import Reading
from dorosim.world.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Turn:
    """A tick that is to be read, and what is to be saved at it.

    Attributes:
        epoch: of the stamps of what is read in it [ns since 1970].
    """

    before: Snapshot
    now: Snapshot
    saves: tuple[SaveRequest, ...]
    pace: float | None
    epoch: int


@dataclass(frozen=True, slots=True)
class Made:
    """Readings of a tick, of which packets are to be made.

    Attributes:
        now: the snapshot that they show. zero: when time 0 of the stream is on the monotonic clock [ns].
        pace: simulated over wall time; None: as fast as possible.
        epoch: of stamps [ns since 1970].
    """

    readings: Sequence[Reading]
    now: Snapshot
    zero: float
    pace: float | None
    epoch: int
