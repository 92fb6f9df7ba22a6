"""What can be asked about sensors. Values are in SI, angles in rad, times in ns."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from dorosim.world.command.actor import ActorCommand, Vector, WorldCommand
from dorosim.world.mount.setting import (
    AnySettings,
    SensorKind,
    problem_of_settings,
    text_from_settings,
)
from dorosim.world.mount.state import Mounts, MountTable

NEW_SENSOR = 0
"""`sensor` of a command that leaves the number to the world."""
LAST_SENSOR = 32767
"""The greatest number: it is an int16 on the wire (UDP page, Sensor Control)."""
MOST_SENSORS = 1000
FARTHEST = 100.0
"""No sensor is mounted farther from the body origin than this [m]."""
SHORTEST_PERIOD, LONGEST_PERIOD = 100_000, 3_600_000_000_000
"""Bounds of the time from one reading to the next [ns]."""
SHORTEST_TURN, LONGEST_TURN = 50_000_000, 200_000_000
"""Bounds of the time of a turn of a spinning lidar [ns]: 20 and 5 Hz."""
LONGEST_PHASE = 1 << 60
NANOSECONDS = 1_000_000_000


class AddSensor(ActorCommand, frozen=True, tag=True, kw_only=True):
    """Mounts a sensor on a vehicle of any kind.

    Attributes:
        sensor: number of the sensor; `NEW_SENSOR`: the next one. One that another sensor has is refused.
        settings: of its kind.
        position: in the body frame [m]. rotation: roll, pitch, yaw from the body frame [rad].
        period: from one reading to the next [ns]; None: as usual for its kind (`RATE_HZ` of its settings).
        phase: time of one reading, from which the others are counted [ns].
        enabled: whether it reads.
    """

    settings: AnySettings
    sensor: int = NEW_SENSOR
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Vector = (0.0, 0.0, 0.0)
    period: int | None = None
    phase: int = 0
    enabled: bool = True


class RemoveSensor(WorldCommand, frozen=True, tag=True):
    """Takes a sensor off its vehicle."""

    sensor: int


class RemoveAllSensors(WorldCommand, frozen=True, tag=True):
    """Takes all sensors off a vehicle, or off all vehicles.

    Attributes:
        of: id of the vehicle, 0 for all.
    """

    of: int = 0


class MoveSensor(WorldCommand, frozen=True, tag=True):
    """Mounts a sensor elsewhere on its vehicle (UDP page, Sensor Control); None leaves a part.

    Attributes:
        sensor: its number.
        position: in the body frame [m]. rotation: roll, pitch, yaw from the body frame [rad].
    """

    sensor: int
    position: Vector | None = None
    rotation: Vector | None = None


class SetSensor(WorldCommand, frozen=True, tag=True):
    """Changes how a sensor reads; None leaves a part. Its kind stays.

    Attributes: as of `AddSensor`, and
        captured: whether all that it reads is saved as files (Standard API, SetSensorCaptureMode).
    """

    sensor: int
    settings: AnySettings | None = None
    period: int | None = None
    phase: int | None = None
    enabled: bool | None = None
    captured: bool | None = None


MountCommand = AddSensor | RemoveSensor | RemoveAllSensors | MoveSensor | SetSensor
"""Every command about sensors."""


def default_period(settings: AnySettings) -> int:
    """The usual period of a kind of sensor [ns]."""
    return round(NANOSECONDS / settings.RATE_HZ)


def mounts_after(mounts: Mounts, commands: Iterable[object], time: int) -> Mounts:
    """The sensors after commands, of which those that are not about sensors and those that are refused do nothing.

    Args:
        mounts: as they are; they are not changed.
        commands: in order.
        time: simulated time [ns].
    """
    for command in commands:
        if isinstance(command, MountCommand):
            mounts, _ = change_mounts(mounts, command, time)
    return mounts


def change_mounts(mounts: Mounts, command: MountCommand, time: int) -> tuple[Mounts, str]:
    """The sensors after a command, and why it is refused, or an empty string.

    The caller checks whether the vehicle of an `AddSensor` exists.

    Args:
        mounts: as they are; they are not changed.
        command: what is asked.
        time: simulated time [ns].
    """
    if isinstance(command, AddSensor):
        return _added(mounts, command, time)
    if isinstance(command, RemoveAllSensors):
        return (mounts.without_actors([command.of]) if command.of else Mounts.empty()), ""
    row = mounts.row_of(command.sensor)
    if row < 0:
        return mounts, f"no sensor {command.sensor}{_there(mounts)}"
    if isinstance(command, RemoveSensor):
        return mounts.without([command.sensor]), ""
    if isinstance(command, MoveSensor):
        return _moved(mounts, row, command)
    return _set(mounts, row, command)


def _added(mounts: Mounts, command: AddSensor, time: int) -> tuple[Mounts, str]:
    number = command.sensor or mounts.next_number()
    period = default_period(command.settings) if command.period is None else command.period
    problem = (
        _problem_of_number(mounts, number)
        or _problem_of_pose(command.position, command.rotation)
        or _problem_of_times(period, command.phase, command.settings.KIND)
        or problem_of_settings(command.settings)
    )
    if problem:
        return mounts, problem
    row = MountTable.zeros(1)
    row.floats[:6, 0] = (*command.position, *command.rotation)
    row.actor[0], row.id[0], row.kind[0] = command.actor, number, command.settings.KIND
    row.period[0], row.phase[0], row.enabled[0], row.since[0] = period, command.phase, command.enabled, time
    return mounts.with_mount(row, text_from_settings(command.settings)), ""


def _moved(mounts: Mounts, row: int, command: MoveSensor) -> tuple[Mounts, str]:
    problem = _problem_of_pose(command.position or _ZERO, command.rotation or _ZERO)
    if problem:
        return mounts, problem
    table = mounts.table.copy()
    if command.position is not None:
        table.floats[:3, row] = command.position
    if command.rotation is not None:
        table.floats[3:6, row] = command.rotation
    return mounts.with_table(table), ""


def _set(mounts: Mounts, row: int, command: SetSensor) -> tuple[Mounts, str]:
    here = mounts.table
    period = int(here.period[row]) if command.period is None else command.period
    phase = int(here.phase[row]) if command.phase is None else command.phase
    problem = _problem_of_times(period, phase, int(here.kind[row]))
    settings = command.settings
    if settings is not None and not problem:
        if here.kind[row] != settings.KIND:
            problem = f"sensor {command.sensor} is of kind {here.kind[row]} and stays so, not {settings.KIND}"
        problem = problem or problem_of_settings(settings)
    if problem:
        return mounts, problem
    table = here.copy()
    table.period[row], table.phase[row] = period, phase
    if command.enabled is not None:
        table.enabled[row] = command.enabled
    if command.captured is not None:
        table.captured[row] = command.captured
    if settings is None:
        return mounts.with_table(table), ""
    return mounts.with_mount(table.take(here.id == command.sensor), text_from_settings(settings)), ""


def _there(mounts: Mounts) -> str:
    few = ", ".join(map(str, mounts.table.id[:8].tolist()))
    more = ", ..." if len(mounts) > 8 else ""
    return f"; there are {few}{more}" if few else "; there is none at all"


def _problem_of_number(mounts: Mounts, number: int) -> str:
    if len(mounts) >= MOST_SENSORS:
        return f"there are {MOST_SENSORS} sensors already"
    if not 1 <= number <= LAST_SENSOR:
        return f"a sensor's number is 1 to {LAST_SENSOR}, not {number}"
    return f"there is a sensor {number} already" if mounts.row_of(number) >= 0 else ""


def _problem_of_pose(position: Collection[float], rotation: Collection[float]) -> str:
    if not all(math.isfinite(part) for part in (*position, *rotation)):
        return "a part of the pose is not finite"
    if max(abs(part) for part in position) > FARTHEST:
        return f"the mount is farther than {FARTHEST:g} m from the body origin"
    return ""


def _problem_of_times(period: int, phase: int, kind: int) -> str:
    if kind == SensorKind.LIDAR_3D and not SHORTEST_TURN <= period <= LONGEST_TURN:
        return f"a spinning lidar turns 5 to 20 times a second, not once in {period * 1e-9:g} s"
    if not SHORTEST_PERIOD <= period <= LONGEST_PERIOD:
        return (
            f"a period of {period * 1e-9:g} s is not within {SHORTEST_PERIOD * 1e-9:g} to {LONGEST_PERIOD * 1e-9:g} s"
        )
    return "" if abs(phase) <= LONGEST_PHASE else f"a phase of {phase} ns is too large"


_ZERO = (0.0, 0.0, 0.0)
