"""What the UDP endpoint listens to and sends, with the defaults of the product's examples.

Sources: facts/udp-wire.md, section 6; design/seams.md; for further ego vehicles
docs/decisions/0036-udp-of-further-egos.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from dorosim.endpoint.udp.socket import LAST_PORT, Address
from dorosim.ground.error import InputError

LOOPBACK = "127.0.0.1"
DEFAULT_LISTEN_PORTS = (9093, 9095, 9097, 9099, 9101, 9103, 9105, 9109, 9132, 7604, 7607)
DEFAULT_RATE_HZ = 50.0
PORTS_OF_AN_EGO = 100
"""By how much the ports of an ego vehicle are greater than those of the one before it, unless settings say which."""
MAX_ADDRESSED_EGOS = 20
"""Ego vehicles that have addresses without being named in network settings: as many as Multi Ego Setting places."""
OF_ALL = frozenset({"NpcVehicleCollisionData"})
"""Messages of the simulator, not of an ego vehicle."""


@dataclass(frozen=True, slots=True)
class Publication:
    """One status message that is sent regularly.

    Attributes:
        message: class name in the catalogue.
        source, destination: addresses.
        rate_hz: how often in simulated time.
        ego: number of the ego vehicle that it is about, from 1.
    """

    message: str
    source: Address
    destination: Address
    rate_hz: float = DEFAULT_RATE_HZ
    ego: int = 1

    @property
    def name(self) -> str:
        """The message, and of which further ego vehicle."""
        return self.message if self.ego == 1 else f"{self.message} of ego {self.ego}"


def default_publications(host: str = LOOPBACK) -> tuple[Publication, ...]:
    """The six status messages with the ports that the product's clients expect (source, destination)."""
    ports = (
        ("EgoVehicleStatus", 908, 909),
        ("ObjectInfo", 7605, 7505),
        ("CollisionData", 9091, 9092),
        ("GetTrafficLightStatus", 7603, 7502),
        ("GetIntersectionStatus", 9101, 9102),
        ("NpcVehicleCollisionData", 9107, 9108),
    )
    return tuple(Publication(name, Address(host, source), Address(host, to)) for name, source, to in ports)


@dataclass(frozen=True, slots=True)
class EgoNetwork:
    """The network settings of a further ego vehicle.

    Attributes:
        listen: addresses whose messages are for it, None for those of the first one with its ports moved on.
        publications: messages about it, None for those of the first one with its ports moved on.
    """

    listen: tuple[Address, ...] | None = None
    publications: tuple[Publication, ...] | None = None


