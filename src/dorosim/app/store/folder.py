"""The folders that dorosim uses: data of the user, and a cache that may be deleted at any time."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from dorosim.ground.error import InputError

DATA_FOLDERS = ("Scenario", "Sensor", "Network", "SensorData", "Recording", "Map")
"""Folders inside the data folder (design/seams.md, Files)."""


MAX_NAME_LENGTH = 200
"""Bytes of a name: systems take 255, and endings such as .rec.timing, and names of unfinished files, need some."""
MAX_PATH_LENGTH = 2_000
_SHOWN = 40


def data_path(given: str | None) -> Path:
    """Where the data folder is, whether it is there or not."""
    return Path(given) if given else Path(platformdirs.user_data_dir("dorosim"))


def data_folder(given: str | None) -> Path:
    """The data folder with all folders in it; made where it is missing.

    Raises:
        InputError: it cannot be made.
    """
    folder = data_path(given)
    try:
        for name in DATA_FOLDERS:
            (folder / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            str(folder), "", f"cannot be made: {error.strerror}", "give another folder with --data"
        ) from None
    return folder


def check_data_folder(folder: Path) -> None:
    """Whether `data_folder` could make a data folder with all folders in it. Nothing is made.

    Raises:
        InputError: it could not.
    """
    for name in DATA_FOLDERS:
        path = folder / name
        above = next(one for one in (path, *path.absolute().parents) if os.path.lexists(one))
        if not above.is_dir():
            reason = f"{above} is not a folder"
        elif above != path and not os.access(above, os.W_OK | os.X_OK):
            reason = f"nothing can be made in {above}"
        else:
            continue
        raise InputError(str(path), "", f"cannot be made: {reason}", "give another folder")


def cache_folder() -> Path:
    """The folder of files that are made again when they are missing."""
    return Path(platformdirs.user_cache_dir("dorosim"))


def is_file(path: Path) -> bool:
    """Whether there is such a file; what cannot be the name of one, since it is too long, is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is such a file or folder; as `is_file`."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _encodable(name: str) -> str:
    """A name with a letter in place of each that no file can have."""
    return "".join("?" if "\ud800" <= letter <= "\udfff" else letter for letter in name)


def inside(folder: Path, name: str, suffix: str = "") -> Path:
    """A file named by a message or a user, inside a folder.

    Raises:
        InputError: the name leads out of the folder, or is longer than names of files can be.
    """
    root = folder.resolve()
    longest = max((len(os.fsencode(part)) for part in _encodable(f"{name}{suffix}").split("/")), default=0)
    if longest > MAX_NAME_LENGTH or len(name) > MAX_PATH_LENGTH:
        problem = f"is a name of {len(name):,} letters"
        raise InputError(f"{name[:_SHOWN]}...", "", problem, f"give one of at most {MAX_NAME_LENGTH}")
    try:
        path = (root / f"{name}{suffix}").resolve()
    except (OSError, RuntimeError, ValueError):
        # a NUL in the name, or links that lead in a circle
        raise InputError(name, "", "is not a valid name of a file", f"give one inside {root}") from None
    if not path.is_relative_to(root) or path == root:
        raise InputError(name, "", f"leads out of {root}", "give a name inside that folder")
    return path
