"""Reads and writes whole files; writes them whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from dorosim.ground.error import InputError, reason_of


class OutputError(InputError):
    """A file that cannot be written."""


def read_file(path: Path, max_size: int | None = None) -> bytes:
    """The content of a file.

    Args:
        path: the file.
        max_size: bytes beyond which a file is none of its kind; of a larger one as many and one more are read.

    Raises:
        InputError: it cannot be read, or the path is none.
    """
    try:
        with path.open("rb") as file:
            return file.read() if max_size is None else file.read(max_size + 1)
    except (OSError, ValueError) as error:
        raise InputError(str(path), "", reason_of(error), "check the path") from None


def write_file(path: Path, content: bytes, cure: str) -> None:
    """Write a file whole or not at all; one that is there is replaced.

    A link is followed, and what is no plain file (a device such as /dev/null, a pipe) is written to and never replaced:
    a user with the right to replace it would take it away from all other programs.

    Args:
        path: the file.
        content: of the file.
        cure: what a user can do if it cannot be written.

    Raises:
        OutputError: it cannot be written, or the path is none.
    """
    try:
        _write(path, content)
    except (OSError, ValueError) as error:
        raise OutputError(str(path), "", f"cannot be written: {reason_of(error)}", cure) from None


def _write(path: Path, content: bytes) -> None:
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(content)
        return
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with partial.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
