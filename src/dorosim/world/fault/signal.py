"""What faults do to the values of a signal: pure functions of values, parameters and time."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dorosim.ground.column import FloatArray
from dorosim.world.fault.code import FaultSubclass
from dorosim.world.fault.table import FaultTable

TWO_PI = 2.0 * np.pi


def drift_of(rate: ArrayLike, amplitude: ArrayLike, period: ArrayLike, elapsed: ArrayLike) -> FloatArray:
    """A drift with an oscillation on it, over the signal's span; all arguments of one shape.

    Args:
        rate: of the drift [1/s].
        amplitude: of the oscillation [ratio].
        period: of the oscillation [s].
        elapsed: since the fault began [s].
    """
    turns = np.asarray(elapsed, np.float64) / np.maximum(period, 1e-9)
    drift: FloatArray = np.multiply(rate, elapsed) + np.multiply(amplitude, np.sin(TWO_PI * turns))
    return drift


def distort(
    faults: FaultTable,
    row: int,
    values: FloatArray,
    low: FloatArray | float,
    high: FloatArray | float,
    time: int,
    span: float | None = None,
) -> FloatArray:
    """Values as a fault of the DATA class makes them; those of other faults pass.

    | subclass | values |
    |---|---|
    | OPEN | 0, or the end of the range that is nearest to it |
    | SHORT | the upper end of the range |
    | OFFSET | + `magnitude` of the span, within the range |
    | OUT_OF_DATA | above the range by `magnitude` of the span |
    | DRIFT_AND_OSCILLATION | + (`rate` t + `amplitude` sin(2 pi t / `period`)) of the span, within the range |

    Args:
        faults: the table.
        row: the fault's row.
        values: of any shape; they are not changed.
        low: lower end of the range, broadcast to the values.
        high: its upper end.
        time: simulated time [ns].
        span: of which an offset and a drift are shares; None for that of the range.
    """
    subclass = int(faults.subclass[row])
    low, high = np.broadcast_to(low, values.shape), np.broadcast_to(high, values.shape)
    whole = high - low
    part = whole if span is None else np.full(values.shape, span)
    if subclass == FaultSubclass.OPEN:
        return np.clip(np.zeros(values.shape), low, high)
    if subclass == FaultSubclass.SHORT:
        return high.copy()
    if subclass == FaultSubclass.OUT_OF_DATA:
        beyond: FloatArray = high + faults.magnitude[row] * whole
        return beyond
    if subclass == FaultSubclass.OFFSET:
        shifted: FloatArray = np.clip(values + faults.magnitude[row] * part, low, high)
        return shifted
    if subclass == FaultSubclass.DRIFT_AND_OSCILLATION:
        elapsed = (time - int(faults.start[row])) * 1e-9
        drift = drift_of(faults.rate[row], faults.amplitude[row], faults.period[row], elapsed)
        drifted: FloatArray = np.clip(values + drift * part, low, high)
        return drifted
    return values
