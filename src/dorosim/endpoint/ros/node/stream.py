"""Reading from a connection of TCPROS on a thread that waits for it."""

from __future__ import annotations

import socket

from dorosim.ground.error import DorosimError
from dorosim.wire.ros.error import RosError
from dorosim.wire.ros.tcpros import LENGTH, LONGEST_HEADER, decode_header

BLOCK = 1 << 20
"""Bytes for which room is made at a time: a length from outside alone costs no memory."""


class GoneError(DorosimError):
    """The peer has ended the connection."""


def read_frame(sock: socket.socket, max_size: int) -> memoryview:
    """A message without its length.

    Args:
        sock: blocking, perhaps with a timeout.
        max_size: bytes that are taken.

    Raises:
        RosError: it is longer.
        GoneError: the connection ended.
        OSError: the same, or the timeout has passed.
    """
    (length,) = LENGTH.unpack(_read(sock, LENGTH.size))
    if length > max_size:
        raise RosError(f"a message of {length:,} bytes; at most {max_size:,} are taken")
    return _read(sock, length)


def read_header(sock: socket.socket) -> dict[str, str]:
    """A connection header.

    Raises:
        RosError: it is none.
        GoneError: the connection ended.
        OSError: the same, or the timeout has passed.
    """
    return decode_header(bytes(read_frame(sock, LONGEST_HEADER)))


def _read(sock: socket.socket, count: int) -> memoryview:
    room = bytearray(min(count, BLOCK))
    at = 0
    while at < count:
        if at == len(room):
            room += bytes(min(count - at, len(room)))
        with memoryview(room) as view:
            got = sock.recv_into(view[at:])
        if not got:
            raise GoneError("the connection ended")
        at += got
    return memoryview(room)
