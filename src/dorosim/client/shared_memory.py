"""The client's side of shared memory: it opens what the simulator offers, and copies arrays out of it.

The form of the file is that of SharedMemory in wire/grpc/proto/dorosim/sensing.proto. Only a process of the same user
on the same machine can open it; for any other the readings come in the messages.
"""

from __future__ import annotations

import mmap
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HEAD, _ACCEPTED, _COPIED, _NEWEST, _NUMBERS, _NUMBER_STEP = 4096, 64, 128, 192, 256, 64
_FOLDER = Path("/dev/shm")
MAX_SLOTS = (_HEAD - _NUMBERS) // _NUMBER_STEP
"""Slots whose numbers the head has room for."""


class SharedSlots:
    """Memory that a simulator has offered.

    Args:
        offer: a SharedMemory message.

    Raises:
        OSError: the file cannot be opened, or is not that of the offer.

    Attributes:
        pipe: descriptor of the pipe through which readings are announced, -1 for none.
    """

    def __init__(self, offer: Any) -> None:
        path, size = Path(offer.path), _HEAD + offer.slots * offer.slot_size
        if path.parent != _FOLDER or not 0 < offer.slots <= MAX_SLOTS or offer.slot_size <= 0:
            raise OSError(f"{path} is not a file of shared memory")
        file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if os.fstat(file).st_size < size:
                raise OSError(f"{path} is shorter than {size} bytes")
            self._map = mmap.mmap(file, size)
        finally:
            os.close(file)
        if self._map[: len(offer.token)] != offer.token or not offer.token:
            self._map.close()
            raise OSError(f"{path} is another file than that of the offer")
        self._slots, self._slot_size = offer.slots, offer.slot_size
        self._bytes: NDArray[np.uint8] = np.frombuffer(self._map, np.uint8)
        self._head: NDArray[np.uint64] = self._bytes[:_HEAD].view("<u8")
        self.pipe = -1
        if offer.pipe:
            if Path(offer.pipe).parent != _FOLDER:
                raise OSError(f"{offer.pipe} is not a pipe of shared memory")
            # open for writing, too, so that this process can wake the thread that waits at it
            self.pipe = os.open(offer.pipe, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        self._head[_ACCEPTED // 8] = 1
        for name in filter(None, (offer.path, offer.pipe)):
            with suppress(OSError):
                Path(name).unlink()  # from now on the memory goes with the two processes

    def wait(self) -> int:
        """Wait until a reading is announced; returns the number of the newest reading, 0 for none."""
        os.read(self.pipe, 4096)
        return int(self._head[_NEWEST // 8])

    def wake(self) -> None:
        """Let `wait` return. Safe from another thread."""
        if self.pipe >= 0:
            os.write(self.pipe, b"1")

    def message(self, number: int) -> bytes | None:
        """The Reading message of a slot; None where it has been overwritten."""
        slot = (number - 1) % self._slots
        begin = _HEAD + slot * self._slot_size
        size = int.from_bytes(self._map[begin : begin + 4], "little")
        data = self._map[begin + 4 : begin + 4 + size]
        return data if int(self._head[(_NUMBERS + _NUMBER_STEP * slot) // 8]) == number else None

    def copied(self, number: int, arrays: Any) -> dict[str, NDArray[Any]] | None:
        """Copies of the arrays of a reading by name; None where it has been overwritten."""
        at = (_NUMBERS + _NUMBER_STEP * ((number - 1) % self._slots)) // 8
        begin = _HEAD + (number - 1) % self._slots * self._slot_size
        if int(self._head[at]) != number:
            return None
        found = {}
        for one in arrays:
            if one.type and not one.values:
                form = dtype_of(one)
                shape = tuple(one.shape)
                end = one.offset + form.itemsize * int(np.prod(shape, dtype=np.int64))
                if not 0 <= one.offset <= end <= self._slot_size:
                    return None
                place = self._bytes[begin + one.offset : begin + end]
                found[one.name] = place.view(form).reshape(shape).copy()
        if int(self._head[at]) != number:  # it was written again meanwhile
            return None
        self._head[_COPIED // 8] = number
        return found

    def close(self) -> None:
        """Close the pipe; the memory goes with the object, since another thread may copy from it just now."""
        if self.pipe >= 0:
            os.close(self.pipe)
            self.pipe = -1


def dtype_of(array: Any) -> np.dtype[Any]:
    """The numpy type of an Array message."""
    kinds = array.type.split(",")
    if array.fields:
        return np.dtype(list(zip(array.fields, kinds, strict=True)))
    plain: np.dtype[Any] = np.dtype(kinds[0])
    return plain


def arrays_in_message(arrays: Any) -> dict[str, Any]:
    """The arrays and texts of a Reading message whose values are in it, by name."""
    found: dict[str, Any] = {}
    for one in arrays:
        if not one.type:
            found[one.name] = tuple(one.texts)
        elif one.values or 0 in one.shape:
            found[one.name] = np.frombuffer(one.values, dtype_of(one)).reshape(tuple(one.shape))
    return found
