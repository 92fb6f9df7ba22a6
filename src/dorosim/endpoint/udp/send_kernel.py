"""Datagrams to the system's own `sendto`, one after another in one call of compiled code, without the GIL.

Python's `sendto` reads an address and makes an object for each datagram, which costs a third of it. The function of the
C library is called by its address, and so is the one that says where `errno` is.

Source: POSIX.1-2017, sendto(), errno.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from dorosim.ground.address_kernel import ints_at
from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.linked_kernel import KernelLink, array_kind

SEND_SOCKET, SEND_START, SEND_LENGTH, SEND_ADDRESS, SEND_ADDRESS_LENGTH, SEND_ERROR = 0, 1, 2, 3, 4, 5
"""Columns of a row: file descriptor, address and length of the datagram, address and length of the `sockaddr`, and the
error, 0 for none, which is written."""
_LOW = 0xFFFFFFFF


@intrinsic  # type: ignore[untyped-decorator]
def _send_to(_typing: Any, _function: Any, _socket: Any, _start: Any, _length: Any, _address: Any, _size: Any) -> Any:
    """`sendto` at an address, without flags: its result."""

    def code(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        word, half, byte = ir.IntType(64), ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(word, [half, byte, word, half, byte, half])
        function, socket, start, length, address, size = arguments
        return builder.call(
            builder.inttoptr(function, kind.as_pointer()),
            [
                builder.trunc(socket, half),
                builder.inttoptr(start, byte),
                length,
                ir.Constant(half, 0),
                builder.inttoptr(address, byte),
                builder.trunc(size, half),
            ],
        )

    return types.int64(*(types.int64,) * 6), code


@intrinsic  # type: ignore[untyped-decorator]
def _place_from(_typing: Any, _function: Any) -> Any:
    """The address that a function at an address gives."""

    def code(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [])

    return types.int64(types.int64), code


@inner_kernel
def error_of(errno_place: int) -> int:
    """`errno` of this thread, by the address of the function that says where it is.

    It has 32 bits, and stands in a word of 64 that may hold something else besides it.
    """
    place = _place_from(errno_place)
    word = ints_at(place - place % 8, 1)[0]
    return (word >> (8 * (place % 8))) & _LOW  # type: ignore[no-any-return]


@inner_kernel
def send_rows(rows: IntArray, send_to: int, errno_place: int) -> int:
    """As `send_datagrams`."""
    failed = 0
    for k in range(rows.shape[0]):
        socket, start, length = rows[k, SEND_SOCKET], rows[k, SEND_START], rows[k, SEND_LENGTH]
        rows[k, SEND_ERROR] = 0
        if _send_to(send_to, socket, start, length, rows[k, SEND_ADDRESS], rows[k, SEND_ADDRESS_LENGTH]) < 0:
            rows[k, SEND_ERROR] = error_of(errno_place)
            failed += 1
    return failed


@kernel
def send_datagrams(rows: IntArray, send_to: int, errno_place: int) -> int:
    """Send datagrams in their order; one that cannot be sent does not keep the others from being sent.

    Args:
        rows: `(N, 6)` see `SEND_SOCKET`; the error of each is written.
        send_to: address of `sendto`.
        errno_place: address of the function that says where `errno` of this thread is.

    Returns:
        How many were not sent.
    """
    return send_rows(rows, send_to, errno_place)


SEND_DATAGRAMS = KernelLink(
    "dorosim.endpoint.udp.send_kernel",
    "send_datagrams",
    (array_kind("int64", 2, writable=True), types.int64, types.int64),
    types.int64,
)
"""With the types by which `dorosim.endpoint.udp.status_sender` calls it."""
