"""Python's garbage collector, which looks at all objects again and again while many are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """Nothing is collected in here: for work that makes very many objects and lets none of them go.

    It runs again afterwards if it ran before. Of two threads that are in here at once the first to leave lets it run.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
