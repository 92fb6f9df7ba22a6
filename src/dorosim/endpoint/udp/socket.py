"""UDP sockets: one per address, non-blocking, with large receive buffers and the kernel's own drop counter."""

from __future__ import annotations

import errno
import socket
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

from dorosim.ground.error import InputError

LAST_PORT = 65535
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

    def moved(self, ports: int) -> Address | None:
        """The address so many ports on, None where there is no such port; port 0, which is any, stays."""
        port = self.port + ports if self.port else 0
        return Address(self.host, port) if port <= LAST_PORT else None


class AddressInUseError(InputError):
    """An address cannot be bound, since another program has it."""


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
        raise refused_address("udp", str(address), error, _cure(error)) from None
    _enlarge(sock)
    return sock


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
        reason = bind_problem(error, address.port, host=address.host)
    else:
        return sock, ""
    try:
        sock.bind((address.host, 0))
    except OSError as error:
        sock.close()
        raise refused_address("udp", str(address), error, _cure(error)) from None
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


def refused_address(source: str, text: str, error: OSError, cure: str, kind: str = "udp") -> InputError:
    """The error for an address that could not be bound.

    Args:
        source: what was to be served there.
        text: the address, as users write it.
        error: why not.
        cure: what to do about it.
        kind: "udp" or "tcp".

    Returns:
        An `AddressInUseError` that names the program that has the address, or another error.
    """
    host, _, port = text.rpartition(":")
    problem = bind_problem(error, int(port) if port.isdecimal() else 0, kind, host)
    made = AddressInUseError if error.errno == errno.EADDRINUSE else InputError
    return made(source, text, problem, cure)


def bind_problem(error: OSError, port: int = 0, kind: str = "udp", host: str = "") -> str:
    """The reason why an address could not be bound, as a text that follows the address in a message.

    Args:
        error: of the system.
        port: of the address, so that the program that has it can be named; 0 names none.
        kind: "udp" or "tcp".
        host: of the address, as of `owner_of`.
    """
    if error.errno == errno.EADDRINUSE:
        return f"is in use by {(port and owner_of(port, kind, host)) or 'another program'}"
    known = {errno.EACCES: "needs privilege", errno.EADDRNOTAVAIL: "is not an address of this machine"}
    return known.get(error.errno or 0, f"cannot be bound: {error.strerror or error}")


def owner_of(port: int, kind: str, host: str = "") -> str:
    """The process that has a port of this machine, as "python3 (process 1234)"; "" where it cannot be found.

    Args:
        port: of the address.
        kind: "udp" or "tcp".
        host: of the address, in numbers: a process that has the port at another address is not meant, one that has it
            at all of them is. "" and a name mean any.
    """
    try:
        rows = [
            line.split() for end in ("", "6") for line in Path(f"/proc/net/{kind}{end}").read_text().splitlines()[1:]
        ]
        ends = ((row[1].partition(":"), row[9]) for row in rows if row[9] != "0")
        inodes = {inode for (at, _, number), inode in ends if int(number, 16) == port and _overlaps(at, host)}
        processes = sorted(one.name for one in Path("/proc").iterdir() if one.name.isdigit())
    except (OSError, ValueError, IndexError):
        return ""
    wanted = {f"socket:[{inode}]" for inode in inodes}
    for process in processes if wanted else ():
        folder = Path("/proc", process)
        try:
            if any(str(one.readlink()) in wanted for one in (folder / "fd").iterdir()):
                return f"{(folder / 'comm').read_text().strip()} (process {process})"
        except OSError:
            continue  # another user's, or just gone
    return ""


def _overlaps(local: str, host: str) -> bool:
    """Whether the kernel's hexadecimal text of a local address, of IPv4 or 6, stands for a host, or either for all."""
    try:
        wanted = socket.inet_aton(host)
    except OSError:
        return True
    return not any(wanted) or not local.strip("0") or bytes.fromhex(local[-8:])[::-1] == wanted


def _cure(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "end that program, or give this run other ports: --ports auto, or --port-offset 1000"
    if error.errno == errno.EACCES:
        return "give a port above 1023: --port-offset 10000, or the network settings (--network)"
    return "give an address of this machine in the network settings (--network)"
