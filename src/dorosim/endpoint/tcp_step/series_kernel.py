"""Waits for the next step of a client and makes its tick, in one call of compiled code, without the GIL.

It takes a FixedStep of one step that has come alone, and makes an ordinary tick. All else goes back to Python: other
bytes, other sockets, ticks that are not ordinary. What it has read is in the buffer then.

Source: POSIX.1-2017, poll(), recv().
"""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from dorosim.ground.address_kernel import ints_at
from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.linked_kernel import KernelLink, array_kind
from dorosim.world.block import CONTACTS
from dorosim.world.ordinary.link_kernel import MAKE_TICK


class SeriesWord(IntEnum):
    """Words of what a call takes and gives."""

    POLL = 0
    """Address of `poll`."""
    RECEIVE = auto()
    """Address of `recv`."""
    SOCKETS = auto()
    """Address of a `struct pollfd` for each socket, that of the client first."""
    SOCKET_COUNT = auto()
    SOCKET = auto()
    """File descriptor of the client."""
    FLAGS = auto()
    """Of `recv`: it does not wait."""
    WAIT = auto()
    """How long to wait at most [ms]."""
    BUFFER = auto()
    """Address of the room for what is read."""
    ROOM = auto()
    """Bytes of it."""
    TICK = auto()
    """Address of `make_ordinary_tick`."""
    STEP_HEAD = auto()
    """The first eight bytes of a FixedStep."""
    STEP_HEAD_REST = auto()
    """The two bytes of its head before the id of the request."""
    GIVEN = auto()
    """Address of what ticks take as given (`TickWord`)."""
    GIVEN_WORDS = auto()
    ZEROS = auto()
    """First of the words of a block of which Python wants to know whether any is not 0."""
    ZEROS_END = auto()
    SIZE = auto()
    """Out: bytes that were read."""


class SeriesFound(IntEnum):
    """What a call has come upon."""

    NOTHING = 0
    """Nothing has come in time, or a signal has."""
    OTHERS = auto()
    """Another socket has something, or nothing can be read of the client."""
    FRAME = auto()
    """Bytes that Python has to read; none where the client has gone."""
    STEP = auto()
    """A step whose tick Python has to make."""
    STEPPED = auto()
    """A step, and its tick has been made."""
    ALERTED = auto()
    """The same, and a word that Python wants to know of is not 0."""


FOUND_SHIFT = 3
"""Bits of a result that are `SeriesFound`."""
FOUND_BITS = (1 << FOUND_SHIFT) - 1
POLL_IN = 1
"""Event of `poll`: something can be read. Also in macOS."""
STEP_BYTES = 20
"""Bytes of a FixedStep."""
_POLL, _RECEIVE, _SOCKETS = int(SeriesWord.POLL), int(SeriesWord.RECEIVE), int(SeriesWord.SOCKETS)
_COUNT, _SOCKET, _FLAGS = int(SeriesWord.SOCKET_COUNT), int(SeriesWord.SOCKET), int(SeriesWord.FLAGS)
_WAIT, _BUFFER, _ROOM = int(SeriesWord.WAIT), int(SeriesWord.BUFFER), int(SeriesWord.ROOM)
_TICK, _STEP_HEAD, _STEP_REST = int(SeriesWord.TICK), int(SeriesWord.STEP_HEAD), int(SeriesWord.STEP_HEAD_REST)
_GIVEN, _GIVEN_WORDS = int(SeriesWord.GIVEN), int(SeriesWord.GIVEN_WORDS)
_ZEROS, _ZEROS_END = int(SeriesWord.ZEROS), int(SeriesWord.ZEROS_END)
_SIZE = int(SeriesWord.SIZE)
_NOTHING, _OTHERS, _FRAME = int(SeriesFound.NOTHING), int(SeriesFound.OTHERS), int(SeriesFound.FRAME)
_STEP, _STEPPED, _ALERTED = int(SeriesFound.STEP), int(SeriesFound.STEPPED), int(SeriesFound.ALERTED)
_HALF, _QUARTER = 0xFFFFFFFF, 0xFFFF
_make_tick = MAKE_TICK.call


