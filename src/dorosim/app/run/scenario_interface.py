"""How a program reaches a scenario run that it drives in: ports, pace, interfaces, sensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dorosim.app.setting.choice import Base, base_settings
from dorosim.app.setting.override import chosen_by
from dorosim.app.setting.settings import Settings

TAKEN = ("sensors", "sensor", "sensor_threads", "sensor_data_folders", "udp", "grpc", "ros", "tcp_step")
"""Keys of a settings file that count in a scenario run: who can be reached where, and what the ego vehicle senses."""
_OPTIONS = {
    "--revision": "udp.revision",
    "--network": "udp.network",
    "--sensors": "sensors",
    "--ros-master": "ros.master",
}
"""Options that stand for a setting, whose values are fields of `StackOptions` by the option's name."""


class InterfaceSettings(NamedTuple):
    """Settings of the interfaces of a run.

    Attributes:
        settings: with all other keys at their defaults. given: places of those that a user gave.
    """

    settings: Settings
    given: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StackOptions:
    """How a program drives the ego vehicle.

    Attributes:
        lockstep: whether each tick waits for its command. speed: "realtime", "max" or a factor, None for the usual one:
            as fast as possible in lockstep, else in real time.
        config: a settings file, of which `TAKEN` counts; None for none, whatever lies in the present folder.
        revision: of the product, network: network settings of UDP, sensors: a sensor set, ros_master: URL of a ROS 1
            master; None for those of `config`.
        port_offset: added to every port. ports: "auto" for ports that are free.
        command: starts the program, "" for one that is started elsewhere.
        guard: words before the command, of a program that ends it. variables: that it has beside those of this process.
    """

    lockstep: bool = False
    speed: str | float | None = None
    config: str | None = None
    revision: str | None = None
    network: str | None = None
    sensors: str | None = None
    ros_master: str | None = None
    port_offset: int = 0
    ports: str = "fixed"
    command: str = ""
    guard: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)

    def only_for_programs(self) -> str:
        """An option that was given and has no effect unless a program drives, "" for none."""
        given = [*self._interfaces(), ("--lockstep", self.lockstep), ("--stack", self.command)]
        return next((name for name, value in given if value), "")

    def interfaces(self) -> InterfaceSettings:
        """The settings of the interfaces: those of the file with the options over them.

        Raises:
            InputError: the file cannot be read or is wrong somewhere.
        """
        base = base_settings(Path(self.config)) if self.config else Base(Settings(), frozenset(), "", False)
        taken = {name: getattr(base.settings, name) for name in TAKEN}
        given = frozenset(place for place in base.given if place.split(".")[0].split("[")[0] in TAKEN)
        file = base._replace(settings=msgspec.structs.replace(Settings(), **taken), given=given)
        chosen = chosen_by({_OPTIONS[name]: value for name, value in self._interfaces() if name in _OPTIONS}, file)
        return InterfaceSettings(chosen.settings, chosen.given)

    def arguments(self) -> list[str]:
        """The same as options of the command line."""
        words = ["--lockstep"] if self.lockstep else []
        if self.speed is not None:
            words += ["--speed", str(self.speed)]
        for name, value in self._interfaces():
            words += [name, str(value)] if value is not None else []
        words += ["--port-offset", str(self.port_offset)] if self.port_offset else []
        words += ["--ports", self.ports] if self.ports != "fixed" else []
        return words + (["--stack", self.command] if self.command else [])

    def _interfaces(self) -> Iterator[tuple[str, Any]]:
        """Options of interfaces with their values."""
        for name in ("--config", *_OPTIONS):
            yield name, getattr(self, name.removeprefix("--").replace("-", "_"))
