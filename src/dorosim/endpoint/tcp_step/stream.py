"""The bytes of one connection: frames in, answers out."""

from __future__ import annotations

import select
import socket
import threading
import time

import numpy as np

from dorosim.ground.error import DorosimError
from dorosim.wire.tcp_step.frame import HEAD_SIZE, STEP_SIZE, Head, read_head, read_step

MAX_READ = 1 << 16
"""Bytes that are read at a time."""


class SlowFrameError(DorosimError):
    """A frame has not come, or an answer has not been taken, in time."""


class FrameStream:
    """A socket, what has been read of it, and what is to be sent.

    Args:
        sock: the socket, which has no timeout: with one, it would wait where it must not (`socket.MSG_DONTWAIT`).
        timeout: longest wall time from the first byte of a frame to its last one, and of an answer that is not taken
            [s].
    """

    def __init__(self, sock: socket.socket, timeout: float) -> None:
        self.sock = sock
        self._timeout = timeout
        self._data, self._buffer = bytearray(), bytearray(MAX_READ)
        self._out: list[bytes] = []
        self._sending = threading.Lock()
        self._began = 0.0  # when the first byte of the frame came, on the monotonic clock
        self._ended = self._gone = False  # whether no more comes, and whether nothing can be sent any longer

    @property
    def is_empty(self) -> bool:
        """Whether no byte of a frame has been read that was not taken, and the client has not gone."""
        return not self._data and not self._ended

    @property
    def place(self) -> tuple[int, int]:
        """Address and length [bytes] of the room into which is read: for compiled code, and then for `note`."""
        return np.frombuffer(self._buffer, np.uint8).ctypes.data, MAX_READ

    def note(self, size: int) -> None:
        """Take so many bytes of that room as read; none: the client has gone."""
        self._note(self._buffer[:size])

    def read_now(self) -> tuple[int, int] | None:
        """Read what is there, without waiting.

        Returns:
            id and number of steps of a FixedStep that is all that there is, which is taken; None for anything else.
        """
        try:
            size = self.sock.recv_into(self._buffer, 0, socket.MSG_DONTWAIT)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError:
            size = 0
        found = read_step(self._buffer) if size == STEP_SIZE and not self._data else None
        if found is None:
            self._note(self._buffer[:size])
        return found

    def whole_frame(self) -> tuple[Head, bytes] | None:
        """The next frame, which stays, if all of it has been read.

        Raises:
            WireError: its head cannot be understood.
        """
        if len(self._data) < HEAD_SIZE:
            return None
        head = read_head(bytes(self._data[:HEAD_SIZE]))
        if len(self._data) < HEAD_SIZE + head.size:
            return None
        return head, bytes(self._data[HEAD_SIZE : HEAD_SIZE + head.size])

    def skip(self, head: Head) -> None:
        """Take a frame out of what has been read."""
        del self._data[: HEAD_SIZE + head.size]

    def head(self) -> Head | None:
        """Wait for the head of the next frame, which stays; None where the client has gone between two frames.

        Raises:
            WireError: it cannot be understood.
            SlowFrameError: it does not come in time.
            EOFError: the client has gone within it.
        """
        while not self._data:
            if self._ended:
                return None
            self._note(self.sock.recv(MAX_READ))
        self._fill(HEAD_SIZE)
        return read_head(bytes(self._data[:HEAD_SIZE]))

    def payload(self, head: Head) -> bytes:
        """Wait for the payload behind a head, and take both; raises as `head`."""
        self._fill(HEAD_SIZE + head.size)
        data = bytes(self._data[HEAD_SIZE : HEAD_SIZE + head.size])
        self.skip(head)
        self._began = time.monotonic()  # what has been read already is of the next one
        return data

    def read_bytes(self, size: int) -> bytes:
        """The first bytes of what has been read."""
        return bytes(self._data[:size])

    def put(self, data: bytes) -> None:
        """Send this with the next `flush`."""
        self._out.append(data)

    def flush(self) -> None:
        """Send what waits.

        Raises:
            SlowFrameError: the client does not take it in time.
            ConnectionError: it has gone.
        """
        until = time.monotonic() + self._timeout
        while not self.flush_now():
            left = until - time.monotonic()
            if left <= 0.0:
                raise SlowFrameError(f"answers were not taken in {self._timeout:g} s")
            select.select((), (self.sock,), (), left)
        if self._gone:
            raise ConnectionError("the client has gone")

    def notify(self, data: bytes) -> None:
        """Send a frame that answers nothing, behind those that wait. Safe from any thread, and does not wait.

        What cannot be sent now goes with the next answer.
        """
        self._out.append(data)
        self.flush_now()

    def flush_now(self) -> bool:
        """Send what can be sent without waiting. Returns whether that is all. Safe from any thread."""
        out = self._out
        if not out:
            return True
        with self._sending:
            count = len(out)  # another thread may put more meanwhile
            data = out[0] if count == 1 else b"".join(out[:count])
            try:
                sent = self.sock.send(data, socket.MSG_DONTWAIT)
            except (BlockingIOError, InterruptedError):
                sent = 0
            except OSError:
                self._ended, self._gone, sent = True, True, len(data)
            if sent == len(data):
                del out[:count]
            else:
                out[:count] = [data[sent:]]
        return not out

    def _note(self, data: bytes | bytearray) -> None:
        if not self._data:
            self._began = time.monotonic()
        self._data += data
        self._ended = self._ended or not data

    def _fill(self, size: int) -> None:
        while len(self._data) < size:
            if self._ended:
                raise EOFError(f"the client has gone within a frame, after {len(self._data)} of {size} bytes")
            left = self._timeout - (time.monotonic() - self._began)
            if left <= 0.0:
                raise SlowFrameError(f"{len(self._data)} of {size} bytes of a frame came in {self._timeout:g} s")
            if select.select((self.sock,), (), (), left)[0]:
                self._note(self.sock.recv(MAX_READ))
