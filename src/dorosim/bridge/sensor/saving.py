"""Names of files and folders to save sensor data under, as messages give them."""

from __future__ import annotations

from pathlib import PurePath, PureWindowsPath

from dorosim.ground.error import InputError

MAX_NAME_SIZE = 200
"""Names of files and folders may not be longer than this [bytes of UTF-8]: file systems take 255, of which a file's
suffix, kind and number need some."""


def checked_place(is_custom: bool, name: str, folder: str, place: str) -> tuple[str, str]:
    """Folder and name for the archive, as SaveSensorData gives them; both "" where it leaves them to the archive.

    Args:
        is_custom: whether the message gives them.
        name: with which file names begin.
        folder: where, in either system's writing.
        place: the folder of sensor data, for messages.

    Raises:
        InputError: they are no name or no folder.
    """
    if not is_custom:
        return "", ""
    problem = no_file_name(name) or no_folder(folder)
    if problem:
        raise InputError("SaveSensorData", "", problem, f"files go to {place}, or to a folder inside it")
    return folder.replace("\\", "/"), name


def no_file_name(name: str) -> str:
    """Why a text is not a valid name of a file, or an empty string."""
    if not name or name in {".", ".."} or any(sign in name for sign in "/\\:") or not name.isprintable():
        return f"{name!r} is not a valid name of a file"
    return _too_long("name", name)


def no_folder(folder: str) -> str:
    """Why a text is no folder of sensor data, or an empty string; clients send either system's.

    Where an absolute path leads, the archive knows.
    """
    parts = PureWindowsPath(folder).parts
    foreign = PureWindowsPath(folder).anchor and not PurePath(folder.replace("\\", "/")).is_absolute()
    if foreign or ".." in parts or not folder.isprintable():
        return f"folder {folder!r} leads out of the folder of sensor data"
    return next((problem for part in parts if (problem := _too_long("folder", part))), "")


def _too_long(what: str, part: str) -> str:
    size = len(part.encode())
    return f"{what} {part[:20]!r}... has {size} bytes, more than {MAX_NAME_SIZE}" if size > MAX_NAME_SIZE else ""
