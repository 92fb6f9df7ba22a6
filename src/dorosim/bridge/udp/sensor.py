"""What the message SaveSensorData asks for (documents/udp-messages-en.txt, SaveSensorData)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath, PureWindowsPath
from typing import Protocol

from dorosim.bridge.answer import Answer, Refusal
from dorosim.ground.error import InputError
from dorosim.wire.udp.simulator import SaveSensorData
from dorosim.world.snapshot import Snapshot


class SensorArchive(Protocol):
    """Where what sensors see is saved. Whoever composes the simulator gives one that writes files."""

    def save(self, folder: str, name: str) -> None:
        """Save what every sensor sees next.

        Args:
            folder: inside the archive, "" for the archive itself.
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
                return (Refusal("refused", f"SaveSensorData: {problem}"),)
        try:
            self._archive.save(folder.replace("\\", "/"), name)
        except InputError as error:
            return (Refusal("refused", f"SaveSensorData: {error}"),)
        return ()


def no_file_name(name: str) -> str:
    """Why a text is no name of a file, or an empty string."""
    if not name or name in {".", ".."} or any(sign in name for sign in "/\\:") or not name.isprintable():
        return f"{name!r} is no name of a file"
    return ""


def no_folder(folder: str) -> str:
    """Why a folder does not lie inside that of sensor data, or an empty string; clients send either system's."""
    whole = PurePosixPath(folder).is_absolute() or bool(PureWindowsPath(folder).anchor)
    if whole or ".." in PureWindowsPath(folder).parts or not folder.isprintable():
        return f"folder {folder!r} leads out of the folder of sensor data; give one inside it, or none"
    return ""
