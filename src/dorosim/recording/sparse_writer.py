"""Writes the recording of a world of a batch: few of its ticks have a digest, and hardly anything is done in others.

A digest takes as long as the step of a small world, and a record as long as a tenth of one. So records wait until one
has a digest, and are made together then; those of vehicles that compiled code drives are made by it
(`drive_record_kernel`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from dorosim.ground.error import reason_of
from dorosim.recording.drive_record_kernel import NotePlace
from dorosim.recording.format import (
    DIGEST_SIZE,
    MAGIC,
    count_ticks,
    record_with_digest,
    tick_records,
    whole_records,
)
from dorosim.recording.timing import forget_timing
from dorosim.recording.writer import digest_of, opened, what_is_held
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

MAX_WAITING_BYTES = 1 << 15
"""Bytes that wait at most, besides what a recording begins with: those of 200 ticks of a vehicle."""
_ADDRESS, _ROOM, _FILL = int(NotePlace.ADDRESS), int(NotePlace.ROOM), int(NotePlace.FILL)
_LAST, _TICK, _DUE = int(NotePlace.LAST), int(NotePlace.TICK), int(NotePlace.DUE)


class SparseWriter:
    """Records ticks of which each has a duration, and the number after that of the one before.

    A disk that is full ends the recording, not the run: `problem` says so, and up to which tick the file holds the run.

    Args:
        path: the file; it is replaced, and a file of wall times beside it removed.
        begin: what it begins with: a header, and the record of the tick that the world has come from, if there is one.
        now: the world.
        writes: after so many ticks those before are written into the file.
        digests: one tick of so many has a digest, and the last one has; a multiple of `writes`.

    Raises:
        InputError: the file cannot be written.

    Attributes:
        problem: why and when the recording ended early, or an empty string.
        add: record the commands of one tick, as a tuple.
        due: number of the tick after which `tell` is to be called.
    """

    def __init__(self, path: Path, begin: Sequence[bytes], now: Snapshot, writes: int, digests: int) -> None:
        self._file = opened(path)
        forget_timing(path)
        self.problem = ""
        self._writes, self._digests, self._told = writes, digests, now.tick
        # records that wait, behind those of compiled code; whether the last of all is of a tick without a digest
        self._parts, self._is_bare = list(begin), len(begin) > 1
        self._waiting = memoryview(b"")
        self._place, self.due = array("q", bytes(8 * len(NotePlace))), now.tick + writes
        self._place[_TICK], self._place[_DUE] = now.tick, self.due
        # numbers of the tick before the first one, and of the last one that is in the file
        self._first = self._held = now.tick - self._is_bare
        # commands of ticks that are not among the records yet
        self._untold: list[tuple[Command, ...]] = []
        self.add: Callable[[tuple[Command, ...]], None] = self._untold.append

    def is_due(self) -> bool:
        """Whether the tick that was recorded last is the one after which `tell` is to be called."""
        return self._place[_TICK] + len(self._untold) >= self.due

    def tell(self, state: Callable[[], Snapshot]) -> None:
        """Write ticks into the file.

        Args:
            state: makes the snapshot after the last one.
        """
        place, untold = self._place, self._untold
        if place[_TICK] + len(untold) - self._told >= self._digests:
            self._put(digest_of(state()))
            self._told = place[_TICK]
            self._write_out()
        else:
            # all but the last one, which has a digest if none follows
            last = untold.pop()
            self._put(b"")
            self._write_out()
            untold.append(last)
        self.due = place[_DUE] = self.due + self._writes

    def settle(self) -> int:
        """Put all ticks where compiled code may write the next ones.

        Returns:
            the address of the `NotePlace` of the recording.
        """
        if self._untold:
            self._put(b"")
        place, data = self._place, b"".join(self._parts)
        if data:
            if place[_FILL] + len(data) > place[_ROOM]:
                self._make_room(len(data))
            begin, end = place[_FILL], place[_FILL] + len(data)
            self._waiting[begin:end] = data
            place[_FILL], place[_LAST] = end, end - len(self._parts[-1]) if self._is_bare else -1
            self._parts.clear()
        return place.buffer_info()[0]

    def close(self, last: Snapshot) -> None:
        """Finish the file.

        Args:
            last: the snapshot that was recorded last.
        """
        place, begin = self._place, self._place[_LAST]
        if self._untold:
            self._put(digest_of(last))
        elif self._parts:
            if self._is_bare:
                self._parts[-1] = record_with_digest(self._parts[-1], digest_of(last))
        elif begin >= 0:
            record = record_with_digest(bytes(self._waiting[begin : place[_FILL]]), digest_of(last))
            place[_FILL] = begin + len(record)
            self._waiting[begin : place[_FILL]] = record
        self._write_out()
        try:
            self._file.close()
        except OSError as error:
            self.problem = self.problem or f"may lack its end: {reason_of(error)}"

    def _put(self, digest: bytes) -> None:
        """Make records of all ticks; `digest`: that of the last one, or none."""
        place, untold = self._place, self._untold
        self._parts += tick_records(place[_TICK] + 1, untold, digest)
        self._is_bare = not digest
        place[_TICK] += len(untold)
        untold.clear()

    def _make_room(self, size: int) -> None:
        """Have room for so many bytes, and for what compiled code writes."""
        place = self._place
        if place[_FILL]:
            self._write_out(parts=False)
        if size > place[_ROOM]:
            room = size + MAX_WAITING_BYTES
            waiting = np.empty(room + DIGEST_SIZE, np.uint8)  # the last record may get a digest yet
            self._waiting = waiting.data
            place[_ADDRESS], place[_ROOM] = waiting.ctypes.data, room

    def _write_out(self, *, parts: bool = True) -> None:
        """Write what waits, and note which ticks are in the file where that ends too early: nothing is written then.

        Args:
            parts: also those records that compiled code has not.
        """
        place, written = self._place, 0
        data = b"".join((self._waiting[: place[_FILL]], *(self._parts if parts else ())))
        try:
            while not self.problem and written < len(data):
                written += self._file.write(data[written:] if written else data) or 0
        except OSError as error:
            part = data[:written]
            held = self._held + (count_ticks(part) if part.startswith(MAGIC) else whole_records(part))
            self.problem = what_is_held(held, self._first, error)
        place[_FILL], place[_LAST] = 0, -1
        if parts:
            self._parts.clear()
            self._is_bare = False
        self._held = place[_TICK] - len(self._parts)
