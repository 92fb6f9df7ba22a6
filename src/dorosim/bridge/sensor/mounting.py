"""Sensors as clients speak of them: by the text of a number, on a vehicle that is named or not."""

from __future__ import annotations

from collections.abc import Iterator

from dorosim.bridge.actor import VEHICLES, Names, kind_of
from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.sensor.truth import TruthWish, truth_settings
from dorosim.world.command import Vector
from dorosim.world.mount.command import LAST_SENSOR, AddSensor, RemoveSensor, SetSensor
from dorosim.world.mount.setting import SETTINGS, GroundTruthSettings, SensorKind
from dorosim.world.mount.state import Mount
from dorosim.world.snapshot import NO_ACTOR, Snapshot

_KINDS = {kind.value: kind for kind in SensorKind}


def vehicle_named(now: Snapshot, names: Names, text: str) -> int | Refusal:
    """The id of a vehicle of any kind, by the text that a client knows it by."""
    actor = names.actor_of(text)
    if actor == NO_ACTOR or kind_of(now, actor) not in VEHICLES:
        return _refused(f"there is no vehicle {text!r}" if text else "no vehicle is named")
    return actor


def sensor_named(now: Snapshot, names: Names, vehicle: str, sensor: str, kind: int = 0) -> Mount | Refusal:
    """A sensor by the text of its number, on the vehicle that it is said to be on.

    Args:
        now: the last snapshot.
        names: by which clients know vehicles.
        vehicle: "" for whichever it is on: numbers are unique in a run.
        sensor: its number in decimal.
        kind: `SensorKind` that it is said to be of, 0 for any.
    """
    actor = vehicle_named(now, names, vehicle) if vehicle else NO_ACTOR
    if isinstance(actor, Refusal):
        return actor
    number = int(sensor) if sensor.isascii() and sensor.isdecimal() and len(sensor) < 7 else 0
    row = now.mounts.row_of(number) if 0 < number <= LAST_SENSOR else -1
    if row < 0:
        return _refused(f"there is no sensor {sensor!r}" if sensor else "no sensor is named")
    table = now.mounts.table
    if actor not in (NO_ACTOR, int(table.actor[row])):
        return _refused(f"sensor {number} is not on {vehicle!r} but on {names.text_of(int(table.actor[row]))!r}")
    if kind and kind != table.kind[row]:
        return _refused(f"sensor {number} is of the kind {_kind(int(table.kind[row]))}, not {_kind(kind)}")
    return now.mounts.mount(row)


def sensors_on(now: Snapshot, actor: int) -> Iterator[tuple[int, SensorKind]]:
    """Number and kind of every sensor on a vehicle, in ascending order."""
    table = now.mounts.table
    for number, kind in zip(table.id[table.actor == actor], table.kind[table.actor == actor], strict=True):
        yield int(number), SensorKind(int(kind))


def sensor_to_add(
    now: Snapshot, names: Names, vehicle: str, kind: int, position: Vector, rotation: Vector
) -> AddSensor | Refusal:
    """The command that mounts a sensor with the usual settings of its kind.

    Args:
        now: the last snapshot.
        names: by which clients know vehicles.
        vehicle: on which.
        kind: `SensorKind`; another number is refused.
        position: in the body frame [m].
        rotation: roll, pitch, yaw from the body frame [rad].
    """
    actor = vehicle_named(now, names, vehicle)
    if isinstance(actor, Refusal):
        return actor
    if kind not in _KINDS:
        kinds = ", ".join(f"{code} {_kind(code)}" for code in _KINDS)
        return _refused(f"{kind} is no kind of a sensor; there are {kinds}")
    return AddSensor(actor, settings=SETTINGS[_KINDS[kind]](), position=position, rotation=rotation)


def sensor_to_remove(now: Snapshot, names: Names, vehicle: str, sensor: str, kind: int = 0) -> Answer:
    """The command that takes a sensor off; arguments as of `sensor_named`."""
    found = sensor_named(now, names, vehicle, sensor, kind)
    return found if isinstance(found, Refusal) else RemoveSensor(found.id)


def truth_to_set(sensor: Mount | Refusal, wish: TruthWish | Refusal) -> SetSensor | Refusal:
    """Returns the command that changes the settings of a ground truth sensor."""
    if isinstance(sensor, Refusal):
        return sensor
    if isinstance(wish, Refusal):
        return wish
    if not isinstance(sensor.settings, GroundTruthSettings):
        return _refused(f"sensor {sensor.id} is of the kind {_kind(sensor.kind)}; only ground truth can be set")
    return SetSensor(sensor.id, settings=truth_settings(sensor.settings, wish))


def _kind(code: int) -> str:
    return _KINDS[code].name.lower().replace("_", " ") if code in _KINDS else str(code)


def _refused(reason: str) -> Refusal:
    return Refusal(reason)
