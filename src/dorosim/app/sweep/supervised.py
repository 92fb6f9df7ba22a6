"""Commands that a supervisor starts."""

from __future__ import annotations

import sys
from pathlib import Path

from dorosim.app.sweep import supervisor


def supervised(
    *, memory_mib: int, folder: Path | None = None, disk_mib: int = 0, pipe: int = 0, stop: str = ""
) -> tuple[str, ...]:
    """Words before a command that let a supervisor start it.

    Args:
        memory_mib: that it may take with all that it starts.
        folder: in which it may write.
        disk_mib: so much.
        pipe: descriptor that ends it as it is closed.
        stop: a command that runs at its end, however it ends; "" for none.
    """
    words = [sys.executable, "-I", "-S", str(supervisor.__file__), "--pipe", str(pipe)]
    words += ["--memory", str(memory_mib << 20)]
    if folder is not None:
        words += ["--folder", str(folder), "--disk", str(disk_mib << 20)]
    if stop:
        words += ["--stop", stop]
    return (*words, "--")
