"""What the page's panel of faults shows and asks for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.actor import names_of
from dorosim.bridge.fault import FaultCode, control_fault, sensor_fault, tire_fault, vehicle_with_controls
from dorosim.ground.error import InputError
from dorosim.world.fault.code import POSSIBLE, FaultLocation, FaultSubclass, FaultTarget
from dorosim.world.fault.command import SetFault
from dorosim.world.fault.table import FOREVER
from dorosim.world.mount.setting import SensorKind
from dorosim.world.snapshot import Snapshot

TIRES = ("FL", "FR", "RL", "RR")
"""Tyres in the order of the documents."""
CLEAR = FaultCode(0, 0)
_NOTHING = (0.0, 0.0, 0.0)


class FaultPlace(NamedTuple):
    """Where a fault can be.

    Attributes:
        target: what fails. place: FaultLocation, number of the tyre or of the sensor. text: for lists.
    """

    target: FaultTarget
    place: int
    text: str


def places_of(now: Snapshot, actor: int) -> tuple[FaultPlace, ...]:
    """Where an actor can have faults: controls and tyres of ego vehicles, and sensors."""
    found = []
    if now.row_of(actor) >= 0:
        found += [FaultPlace(FaultTarget.CONTROL, one, one.name.lower()) for one in FaultLocation]
        found += [FaultPlace(FaultTarget.TIRE, row, f"tyre {name}") for row, name in enumerate(TIRES)]
    table = now.mounts.table
    mine = table.actor == actor
    for number, kind in zip(table.id[mine].tolist(), table.kind[mine].tolist(), strict=True):
        found.append(FaultPlace(FaultTarget.SENSOR, number, _sensor_text(number, kind)))
    return tuple(found)


def kinds_at(place: FaultPlace) -> tuple[str, ...]:
    """Which faults a place can have, in words."""
    return tuple(_words(kind) for kind in POSSIBLE[place.target])


def inject(now: Snapshot, actor: int, place: FaultPlace, kind: Any) -> SetFault:
    """The command that brings about a fault.

    Raises:
        InputError: the vehicle cannot have it.
    """
    for one in POSSIBLE[place.target]:
        if _words(one) == kind:
            return _command(now, actor, place, FaultCode(one // 100, one))
    raise InputError("fault", place.text, f"there is no {kind!r}", f"it must be one of {', '.join(kinds_at(place))}")


def end_here(now: Snapshot, actor: int, place: FaultPlace) -> SetFault:
    """The command that ends all faults of a place."""
    return _command(now, actor, place, CLEAR)


def clear_all(now: Snapshot, actor: int) -> tuple[SetFault, ...]:
    """The commands that end all faults of an actor."""
    here = {(target, place) for owner, target, place, _, _ in _rows(now) if owner == actor}
    return tuple(end_here(now, actor, one) for one in places_of(now, actor) if (one.target, one.place) in here)


def active_faults(now: Snapshot) -> tuple[str, ...]:
    """Active faults, one line each."""
    names = names_of(now)
    return tuple(
        f"{names.text_of(owner)}: {words}" + ("" if end == FOREVER else f", until {end * 1e-9:.1f} s")
        for owner, words, end in _active(now)
    )


def fault_texts(now: Snapshot) -> dict[int, str]:
    """What is faulty of each actor that has faults, by its id: a text to stand above it."""
    found: dict[int, list[str]] = {}
    for owner, words, _ in _active(now):
        found.setdefault(owner, []).append(words)
    return {actor: "⚠ " + ", ".join(words) for actor, words in found.items()}


def _active(now: Snapshot) -> list[tuple[int, str, int]]:
    """Active faults: id of the actor, place and kind in words, and until when [ns]."""
    table = now.mounts.table
    kinds = dict(zip(table.id.tolist(), table.kind.tolist(), strict=True))
    found = []
    for owner, target, place, subclass, end in _rows(now, (now.fault.start <= now.time) & (now.time < now.fault.end)):
        where = (
            FaultLocation(place).name.lower()
            if target == FaultTarget.CONTROL
            else f"tyre {TIRES[place]}"
            if target == FaultTarget.TIRE
            else _sensor_text(place, kinds.get(place, -1))
        )
        found.append((owner, f"{where}: {_words(FaultSubclass(subclass))}", end))
    return found


def _rows(now: Snapshot, some: NDArray[np.bool_] | None = None) -> list[tuple[int, int, int, int, int]]:
    """Actor, target, place, subclass and end [ns] of all faults, or of some; also of those that begin later."""
    table = now.fault
    columns = (table.actor, table.target, table.place, table.subclass, table.end)
    return list(zip(*(column[slice(None) if some is None else some].tolist() for column in columns), strict=True))


def _command(now: Snapshot, actor: int, place: FaultPlace, code: FaultCode) -> SetFault:
    names = names_of(now)
    if place.target is FaultTarget.SENSOR:
        return sensor_fault(now, names, names.text_of(actor), str(place.place), code, _NOTHING, _NOTHING)
    vehicle = vehicle_with_controls(now, names, names.text_of(actor))
    if place.target is FaultTarget.TIRE:
        return tire_fault(vehicle, place.place, code)
    return control_fault(vehicle, place.place, code)


def _words(kind: FaultSubclass) -> str:
    return kind.name.lower().replace("_", " ")


def _sensor_text(number: int, kind: int) -> str:
    name = SensorKind(kind).name.lower().replace("_", " ") if kind in set(SensorKind) else "gone"
    return f"sensor {number} ({name})"
