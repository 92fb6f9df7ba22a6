"""Files of the cache: written whole or not at all, and no more of them than fit."""

from __future__ import annotations

import os
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

    Files of its folder that were used least lately go where there are too many.
    """
    partial = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content)
        partial.replace(path)
        _make_room(path)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _make_room(newest: Path) -> None:
    found = [(one, one.stat()) for one in newest.parent.iterdir() if one.is_file() and one != newest]
    left = MOST - newest.stat().st_size
    for path, about in sorted(found, key=lambda one: one[1].st_mtime, reverse=True):
        left -= about.st_size
        if left < 0:
            path.unlink(missing_ok=True)
