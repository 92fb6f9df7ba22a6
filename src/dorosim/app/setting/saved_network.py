"""Network settings as MORAI SIM saves them (.json; facts/ros-grpc-mgeo.md, section 5).

UDP entries are used, and those of ROS (`app/serve/ros/saved.py`). Entries of other transports and of unknown types
stay in the file and are named in a notice; so do those of ROS of further ego vehicles.
"""

from __future__ import annotations

import codecs
from pathlib import Path

import msgspec

from dorosim.app.setting.network_check import checked_publication, checked_rate
from dorosim.endpoint.udp.network import DEFAULT_RATE_HZ, LOOPBACK, EgoNetwork, Publication, UdpNetwork
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file

UDP, ROS = 1, 3
"""NetworkCommType of the transports that are spoken here."""
HERE = (0, -100)
"""UNIQUEID of the ego vehicle and of the simulator."""

SENT: dict[int, str] = {
    257: "ObjectInfo",
    258: "GetTrafficLightStatus",
    261: "CollisionData",
    265: "GetIntersectionStatus",
    268: "NpcVehicleCollisionData",
    291: "GetTrafficLightStatus",
    294: "GetIntersectionStatus",
    295: "CompetitionVehicleStatus",
    770: "EgoVehicleStatus",
    772: "ObjectInfo",
}
"""PUBSUB_TYPE of what the product sends (facts/standard-api.json, and facts/udp-wire.md 3.3 for 295)."""

HEARD: frozenset[int] = frozenset({259, 260, 262, 264, 266, 290, 292, 293, 771, 776, 783, 2817, 2818, 4809})
"""PUBSUB_TYPE of what the product listens to by UDP."""

TRANSPORTS = {0: "none", 1: "UDP", 2: "TCP", 3: "ROS", 4: "LCM", 5: "serial", 6: "ROS_AUTO", 7: "Apollo"}
"""NetworkCommType (facts/standard-api.json)."""
_CONTROLLER = 3
"""Division_TYPE of what drives the ego vehicle, as in saved files."""


class _Udp(msgspec.Struct):
    host: str = msgspec.field(default=LOOPBACK, name="hostIP")
    port: int = msgspec.field(default=0, name="hostPort")
    to_host: str = msgspec.field(default=LOOPBACK, name="destinationIP")
    to_port: int = msgspec.field(default=0, name="destinationPort")


class SavedTopic(msgspec.Struct):
    """The ROS topic of an entry (`rosConfig`)."""

    bridge: str = msgspec.field(default="", name="RosBridgeServerUrl")
    topic: str = msgspec.field(default="", name="Topic")
    frame: str = msgspec.field(default="", name="frameID")
    child_frame: str = msgspec.field(default="", name="childFrameID")
    on: bool = msgspec.field(default=True, name="RosMessageOnOff")


class _Config(msgspec.Struct):
    transport: int = msgspec.field(default=0, name="commType")
    rate_hz: float = msgspec.field(default=DEFAULT_RATE_HZ, name="pubFrequency")
    udp: _Udp = msgspec.field(default_factory=_Udp, name="udpConfig")
    ros: SavedTopic = msgspec.field(default_factory=SavedTopic, name="rosConfig")


class _Entry(msgspec.Struct):
    kind: int = msgspec.field(name="PUBSUB_TYPE")
    division: int = msgspec.field(default=0, name="Division_TYPE")
    config: _Config = msgspec.field(default_factory=_Config)
    control: _Config | None = msgspec.field(default=None, name="EgoCtrlConfig")

    def used(self, transport: int) -> _Config:
        """The block that counts for a transport: a controller has one of its own, and either may be set to it."""
        if self.control is not None and self.division == _CONTROLLER and self.control.transport == transport:
            return self.control
        return self.config


class _Target(msgspec.Struct):
    id: int = msgspec.field(name="UNIQUEID")
    entries: list[_Entry] = msgspec.field(default_factory=list, name="listEgoNetworkInfo")


class _Saved(msgspec.Struct):
    targets: list[_Target] = msgspec.field(name="egoNetworkData")


def read_saved_network(path: Path) -> tuple[UdpNetwork, list[str]]:
    """The network settings of a file, and notices about what of it is not used.

    Raises:
        InputError: the file cannot be read or is wrong somewhere.
    """
    saved = decode_saved(path)
    listen: dict[int, list[Address]] = {1: []}
    send: dict[int, list[Publication]] = {1: []}
    notices: list[str] = []
    numbers = _numbers_of(saved)
    for target in saved.targets:
        ego = numbers.get(target.id, 0)  # 0 for a target that is no ego vehicle
        for entry in target.entries:
            kind, config = entry.kind, entry.used(UDP)
            label, udp = f"target {target.id}, PUBSUB_TYPE {kind}", config.udp
            if config.transport != UDP:
                if entry.used(ROS).transport == ROS and target.id in HERE:
                    continue  # dorosim.app.serve.ros.saved
                unused = f"transport {TRANSPORTS.get(config.transport, config.transport)}"
                notices.append(f"{path}: {label}: {unused}: kept in the file, not used by the UDP interface")
            elif not ego:
                notices.append(f"{path}: {label}: is not an ego vehicle's: kept in the file, not used")
            elif kind in SENT:
                to = _address(path, label, udp.to_host, udp.to_port)
                source = _address(path, label, udp.host, udp.port, min_port=0)
                rate = checked_rate(str(path), label, config.rate_hz)
                publication = checked_publication(str(path), label, Publication(SENT[kind], source, to, rate, ego))
                send.setdefault(ego, []).append(publication)
            elif kind in HEARD:
                listen.setdefault(ego, []).append(_address(path, label, udp.host, udp.port))
            else:
                notices.append(f"{path}: {label}: no UDP message of this type is known: kept in the file, not used")
    further = {
        ego: EgoNetwork(
            tuple(dict.fromkeys(listen[ego])) if ego in listen else None, tuple(send[ego]) if ego in send else None
        )
        for ego in sorted({*listen, *send} - {1})
    }
    return UdpNetwork(tuple(dict.fromkeys(listen[1])), tuple(send[1]), further), notices


def _numbers_of(saved: _Saved) -> dict[int, int]:
    """The ego vehicle that each target is: 1 for the first one and the simulator, further ones in the order of ids.

    No document gives the ids of further ego vehicles, only that the first one has 0.
    """
    further = sorted({target.id for target in saved.targets if target.id > 0})
    return dict.fromkeys(HERE, 1) | {target: number for number, target in enumerate(further, 2)}


def decode_saved(path: Path) -> _Saved:
    """The entries of a file.

    Raises:
        InputError: the file cannot be read or is wrong somewhere.
    """
    try:
        return msgspec.json.decode(read_file(path).removeprefix(codecs.BOM_UTF8), type=_Saved)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        problem = f"is not a network settings file as MORAI SIM saves it: {error}"
        raise InputError(str(path), "", problem, "save it again, or use dorosim's own form (.toml)") from None


def _address(path: Path, place: str, host: str, port: int, min_port: int = 1) -> Address:
    if not min_port <= port <= 65535:
        raise InputError(str(path), place, f"port {port}", f"give a port from {min_port} to 65535")
    return Address(host, port)
