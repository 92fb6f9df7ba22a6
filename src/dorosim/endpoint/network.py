"""What the UDP endpoint listens to and sends, with the defaults of the product's examples.

Sources: facts/udp-wire.md, section 6; design/seams.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dorosim.endpoint.udp_socket import Address

LOOPBACK = "127.0.0.1"
DEFAULT_LISTEN_PORTS = (9093, 9095, 9097, 9099, 9101, 9103, 9105, 9109, 9132, 7604, 7607)
DEFAULT_RATE_HZ = 50.0


@dataclass(frozen=True, slots=True)
class Publication:
    """One status message that is sent regularly.

    Attributes:
        message: class name in the catalogue.
        source, destination: addresses.
        rate_hz: how often in simulated time.
    """

    message: str
    source: Address
    destination: Address
    rate_hz: float = DEFAULT_RATE_HZ


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
class UdpNetwork:
    """All addresses of the UDP endpoint."""

    listen: tuple[Address, ...] = tuple(Address(LOOPBACK, port) for port in DEFAULT_LISTEN_PORTS)
    publications: tuple[Publication, ...] = field(default_factory=default_publications)
