"""Faults of sensors: which moment a reading shows, and where the sensor hangs.

A sensor is a function of a snapshot, so the faults of timing need no memory of their own: a delayed sensor shows the
reading of `delay` ago, a stuck one that of the moment when the fault began, a lost one none. The rig keeps the readings
(or the poses from which to make them again) back to `oldest_needed`.
"""

from __future__ import annotations

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.rotation import rotation_from_angles
from dorosim.world.fault.code import FaultSubclass, FaultTarget
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
        rotation = rotation @ rotation_from_angles(*faults.rotation_offset[:, row].tolist())
    return position, rotation
