"""Memory that a client on the same machine reads arrays from: a ring of slots in a file of /dev/shm.

The file's form is that of SharedMemory in wire/grpc/proto/dorosim/sensing.proto. Only the user of this process can
open it. Its name is needed until the client has opened it: then the client removes it, and the memory is gone with the
last of the two processes, however they end. A file that a killed process left is removed when the next one is made:
its lock is free.

Through a named pipe beside it the client learns that a reading is there: a message of gRPC for each would cost more
than the copies of a picture.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = Path("/dev/shm")
"""Where files are memory (Linux)."""
PREFIX = "dorosim-"
TOKEN_SIZE = 16
PIPE = ".pipe"
"""Ends the name of the pipe of a file."""
HEAD = 4096
"""Bytes before the first slot."""
ACCEPTED, COPIED, NEWEST, NUMBERS, NUMBER_STEP = 64, 128, 192, 256, 64
"""Places in the head: what the client accepts, what it has copied, the newest reading, and the numbers of slots."""
MESSAGE_ROOM = 16 << 10
"""Bytes at the beginning of a slot for the message, where there is a pipe."""
SLOTS = 4
"""Pictures that are kept: one is copied by the client, one is written, and two are between."""
ALIGNMENT = 64
"""Arrays begin at multiples of it [bytes]."""


def aligned(size: int, step: int = ALIGNMENT) -> int:
    """A size rounded up to a multiple."""
    return -(-size // step) * step


class SharedRing:
    """A ring of slots.

    Args:
        slot_size: bytes of a slot.
        every: whether a slot that the client has not copied is kept; else there is a pipe.
        folder: where the file is made.

    Raises:
        OSError: there is no such folder, or no memory.

    Attributes:
        path: of the file. token: with which it begins. slot_size: rounded up to whole pages. slots: how many.
        pipe: path of the named pipe, None for none.
    """

    slots = SLOTS

    def __init__(self, slot_size: int, *, every: bool, folder: Path = FOLDER) -> None:
        remove_left_files(folder)
        self._every, self._number, self._pipe_file = every, 0, -1
        self._room = 0 if every else MESSAGE_ROOM
        self.slot_size = aligned(self._room + slot_size, mmap.PAGESIZE)
        self.token = secrets.token_bytes(TOKEN_SIZE)
        self.path = folder / f"{PREFIX}{os.getpid()}-{secrets.token_hex(8)}"
        self.pipe = None if every else self.path.with_name(self.path.name + PIPE)
        size = HEAD + SLOTS * self.slot_size
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.posix_fallocate(self._file, 0, size)  # memory that is short is found out here, not while writing
            self._map = mmap.mmap(self._file, size)
            if self.pipe is not None:
                os.mkfifo(self.pipe, 0o600)
                # open for reading, too: it can be opened before the client has, and stays open after it has gone
                self._pipe_file = os.open(self.pipe, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            self._unlink()
            os.close(self._file)
            raise
        self._map[:TOKEN_SIZE] = self.token
        self._bytes: NDArray[np.uint8] = np.frombuffer(self._map, np.uint8)
        self._head: NDArray[np.uint64] = self._bytes[:HEAD].view("<u8")
        self._named = True

    @property
    def accepted(self) -> bool:
        """Whether the client has opened it; its name is removed then."""
        if not self._head[ACCEPTED // 8]:
            return False
        if self._named:
            self._unlink()
            self._named = False
        return True

    def put(self, arrays: list[NDArray[Any]], message: Callable[[int, list[int]], bytes]) -> bytes | None:
        """Write a reading into the next slot, and say so through the pipe if there is one.

        Args:
            arrays: its arrays.
            message: returns its message; of the number of the reading, and where each array begins in the slot.

        Returns:
            The message; None where the reading does not fit, or the client has not copied yet what is in the slot and
            none may be lost.
        """
        offsets, end = [], self._room
        for array in arrays:
            offsets.append(end)
            end = aligned(end + array.nbytes)
        number = self._number + 1
        if end > self.slot_size or (self._every and number - int(self._head[COPIED // 8]) > SLOTS):
            return None
        slot = (number - 1) % SLOTS
        at = (NUMBERS + NUMBER_STEP * slot) // 8
        self._head[at] = 0
        begin = HEAD + slot * self.slot_size
        for array, offset in zip(arrays, offsets, strict=True):
            place = self._bytes[begin + offset : begin + offset + array.nbytes]
            np.copyto(place.view(array.dtype).reshape(array.shape), array)
        packed = message(number, offsets)
        if not self._every:
            if len(packed) + 4 > MESSAGE_ROOM:
                return None
            self._map[begin : begin + 4] = len(packed).to_bytes(4, "little")
            self._map[begin + 4 : begin + 4 + len(packed)] = packed
        self._head[at] = self._head[NEWEST // 8] = number
        self._number = number
        if self._pipe_file >= 0:
            with suppress(BlockingIOError):  # it is full: the client has enough to read
                os.write(self._pipe_file, b"1")
        return packed

    def close(self) -> None:
        """Let go of the memory, and remove its name if the client has not."""
        if self._named:
            self._unlink()
        del self._bytes, self._head
        with suppress(BufferError):
            self._map.close()
        os.close(self._file)
        if self._pipe_file >= 0:
            os.close(self._pipe_file)

    def _unlink(self) -> None:
        for path in (self.path, self.pipe):
            if path is not None:
                with suppress(OSError):
                    path.unlink()


def remove_left_files(folder: Path = FOLDER) -> None:
    """Remove files of this user that no process holds: those of simulators that were killed."""
    for path in folder.glob(f"{PREFIX}*"):
        pipe = path.with_name(path.name + PIPE)
        if path.suffix == PIPE:
            continue  # it goes with its file
        try:
            file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            continue  # another user's, or gone
        try:
            if os.fstat(file).st_uid == os.geteuid():
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                pipe.unlink(missing_ok=True)
                path.unlink()
        except OSError:
            pass  # its simulator runs
        finally:
            os.close(file)


def is_local(peer: str) -> bool:
    """Whether a client, by its address as grpc gives it, is on this machine as far as an address can tell."""
    return peer.startswith(("ipv4:127.", "ipv6:[::1]", "ipv6:%5B::1%5D", "unix:"))
