"""What faults do to readings: a filter behind sensors, which themselves know of no faults.

A lost reading is not delivered; a delayed one is an older one, with its own time; a stuck sensor repeats its reading of
the moment when the fault began, with a new time; faults of the data change the signals of a reading within their range
(`SIGNALS`).
"""

from __future__ import annotations

import dataclasses
from collections import deque
from typing import Any

import numpy as np

from dorosim.sensor.reading import Reading
from dorosim.world.fault.code import FaultSubclass
from dorosim.world.fault.sensor import oldest_needed, sensor_rows, shown_moment
from dorosim.world.fault.signal import distort
from dorosim.world.fault.table import FaultTable

_DATA = 2
"""Hundreds of the subclasses that change values."""


class FaultFilter:
    """The faults of one sensor, with the readings that they may still show.

    Args:
        actor: id of the vehicle. sensor: number of the sensor.
        turn: of a spinning sensor, the time of a turn [ns], whose slices a stuck one repeats; else 0.
    """

    def __init__(self, actor: int, sensor: int, turn: int = 0) -> None:
        self._actor = actor
        self._sensor = sensor
        self._turn = turn
        self._history: deque[Reading] = deque()

    def __len__(self) -> int:
        """How many readings are kept."""
        return len(self._history)

    def clear(self) -> None:
        """Forget all readings."""
        self._history.clear()

    def pass_on(self, faults: FaultTable, reading: Reading, time: int) -> Reading | None:
        """What the sensor delivers when it has made a sound reading; None for nothing.

        Args:
            faults: of the run.
            reading: the new one.
            time: simulated time [ns].
        """
        self._history.append(reading)
        if not faults.rows or not len(rows := sensor_rows(faults, self._actor, self._sensor, time)):
            self._forget_before(time)
            return reading
        moment = shown_moment(faults, self._actor, self._sensor, time)
        self._forget_before(oldest_needed(faults, self._actor, self._sensor, time))
        if moment is None:
            return None
        subclasses = faults.subclass[rows].tolist()
        stuck = FaultSubclass.STUCK_IN_RANGE in subclasses
        if stuck and self._turn:
            moment -= (moment - time) % self._turn
        shown = next((one for one in reversed(self._history) if one.time <= moment), None)
        if shown is None:
            return None
        if stuck:
            shown = shown.restamped(time)
        for row, subclass in zip(rows.tolist(), subclasses, strict=True):
            if subclass // 100 == _DATA:
                shown = _distorted(shown, faults, row, time)
        return shown

    def _forget_before(self, oldest: int) -> None:
        """Let go of what no fault can show: all but the last reading before a moment, or the last turn's."""
        history, oldest = self._history, oldest - self._turn
        while len(history) > 1 and history[1].time <= oldest:
            history.popleft()


def _distorted(reading: Reading, faults: FaultTable, row: int, time: int) -> Reading:
    """A reading whose signals a fault of the data has changed."""
    changed: dict[str, Any] = {}
    for name, (low, high) in reading.SIGNALS.items():
        value = getattr(reading, name)
        if value is None:
            continue
        array = np.asarray(value, np.float64)
        result = distort(faults, row, array, low, high, time, reading.SPANS.get(name))
        if isinstance(value, np.ndarray):
            changed[name] = _as(result, value.dtype)
        elif isinstance(value, tuple):
            changed[name] = tuple(result.tolist())
        else:
            changed[name] = float(result)
    return dataclasses.replace(reading, **changed)


def _as(values: np.ndarray[Any, np.dtype[np.float64]], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Numbers in the type of the reading, which ends where the type ends."""
    if dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        values = np.clip(np.rint(values), bounds.min, bounds.max)
    return values.astype(dtype)