@dataclass(frozen=True, slots=True)
class UdpNetwork:
    """All addresses of the UDP endpoint.

    Attributes:
        listen: of the first ego vehicle; messages that are for no ego vehicle are taken at every address.
        publications: messages about the first ego vehicle, and of the simulator.
        further: settings of further ego vehicles, by their numbers.
    """

    listen: tuple[Address, ...] = tuple(Address(LOOPBACK, port) for port in DEFAULT_LISTEN_PORTS)
    publications: tuple[Publication, ...] = field(default_factory=default_publications)
    further: dict[int, EgoNetwork] = field(default_factory=dict)

    def listen_of(self, ego: int) -> tuple[Address, ...]:
        """Addresses whose messages are for an ego vehicle, by its number."""
        given = self.listen if ego == 1 else self.further.get(ego, EgoNetwork()).listen
        if given is not None:
            return given
        moved = (address.moved(_ports_on(ego)) for address in self.listen) if ego <= MAX_ADDRESSED_EGOS else ()
        return tuple(address for address in moved if address is not None)

    def publications_of(self, ego: int) -> tuple[Publication, ...]:
        """Messages about an ego vehicle, by its number."""
        given = self.publications if ego == 1 else self.further.get(ego, EgoNetwork()).publications
        if given is not None:
            return given
        return tuple(self._moved_on(ego)) if ego <= MAX_ADDRESSED_EGOS else ()

    def moved(self, ports: int) -> UdpNetwork:
        """The same network with every port so many on; those of any port (0) stay.

        Raises:
            InputError: there is no such port.
        """
        if not ports:
            return self
        further = {
            ego: EgoNetwork(
                None if one.listen is None else _all_moved(one.listen, ports),
                None if one.publications is None else _publications_moved(one.publications, ports),
            )
            for ego, one in self.further.items()
        }
        return UdpNetwork(_all_moved(self.listen, ports), _publications_moved(self.publications, ports), further)

    def clear_of(self, goals: Collection[Address], what: str) -> tuple[UdpNetwork, tuple[str, ...]]:
        """The same network where other datagrams go to some addresses.

        A message to one of them is left out, since its client would take it for what it waits for; and none is sent
        from one of them, where a client of this machine listens.

        Args:
            goals: the addresses.
            what: goes there, for notices.

        Returns:
            The network, and what a user should know.
        """
        first = tuple(self._clear(self.publications, goals))
        further = {
            ego: one
            if one.publications is None
            else replace(one, publications=tuple(self._clear(one.publications, goals)))
            for ego, one in self.further.items()
        }
        notices = tuple(
            f"{one.name} is not sent to {one.destination}, where {what} goes; name other ports for the one or the other"
            for one in self.publications
            if one.destination in goals
        )
        return replace(self, publications=first, further=further), notices

    @staticmethod
    def _clear(publications: Iterable[Publication], goals: Collection[Address]) -> Iterator[Publication]:
        for one in publications:
            if one.destination not in goals:
                yield replace(one, source=Address(one.source.host, 0)) if one.source in goals else one

    def _moved_on(self, ego: int) -> Iterator[Publication]:
        for one in self.publications:
            source, to = (address.moved(_ports_on(ego)) for address in (one.source, one.destination))
            if one.message not in OF_ALL and source is not None and to is not None:
                yield replace(one, source=source, destination=to, ego=ego)

    def of_egos(self, count: int) -> EgoAddresses:
        """The addresses of the first ego vehicles.

        Where clients are on this machine, no message goes to an address that is listened to here, and no socket stands
        at an address to which a message goes: the client of ego 2 takes Object Info at 7605, from which that of ego 1
        is sent as long as there is no other.

        Args:
            count: how many there are.
        """
        listen: dict[Address, int] = {}
        for ego in range(1, count + 1):
            for address in self.listen_of(ego):
                listen.setdefault(address, ego)
        wanted = [one for ego in range(1, count + 1) for one in self.publications_of(ego)]
        sent = [one for one in wanted if one.ego == 1 or one.destination not in listen]
        goals = {one.destination for one in sent} if count > 1 else set()
        publications = [
            replace(one, source=Address(one.source.host, 0)) if one.source in goals else one for one in sent
        ]
        notices = [
            f"{one.name} is not sent: {one.destination} is listened to; name another port in the network settings"
            for one in wanted
            if one not in sent
        ]
        silent = [ego for ego in range(2, count + 1) if not self.listen_of(ego) and not self.publications_of(ego)]
        if silent:
            notices.append(
                f"ego vehicles from number {silent[0]} on have no UDP addresses; name them in the network settings"
            )
        return EgoAddresses(listen, tuple(publications), tuple(notices))


@dataclass(frozen=True, slots=True)
class EgoAddresses:
    """The addresses of some ego vehicles.

    Attributes:
        listen: the ego vehicle's number by address. publications: of all of them. notices: what a user should know.
    """

    listen: dict[Address, int]
    publications: tuple[Publication, ...]
    notices: tuple[str, ...]


def _ports_on(ego: int) -> int:
    """By how much the ports of an ego vehicle are greater than those of the first one."""
    return PORTS_OF_AN_EGO * (ego - 1)


def moved_address(address: Address, ports: int) -> Address:
    """An address so many ports on.

    Raises:
        InputError: there is no such port.
    """
    found = address.moved(ports)
    if found is None:
        problem = f"port {address.port} would become {address.port + ports}"
        raise InputError("settings", "port_offset", problem, f"give at most {LAST_PORT - address.port} for this port")
    return found


def _all_moved(addresses: tuple[Address, ...], ports: int) -> tuple[Address, ...]:
    return tuple(moved_address(address, ports) for address in addresses)


def _publications_moved(publications: tuple[Publication, ...], ports: int) -> tuple[Publication, ...]:
    return tuple(
        replace(one, source=moved_address(one.source, ports), destination=moved_address(one.destination, ports))
        for one in publications
    )
