"""Readings of several sensors at one moment, in lockstep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar, cast

from dorosim.client.error import ClientError, NoAnswerError
from dorosim.client.feed import TickReadings
from dorosim.client.reading import SensorReading
from dorosim.client.sensor import MountedHandle
from dorosim.client.simulation import Moment

R = TypeVar("R", bound=SensorReading)
MAX_TICKS_APART = 10_000
"""Ticks after which sensors that have not read in the same tick are taken for ones that never do."""
_MILLISECOND = 1_000_000


class Frame:
    """What some sensors have read in one tick.

        picture = frame[camera]
        samples = frame.all(imu)

    A loop over it has the newest reading of each sensor, in the order in which they were named.

    Attributes:
        moment: number of the tick, and simulated time.
    """

    def __init__(self, moment: Moment, readings: dict[str, tuple[SensorReading, ...]]) -> None:
        self.moment, self._readings = moment, readings

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.moment.time

    def __getitem__(self, sensor: MountedHandle[R]) -> R:
        """The newest reading of a sensor.

        Raises:
            KeyError: it is none of those that were named.
        """
        return cast("R", self._readings[sensor.id][-1])

    def all(self, sensor: MountedHandle[R]) -> tuple[R, ...]:
        """All readings of a sensor since the last frame, the newest last.

        Raises:
            KeyError: it is none of those that were named.
        """
        return cast("tuple[R, ...]", self._readings[sensor.id])

    def __iter__(self) -> Iterator[Any]:
        """The newest reading of each sensor."""
        return (found[-1] for found in self._readings.values())

    def __repr__(self) -> str:
        """When, and of which sensors."""
        return f"<Frame at {self.moment.time:.3f} s: sensors {', '.join(self._readings)}>"


class FrameGatherer:
    """Puts readings together to frames.

    Args:
        sensors: that a frame has.

    Raises:
        ClientError: there are none, or one is named twice.
    """

    def __init__(self, sensors: tuple[MountedHandle[Any], ...]) -> None:
        self.ids = tuple(one.id for one in sensors)
        if not sensors or len(set(self.ids)) != len(sensors):
            raise ClientError("frames() needs one sensor or more, each of them once", "frames(camera, lidar)")
        self._found: dict[str, list[SensorReading]] = {one: [] for one in self.ids}
        self._of_tick: set[str] = set()
        self._time_ns = -1
        self._ticks = 0

    def begin_tick(self) -> None:
        """A tick was asked for.

        Raises:
            ClientError: the sensors never read in the same tick.
        """
        self._of_tick.clear()
        self._ticks += 1
        if self._ticks > MAX_TICKS_APART:
            problem = f"sensors {', '.join(self.ids)} have not read in the same tick for {MAX_TICKS_APART:,} ticks"
            raise ClientError(problem, "give them rates and phases that meet")

    def add(self, tick: TickReadings | None, timeout: float) -> None:
        """Take readings that came; None: none have within a time [s].

        Raises:
            NoAnswerError: none have.
        """
        if tick is None:
            raise NoAnswerError(f"what the sensors read has not come in {timeout:g} s")
        self._time_ns = max(self._time_ns, tick.time_ns)
        for reading in tick.readings:
            self._found[reading.sensor].append(reading)
            self._of_tick.add(reading.sensor)

    def has_reached(self, moment: Moment) -> bool:
        """Whether all that was read up to a moment has come."""
        return self._time_ns // _MILLISECOND >= round(moment.time * 1e3)

    def frame(self, moment: Moment) -> Frame | None:
        """The frame of a moment; None if a sensor has not read in this tick."""
        if len(self._of_tick) < len(self.ids):
            return None
        found = {one: tuple(readings) for one, readings in self._found.items()}
        self._found = {one: [] for one in self.ids}
        self._ticks = 0
        return Frame(moment, found)
