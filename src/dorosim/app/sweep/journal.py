"""The journals of a sweep: a line for each cell that is finished, with a checksum, and on the disk before it counts.

Each worker of each runner has a file of its own, to which only it appends. A line that a crash has torn does not have
its checksum; it is left out, and its cell runs again. A worker holds a lock of its file as long as it lives, by which
others know whether a line may still come.
"""

from __future__ import annotations

import fcntl
import os
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from dorosim.ground.error import InputError, reason_of
from dorosim.recording.whole_file import OutputError

_CRC = 8
"""Hexadecimal digits of a checksum."""
_WRITER_LOOK_S = 0.02
"""Time between two looks at whether writers have ended [s]."""


class JournalWriter:
    """Appends lines to a journal that is not there yet.

    Args:
        path: the file.

    Raises:
        OutputError: it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            _keep_name(path.parent)
        except OSError as error:
            raise OutputError(str(path), "", f"cannot be made: {reason_of(error)}", "see to the folder") from None
        with suppress(OSError):  # a file system may have no locks
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def write(self, content: bytes) -> None:
        """Append a line. It is on the disk when this returns.

        Args:
            content: without line ends.

        Raises:
            OSError: it cannot be written, as on a full disk; what was written of it does not count.
        """
        left = memoryview(b"%08x %s\n" % (zlib.crc32(content), content))
        while left:
            left = left[os.write(self._file, left) :]
        os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def _keep_name(folder: Path) -> None:
    """Let the name of a new file be on the disk, too."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def wait_for_writers(paths: Iterable[Path], patience: float) -> bool:
    """Wait until no line can come to journals any more, since those who write them have ended.

    Args:
        paths: the files; those that are not there are left out.
        patience: wall time [s].

    Returns:
        Whether it is so; False after so long.
    """
    end = time.monotonic() + patience
    for path in paths:
        while _is_written(path):
            if time.monotonic() >= end:
                return False
            time.sleep(_WRITER_LOOK_S)
    return True


def _is_written(path: Path) -> bool:
    """Whether the writer of a journal lives; not where that cannot be said."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(number)
    return False


def read_journal(path: Path) -> Iterator[bytes]:
    """The lines of a journal that are whole.

    Args:
        path: the file; a worker may write to it meanwhile.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            for line in file:
                content = line[_CRC + 1 : -1]
                if (
                    line[-1:] == b"\n"
                    and line[:_CRC] == b"%08x" % zlib.crc32(content)
                    and line[_CRC : _CRC + 1] == b" "
                ):
                    yield content
    except OSError as error:
        raise InputError(str(path), "", f"cannot be read: {reason_of(error)}", "see to the folder") from None


def journals_of(folder: Path) -> list[Path]:
    """The journals in the folder of a sweep, in the order of their names."""
    return sorted((folder / "journal").glob("*.jsonl"))
