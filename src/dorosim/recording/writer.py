"""Writes a recording while a run goes on."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
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


_Untold = tuple[int, int, bool, tuple[Command, ...], int | None]
"""A tick that is not among the records yet: number, time after it [ns], whether paused, and as of `Tick`."""


class RecordingWriter:
    """An observer of the loop that records every tick.

    A disk that is full ends the recording, not the run: `problem` says so, and up to which tick the file holds the run.

    Args:
        path: the file; it is replaced, as is the file of wall times beside it.
        watch: of the loop, for those times; None: there are none.
        stamped: has the epoch of the run's stamps; None: it stays as the header has it.
        digests: one tick of so many has a digest, since that takes as long as the step of a small world; those before
            it are written with it.

    Raises:
        InputError: the file cannot be written.

    Attributes:
        problem: why and when the recording ended early, or an empty string.
    """

    def __init__(
        self, path: Path, watch: Watch | None = None, stamped: HasEpoch | None = None, digests: int = 1
    ) -> None:
        try:
            self._file = path.open("wb", buffering=0)
        except (OSError, ValueError) as error:
            raise InputError(
                str(path), "", f"cannot be written: {reason_of(error)}", "give another --record file"
            ) from None
        self.problem = ""
        self._path = path
        self._watch = watch
        self._stamped, self._epoch = stamped, 0
        self._timing: TimingWriter | None = None
        self._flushed = 0
        self._waiting = bytearray()
        self._ends: deque[tuple[int, int]] = deque()  # of records that wait: bytes of the file then, number of the tick
        self._put = self._written = 0
        self._held: int | None = None  # number of the last tick that is in the file
        self._first = self._last = (0, 0)
        self._digests = digests
        # made since the last one with a digest; no snapshot is kept for them: a world whose memory is not free at once
        # goes on more slowly
        self._untold: list[_Untold] = []
        self._plain = watch is None and stamped is None

    def begin(self, header: Header, first: Snapshot) -> None:
        """Write what the run starts from, with its first snapshot."""
        self._first = self._last = first.tick, first.time
        self._epoch = header.epoch
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
        if not self._plain:
            self.add(now.tick, now.time, commands, lambda: now, paused=now.paused)
            return
        # what learning calls after each step: a list is longer by one tuple, and no more
        untold = self._untold
        untold.append((now.tick, now.time, now.paused, tuple(commands), None))
        if len(untold) >= self._digests:
            self._tell(now)

    def add(
        self,
        number: int,
        at: int,
        commands: Sequence[Command],
        state: Callable[[], Snapshot],
        *,
        paused: bool = False,
    ) -> None:
        """Record one tick whose snapshot is made only if it is asked for.

        Args:
            number: of the tick.
            at: simulated time after it [ns].
            commands: that were applied in it.
            state: makes the snapshot after it.
            paused: whether the run is paused.
        """
        if self.problem:
            return
        if self._timing is not None:
            self._timing.add(number, time.monotonic_ns())
        self._untold.append((number, at, paused, tuple(commands), self._new_epoch()))
        if len(self._untold) >= self._digests:
            self._tell(state())

    def _tell(self, now: Snapshot) -> None:
        """Put all ticks among the records, the last of them with the digest of its snapshot."""
        at = self._untold[-1][1]
        # the absolute value, since time goes back when the run is reset
        flush = abs(at - self._flushed) >= _FLUSH_PERIOD
        self._put_ticks(digest_of(now))
        if flush:
            if not self.problem:
                self._write_out()
            self._flushed = at
            if self._timing is not None:
                self._timing.flush()

    def _put_ticks(self, digest: bytes) -> None:
        """Make records of all ticks; `digest`: that of the last one."""
        left = len(self._untold)
        for number, at, paused, commands, epoch in self._untold:
            left -= 1
            before = self._first if number == self._first[0] + 1 else self._last
            held = at == before[1] and not paused
            self._last = number, at
            tick = Tick(number, b"" if left else digest, commands, held, epoch)
            self._put += append_record(tick, self._waiting)
            self._ends.append((self._put, number))
            if len(self._waiting) >= MAX_WAITING_RECORDS and not self.problem:
                self._write_out()
        self._untold.clear()

    def _new_epoch(self) -> int | None:
        """The epoch of stamps where it is another one from this tick on."""
        if self._stamped is None or self._stamped.epoch == self._epoch:
            return None
        self._epoch = self._stamped.epoch
        return self._epoch

    def close(self, last: Snapshot | None = None) -> None:
        """Finish the files.

        Args:
            last: the snapshot that was recorded last, of which the file then has a digest; None: as `digests` has it.
        """
        if self._timing is not None:
            self._timing.close()
        if self._untold:
            self._put_ticks(digest_of(last) if last is not None and not self.problem else b"")
        if not self.problem:
            self._write_out()
        try:
            self._file.close()
        except OSError as error:
            self.problem = self.problem or f"may lack its end: {reason_of(error)}"

    def _write_out(self) -> None:
        """Write what waits, and note which ticks are in the file by then, also where it ends too early."""
        problem = ""
        try:
            while self._waiting:
                count = self._file.write(self._waiting) or 0
                self._written += count
                del self._waiting[:count]
        except OSError as error:
            problem = reason_of(error)
        while self._ends and self._ends[0][0] <= self._written:
            self._held = self._ends.popleft()[1]
        if problem:
            first = self._first[0]
            held = f"holds ticks up to {self._held:,}" if (self._held or 0) > first else "holds no tick"
            self.problem = f"{held} and no more: {problem}"
            self._plain = False
