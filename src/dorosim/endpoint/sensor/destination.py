"""Where packets of sensors go: sockets to send from, and addresses."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping

from dorosim.bridge.sensor.kind import OUTPUTS
from dorosim.endpoint.sensor.interface import LOOPBACK, SensorAddress
from dorosim.endpoint.udp.socket import Address, open_sender, resolve
from dorosim.ground.error import InputError
from dorosim.world.mount.setting import SensorKind

MAX_KEPT_DESTINATIONS = 4_040
"""Most destinations that are remembered; numbers of sensors may come and go."""
Destination = tuple[socket.socket, tuple[str, int]]
"""A socket, and the host and port to which it sends."""


def address_of(
    addresses: Mapping[int, SensorAddress | None], sensor: int, kind: SensorKind, port_offset: int = 0
) -> SensorAddress | None:
    """Where the packets of a sensor go, None for nowhere.

    Args:
        addresses: by number of the sensor; None for one that sends nothing here. One that is not there sends to the
            default port of its kind.
        sensor: its number.
        kind: its kind.
        port_offset: of the run, which is added to the default port; `addresses` have it already.
    """
    port = OUTPUTS[kind].port
    if port is None:
        return None
    default = SensorAddress(Address(LOOPBACK, 0), Address(LOOPBACK, port + port_offset))
    return addresses.get(sensor, default)


class SensorDestinations:
    """Destinations of packets, by sensor.

    Args:
        addresses: where packets go, by number of the sensor; None for a sensor that sends nothing here. A sensor that
            is not there sends to the default port of its kind.
        sockets: those that are open already, by address; others are opened, and closed by `close`.
        report: is called with the kind and text of each problem.
        port_offset: of the run, as of `address_of`.

    Raises:
        InputError: a socket of an address cannot be opened.
    """

    def __init__(
        self,
        addresses: Mapping[int, SensorAddress | None],
        sockets: Mapping[Address, socket.socket],
        report: Callable[[str, str], None],
        port_offset: int = 0,
    ) -> None:
        self._port_offset = port_offset
        self._addresses = dict(addresses)
        self._given = dict(sockets)
        self._report = report
        self._opened: dict[Address, socket.socket] = {}
        self._destinations: dict[tuple[int, SensorKind], Destination | None] = {}
        for address in dict.fromkeys(one.source for one in addresses.values() if one is not None):
            self._socket(address)

    def of(self, sensor: int, kind: SensorKind) -> Destination | None:
        """The destination of a sensor's packets, None for none."""
        key = (sensor, kind)
        if key not in self._destinations:
            self._destinations[key] = self._found(sensor, kind)
            if len(self._destinations) > MAX_KEPT_DESTINATIONS:
                self._destinations.clear()
        return self._destinations.get(key)

    def readdress(self, addresses: Mapping[int, SensorAddress | None]) -> None:
        """Send the packets of some sensors elsewhere from now on; None: nowhere. Safe from another thread."""
        self._addresses = {**self._addresses, **addresses}
        self._destinations = {}

    def close(self) -> None:
        """Close the sockets that were opened here."""
        for sock in self._opened.values():
            sock.close()

    def _found(self, sensor: int, kind: SensorKind) -> Destination | None:
        address = address_of(self._addresses, sensor, kind, self._port_offset)
        if address is None:
            return None
        try:
            return self._socket(address.source), resolve(address.destination)
        except InputError as error:
            self._report("send error", f"sensor {sensor}: {error}")
            return None

    def _socket(self, address: Address) -> socket.socket:
        sock = self._given.get(address) or self._opened.get(address)
        if sock is None:
            sock, notice = open_sender(address)
            self._opened[address] = sock
            sock.setblocking(True)
            sock.settimeout(0.2)
            if notice:
                self._report("sensor socket", notice)
        return sock
