"""Command line options over settings from a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from dorosim.app.setting.settings import BagSettings, EgoSettings, GrpcSettings, Settings, TrafficSettings, ViewSettings
from dorosim.ground.error import InputError

SLOWEST, FASTEST = 0.01, 1000.0


def overridden(
    settings: Settings,
    top: Mapping[str, Any],
    ego: Mapping[str, Any],
    udp: Mapping[str, Any],
    traffic: Mapping[str, Any] = MappingProxyType({}),
    ros: Mapping[str, Any] = MappingProxyType({}),
) -> Settings:
    """The settings with every option that is not None in its place; `ego` options change the first ego vehicle."""
    given = {key: value for key, value in top.items() if value is not None}
    first, *others = settings.ego or (EgoSettings(),)
    if ego.get("pose") is not None or ego.get("link") is not None:
        first = msgspec.structs.replace(first, pose=None, link=None)
    first = msgspec.structs.replace(first, **{key: value for key, value in ego.items() if value is not None})
    network = msgspec.structs.replace(settings.udp, **{key: value for key, value in udp.items() if value is not None})
    people = {key: value for key, value in traffic.items() if value is not None}
    crowd = msgspec.structs.replace(settings.traffic, **people)
    robots = msgspec.structs.replace(settings.ros, **{key: value for key, value in ros.items() if value is not None})
    return msgspec.structs.replace(settings, ego=(first, *others), udp=network, traffic=crowd, ros=robots, **given)


def without_beginning(settings: Settings) -> Settings:
    """A settings file's part in a run that goes on from a snapshot.

    The scenario, NPC vehicles and pedestrians that a run begins with are in the snapshot: they do not come again.
    """
    return msgspec.structs.replace(settings, scenario=None, traffic=TrafficSettings())


def given_options(
    top: Mapping[str, Any],
    ego: Mapping[str, Any],
    udp: Mapping[str, Any],
    ros: Mapping[str, Any] = MappingProxyType({}),
    traffic: Mapping[str, Any] = MappingProxyType({}),
) -> frozenset[str]:
    """The places of the settings that options give; see `overridden`."""
    keys = {key for key, value in top.items() if value is not None}
    keys |= {"grpc.address"} if "grpc" in keys else set()
    keys |= {f"ros.{key}" for key, value in ros.items() if value is not None}
    keys |= {f"udp.{key}" for key, value in udp.items() if value is not None}
    keys |= {f"traffic.{key}" for key, value in traffic.items() if value is not None}
    first = {f"ego[0].{key}" for key, value in ego.items() if value is not None}
    return frozenset(keys | ({"ego"} | first if first else set()))


def grpc_from_text(text: str, settings: GrpcSettings) -> GrpcSettings:
    """The settings of gRPC with an address, or `off`."""
    if text.strip().casefold() == "off":
        return msgspec.structs.replace(settings, enabled=False)
    return msgspec.structs.replace(settings, enabled=True, address=text)


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


def bag_from_options(bag: BagSettings, file: str | None, topics: str | None) -> BagSettings | None:
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
    bag = bag if file is None else msgspec.structs.replace(bag, file=file)
    if bag.file is None:
        raise InputError("--bag-topics", "", "there is no bag to record them to", "give its file with --bag")
    if topics is None:
        return bag
    return msgspec.structs.replace(bag, topics=tuple(one.strip() for one in topics.split(",") if one.strip()))


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
    if not SLOWEST <= factor <= FASTEST:
        raise InputError("speed", "", f"a factor of {factor}", f"use {SLOWEST} to {FASTEST:g}, realtime or max")
    return factor
