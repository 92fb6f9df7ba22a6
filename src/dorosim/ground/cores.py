"""How many cores of the machine there are for this process."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
