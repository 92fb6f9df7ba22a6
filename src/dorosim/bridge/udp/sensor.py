"""What the message SaveSensorData asks for (documents/udp-messages-en.txt, SaveSensorData)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.sensor.saving import checked_place
from dorosim.ground.error import InputError
from dorosim.wire.udp.simulator import SaveSensorData
from dorosim.world.snapshot import Snapshot


class SensorArchive(Protocol):
    """Where sensor data is saved. `dorosim.app` implements it by files."""

    @property
    def place(self) -> str:
        """The archive's folder, for messages."""

    def save(self, folder: str, name: str) -> None:
        """Save what every sensor sees next.

        Args:
            folder: inside the archive, or absolute if it lies there or where the user allows it; "" for the archive
                itself.
            name: with which file names begin, "" for the time.

        Raises:
            InputError: the folder leads elsewhere, or too many requests wait.
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
        try:
            folder, name = checked_place(
                message.is_custom_file_name, message.custom_file_name, message.file_dir, self._archive.place
            )
        except InputError as error:
            return (Refusal(str(error)),)
        try:
            self._archive.save(folder, name)
        except InputError as error:
            return (Refusal(f"SaveSensorData: {error}"),)
        return ()
