"""Codes of faults, as the documents number them (documents/grpc-api-en.txt, FaultInjectionCtrl).

The subclasses are those of ISO 26262-5, annex D, table D.1, for sensors and signal lines (open, short, out of range,
offset, stuck in range, drift and oscillation) and communication (loss, delay); "out of data" is its "out of range".
"""

from __future__ import annotations

from enum import IntEnum


class FaultClass(IntEnum):
    """The major category; NONE with subclass NONE clears (design/seams.md)."""

    NONE = 0
    TIMING = 1
    DATA = 2
    HARDWARE = 3


class FaultSubclass(IntEnum):
    """The minor category; its hundreds are the class."""

    NONE = 0
    LOSS_AND_TIMEOUT = 101
    DELAYED = 102
    OPEN = 201
    SHORT = 202
    OFFSET = 203
    STUCK_IN_RANGE = 204
    OUT_OF_DATA = 205
    DRIFT_AND_OSCILLATION = 206
    PUNCTURE = 301
    TRANSFORM = 302


class FaultLocation(IntEnum):
    """Which control of a vehicle is at fault."""

    ACCELERATOR = 2
    BRAKE = 3
    STEERING = 4


class FaultTarget(IntEnum):
    """What is at fault (Standard API, VehicleFaultType)."""

    CONTROL = 0
    TIRE = 1
    SENSOR = 2


_SIGNAL = (
    FaultSubclass.LOSS_AND_TIMEOUT,
    FaultSubclass.DELAYED,
    FaultSubclass.OPEN,
    FaultSubclass.SHORT,
    FaultSubclass.OFFSET,
    FaultSubclass.STUCK_IN_RANGE,
    FaultSubclass.OUT_OF_DATA,
    FaultSubclass.DRIFT_AND_OSCILLATION,
)

POSSIBLE: dict[FaultTarget, tuple[FaultSubclass, ...]] = {
    FaultTarget.CONTROL: _SIGNAL,
    FaultTarget.TIRE: (FaultSubclass.PUNCTURE, FaultSubclass.TRANSFORM),
    FaultTarget.SENSOR: (*_SIGNAL, FaultSubclass.TRANSFORM),
}
"""Which faults each target can have. A sensor that is transformed is displaced on its mount."""
