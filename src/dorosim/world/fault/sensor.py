"""Faults of sensors: which moment a reading shows, what its values become, and where the sensor hangs.

A sensor is a function of a snapshot, so the faults of timing need no memory of their own: a delayed sensor shows the
reading of `delay` ago, a stuck one that of the moment when the fault began, a lost one none. The rig keeps the readings
(or the poses from which to make them again) back to `oldest_needed`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.fault.code import FaultSubclass, FaultTarget
from dorosim.world.fault.signal import distort
from dorosim.world.fault.table import FaultTable, rows_of


def sensor_rows(faults: FaultTable, actor: int, sensor: int, time: int) -> IntArray:
    """`(N,)` rows of a sensor's faults that are active at a time [ns], in the order of their subclasses."""
    rows = rows_of(faults, time, FaultTarget.SENSOR)
    mine: IntArray = rows[(faults.actor[rows] == actor) & (faults.place[rows] == sensor)]
    return mine


def shown_moment(faults: FaultTable, actor: int, sensor: int, time: int) -> int | None:
    """The moment [ns] whose reading a sensor delivers at a time [ns]; None if it delivers nothing.

    It may lie before the start of the run: then there is no reading yet.
    """
    moment = time
    for row in sensor_rows(faults, actor, sensor, time).tolist():
        subclass = int(faults.subclass[row])
        if subclass == FaultSubclass.LOSS_AND_TIMEOUT:
            return None
        if subclass == FaultSubclass.DELAYED:
            moment -= round(float(faults.delay[row]) * 1e9)
        elif subclass == FaultSubclass.STUCK_IN_RANGE:
            moment = min(moment, int(faults.start[row]))
    return moment


def oldest_needed(faults: FaultTable, actor: int, sensor: int, time: int) -> int:
    """The oldest moment [ns] whose reading a sensor's faults may still show."""
    moment = shown_moment(faults, actor, sensor, time)
    return time if moment is None else moment


def apply(
    faults: FaultTable,
    actor: int,
    sensor: int,
    low: FloatArray | float,
    high: FloatArray | float,
    time: int,
    history: Callable[[int], FloatArray | None],
) -> FloatArray | None:
    """The values that a sensor delivers at a time.

    Args:
        faults: the table.
        actor: the vehicle.
        sensor: id of the sensor.
        low: lower end of the range of the values, broadcast to them.
        high: its upper end.
        time: simulated time [ns].
        history: the sound values of a moment [ns], or None if there are none; called once.

    Returns:
        the values, None if the sensor delivers nothing; without a fault they are those of `history` themselves.
    """
    moment = shown_moment(faults, actor, sensor, time)
    values = None if moment is None else history(moment)
    if values is None:
        return None
    for row in sensor_rows(faults, actor, sensor, time).tolist():
        values = distort(faults, row, values, low, high, time)
    return values


def displace_mount(
    faults: FaultTable, actor: int, sensor: int, time: int, position: FloatArray, rotation: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Where a sensor hangs with its faults, which displace it one after the other in its own frame.

    Args:
        faults: the table.
        actor: the vehicle.
        sensor: id of the sensor.
        time: simulated time [ns].
        position: `(3,)` of the sound sensor, in the body frame [m].
        rotation: `(3, 3)` body_from_sensor of the sound sensor.

    Returns:
        position and rotation of the displaced one.
    """
    for row in sensor_rows(faults, actor, sensor, time).tolist():
        position = position + rotation @ faults.position_offset[:, row]
        rotation = rotation @ _rotation_from_angles(faults.rotation_offset[:, row])
    return position, rotation


def _rotation_from_angles(angles: FloatArray) -> FloatArray:
    """Rotation by yaw, then pitch, then roll about the turned axes (REP-103)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
