"""When the ticks of a recorded run were, on the wall clock: a file beside the recording.

A recording is a function of the run alone, and equal runs have equal recordings; wall time is none of that. So it is
in a file of its own, `run.rec.timing` beside `run.rec`, which nothing but plots reads. It is a line
`dorosim timing 1`, the first 16 bytes of the BLAKE2b digest of the recording's header, and a `ROW` for each tick of
the recording, in their order. A file that ends inside a row counts up to there.
"""

from __future__ import annotations

import hashlib
import os
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

MAGIC = b"dorosim timing 1\n"
KEY_SIZE = 16
SUFFIX = ".timing"
ROW = struct.Struct("<IqIi")
"""Number of the tick; when its turn began [ns since the first of the file]; until its snapshot was there from then
[ns]; how late it began [us], `NEVER_DUE` where it was not due at a moment."""
NEVER_DUE = -(1 << 31)
_MAX_DURATION_US, _MAX_LATENESS_US = (1 << 32) - 1, (1 << 31) - 1


class Watch(Protocol):
    """Says when the present turn of the loop began: `dorosim.endpoint.loop.turn_timer.TurnTimer`."""

    begun: int

    @property
    def late(self) -> int | None:
        """By how much the turn began later than it was due [ns]; None where it was not due at a moment."""


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """Wall times of the ticks of a recording, in their order.

    Attributes:
        tick: `(N,)` their numbers.
        begun: `(N,)` when each turn began, from that of the first one on [s].
        step: `(N,)` from then until its snapshot was there [s].
        late: `(N,)` by how much it began later than it was due [s]; NaN where it was not due at a moment.
    """

    tick: NDArray[np.int64]
    begun: NDArray[np.float64]
    step: NDArray[np.float64]
    late: NDArray[np.float64]

    def __len__(self) -> int:
        """For how many ticks there are times."""
        return len(self.tick)

    def between(self, begin: int, end: int) -> Timing | None:
        """Those of the ticks from one to before another, counted from 0; None if there are none."""
        part = slice(begin, end)
        found = Timing(self.tick[part], self.begun[part], self.step[part], self.late[part])
        return found if len(found) else None


def timing_path(recording: Path) -> Path:
    """The file with the times of a recording."""
    return recording.with_name(recording.name + SUFFIX)


def key_of(header: bytes) -> bytes:
    """The key that links times to a recording: a digest of its header, as it stands in the file."""
    return hashlib.blake2b(header, digest_size=KEY_SIZE).digest()


def forget_timing(recording: Path) -> None:
    """Remove the file with the times of an earlier recording."""
    # whether there is one comes first, since most often there is none
    if os.path.lexists(f"{recording}{SUFFIX}") and recording.is_file():
        with suppress(OSError):
            timing_path(recording).unlink(missing_ok=True)


class TimingWriter:
    """Writes the times of a recording while a run goes on.

    If the file cannot be written, no more times are written; the run goes on.

    Args:
        recording: the file that they belong to.
        header: its header, as it stands in the file.
        watch: of the loop.
    """

    def __init__(self, recording: Path, header: bytes, watch: Watch) -> None:
        self._watch = watch
        self._first: int | None = None
        self._file = None
        # beside a device or a pipe there is nothing to read later
        if recording.is_file():
            with suppress(OSError):
                self._file = timing_path(recording).open("wb")
        self._write(MAGIC + key_of(header))

    def add(self, tick: int, moment: int) -> None:
        """Add one tick; moment: when its snapshot was ready on the monotonic clock [ns]."""
        begun, late = self._watch.begun, self._watch.late
        if self._first is None:
            self._first = begun
        lateness = NEVER_DUE if late is None else min(max(late // 1000, -_MAX_LATENESS_US), _MAX_LATENESS_US)
        self._write(ROW.pack(tick, begun - self._first, min(max(moment - begun, 0), _MAX_DURATION_US), lateness))

    def flush(self) -> None:
        """Write all that was added into the file."""
        if self._file is not None:
            try:
                self._file.flush()
            except OSError:
                self.close()

    def close(self) -> None:
        """Finish the file."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _write(self, data: bytes) -> None:
        if self._file is not None:
            try:
                self._file.write(data)
            except OSError:
                self.close()


def read_timing(recording: Path, header: bytes, ticks: NDArray[np.int64]) -> Timing | None:
    """The times of a recording; None where there are none, or those of another one.

    Args:
        recording: its file.
        header: its header, as it stands in the file.
        ticks: `(N,)` numbers of its ticks.

    Returns:
        times of the first so many ticks; fewer than the recording has if their file ends earlier.
    """
    try:
        data = timing_path(recording).read_bytes()
    except (OSError, ValueError):
        return None
    start = MAGIC + key_of(header)
    if not data.startswith(start):
        return None
    count = min((len(data) - len(start)) // ROW.size, len(ticks))
    kind = np.dtype([("tick", "<u4"), ("begun", "<i8"), ("step", "<u4"), ("late", "<i4")])
    rows = np.frombuffer(data, kind, count, len(start))
    if not count or (rows["tick"] != ticks[:count]).any():
        return None
    late = np.where(rows["late"] == NEVER_DUE, np.nan, rows["late"] * 1e-6)
    return Timing(rows["tick"].astype(np.int64), rows["begun"] * 1e-9, rows["step"] * 1e-9, late)
