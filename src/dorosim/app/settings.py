"""`dorosim.toml`: the settings of a run. Command line options override it.

Every key is listed here, with its default; a key that is not is an error that names the nearest right one.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from dorosim.ground.error import InputError

T = TypeVar("T", bound=msgspec.Struct)


class EgoSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ego vehicle. Without pose and link it starts where the map says.

    Attributes:
        vehicle: name in the vehicle catalogue.
        pose: x, y in the map [m] and heading [deg].
        link: id of a link to start on. s: where on it [m].
    """

    vehicle: str = "2016_Hyundai_Ioniq"
    pose: tuple[float, float, float] | None = None
    link: str | None = None
    s: float = 0.0


class UdpSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The UDP interface.

    Attributes:
        revision: product revision, "24.R2" and others (see `dorosim packet list`).
        steer_positive: side to which positive steering turns; the revision's own if it is not given.
        network: a network settings file, in dorosim's form (.toml) or as MORAI SIM saves it (.json).
    """

    revision: str = "24.R2"
    steer_positive: Literal["left", "right"] | None = None
    network: str | None = None


class TrafficSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is there at the start, besides the ego vehicles.

    Attributes:
        vehicles: NPC vehicles all over the map. pedestrians: people who cross roads to and fro.
    """

    vehicles: int = 0
    pedestrians: int = 0


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings.

    Attributes:
        map: name of the built-in town ("town"), of a map in the data folder, or a folder.
        speed: "realtime", "max" or a factor.
        duration: simulated seconds after which the run ends, counted from its start or its snapshot on.
        seed: of all randomness.
        tick_ms: length of a tick.
        epoch: Unix time [s] of tick 0 in the stamps of messages; the time of the start if it is not given.
        record: file to record to. data: data folder.
        from_snapshot: snapshot file to go on from; its run says what map, seed, tick_ms and ego vehicles are.
        save_snapshot: file for a snapshot of the end of the run.
        snapshot_at: simulated seconds and file of further snapshots, as [[12.5, "half.snapshot"]].
        scenario: scenario to start with, a file or a name in the data folder.
        save_scenario: file to which the world is saved at the end, as a scenario.
        ego: ego vehicles in the order of creation; the first is the one that ego messages mean.
    """

    map: str = "town"
    speed: str | float = "realtime"
    duration: float | None = None
    seed: int = 0
    tick_ms: float = 10.0
    epoch: float | None = None
    record: str | None = None
    data: str | None = None
    from_snapshot: str | None = None
    save_snapshot: str | None = None
    snapshot_at: tuple[tuple[float, str], ...] = ()
    scenario: str | None = None
    save_scenario: str | None = None
    ego: tuple[EgoSettings, ...] = (EgoSettings(),)
    traffic: TrafficSettings = TrafficSettings()
    udp: UdpSettings = UdpSettings()


def read_settings(path: Path) -> Settings:
    """The settings of a file.

    Raises:
        InputError: the file cannot be read or is wrong somewhere.
    """
    return convert_toml(path, Settings)


def convert_toml(path: Path, kind: type[T]) -> T:
    """A TOML file as a struct.

    Raises:
        InputError: with the file, the key path and a cure.
    """
    try:
        return msgspec.convert(_read_tree(path), kind)
    except msgspec.ValidationError as error:
        raise _refused(path, str(error), kind) from None


def given_keys(path: Path) -> frozenset[str]:
    """The keys that a settings file gives, those of tables with a dot: "map", "udp.revision".

    Raises:
        InputError: the file cannot be read.
    """
    keys: set[str] = set()
    for key, value in _read_tree(path).items():
        keys |= {key} | ({f"{key}.{inner}" for inner in value} if isinstance(value, dict) else set())
    return frozenset(keys)


def _read_tree(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(path), "", error.strerror or "cannot be read", "check the path") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(str(path), "", f"is no TOML: {error}", "mend that place") from None


def _refused(path: Path, problem: str, kind: type[msgspec.Struct]) -> InputError:
    """The sentence of msgspec as an error with a key path and, for an unknown key, the nearest right one."""
    what, _, place = problem.partition(" - at `$.")
    place = place.rstrip("`")
    unknown = re.search(r"unknown field `(.+)`", what)
    if unknown is None:
        return InputError(str(path), place, what, "see docs/reference/settings.md")
    key = unknown[1]
    near = difflib.get_close_matches(key, _keys(kind), n=1)
    cure = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(_keys(kind))}"
    return InputError(str(path), f"{place}.{key}" if place else key, "is no known key", cure)


def _keys(kind: type[msgspec.Struct]) -> list[str]:
    """Every key of a struct and of the structs inside it."""
    keys = []
    for field in msgspec.structs.fields(kind):
        keys.append(field.name)
        for part in getattr(field.type, "__args__", (field.type,)):
            if isinstance(part, type) and issubclass(part, msgspec.Struct):
                keys += _keys(part)
    return keys
