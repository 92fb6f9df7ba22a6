"""Files of the cache: written whole or not at all, and no more of them than fit."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from dorosim.ground.error import InputError

T = TypeVar("T")

MAX_CACHE_SIZE = 1 << 30
"""Bytes that a folder of the cache may have; the scene of a town with one seed is some 60 MB."""


def kept(path: Path, read: Callable[[bytes], T], make: Callable[[], bytes]) -> T:
    """What a cache file holds; made and kept where there is none that can be read.

    It is read from bytes in both cases, so that the first run has to the bit what later ones have.

    Args:
        path: of the file, whose name holds all that it depends on.
        read: makes it of the bytes; raises InputError where they are damaged, or of another version.
        make: makes the bytes.

    Raises:
        InputError: it cannot be made; from `make`.
    """
    try:
        return read(read_kept(path))
    except (OSError, InputError):
        pass  # not there yet
    content = make()
    keep_file(path, content)
    return read(content)


def read_kept(path: Path) -> bytes:
    """A cache file, which is noted down as used now.

    Raises:
        OSError: it is not there.
    """
    content = path.read_bytes()
    with suppress(OSError):  # a cache of another user is read all the same
        os.utime(path)
    return content


def keep_file(path: Path, content: bytes) -> None:
    """Write a cache file whole or not at all; a cache that cannot be written is none.

    Files of its folder that were used least lately go where there are too many, but none of the same map.
    """
    partial = partial_name(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content)
        partial.replace(path)
        make_room(path)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def partial_name(path: Path) -> Path:
    """The name of a file while it is written, which no other program and thread takes."""
    return path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")


def make_room(newest: Path) -> None:
    """Remove files of a folder that were used least lately where there are too many, but none of the newest's map.

    Raises:
        OSError: one cannot be looked at, or removed.
    """
    left, others = MAX_CACHE_SIZE, []
    for path in newest.parent.iterdir():
        if path.is_file():
            about = path.stat()
            if _belong_together(path, newest):  # else they would drive each other out at each start
                left -= about.st_size
            else:
                others.append((about.st_mtime, about.st_size, path))
    for _, size, path in sorted(others, reverse=True):
        left -= size
        if left < 0:
            path.unlink(missing_ok=True)


def _belong_together(one: Path, other: Path) -> bool:
    """Whether files are of one map; the last part of a name is the version of what made it."""
    first, second = (path.stem.rpartition("-")[0] for path in (one, other))
    return one == other or bool(first and second and (first.startswith(second) or second.startswith(first)))