@intrinsic  # type: ignore[untyped-decorator]
def _poll(_typing: Any, _function: Any, _sockets: Any, _count: Any, _wait: Any) -> Any:
    """`poll` at an address: its result."""

    def code(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        word, half, byte = ir.IntType(64), ir.IntType(32), ir.IntType(8).as_pointer()
        function, sockets, count, wait = arguments
        kind = ir.FunctionType(half, [byte, word, half])
        given = [builder.inttoptr(sockets, byte), count, builder.trunc(wait, half)]
        return builder.sext(builder.call(builder.inttoptr(function, kind.as_pointer()), given), word)

    return types.int64(*(types.int64,) * 4), code


@intrinsic  # type: ignore[untyped-decorator]
def _receive(_typing: Any, _function: Any, _socket: Any, _buffer: Any, _room: Any, _flags: Any) -> Any:
    """`recv` at an address: its result."""

    def code(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        word, half, byte = ir.IntType(64), ir.IntType(32), ir.IntType(8).as_pointer()
        function, socket, buffer, room, flags = arguments
        kind = ir.FunctionType(word, [half, byte, word, half])
        given = [builder.trunc(socket, half), builder.inttoptr(buffer, byte), room, builder.trunc(flags, half)]
        return builder.call(builder.inttoptr(function, kind.as_pointer()), given)

    return types.int64(*(types.int64,) * 5), code


@inner_kernel
def _read_client(call: IntArray) -> int:
    """Wait for bytes of the client, and read them; `SeriesFound.STEP` for a FixedStep of one step."""
    if _poll(call[_POLL], call[_SOCKETS], call[_COUNT], call[_WAIT]) <= 0:
        return _NOTHING
    sockets = ints_at(call[_SOCKETS], call[_COUNT])
    for k in range(sockets.shape[0]):
        events = (sockets[k] >> 48) & _QUARTER
        if events != (POLL_IN if k == 0 else 0):
            return _OTHERS
    size = _receive(call[_RECEIVE], call[_SOCKET], call[_BUFFER], call[_ROOM], call[_FLAGS])
    if size < 0:
        return _OTHERS
    call[_SIZE] = size
    data = ints_at(call[_BUFFER], 3)
    if size != STEP_BYTES or data[0] != call[_STEP_HEAD] or data[1] & _QUARTER != call[_STEP_REST]:
        return _FRAME
    request = (data[1] >> 16) & _HALF
    return _STEP | request << FOUND_SHIFT if data[2] & _HALF == 1 else _FRAME


@kernel
def await_step(call: IntArray, before: IntArray, after: IntArray) -> int:
    """Wait for the next step of a client, and make its tick.

    Args:
        call: `(N,)` `SeriesWord`; what is out is written.
        before: as of `make_ordinary_tick`.
        after: likewise; its content has a meaning only where the tick has been made.

    Returns:
        `SeriesFound`, and from bit `FOUND_SHIFT` on the id of the request.
    """
    found = _read_client(call)
    if (
        found & FOUND_BITS != _STEP
        or _make_tick(call[_TICK], (before, after, ints_at(call[_GIVEN], call[_GIVEN_WORDS]))) != 0
    ):
        return found
    if after[CONTACTS] != 0:
        return found  # which others want to know of
    for k in range(call[_ZEROS], call[_ZEROS_END]):
        if after[k] != 0:
            return found - _STEP + _ALERTED
    return found - _STEP + _STEPPED


_BLOCK, _NEW_BLOCK = array_kind("int64", 1), array_kind("int64", 1, writable=True)
AWAIT_STEP = KernelLink(
    "dorosim.endpoint.tcp_step.series_kernel",
    "await_step",
    (_NEW_BLOCK, _BLOCK, _NEW_BLOCK),
    types.int64,
)
"""With the types by which `dorosim.endpoint.tcp_step.series` calls it."""
