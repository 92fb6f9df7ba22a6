"""The active faults of a run, with their parameters and what they remember."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from dorosim.ground.column import Columns, IntArray, float64, float64_vector, int64
from dorosim.ground.unit import METRE, NANOSECOND, NONE, RADIAN, RATIO, SECOND, Unit
from dorosim.world.fault.code import FaultSubclass, FaultTarget

PER_SECOND = Unit("1/s", "1/s")
HISTORY = 64
"""Samples that a delayed control remembers: at 10 ms a tick, delays of up to 0.63 s are exact."""
FOREVER = 1 << 62
"""End of a fault that lasts until it is cleared [ns]."""


class FaultTable(Columns):
    """One row per fault, sorted by actor, target, place and subclass; a place has a fault of each subclass once.

    A *span* is the range of the signal: 1 for a pedal, the largest wheel angle for the steering, high minus low for
    a sensor.
    """

    magnitude = float64(RATIO, "OFFSET, OUT_OF_DATA: by how much, over the span")
    rate = float64(PER_SECOND, "DRIFT_AND_OSCILLATION: drift over the span")
    amplitude = float64(RATIO, "DRIFT_AND_OSCILLATION: of the oscillation, over the span")
    period = float64(SECOND, "DRIFT_AND_OSCILLATION: of the oscillation")
    delay = float64(SECOND, "DELAYED: how late; LOSS_AND_TIMEOUT of a control: until the receiver gives up")
    onset = float64(SECOND, "PUNCTURE, TRANSFORM of a tyre: until the damage is complete")
    friction_loss = float64(RATIO, "tyre: share of the grip that it lacks then")
    stiffness_loss = float64(RATIO, "tyre: share of the cornering stiffness that it lacks then")
    drag = float64(RATIO, "tyre: rolling resistance over load that it adds then")
    position_offset = float64_vector(3, METRE, "sensor: displacement in the sensor's own frame x y z")
    rotation_offset = float64_vector(3, RADIAN, "sensor: roll, pitch, yaw of the displaced frame in the sensor's own")
    held = float64(NONE, "control: what the actuator had when the fault began; angle in rad")
    history = float64_vector(HISTORY, NONE, "DELAYED control: what was asked for, a ring over time")
    actor = int64("actor id")
    target = int64("FaultTarget")
    place = int64("control: FaultLocation; tyre: 0 to 3 FL FR RL RR; sensor: its id")
    subclass = int64("FaultSubclass")
    start = int64("since when [ns]", NANOSECOND)
    end = int64("until when [ns]", NANOSECOND)
    begun = int64("1 once `held` is known")
    key = ("actor", "target", "place", "subclass")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultModel:
    """Parameters of a fault, named and in the units of `FaultTable`."""

    magnitude: float = 0.0
    rate: float = 0.0
    amplitude: float = 0.0
    period: float = 1.0
    delay: float = 0.0
    onset: float = 0.0
    friction_loss: float = 0.0
    stiffness_loss: float = 0.0
    drag: float = 0.0


_PLAIN = FaultModel()
_DEFAULTS: dict[tuple[FaultTarget, FaultSubclass], FaultModel] = {
    (FaultTarget.CONTROL, FaultSubclass.LOSS_AND_TIMEOUT): FaultModel(delay=0.5),
    (FaultTarget.CONTROL, FaultSubclass.DELAYED): FaultModel(delay=0.3),
    (FaultTarget.CONTROL, FaultSubclass.OFFSET): FaultModel(magnitude=0.1),
    (FaultTarget.CONTROL, FaultSubclass.DRIFT_AND_OSCILLATION): FaultModel(rate=0.01, amplitude=0.05, period=2.0),
    (FaultTarget.TIRE, FaultSubclass.PUNCTURE): FaultModel(onset=0.1, friction_loss=0.3, stiffness_loss=0.7, drag=0.15),
    (FaultTarget.TIRE, FaultSubclass.TRANSFORM): FaultModel(
        onset=0.0, friction_loss=0.1, stiffness_loss=0.3, drag=0.02
    ),
    (FaultTarget.SENSOR, FaultSubclass.DELAYED): FaultModel(delay=0.5),
    (FaultTarget.SENSOR, FaultSubclass.OFFSET): FaultModel(magnitude=0.05),
    (FaultTarget.SENSOR, FaultSubclass.OUT_OF_DATA): FaultModel(magnitude=0.1),
    (FaultTarget.SENSOR, FaultSubclass.DRIFT_AND_OSCILLATION): FaultModel(rate=0.005, amplitude=0.02, period=2.0),
}
"""Estimates, since the documents give the codes only.

A tyre that bursts loses its pressure within about 0.1 s; then its rolling resistance is many times that of a sound one
(0.01), and its cornering stiffness a fraction (literature on tyre blow-out agrees on the direction and the order; the
numbers here are ours). A transformed tyre is one with a flat spot or a bulge.
"""


def default_model(target: FaultTarget, subclass: FaultSubclass) -> FaultModel:
    """The parameters of a fault for which a client gives none."""
    return _DEFAULTS.get((target, subclass), _PLAIN)


def rows_of(faults: FaultTable, time: int, target: FaultTarget) -> IntArray:
    """`(N,)` rows of the faults of a target that are active at a time [ns]."""
    return np.flatnonzero((faults.target == target) & (faults.start <= time) & (time < faults.end))


def without_ended(faults: FaultTable, time: int) -> FaultTable:
    """The faults that have not ended at a time [ns]; the table itself if none has."""
    if not faults.rows or int(faults.end.min()) > time:
        return faults
    return faults.take(faults.end > time)


def without_actors(faults: FaultTable, actors: frozenset[int]) -> FaultTable:
    """The faults without those of actors that left the world; writable."""
    return faults.take(~np.isin(faults.actor, list(actors)))


def with_sensors(faults: FaultTable, sensors: Collection[int]) -> FaultTable:
    """The faults of controls, tyres and some sensors, without those of sensors that were removed; writable."""
    gone = (faults.target == FaultTarget.SENSOR) & ~np.isin(faults.place, list(sensors))
    return faults.take(~gone)
