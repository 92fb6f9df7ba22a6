"""Addresses as users write them, and errors of those that cannot be used."""

from __future__ import annotations

import errno
import re

from dorosim.endpoint.udp.socket import Address, refused_address
from dorosim.ground.error import InputError

_ADDRESS = re.compile(r"([\w.-]+):([0-9]{1,5})")
_LAST_INDEX = re.compile(r"\[\d*\]")
_INTERFACES = {
    "listen.address": ("", 9093),
    "send.to": ("", 909),
    "send.from": ("", 908),
    "sensor": ("for packets of a sensor", 1232),
    "sensor.to": ("for packets of a sensor", 1232),
    "sensor.from": ("for packets of a sensor", 1231),
    "grpc.address": ("of the gRPC server", 7789),
    "view.address": ("of the live page", 8080),
    "ros.server": ("of the rosbridge server", 9090),
    "tcp_step.address": ("of the fixed step server", 20000),
    "tcp_step.vehicle_info": ("for Vehicle Info", 9091),
    "tcp_step.collision": ("for collision events", 9094),
    "tcp_step.control": ("for datagrams that drive", 9090),
}
"""What an address is of, and its usual port, by the key without indices."""


def address_from_text(source: str, place: str, text: str, min_port: int = 0) -> Address:
    """An address that a user wrote as host:port.

    Args:
        source: the file.
        place: key path; the error names the usual port of the interface whose key it is.
        text: what stands there.
        min_port: the lowest port.

    Raises:
        InputError: it is none.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or not min_port <= int(found[2]) <= 65535:
        key = _LAST_INDEX.sub("", place)
        what, port = _INTERFACES.get(key, _INTERFACES["listen.address"])
        problem = f"{text!r} is not a valid address {what}".rstrip()
        raise InputError(source, place, problem, f'write it as "127.0.0.1:{port}"')
    return Address(found[1], int(found[2]))


def address_refused(what: str, text: str, error: OSError, option: str) -> InputError:
    """The error of an address at which something cannot be served.

    Args:
        what: is to be served.
        text: the address, as the user wrote it.
        error: why not.
        option: of the command line that gives another one.
    """
    other = f"give another address with {option}"
    if error.errno == errno.EADDRINUSE:
        other = f"end that program, or move all ports of this run with --ports auto, or {other}"
    return refused_address(what, text, error, other, "tcp")


def not_served(refused: InputError) -> str:
    """The notice of an address that the user did not give: the run goes on without it. See `address_refused`."""
    return f"{refused.source} is not served: {refused.place} {refused.problem}; {refused.cure}"
