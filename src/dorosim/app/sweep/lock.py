"""One runner at a time for a sweep."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from dorosim.ground.error import InputError, reason_of
from dorosim.recording.whole_file import OutputError


class SweepLock:
    """Holds the lock of a sweep's folder; the system takes it away with the process.

    Args:
        folder: of the sweep.

    Raises:
        InputError: another runner has it.
        OutputError: the folder cannot be written.

    Attributes:
        last: text that the last runner left here, "" for none.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            cure = "give another folder with --out"
            raise OutputError(str(folder), "", f"cannot be written: {reason_of(error)}", cure) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            problem = "another runner works on this sweep"
            raise InputError(str(folder), "", problem, "wait for its end, or give another folder with --out") from None
        self.last = os.pread(self._file, 4096, 0).decode(errors="replace")

    def leave(self, text: str) -> None:
        """Write a text for the next runner."""
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, text.encode(), 0)

    def close(self) -> None:
        """Let others have it."""
        os.close(self._file)
