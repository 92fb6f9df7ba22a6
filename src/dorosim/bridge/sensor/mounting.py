"""Sensors as clients speak of them: by the text of a number, on a vehicle that is named or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dorosim.bridge.actor import VEHICLES, Names, kind_of
from dorosim.ground.error import InputError
from dorosim.world.command import Vector
from dorosim.world.mount.command import LAST_SENSOR, AddSensor, SetSensor
from dorosim.world.mount.setting import SETTINGS, GroundTruthSettings, SensorKind
from dorosim.world.mount.state import Mount
from dorosim.world.snapshot import NO_ACTOR, Snapshot

_KINDS = {kind.value: kind for kind in SensorKind}


def vehicle_named(now: Snapshot, names: Names, text: str, source: str = "") -> int:
    """The id of a vehicle of any kind, by the text that a client knows it by; `source` begins the text of an error.

    Raises:
        InputError: there is no such vehicle.
    """
    actor = names.actor_of(text)
    if actor == NO_ACTOR or kind_of(now, actor) not in VEHICLES:
        raise InputError(source, "", f"there is no vehicle {text!r}" if text else "no vehicle is named")
    return actor


def sensor_named(now: Snapshot, names: Names, vehicle: str, sensor: str, kind: int = 0, source: str = "") -> Mount:
    """A sensor by the text of its number, on the vehicle that it is said to be on.

    Args:
        now: the last snapshot.
        names: by which clients know vehicles.
        vehicle: "" for whichever it is on: numbers are unique in a run.
        sensor: its number in decimal.
        kind: `SensorKind` that it is said to be of, 0 for any.
        source: begins the text of an error.

    Raises:
        InputError: there is no such sensor.
    """
    actor = vehicle_named(now, names, vehicle, source) if vehicle else NO_ACTOR
    number = int(sensor) if sensor.isascii() and sensor.isdecimal() and len(sensor) < 7 else 0
    row, table = now.mounts.row_of(number) if 0 < number <= LAST_SENSOR else -1, now.mounts.table
    if row < 0:
        problem = f"there is no sensor {sensor!r}" if sensor else "no sensor is named"
    elif actor not in (NO_ACTOR, int(table.actor[row])):
        problem = f"sensor {number} is not on {vehicle!r} but on {names.text_of(int(table.actor[row]))!r}"
    elif kind and kind != table.kind[row]:
        problem = f"sensor {number} is of the kind {_kind(int(table.kind[row]))}, not {_kind(kind)}"
    else:
        return now.mounts.mount(row)
    raise InputError(source, "", problem)


def sensors_on(now: Snapshot, actor: int) -> Iterator[tuple[int, SensorKind]]:
    """Number and kind of every sensor on a vehicle, in ascending order."""
    table = now.mounts.table
    for number, kind in zip(table.id[table.actor == actor], table.kind[table.actor == actor], strict=True):
        yield int(number), SensorKind(int(kind))


def sensor_to_add(
    now: Snapshot, names: Names, vehicle: str, kind: int, position: Vector, rotation: Vector
) -> AddSensor:
    """The command that mounts a sensor with the usual settings of its kind.

    Args:
        now: the last snapshot.
        names: by which clients know vehicles.
        vehicle: on which.
        kind: `SensorKind`.
        position: in the body frame [m].
        rotation: roll, pitch, yaw from the body frame [rad].

    Raises:
        InputError: there is no such vehicle or kind.
    """
    actor = vehicle_named(now, names, vehicle)
    if kind not in _KINDS:
        kinds = ", ".join(f"{code} {_kind(code)}" for code in _KINDS)
        raise InputError("", "", f"{kind} is not a valid kind of sensor: it must be one of {kinds}")
    return AddSensor(actor, settings=SETTINGS[_KINDS[kind]](), position=position, rotation=rotation)


def truth_to_set(sensor: Mount, changes: dict[str, Any]) -> SetSensor:
    """Returns the command that changes the settings of a ground truth sensor.

    Args:
        sensor: as it is.
        changes: fields of `GroundTruthSettings`.

    Raises:
        InputError: it is a sensor of another kind.
    """
    if not isinstance(sensor.settings, GroundTruthSettings):
        problem = f"sensor {sensor.id} is of the kind {_kind(sensor.kind)}; only ground truth can be set"
        raise InputError("", "", problem)
    return SetSensor(sensor.id, settings=msgspec.structs.replace(sensor.settings, **changes))


def _kind(code: int) -> str:
    return _KINDS[code].name.lower().replace("_", " ") if code in _KINDS else str(code)
