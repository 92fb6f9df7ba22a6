"""Cache files that are mapped into memory: what roads are made of, and what traffic makes of roads.

A run never stops for the sake of the cache. A file that is damaged, cut off or of another version is noted, and made
anew; where no file can be written what was made is used as it is. Two programs that make the same file write the same
bytes under names of their own, and the one that is done last gives it its name.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from dorosim.app.store.cache_file import make_room, partial_name
from dorosim.ground.error import InputError

T = TypeVar("T")

MAX_KEPT_VERSIONS = 3
"""Files of one map and kind that versions of dorosim keep beside each other."""

_log = logging.getLogger("dorosim.cache")
events: Counter[str] = Counter()
"""How often in this process files were "mapped", "missing", "damaged", "written" and "unwritable"."""


def kept_mapped(path: Path, kind: type[T], make: Callable[[], T]) -> T:
    """What a mapped cache file holds; made and kept where there is none that can be read.

    Args:
        path: of the file, whose name holds all that it depends on, the version of the code after the last "-".
        kind: the class of arrays in it.
        make: makes the same.

    Raises:
        InputError: it cannot be made; from `make`.
    """
    found = _mapped(path, kind)
    if found is not None:
        with suppress(OSError):  # a cache of another user is read all the same
            os.utime(path)
        return found
    made = make()
    if not _is_written(path, made):
        return made
    # what is used from now on is the file, whose memory other programs share
    found = _mapped(path, kind)
    return made if found is None else found


def _mapped(path: Path, kind: type[T]) -> T | None:
    """What a file holds; None where it cannot be used, which is noted."""
    from dorosim.road.mapped_store import read_mapped

    try:
        found = read_mapped(path, kind)
    except FileNotFoundError:
        events["missing"] += 1
    except InputError as error:
        events["damaged"] += 1
        _log.warning("%s: %s; it is made anew", path, error.problem)
    except (OSError, ValueError, TypeError) as error:
        # a header with a right digest that names what cannot be: written by another program
        events["damaged"] += 1
        _log.warning("%s: cannot be used: %s; it is made anew", path, error)
    else:
        events["mapped"] += 1
        return found
    return None


def _is_written(path: Path, made: object) -> bool:
    """Write a file whole or not at all; returns whether it is there."""
    from dorosim.road.mapped_store import write_mapped

    partial = partial_name(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("xb") as file:
            write_mapped(file, made)
        partial.replace(path)
    except OSError as error:
        events["unwritable"] += 1
        _log.info("%s: cannot be kept: %s", path, error.strerror)
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        return False
    events["written"] += 1
    with suppress(OSError):
        _drop_old_versions(path)
        make_room(path)
    return True


def _drop_old_versions(newest: Path) -> None:
    """Remove files of the same map and kind, those used least lately, but for `MAX_KEPT_VERSIONS`."""
    name = newest.stem.rpartition("-")[0]
    alike = [one for one in newest.parent.glob(f"*{newest.suffix}") if one.stem.rpartition("-")[0] == name]
    for old in sorted(alike, key=lambda one: one.stat().st_mtime, reverse=True)[MAX_KEPT_VERSIONS:]:
        old.unlink(missing_ok=True)
