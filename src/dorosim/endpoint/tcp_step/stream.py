"""The bytes of one connection: frames in, answers out."""

from __future__ import annotations

import socket
import time

from dorosim.ground.error import DorosimError
from dorosim.wire.tcp_step.frame import HEAD_SIZE, Head, read_head, read_step

MAX_READ = 1 << 16
"""Bytes that are read at a time."""


class SlowFrameError(DorosimError):
    """A frame has not come, or an answer has not been taken, in time."""


class FrameStream:
    """A socket, what has been read of it, and what is to be sent.

    Args:
        sock: the socket.
        timeout: longest wall time from the first byte of a frame to its last one, and of an answer that is not taken
            [s].
    """

    def __init__(self, sock: socket.socket, timeout: float) -> None:
        self.sock = sock
        self._timeout = timeout
        self._data = bytearray()
        self._out: list[bytes] = []
        self._began = 0.0  # when the first byte of the frame came, on the monotonic clock
        self._ended = False

    @property
    def is_empty(self) -> bool:
        """Whether no byte of a frame has been read that was not taken, and the client has not gone."""
        return not self._data and not self._ended

    def read_now(self) -> None:
        """Read what is there, without waiting."""
        try:
            data = self.sock.recv(MAX_READ, socket.MSG_DONTWAIT)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        self._note(data)

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

    def take_step(self) -> tuple[int, int] | None:
        """Take a FixedStep that is all that has been read: its id and its number of steps; None for anything else."""
        found = read_step(self._data)
        if found is not None:
            self._data.clear()
        return found

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
            self.sock.settimeout(None)
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
            OSError: the client has gone.
        """
        if not self._out:
            return
        data, self._out = b"".join(self._out), []
        self.sock.settimeout(self._timeout)
        try:
            self.sock.sendall(data)
        except TimeoutError:
            raise SlowFrameError(f"answers were not taken in {self._timeout:g} s") from None

    def flush_now(self) -> bool:
        """Send what can be sent without waiting. Returns whether that is all."""
        out = self._out
        if not out:
            return True
        data = out[0] if len(out) == 1 else b"".join(out)
        try:
            sent = self.sock.send(data, socket.MSG_DONTWAIT)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self._ended, sent = True, len(data)
        self._out = [data[sent:]] if sent < len(data) else []
        return not self._out

    def _note(self, data: bytes) -> None:
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
            self.sock.settimeout(left)
            try:
                self._note(self.sock.recv(MAX_READ))
            except TimeoutError:
                continue
