"""Command line options over settings from a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dorosim.app.setting.choice import Base, Chosen
from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.app.setting.settings import (
    BagSettings,
    EgoSettings,
    GrpcSettings,
    Settings,
    TrafficSettings,
    ViewSettings,
)
from dorosim.app.setting.step import TcpStepSettings
from dorosim.ground.error import InputError
from dorosim.world.environment.weather import WeatherKind

MIN_SPEED_FACTOR, MAX_SPEED_FACTOR = 0.01, 1000.0


def option_values(options: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Options of the command line as values of the settings.

    Args:
        options: as users wrote them, None where they were not given; by key, as "seed" or "udp.network", where "ego" is
            the first ego vehicle.
        settings: those of the settings file.

    Returns:
        Those that were given, by the same keys.

    Raises:
        InputError: a text cannot be understood.
    """
    of_text: dict[str, Callable[[str], Any]] = {
        "speed": speed_from_text,
        "ego.pose": pose_from_text,
        "environment.weather": weather_from_text,
        "ports": ports_from_text,
        "grpc": lambda text: grpc_from_text(text, settings.grpc),
        "tcp_step": lambda text: tcp_step_from_text(text, settings.tcp_step),
    }
    given = {key: str(one) if isinstance(one, Path) else one for key, one in options.items() if one is not None}
    return {key: of_text[key](one) if key in of_text else one for key, one in given.items()}


def overridden(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """The settings with values of options in their places; see `option_values`."""
    first, *others = settings.ego or (EgoSettings(),)
    if "ego.pose" in values or "ego.link" in values:
        first = msgspec.structs.replace(first, pose=None, link=None)
    changed = {**msgspec.structs.asdict(settings), "ego": first}
    for key, value in values.items():
        table, _, name = key.rpartition(".")
        changed[table or name] = msgspec.structs.replace(changed[table], **{name: value}) if table else value
    return Settings(**{**changed, "ego": (changed["ego"], *others)})


def chosen_by(options: Mapping[str, Any], file: Base) -> Chosen:
    """The settings of a file with options over them; arguments as of `option_values`.

    Raises:
        InputError: a text cannot be understood.
    """
    values = option_values(options, file.settings)
    goes_on = "from_snapshot" in values or file.settings.from_snapshot is not None
    base = without_beginning(file.settings) if goes_on else file.settings
    return Chosen(overridden(base, values), file, given_options(values))


def without_beginning(settings: Settings) -> Settings:
    """A settings file's part in a run that goes on from a snapshot.

    What a run begins with is in the snapshot: scenario, NPC vehicles, pedestrians and weather do not come again.
    """
    begin = {"traffic": TrafficSettings(), "environment": EnvironmentSettings()}
    return msgspec.structs.replace(settings, scenario=None, **begin)


def given_options(values: Iterable[str]) -> frozenset[str]:
    """The places of the settings that options give, of their keys."""
    places = {key.replace("ego.", "ego[0].") for key in values}
    places |= {"ego"} if any(place.startswith("ego[") for place in places) else set()
    return frozenset(places | {f"{table}.address" for table in ("grpc", "tcp_step") if table in places})


def grpc_from_text(text: str, settings: GrpcSettings) -> GrpcSettings:
    """The settings of gRPC with an address, or `off`."""
    if text.strip().casefold() == "off":
        return msgspec.structs.replace(settings, enabled=False)
    return msgspec.structs.replace(settings, enabled=True, address=text)


def tcp_step_from_text(text: str, settings: TcpStepSettings) -> TcpStepSettings:
    """The settings of the fixed step over TCP with a port or an address, or `off`."""
    text = text.strip()
    if text.casefold() == "off":
        return msgspec.structs.replace(settings, enabled=False)
    host = settings.address.rpartition(":")[0]
    address = f"{host}:{text}" if text.isascii() and text.isdecimal() else text
    return msgspec.structs.replace(settings, enabled=True, address=address)


def weather_from_text(text: str) -> str:
    """A kind of weather, in any case.

    Raises:
        InputError: there is no such kind.
    """
    name, kinds = text.strip().lower(), [kind.name.lower() for kind in WeatherKind]
    if name not in kinds:
        raise InputError("--weather", "", f"{text!r} is not a kind of weather", f"must be one of {', '.join(kinds)}")
    return name


def ports_from_text(text: str) -> str:
    """`fixed` or `auto`.

    Raises:
        InputError: it is neither.
    """
    if text not in ("fixed", "auto"):
        raise InputError("--ports", "", f"{text!r} is not a way to choose ports", "must be fixed or auto")
    return text


def view_from_options(view: ViewSettings, on: bool | None, address: str | None) -> ViewSettings | None:
    """The settings of the live page, None where no option changes them.

    Args:
        view: those of the settings file.
        on: whether there is one, None as it is.
        address: where, None as it is.
    """
    if on is None and address is None:
        return None
    enabled = (view.enabled or address is not None) if on is None else on
    return msgspec.structs.replace(view, enabled=enabled, address=address or view.address)


def bag_from_options(bag: BagSettings, file: Path | None, topics: str | None) -> BagSettings | None:
    """The settings of bags with one to record to, None where neither its file nor its topics are given.

    Args:
        bag: those of the settings file.
        file: of the bag, None as it is.
        topics: names or patterns with commas between, None as they are.

    Raises:
        InputError: there are topics but no file.
    """
    if file is None and topics is None:
        return None
    bag = bag if file is None else msgspec.structs.replace(bag, file=str(file))
    if bag.file is None:
        raise InputError("--bag-topics", "", "there is no bag to record them to", "give its file with --bag")
    if topics is None:
        return bag
    return msgspec.structs.replace(bag, topics=names_from_text(topics))


def names_from_text(text: str) -> tuple[str, ...]:
    """Names with commas between, as users write lists."""
    return tuple(one.strip() for one in text.split(",") if one.strip())


def pose_from_text(text: str) -> tuple[float, float, float]:
    """`X,Y,HEADING_DEG`.

    Raises:
        InputError: it is not three finite numbers.
    """
    try:
        x, y, heading = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError("--pose", "", f"{text!r} is not three numbers", "write it as --pose=12.5,-3,90") from None
    if not all(math.isfinite(part) and abs(part) <= 1e6 for part in (x, y, heading)):
        raise InputError("--pose", "", f"{text!r} is not a valid place on a map", "write it as --pose=12.5,-3,90")
    return x, y, heading


def speed_from_text(text: str) -> str | float:
    """`realtime`, `max` or a factor.

    Raises:
        InputError: it is not a valid value.
    """
    if text in ("realtime", "max"):
        return text
    try:
        return checked_speed(float(text))
    except ValueError:
        raise InputError(
            "--speed", "", f"{text!r} is not a valid speed", "use realtime, max or a factor such as 2.5"
        ) from None


def checked_speed(factor: float) -> float:
    """A factor that a clock can keep.

    Raises:
        InputError: it is not.
    """
    if not MIN_SPEED_FACTOR <= factor <= MAX_SPEED_FACTOR:
        raise InputError(
            "speed", "", f"a factor of {factor}", f"use {MIN_SPEED_FACTOR} to {MAX_SPEED_FACTOR:g}, realtime or max"
        )
    return factor
