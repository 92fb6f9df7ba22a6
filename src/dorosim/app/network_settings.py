"""Network settings files: dorosim's own form (.toml), and the form in which MORAI SIM saves them (.json).

    [[listen]]
    address = "127.0.0.1:9093"

    [[send]]
    message = "EgoVehicleStatus"
    from = "127.0.0.1:908"
    to = "127.0.0.1:909"
    rate_hz = 50

A file replaces the lists that it has; a list that it does not have keeps its defaults.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from dorosim.app.settings import convert_toml
from dorosim.endpoint.network import DEFAULT_RATE_HZ, Publication, UdpNetwork
from dorosim.endpoint.udp_socket import Address
from dorosim.ground.error import InputError
from dorosim.wire.udp.catalogue import BY_NAME, CATALOGUE

FASTEST_HZ = 1000.0
_UDP = 1

SENT: dict[int, str] = {
    257: "ObjectInfo",
    258: "GetTrafficLightStatus",
    261: "CollisionData",
    265: "GetIntersectionStatus",
    268: "NpcVehicleCollisionData",
    291: "GetTrafficLightStatus",
    294: "GetIntersectionStatus",
    295: "EgoVehicleStatus",
    770: "EgoVehicleStatus",
    772: "ObjectInfo",
}
"""PUBSUB_TYPE of what the product sends (facts/standard-api.json); 295 is the status of the competition build."""

HEARD: frozenset[int] = frozenset({259, 260, 262, 264, 266, 290, 292, 293, 771, 776, 783, 2817, 2818, 4609})
"""PUBSUB_TYPE of what the product listens to by UDP."""

COMM_TYPES = {0: "none", 1: "UDP", 2: "TCP", 3: "ROS", 4: "LCM", 5: "serial", 6: "CAN", 7: "Apollo", 8: "gRPC"}


class _Listen(msgspec.Struct, forbid_unknown_fields=True):
    address: str


class _Send(msgspec.Struct, forbid_unknown_fields=True, rename={"source": "from"}):
    message: str
    to: str
    source: str = ""
    rate_hz: float = DEFAULT_RATE_HZ


class _NetworkFile(msgspec.Struct, forbid_unknown_fields=True):
    listen: list[_Listen] | None = None
    send: list[_Send] | None = None


def read_network(path: Path) -> tuple[UdpNetwork, list[str]]:
    """The network settings of a file, and notices about what of it is not used.

    Raises:
        InputError: the file cannot be read or is wrong somewhere.
    """
    if path.suffix == ".json":
        return _read_saved(path)
    tree = convert_toml(path, _NetworkFile)
    defaults = UdpNetwork()
    listen, send = defaults.listen, defaults.publications
    if tree.listen is not None:
        listen = tuple(_address(path, f"listen[{i}].address", one.address) for i, one in enumerate(tree.listen))
    if tree.send is not None:
        send = tuple(_publication(path, i, one) for i, one in enumerate(tree.send))
    return UdpNetwork(listen, send), []


def _publication(path: Path, number: int, entry: _Send) -> Publication:
    place = f"send[{number}]"
    sendable = [message.__name__ for message in CATALOGUE if message.table.to == "user"]
    if entry.message not in sendable:
        problem = f"{entry.message!r} is no message that the simulator sends"
        raise InputError(str(path), f"{place}.message", problem, f"use one of {', '.join(sendable)}")
    to = _address(path, f"{place}.to", entry.to)
    source = _address(path, f"{place}.from", entry.source) if entry.source else Address("127.0.0.1", 0)
    return Publication(entry.message, source, to, _rate(str(path), f"{place}.rate_hz", entry.rate_hz))


def _rate(source: str, place: str, rate: float) -> float:
    if not 0 < rate <= FASTEST_HZ:
        raise InputError(source, place, f"a rate of {rate} Hz", f"give a rate above 0, up to {FASTEST_HZ:g} Hz")
    return rate


def _address(path: Path, place: str, text: str) -> Address:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 0 <= int(port) <= 65535:
        raise InputError(str(path), place, f"{text!r} is no address", 'write it as "127.0.0.1:9093"')
    return Address(host, int(port))


class _UdpConfig(msgspec.Struct):
    hostIP: str = "127.0.0.1"  # noqa: N815 - the product's key
    hostPort: int = 0  # noqa: N815
    destinationIP: str = "127.0.0.1"  # noqa: N815
    destinationPort: int = 0  # noqa: N815


class _Config(msgspec.Struct):
    commType: int = 0  # noqa: N815
    pubFrequency: float = DEFAULT_RATE_HZ  # noqa: N815
    udpConfig: _UdpConfig = msgspec.field(default_factory=_UdpConfig)  # noqa: N815


class _Entry(msgspec.Struct):
    PUBSUB_TYPE: int
    config: _Config = msgspec.field(default_factory=_Config)
    EgoCtrlConfig: _Config | None = None


class _Target(msgspec.Struct):
    UNIQUEID: int
    listEgoNetworkInfo: list[_Entry] = []  # noqa: N815


class _Saved(msgspec.Struct):
    egoNetworkData: list[_Target]  # noqa: N815


def _read_saved(path: Path) -> tuple[UdpNetwork, list[str]]:
    """A file as the product saves it (facts/ros-grpc-mgeo.md, section 5)."""
    try:
        saved = msgspec.json.decode(path.read_bytes(), type=_Saved)
    except OSError as error:
        raise InputError(str(path), "", error.strerror or "cannot be read", "check the path") from None
    except msgspec.DecodeError as error:
        problem = f"is no network settings file as MORAI SIM saves it: {error}"
        raise InputError(str(path), "", problem, "save it again, or use dorosim's own form (.toml)") from None
    listen: list[Address] = []
    send: list[Publication] = []
    notices: list[str] = []
    for target in saved.egoNetworkData:
        for entry in target.listEgoNetworkInfo:
            _take(path, target.UNIQUEID, entry, listen, send, notices)
    return UdpNetwork(tuple(dict.fromkeys(listen)), tuple(send)), notices


def _take(
    path: Path, target: int, entry: _Entry, listen: list[Address], send: list[Publication], notices: list[str]
) -> None:
    """Sort one entry into what is listened to, sent, or only told of."""
    kind = entry.PUBSUB_TYPE
    # control commands have a block of their own; its commType 0 stands in files whose main block is in use
    config = entry.EgoCtrlConfig if kind == 771 and entry.EgoCtrlConfig is not None else entry.config
    label = f"target {target}, PUBSUB_TYPE {kind}"
    udp = config.udpConfig
    if config.commType != _UDP:
        transport = COMM_TYPES.get(config.commType, str(config.commType))
        notices.append(f"{path}: {label}: transport {transport}: kept in the file, not used by the UDP interface")
    elif target not in (0, -100):
        notices.append(f"{path}: {label}: belongs to another ego vehicle: kept in the file, not used")
    elif kind in SENT:
        to = _port(path, label, udp.destinationIP, udp.destinationPort)
        source = Address(udp.hostIP, udp.hostPort)
        rate = _rate(str(path), label, config.pubFrequency)
        send.append(Publication(SENT[kind], source, to, rate))
    elif kind in HEARD:
        listen.append(_port(path, label, udp.hostIP, udp.hostPort))
    else:
        notices.append(f"{path}: {label}: no UDP message of this type is known: kept in the file, not used")


def _port(path: Path, place: str, host: str, port: int) -> Address:
    if not 0 < port <= 65535:
        raise InputError(str(path), place, f"port {port}", "give a port from 1 to 65535")
    return Address(host, port)


assert set(SENT.values()) <= set(BY_NAME)
