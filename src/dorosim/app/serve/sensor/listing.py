"""What sensors there are: kinds with their settings, and what a sensor set holds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from dorosim.app.serve.sensor.store import find_sensor_set
from dorosim.app.setting.error import codes_of_field
from dorosim.app.store.folder import data_folder
from dorosim.bridge.sensor.kind import OUTPUTS
from dorosim.scenario.sensor_set.read import ROS, TRANSPORTS, UDP, command_of, items_of
from dorosim.world.mount.setting import SETTINGS, AnySettings


def list_kinds() -> Iterator[str]:
    """A line for each kind, and its settings beneath."""
    for kind, settings in SETTINGS.items():
        port = "no form on UDP" if OUTPUTS[kind].port is None else f"UDP to port {OUTPUTS[kind].port}"
        yield f"{kind.name.lower()}: {settings.RATE_HZ:g} Hz, {port}, unless told otherwise"
        for name, value in msgspec.structs.asdict(settings()).items():
            yield f"  {_setting_line(settings, name, value)}"


def _setting_line(kind: type[AnySettings], name: str, value: Any) -> str:
    """A setting with its default, as it may stand in a settings file."""
    codes = codes_of_field(kind, name)
    if codes:
        usual, *others = sorted(codes, key=lambda code: codes[code] != value)
        return f'{name} = "{usual}"  (or {", ".join(others)})'
    if value is None:
        return f"{name}  (none)"
    if isinstance(value, bool):
        return f"{name} = {str(value).lower()}"
    if isinstance(value, tuple):
        return f"{name} = [{', '.join(f'{part:g}' for part in value)}]"
    return f"{name} = {value:.6g}"


def list_set(given: str, data: Path | None) -> Iterator[str]:
    """A line for each sensor of a file: number, kind, vehicle, rate, place, address; then what was left out of it.

    Raises:
        InputError: the file cannot be read; it names the key path.
    """
    found = find_sensor_set(given, data_folder(str(data) if data else None))
    for _, kind, item in items_of(found.file):
        command = command_of(item, kind, 1)
        udp, transport = item.block.udp, item.block.transport
        destination = f"UDP {udp.host}:{udp.host_port} to {udp.destination}:{udp.destination_port}"
        if transport == ROS:
            destination = f"ROS topic {item.block.ros.topic or 'as usual'}"
        elif transport == UDP and OUTPUTS[kind].port is None:
            destination = "no form on UDP"
        elif transport != UDP:
            destination = f"{TRANSPORTS.get(transport, transport)}: not sent"
        x, y, z = command.position
        roll, pitch, yaw = (f"{math.degrees(angle):g}" for angle in command.rotation)
        rate = 1e9 / command.period if command.period else 0.0
        where = f"at ({x:g}, {y:g}, {z:g}) m, turned ({roll}, {pitch}, {yaw}) deg"
        yield f"{item.number}: {kind.name.lower()} on ego {item.target + 1}, {rate:.4g} Hz, {where}; {destination}"
    yield from found.notes
