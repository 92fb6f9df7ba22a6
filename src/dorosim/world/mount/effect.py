"""What commands about sensors do."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.fault.table import with_sensors
from dorosim.world.mount.command import (
    LAST_SENSOR,
    MAX_LIDAR_TURN,
    MAX_MOUNT_DISTANCE,
    MAX_SENSOR_PERIOD,
    MAX_SENSOR_PHASE,
    MAX_SENSORS,
    MIN_LIDAR_TURN,
    MIN_SENSOR_PERIOD,
    NANOSECONDS,
    AddSensor,
    MountCommand,
    MoveSensor,
    RemoveAllSensors,
    RemoveSensor,
    SetSensor,
)
from dorosim.world.mount.setting import (
    AnySettings,
    SensorKind,
    problem_of_settings,
    text_from_settings,
)
from dorosim.world.mount.state import Mounts, MountTable
from dorosim.world.scene import Scene


def change_sensors(_: Scene, draft: Draft, command: MountCommand) -> None:
    if isinstance(command, AddSensor) and not draft.has_vehicle(command.actor):
        raise CommandError(f"no vehicle {command.actor}")
    before = draft.mounts
    draft.mounts = _changed(before, command, draft.time)
    if isinstance(command, AddSensor):
        draft.made = command.sensor or before.next_number()
    if len(draft.fault) and len(draft.mounts) < len(before):
        # the next sensor may get the number of one that is gone, and is sound
        draft.fault = with_sensors(draft.fault, draft.mounts.table.id.tolist())


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
    try:
        return _changed(mounts, command, time), ""
    except CommandError as error:
        return mounts, str(error)


def _changed(mounts: Mounts, command: MountCommand, time: int) -> Mounts:
    if isinstance(command, AddSensor):
        return _added(mounts, command, time)
    if isinstance(command, RemoveAllSensors):
        return mounts.without_actors([command.of]) if command.of else Mounts.empty()
    row = mounts.row_of(command.sensor)
    if row < 0:
        raise CommandError(f"no sensor {command.sensor}{_sensors_there(mounts)}")
    if isinstance(command, RemoveSensor):
        return mounts.without([command.sensor])
    if isinstance(command, MoveSensor):
        return _moved(mounts, row, command)
    return _set(mounts, row, command)


def _added(mounts: Mounts, command: AddSensor, time: int) -> Mounts:
    number = command.sensor or mounts.next_number()
    period = default_period(command.settings) if command.period is None else command.period
    _check_number(mounts, number)
    _check_pose(command.position, command.rotation)
    _check_times(period, command.phase, command.settings.KIND)
    _check_settings(command.settings)
    row = MountTable.zeros(1)
    row.floats[:6, 0] = (*command.position, *command.rotation)
    row.actor[0], row.id[0], row.kind[0] = command.actor, number, command.settings.KIND
    row.period[0], row.phase[0], row.enabled[0], row.since[0] = period, command.phase, command.enabled, time
    return mounts.with_mount(row, text_from_settings(command.settings))


def _moved(mounts: Mounts, row: int, command: MoveSensor) -> Mounts:
    _check_pose(command.position or _ZERO, command.rotation or _ZERO)
    table = mounts.table.copy()
    if command.position is not None:
        table.floats[:3, row] = command.position
    if command.rotation is not None:
        table.floats[3:6, row] = command.rotation
    return mounts.with_table(table)


def _set(mounts: Mounts, row: int, command: SetSensor) -> Mounts:
    here = mounts.table
    period = int(here.period[row]) if command.period is None else command.period
    phase = int(here.phase[row]) if command.phase is None else command.phase
    _check_times(period, phase, int(here.kind[row]))
    settings = command.settings
    if settings is not None:
        if here.kind[row] != settings.KIND:
            kinds = f"kind {here.kind[row]} and stays so, not {settings.KIND}"
            raise CommandError(f"sensor {command.sensor} is of {kinds}")
        _check_settings(settings)
    table = here.copy()
    table.period[row], table.phase[row] = period, phase
    if command.enabled is not None:
        table.enabled[row] = command.enabled
    if command.captured is not None:
        table.captured[row] = command.captured
    if settings is None:
        return mounts.with_table(table)
    return mounts.with_mount(table.take(here.id == command.sensor), text_from_settings(settings))


def _sensors_there(mounts: Mounts) -> str:
    few = ", ".join(map(str, mounts.table.id[:8].tolist()))
    more = ", ..." if len(mounts) > 8 else ""
    return f"; there are {few}{more}" if few else "; there is none at all"


def _check_number(mounts: Mounts, number: int) -> None:
    if len(mounts) >= MAX_SENSORS:
        raise CommandError(f"there are {MAX_SENSORS} sensors already")
    if not 1 <= number <= LAST_SENSOR:
        raise CommandError(f"a sensor's number is 1 to {LAST_SENSOR}, not {number}")
    if mounts.row_of(number) >= 0:
        raise CommandError(f"there is a sensor {number} already")


def _check_settings(settings: AnySettings) -> None:
    problem = problem_of_settings(settings)
    if problem:
        raise CommandError(problem)


def _check_pose(position: Collection[float], rotation: Collection[float]) -> None:
    if not all(math.isfinite(part) for part in (*position, *rotation)):
        raise CommandError("a part of the pose is not finite")
    if max(abs(part) for part in position) > MAX_MOUNT_DISTANCE:
        raise CommandError(f"the mount is farther than {MAX_MOUNT_DISTANCE:g} m from the body origin")


def _check_times(period: int, phase: int, kind: int) -> None:
    if kind == SensorKind.LIDAR_3D and not MIN_LIDAR_TURN <= period <= MAX_LIDAR_TURN:
        raise CommandError(f"a spinning lidar turns 5 to 20 times a second, not once in {period * 1e-9:g} s")
    if not MIN_SENSOR_PERIOD <= period <= MAX_SENSOR_PERIOD:
        low, high = MIN_SENSOR_PERIOD * 1e-9, MAX_SENSOR_PERIOD * 1e-9
        raise CommandError(f"a period of {period * 1e-9:g} s is not within {low:g} to {high:g} s")
    if abs(phase) > MAX_SENSOR_PHASE:
        raise CommandError(f"a phase of {phase} ns is too large")


_ZERO = (0.0, 0.0, 0.0)
