"""UDP sockets: one per address, non-blocking, with large receive buffers and the kernel's own drop counter."""

from __future__ import annotations

import errno
import socket
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from dorosim.ground.error import InputError

RECEIVE_BUFFER = 4 << 20
"""Bytes asked for as SO_RCVBUF: a fifth of a second at 50,000 small datagrams a second."""

_SO_RCVBUFFORCE = 33
_SO_MEMINFO = 55
_MEMINFO_DROPS = 8
"""Linux: SO_RCVBUFFORCE may exceed rmem_max with CAP_NET_ADMIN; SO_MEMINFO holds nine uint32, the last the drops."""


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """An IPv4 address and port."""

    host: str
    port: int

    def __str__(self) -> str:
        """As users write it."""
        return f"{self.host}:{self.port}"


def open_listener(address: Address) -> socket.socket:
    """A bound socket that receives.

    Raises:
        InputError: the address cannot be bound; the error names it.
    """
    sock = _new_socket()
    try:
        sock.bind((address.host, address.port))
    except OSError as error:
        sock.close()
        raise InputError("udp", str(address), bind_problem(error), _cure(error)) from None
    _enlarge(sock)
    return sock


def try_listeners(addresses: Iterable[Address]) -> None:
    """Check that addresses can be bound, before anything that takes long.

    Raises:
        InputError: one cannot be bound; the error names it.
    """
    for address in addresses:
        open_listener(address).close()


def open_sender(address: Address) -> tuple[socket.socket, str]:
    """A socket that sends from an address, or from any port of its host where that one cannot be bound.

    Returns:
        The socket, and a notice if the port is another one, else an empty string.

    Raises:
        InputError: not even the host can be bound.
    """
    sock = _new_socket()
    try:
        sock.bind((address.host, address.port))
    except OSError as error:
        reason = bind_problem(error)
    else:
        return sock, ""
    try:
        sock.bind((address.host, 0))
    except OSError as error:
        sock.close()
        raise InputError("udp", str(address), bind_problem(error), _cure(error)) from None
    port = sock.getsockname()[1]
    return sock, f"source port {address} {reason}; sending from port {port} instead"


def resolve(address: Address) -> tuple[str, int]:
    """The numeric form of a destination. A name is looked up here once, not for every datagram.

    Raises:
        InputError: the name is not known.
    """
    try:
        return socket.gethostbyname(address.host), address.port
    except (OSError, ValueError):  # of a name with letters that no name has
        cure = "give a number such as 192.168.0.7 in the network settings (--network)"
        raise InputError("udp", str(address), "the host's name is not known", cure) from None


def kernel_drops(sock: socket.socket) -> int:
    """Datagrams that the kernel dropped because the receive buffer was full; 0 where it does not say."""
    if not sys.platform.startswith("linux"):
        return 0
    try:
        raw = sock.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, 36)
    except OSError:
        return 0
    return int(struct.unpack("9I", raw)[_MEMINFO_DROPS]) if len(raw) == 36 else 0


def receive_buffer(sock: socket.socket) -> int:
    """Bytes of the receive buffer that the kernel granted (Linux counts twice the payload)."""
    return sock.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)


def _new_socket() -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setblocking(False)
    return sock


def _enlarge(sock: socket.socket) -> None:
    for option in (_SO_RCVBUFFORCE, socket.SO_RCVBUF):
        try:
            sock.setsockopt(socket.SOL_SOCKET, option, RECEIVE_BUFFER)
        except OSError:
            continue
        return


def bind_problem(error: OSError) -> str:
    """The reason why an address could not be bound, as a text that follows the address in a message."""
    known = {
        errno.EADDRINUSE: "is in use by another program",
        errno.EACCES: "needs privilege",
        errno.EADDRNOTAVAIL: "is not an address of this machine",
    }
    return known.get(error.errno or 0, f"cannot be bound: {error.strerror or error}")


def _cure(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "stop that program, or give another port in the network settings (--network)"
    if error.errno == errno.EACCES:
        return "give a port above 1023 in the network settings (--network)"
    return "give an address of this machine in the network settings (--network)"
