"""What the message SaveSensorData asks for (documents/udp-messages-en.txt, SaveSensorData)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath, PureWindowsPath
from typing import Protocol

from dorosim.bridge.answer import Answer, Refusal
from dorosim.ground.error import InputError
from dorosim.wire.udp.simulator import SaveSensorData
from dorosim.world.snapshot import Snapshot

LONGEST_PART = 200
"""Names of files and folders may not be longer than this [bytes of UTF-8]: file systems take 255, of which a file's
suffix, kind and number need some."""


class SensorArchive(Protocol):
    """Where what sensors see is saved. Whoever composes the simulator gives one that writes files."""

    @property
    def place(self) -> str:
        """The archive's folder, for messages."""

    def save(self, folder: str, name: str) -> None:
        """Save what every sensor sees next.

        Args:
            folder: inside the archive, or absolute if it lies there; "" for the archive itself.
            name: with which file names begin, "" for the time.

        Raises:
            InputError: the folder leads out of the archive, or too many requests wait.
        """


class SensorSaving:
    """The meaning of SaveSensorData: what is done shows in the archive, and in a notice once it is.

    Args:
        archive: saves.
    """

    def __init__(self, archive: SensorArchive) -> None:
        self._archive = archive

    def __call__(self, message: SaveSensorData, _: Snapshot) -> Iterable[Answer]:
        """What a message asks for."""
        name, folder = "", ""
        if message.is_custom_file_name:
            name, folder = message.custom_file_name, message.file_dir
            problem = no_file_name(name) or no_folder(folder)
            if problem:
                where = f"files go to {self._archive.place}, or to a folder inside it"
                return (Refusal("refused", f"SaveSensorData: {problem}; {where}"),)
        try:
            self._archive.save(folder.replace("\\", "/"), name)
        except InputError as error:
            return (Refusal("refused", f"SaveSensorData: {error}"),)
        return ()


def no_file_name(name: str) -> str:
    """Why a text is no name of a file, or an empty string."""
    if not name or name in {".", ".."} or any(sign in name for sign in "/\\:") or not name.isprintable():
        return f"{name!r} is no name of a file"
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
    return f"{what} {part[:20]!r}... has {size} bytes, more than {LONGEST_PART}" if size > LONGEST_PART else ""
