"""The folder in which runs of this machine write files, by which programs find them.

    $XDG_RUNTIME_DIR/dorosim/RUN_ID.json    the `ready` event of `dorosim run --json`, once it can be reached
    $XDG_RUNTIME_DIR/dorosim/RUN_ID.lock    locked as long as the run goes on

Without $XDG_RUNTIME_DIR the folder is dorosim-USER_ID among the system's temporary files; $DOROSIM_RUN_FOLDER names
it to a program that has temporary files elsewhere.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

FILE_SUFFIX, LOCK_SUFFIX = ".json", ".lock"


RUN_FOLDER_VARIABLE = "DOROSIM_RUN_FOLDER"


def run_folder() -> Path:
    """Where runs of this user write their files."""
    named = os.environ.get(RUN_FOLDER_VARIABLE)
    if named:
        return Path(named)
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given:
        return Path(given) / "dorosim"
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir()) / f"dorosim-{user}"


def is_locked(path: Path) -> bool:
    """Whether a program holds the lock of a file; where the system has no such locks, whether the file is there."""
    try:
        import fcntl
    except ImportError:
        return path.exists()
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
