"""Datagrams from the system's own `recvmmsg`: as many as are there, in one call.

Python's `recvfrom_into` makes a text of the sender's address for each datagram, which costs as much as the datagram.

Source: Linux man-pages, recvmmsg(2).
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from dorosim.endpoint.udp.send_kernel import error_of
from dorosim.ground.column import IntArray
from dorosim.ground.jit import kernel
from dorosim.ground.linked_kernel import KernelLink, array_kind

MESSAGE_NAME, MESSAGE_NAME_LENGTH, MESSAGE_PARTS, MESSAGE_PART_COUNT, MESSAGE_LENGTH = 0, 1, 2, 3, 7
"""Words of a `struct mmsghdr` of Linux on 64 bits: address and room of the sender's name, address and number of the
parts of the buffer, and the length of the datagram, in the low half of its word."""
ADDRESS_BYTES = 16
_DONT_WAIT = 0x40
_LOW = 0xFFFFFFFF


@intrinsic  # type: ignore[untyped-decorator]
def _receive_many(_typing: Any, _function: Any, _socket: Any, _messages: Any, _count: Any) -> Any:
    """`recvmmsg` at an address, without waiting: its result."""

    def code(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        half, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(half, [half, byte, half, half, byte])
        function, socket, messages, count = arguments
        done = builder.call(
            builder.inttoptr(function, kind.as_pointer()),
            [
                builder.trunc(socket, half),
                builder.inttoptr(messages, byte),
                builder.trunc(count, half),
                ir.Constant(half, _DONT_WAIT),
                ir.Constant(byte, None),
            ],
        )
        return builder.sext(done, ir.IntType(64))

    return types.int64(*(types.int64,) * 4), code


@kernel
def receive_datagrams(
    socket: int, messages: IntArray, sizes: IntArray, most: int, receive_many: int, errno_place: int
) -> int:
    """Take the datagrams that wait at a socket.

    Args:
        socket: its file descriptor.
        messages: `(N, 8)` a `struct mmsghdr` each, with a buffer and room for the sender's name.
        sizes: `(N,)` out: the length of each datagram.
        most: how many at most.
        receive_many: address of `recvmmsg`.
        errno_place: address of the function that says where `errno` of this thread is.

    Returns:
        How many were taken; -errno where none could be.
    """
    for k in range(most):
        messages[k, MESSAGE_NAME_LENGTH] = ADDRESS_BYTES
    count = _receive_many(receive_many, socket, int(messages.ctypes.data), most)
    if count < 0:
        return -error_of(errno_place)
    for k in range(count):
        sizes[k] = messages[k, MESSAGE_LENGTH] & _LOW
    return int(count)


RECEIVE_DATAGRAMS = KernelLink(
    "dorosim.endpoint.udp.receive_kernel",
    "receive_datagrams",
    (
        *(types.int64, array_kind("int64", 2, writable=True), array_kind("int64", 1, writable=True)),
        *(types.int64, types.int64, types.int64),
    ),
    types.int64,
)
"""With the types by which `dorosim.endpoint.udp.datagram_batch` calls it."""
