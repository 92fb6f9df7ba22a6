"""Faults between a command and its actuator.

Every fault turns what command or controller ask for into g asked + b, with g = 1 or 0, so a vehicle carries 1 - g and b
for each control (`control_loss` and `control_bias` of `VehicleState`), and its dynamics apply them where the actuator
is: a cruising vehicle feels them as one on pedals does. A pedal's range is 0 to 1; the actuator clips to it.

| subclass | accelerator and brake | steering |
|---|---|---|
| LOSS_AND_TIMEOUT | the last value for `delay`, then released | stays where it is |
| DELAYED | as asked `delay` ago | as asked `delay` ago |
| OPEN | released | returns to straight |
| SHORT | fully applied | full lock to the left |
| OFFSET | + `magnitude` | + `magnitude` of full lock, left positive |
| STUCK_IN_RANGE | the last value | stays where it is |
| OUT_OF_DATA | value refused: released at once | value refused: stays where it is |
| DRIFT_AND_OSCILLATION | + `rate` t + `amplitude` sin(2 pi t / `period`) | the same of full lock |

"The last value" is that of the actuator when the fault began. Ground vehicles (robots) have no such actuators, and a
vehicle that is held keeps its wheels whatever the fault.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.fault.code import FaultLocation, FaultSubclass, FaultTarget
from dorosim.world.fault.signal import drift_of
from dorosim.world.fault.table import HISTORY, FaultTable, rows_of
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState


def disturb_controls(
    faults: FaultTable, parameter: VehicleParameter, vehicle: VehicleState, time: int, tick: int
) -> None:
    """Write `control_loss` and `control_bias` of every vehicle; call it before the dynamics of each tick.

    Several faults of a control follow each other in the order of their subclasses.

    Args:
        faults: writable; what they remember is brought up to date.
        parameter: of the vehicles.
        vehicle: the writable table, sorted by id.
        time: at the start of the tick [ns].
        tick: its length, greater than 0 [ns].
    """
    vehicle.control_loss[:] = 0.0
    vehicle.control_bias[:] = 0.0
    rows, car = vehicle_rows(faults, time, FaultTarget.CONTROL, vehicle)
    if not len(rows):
        return
    control = faults.place[rows] - FaultLocation.ACCELERATOR
    applied = np.stack((vehicle.accelerator, vehicle.brake, vehicle.steer))[control, car]
    new = faults.begun[rows] == 0
    faults.held[rows[new]], faults.begun[rows[new]] = applied[new], 1
    late = _delay(faults, rows, vehicle.asked_control[control, car], time, tick)
    span = np.where(control == _STEERING, parameter.max_steer[car], 1.0)
    gain, bias = _effect(faults, rows, control == _STEERING, span, late, time)
    for subclass in np.unique(faults.subclass[rows]):
        # a control has a fault of one subclass at most once, so no place is written twice
        these = faults.subclass[rows] == subclass
        at = (control[these], car[these])
        vehicle.control_bias[at] = vehicle.control_bias[at] * gain[these] + bias[these]
        vehicle.control_loss[at] = 1.0 - (1.0 - vehicle.control_loss[at]) * gain[these]


_STEERING = FaultLocation.STEERING - FaultLocation.ACCELERATOR


_NONE = np.zeros(0, np.int64)


def vehicle_rows(
    faults: FaultTable, time: int, target: FaultTarget, vehicle: VehicleState
) -> tuple[IntArray, IntArray]:
    """Rows of the faults of a target that are active at a time [ns] and whose vehicle is there, and the vehicles'."""
    rows = rows_of(faults, time, target) if faults.rows else _NONE
    if not len(rows):
        return _NONE, _NONE
    car = np.searchsorted(vehicle.id, faults.actor[rows])
    there = car < len(vehicle)
    there[there] = vehicle.id[car[there]] == faults.actor[rows][there]
    return rows[there], car[there]


def _delay(faults: FaultTable, rows: IntArray, asked: FloatArray, time: int, tick: int) -> FloatArray:
    """`(rows,)` what was asked `delay` ago, or the held value; remembers what was asked in the tick before."""
    delay = np.maximum(np.rint(faults.delay[rows] * 1e9).astype(np.int64), tick)
    # samples are whole ticks apart, so that a short delay is exact and a long one fits into the ring
    apart = tick * -(-delay // ((HISTORY - 1) * tick))
    last, wanted = (time - tick - faults.start[rows]) // apart, (time - delay - faults.start[rows]) // apart
    known = (last >= 0) & (faults.subclass[rows] == FaultSubclass.DELAYED)
    faults.history[last[known] % HISTORY, rows[known]] = asked[known]
    return np.where(wanted >= 0, faults.history[wanted % HISTORY, rows], faults.held[rows])


def _effect(
    faults: FaultTable, rows: IntArray, steering: NDArray[np.bool_], span: FloatArray, late: FloatArray, time: int
) -> tuple[FloatArray, FloatArray]:
    """`(rows,)` gain and bias of each fault."""
    subclass, held = faults.subclass[rows], faults.held[rows]
    elapsed = (time - faults.start[rows]) * 1e-9
    drift = drift_of(faults.rate[rows], faults.amplitude[rows], faults.period[rows], elapsed)
    safe = np.where(steering, held, 0.0)
    choices = {
        FaultSubclass.LOSS_AND_TIMEOUT: np.where(elapsed < faults.delay[rows], held, safe),
        FaultSubclass.DELAYED: late,
        FaultSubclass.OPEN: np.zeros(len(rows)),
        FaultSubclass.SHORT: span,
        FaultSubclass.OFFSET: faults.magnitude[rows] * span,
        FaultSubclass.STUCK_IN_RANGE: held,
        FaultSubclass.OUT_OF_DATA: safe,
        FaultSubclass.DRIFT_AND_OSCILLATION: drift * span,
    }
    bias = np.select([subclass == code for code in choices], list(choices.values()), 0.0)
    gain = np.isin(subclass, (FaultSubclass.OFFSET, FaultSubclass.DRIFT_AND_OSCILLATION)).astype(np.float64)
    return gain, bias
