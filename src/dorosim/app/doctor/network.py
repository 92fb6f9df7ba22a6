"""Checks of the addresses that a run uses: whether they are free, and which process has them."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dorosim.app.doctor.finding import Findings, note, ok, problem
from dorosim.app.setting.address import address_from_text
from dorosim.app.setting.check import served_addresses
from dorosim.app.setting.choice import Base
from dorosim.app.setting.network import udp_network_of
from dorosim.app.setting.port import with_moved_ports
from dorosim.app.store.folder import data_path
from dorosim.endpoint.udp.socket import RECEIVE_BUFFER, Address, open_listener, owner_of, receive_buffer
from dorosim.ground.error import InputError

NAMES = {"grpc.address": "gRPC", "ros.server": "rosbridge"}
"""What is served at the address of a key; others are called as their table."""


def check_udp(base: Base) -> Findings:
    """The addresses that are listened to, and those that are sent from."""
    settings = base.settings
    try:
        network, _ = udp_network_of(settings, data_path(settings.data))
    except InputError as error:
        yield problem("UDP", str(error), "dorosim config check prints more")
        return
    whole = network.of_egos(len(settings.ego))
    listen = list(whole.listen)
    taken = _by_reason(_taken(listen, socket.SOCK_DGRAM))
    for reason, addresses in taken.items():
        cure = "end that program, or give other ports in the network settings (--network)"
        yield problem("UDP", f"{_listed(addresses)}: {reason}", cure)
    if not taken:
        yield ok("UDP", f"all {len(listen)} addresses that are listened to are free")
    sources = [one.source for one in whole.publications if one.source not in listen]
    for reason, addresses in _by_reason(_taken(sources, socket.SOCK_DGRAM)).items():
        cure = "messages are sent from other ports, which most clients do not mind"
        yield note("UDP", f"{_listed(addresses)}: {reason}", cure)


def _by_reason(taken: Iterable[tuple[Address, str]]) -> dict[str, list[Address]]:
    found: dict[str, list[Address]] = {}
    for address, reason in taken:
        found.setdefault(reason, []).append(address)
    return found


def _listed(addresses: Sequence[Address]) -> str:
    """Addresses of one host with the host once: "127.0.0.1:9093, 9095"."""
    hosts = dict.fromkeys(address.host for address in addresses)
    return ", ".join(f"{host}:{', '.join(str(a.port) for a in addresses if a.host == host)}" for host in hosts)


def check_tcp(base: Base) -> Findings:
    """The addresses at which gRPC, rosbridge and others are served."""
    for key, text in served_addresses(with_moved_ports(base.settings)):
        name = NAMES.get(key, key.partition(".")[0])
        try:
            address = address_from_text("settings", key, text)
        except InputError as error:
            yield problem(name, str(error))
            continue
        found = next(_taken([address], socket.SOCK_STREAM), None)
        if found is None:
            yield ok(name, f"{address} is free")
        elif key in base.given:
            yield problem(name, f"{address}: {found[1]}", f"end that program, or give another address as {key}")
        else:
            instead = "takes another port for it" if key == "view.address" else f"goes on without {name}"
            yield note(name, f"{address}: {found[1]}; a run {instead}", f"give another address as {key}")


def _taken(addresses: Iterable[Address], kind: socket.SocketKind) -> Iterator[tuple[Address, str]]:
    """Those that cannot be bound, and why."""
    for address in addresses:
        with socket.socket(socket.AF_INET, kind) as tried:
            if kind == socket.SOCK_STREAM:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind((address.host, address.port))
                if kind == socket.SOCK_STREAM:
                    tried.listen(1)
            except OSError as error:
                yield address, _reason(error, address, kind)


def _reason(error: OSError, address: Address, kind: socket.SocketKind) -> str:
    if error.errno == errno.EADDRINUSE:
        owner = owner_of(address.port, "tcp" if kind == socket.SOCK_STREAM else "udp", address.host)
        return f"in use by {owner or 'another program'}"
    if error.errno == errno.EACCES:
        return "needs privilege (ports below 1024)"
    return f"cannot be used: {error.strerror or error}"


def check_buffer(_: Base) -> Findings:
    """How much the system lets a socket keep for the loop."""
    with open_listener(Address("127.0.0.1", 0)) as sock:
        granted = receive_buffer(sock) // 2
    if granted >= RECEIVE_BUFFER:
        yield ok("UDP buffer", f"{granted >> 10:,} KiB a socket")
        return
    try:
        maximum = Path("/proc/sys/net/core/rmem_max").read_text().strip()
    except OSError:
        maximum = "unknown"
    text = f"{granted >> 10:,} KiB a socket instead of {RECEIVE_BUFFER >> 10:,} (net.core.rmem_max is {maximum})"
    cure = f"only for floods of datagrams: sysctl -w net.core.rmem_max={RECEIVE_BUFFER}"
    yield note("UDP buffer", text, cure)
