"""Writes a recording while a run goes on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dorosim.ground.error import InputError
from dorosim.recording.format import DIGEST_SIZE, MAGIC, Header, Tick, encode_record
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

FLUSH_PERIOD = 1_000_000_000
"""Simulated time [ns] after which what was recorded is in the file."""


class RecordingWriter:
    """An observer of the loop that records every tick.

    Args:
        path: the file; it is replaced.

    Raises:
        InputError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("wb")
        except OSError as error:
            raise InputError(
                str(path), "", f"cannot be written: {error.strerror}", "give another --record file"
            ) from None
        self._flushed = 0

    def begin(self, header: Header) -> None:
        """Write what the run starts from."""
        self._file.write(MAGIC + encode_record(header))
        self._file.flush()

    def __call__(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """Record one tick."""
        self._file.write(encode_record(Tick(now.tick, now.digest()[:DIGEST_SIZE], tuple(commands))))
        if now.time - self._flushed >= FLUSH_PERIOD:
            self._file.flush()
            self._flushed = now.time

    def close(self) -> None:
        """Finish the file."""
        self._file.close()
