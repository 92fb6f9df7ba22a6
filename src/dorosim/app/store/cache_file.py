"""Files of the cache: written whole or not at all, and no more of them than fit."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

MOST = 1 << 30
"""Bytes that a folder of the cache may have; the scene of a town with one seed is some 60 MB."""


def read_kept(path: Path) -> bytes:
    """A cache file, which is noted down as used now.

    Raises:
        OSError: it is not there.
    """
    content = path.read_bytes()
    with suppress(OSError):  # a cache of somebody else is used all the same
        os.utime(path)
    return content


def keep_file(path: Path, content: bytes) -> None:
    """Write a cache file whole or not at all; a cache that cannot be written is none.

    Files of its folder that were used least lately go where there are too many, but none of the same map.
    """
    partial = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content)
        partial.replace(path)
        _make_room(path)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _make_room(newest: Path) -> None:
    left, others = MOST, []
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
