"""The addresses of the fixed step's datagrams."""

from __future__ import annotations

from typing import NamedTuple

from dorosim.app.setting.address import address_from_text
from dorosim.app.setting.step import TcpStepSettings
from dorosim.endpoint.udp.network import moved_address
from dorosim.endpoint.udp.socket import Address


class StepAddresses(NamedTuple):
    """Where datagrams of the fixed step go and come.

    Attributes:
        infos: Vehicle Info of each ego vehicle that has an address, by its number from 1.
        collision: events, None for nowhere.
        controls: what drives each ego vehicle, as `infos`.
    """

    infos: dict[int, Address]
    collision: Address | None
    controls: dict[int, Address]

    @property
    def goals(self) -> frozenset[Address]:
        """All addresses to which something goes."""
        return frozenset((*self.infos.values(), *(() if self.collision is None else (self.collision,))))


def step_addresses(settings: TcpStepSettings, ports: int = 0) -> StepAddresses:
    """The addresses of the datagrams of some settings; none of an interface that is not served.

    Args:
        settings: of the interface.
        ports: by how many they are moved on.

    Raises:
        InputError: one is not valid, or there is no port so far on.
    """
    if not settings.enabled:
        return StepAddresses({}, None, {})
    collision = settings.collision.strip()
    return StepAddresses(
        _by_ego("vehicle_info", settings.vehicle_info, ports, min_port=1),
        _address("collision", "", collision, ports, min_port=1) if collision else None,
        _by_ego("control", settings.control, ports),
    )


def _by_ego(key: str, texts: tuple[str, ...], ports: int, min_port: int = 0) -> dict[int, Address]:
    return {
        number + 1: _address(key, f"[{number}]", text.strip(), ports, min_port)
        for number, text in enumerate(texts)
        if text.strip()
    }


def _address(key: str, row: str, text: str, ports: int, min_port: int) -> Address:
    return moved_address(address_from_text("settings", f"tcp_step.{key}{row}", text, min_port), ports)
