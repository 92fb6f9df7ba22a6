"""Network settings files in dorosim's own form (.toml).

    [[listen]]
    address = "127.0.0.1:9093"

    [[send]]
    message = "EgoVehicleStatus"
    from = "127.0.0.1:908"
    to = "127.0.0.1:909"
    rate_hz = 50

A file replaces the lists that it has; a list that it does not have keeps its defaults. `ego = 2` makes an entry one of
the second ego vehicle; lists of further ego vehicles that are not there are those of the first one, 100 ports on for
each (docs/decisions/0036-udp-of-further-egos.md).
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from dorosim.app.setting.address import address_from_text
from dorosim.app.setting.network_check import checked_publication, checked_rate, source_host
from dorosim.app.setting.saved_network import read_saved_network
from dorosim.app.setting.settings import Settings, convert_toml
from dorosim.app.setting.tcp_step import step_addresses
from dorosim.app.store.folder import inside, is_there
from dorosim.endpoint.udp.network import DEFAULT_RATE_HZ, EgoNetwork, Publication, UdpNetwork
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.error import InputError
from dorosim.wire.udp.catalogue import STATUS

MAX_EGOS = 1000
"""Ego vehicles in a run."""


class _Listen(msgspec.Struct, forbid_unknown_fields=True):
    address: str
    ego: int = 1


class _Send(msgspec.Struct, forbid_unknown_fields=True, rename={"source": "from"}):
    message: str
    to: str
    source: str = ""
    rate_hz: float = DEFAULT_RATE_HZ
    ego: int = 1


class _NetworkFile(msgspec.Struct, forbid_unknown_fields=True):
    listen: list[_Listen] | None = None
    send: list[_Send] | None = None


def network_file(given: str | None, data: Path) -> Path | None:
    """The network settings file that a user named, None for none. A bare name is looked up in the data folder."""
    if given is None:
        return None
    path = Path(given)
    if not is_there(path) and path.name == given:
        found = inside(data / "Network", path.name)
        path = found if is_there(found) else path
    return path


def udp_network_of(settings: Settings, data: Path) -> tuple[UdpNetwork, list[str]]:
    """The network of the settings with their port offset, and notices about what of its file is not used.

    Args:
        settings: all of them.
        data: the data folder.

    Raises:
        InputError: the file cannot be read or is wrong somewhere, or there is no port so far on.
    """
    path = network_file(settings.udp.network, data)
    network, notices = (UdpNetwork(), []) if path is None else read_network(path)
    network = network.moved(settings.port_offset)
    goals = step_addresses(settings.tcp_step, settings.port_offset).goals
    if goals:
        network, left_out = network.clear_of(goals, "what the fixed step sends")
        notices = [*notices, *left_out]
    return network, notices


def read_network(path: Path) -> tuple[UdpNetwork, list[str]]:
    """The network settings of a file, and notices about what of it is not used.

    Raises:
        InputError: the file cannot be read or is wrong somewhere.
    """
    if path.suffix == ".json":
        return read_saved_network(path)
    tree = convert_toml(path, _NetworkFile)
    defaults = UdpNetwork()
    listen, send = defaults.listen, defaults.publications
    listen_rows, send_rows = _by_ego(path, "listen", tree.listen), _by_ego(path, "send", tree.send)
    addresses = {
        ego: tuple(address_from_text(str(path), f"listen[{i}].address", one.address) for i, one in rows)
        for ego, rows in listen_rows.items()
    }
    publications_of = {ego: tuple(_publication(path, i, one) for i, one in rows) for ego, rows in send_rows.items()}
    further = {
        ego: EgoNetwork(addresses.get(ego), publications_of.get(ego))
        for ego in sorted({*addresses, *publications_of})
        if ego != 1
    }
    return UdpNetwork(addresses.get(1, listen), publications_of.get(1, send), further), []


Row = TypeVar("Row", _Listen, _Send)


def _by_ego(path: Path, place: str, rows: list[Row] | None) -> dict[int, list[tuple[int, Row]]]:
    """Rows with their places in the file, by the ego vehicle that they are of; an empty list is that of the first.

    Raises:
        InputError: there can be no such ego vehicle.
    """
    found: dict[int, list[tuple[int, Row]]] = {} if rows or rows is None else {1: []}
    for number, row in enumerate(rows or ()):
        if not 1 <= row.ego <= MAX_EGOS:
            raise InputError(str(path), f"{place}[{number}].ego", f"ego vehicle {row.ego}", f"give 1 to {MAX_EGOS}")
        found.setdefault(row.ego, []).append((number, row))
    return found


def _publication(path: Path, number: int, entry: _Send) -> Publication:
    file, place = str(path), f"send[{number}]"
    if entry.message not in STATUS:
        problem = f"{entry.message!r} is not a message that the simulator sends"
        raise InputError(file, f"{place}.message", problem, f"use one of {', '.join(STATUS)}")
    to = address_from_text(file, f"{place}.to", entry.to, min_port=1)
    source = Address(source_host(to.host), 0)
    if entry.source:
        source = address_from_text(file, f"{place}.from", entry.source)
    rate = checked_rate(file, f"{place}.rate_hz", entry.rate_hz)
    return checked_publication(file, place, Publication(entry.message, source, to, rate, entry.ego))
