"""Writes a recording while a run goes on."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from io import FileIO
from pathlib import Path

from dorosim.ground.error import InputError, reason_of
from dorosim.recording.format import DIGEST_SIZE, MAGIC, HasEpoch, Header, Tick, append_record, encode_record
from dorosim.recording.timing import TimingWriter, Watch, forget_timing
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

MAX_WAITING_RECORDS = 1 << 17
"""Most bytes that wait to be written."""
_FLUSH_PERIOD = 1_000_000_000
"""Simulated time [ns] after which what was recorded is in the file."""


def digest_of(now: Snapshot) -> bytes:
    """The digest of a snapshot as recordings have it."""
    return now.digest()[:DIGEST_SIZE]


def opened(path: Path) -> FileIO:
    """A file for a recording, empty.

    Raises:
        InputError: it cannot be written.
    """
    try:
        return path.open("wb", buffering=0)
    except (OSError, ValueError) as error:
        raise InputError(
            str(path), "", f"cannot be written: {reason_of(error)}", "give another --record file"
        ) from None


def what_is_held(tick: int, first: int, error: OSError) -> str:
    """What a file holds that ended early.

    Args:
        tick: number of the last tick that it holds.
        first: that of the tick before its first one.
        error: why it ended.
    """
    held = f"holds ticks up to {tick:,}" if tick > first else "holds no tick"
    return f"{held} and no more: {reason_of(error)}"


class RecordingWriter:
    """An observer of the loop that records every tick.

    A disk that is full ends the recording, not the run: `problem` says so, and up to which tick the file holds the run.

    Args:
        path: the file; it is replaced, as is the file of wall times beside it.
        watch: of the loop, for those times; None: there are none.
        stamped: has the epoch of the run's stamps; None: it stays as the header has it.

    Raises:
        InputError: the file cannot be written.

    Attributes:
        problem: why and when the recording ended early, or an empty string.
    """

    def __init__(self, path: Path, watch: Watch | None = None, stamped: HasEpoch | None = None) -> None:
        self._file = opened(path)
        self.problem = ""
        self._path = path
        self._watch = watch
        self._stamped, self._epoch = stamped, 0
        self._timing: TimingWriter | None = None
        self._flushed = 0
        self._waiting = bytearray()
        self._ends: deque[tuple[int, int]] = deque()  # of records that wait: bytes of the file then, number of the tick
        self._put = self._written = 0
        self._held = 0  # number of the last tick that is in the file
        self._first = self._last = (0, 0)

    def begin(self, header: Header, first: Snapshot) -> None:
        """Write what the run starts from."""
        self._first = self._last = first.tick, first.time
        self._epoch, self._held = header.epoch, first.tick
        content = encode_record(header)
        self._waiting += MAGIC + content
        self._put += len(self._waiting)
        self._ends.append((self._put, first.tick))
        self._write_out()
        forget_timing(self._path)
        if self._watch is not None:
            self._timing = TimingWriter(self._path, content, self._watch)

    def __call__(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """Record one tick."""
        if self.problem:
            return
        if self._timing is not None:
            self._timing.add(now.tick, time.monotonic_ns())
        begun, at_first = self._first
        held = now.time == (at_first if now.tick == begun + 1 else self._last[1]) and not now.paused
        self._last = now.tick, now.time
        tick = Tick(now.tick, digest_of(now), tuple(commands), held, self._new_epoch())
        self._put += append_record(tick, self._waiting)
        self._ends.append((self._put, now.tick))
        # the absolute value, since time goes back when the run is reset
        flush = abs(now.time - self._flushed) >= _FLUSH_PERIOD
        if flush or len(self._waiting) >= MAX_WAITING_RECORDS:
            self._write_out()
        if flush:
            self._flushed = now.time
            if self._timing is not None:
                self._timing.flush()

    def _new_epoch(self) -> int | None:
        """The epoch of stamps where it is another one from this tick on."""
        if self._stamped is None or self._stamped.epoch == self._epoch:
            return None
        self._epoch = self._stamped.epoch
        return self._epoch

    def close(self) -> None:
        """Finish the files."""
        if self._timing is not None:
            self._timing.close()
        if not self.problem:
            self._write_out()
        try:
            self._file.close()
        except OSError as error:
            self.problem = self.problem or f"may lack its end: {reason_of(error)}"

    def _write_out(self) -> None:
        """Write what waits, and note which ticks are in the file by then, also where it ends too early."""
        problem = None
        try:
            while self._waiting:
                count = self._file.write(self._waiting) or 0
                self._written += count
                del self._waiting[:count]
        except OSError as error:
            problem = error
        while self._ends and self._ends[0][0] <= self._written:
            self._held = self._ends.popleft()[1]
        if problem is not None:
            self.problem = what_is_held(self._held, self._first[0], problem)
