"""What the messages Scenario Load and SaveSensorData ask for (documents/udp-messages-en.txt)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Protocol

from dorosim.bridge.answer import Answer, Later, Notice, Refusal
from dorosim.bridge.scenario import ScenarioLoader, options_of
from dorosim.bridge.sensor.saving import checked_place
from dorosim.ground.error import InputError
from dorosim.wire.udp.simulator import SaveSensorData, ScenarioLoad
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


def load_scenario(loader: ScenarioLoader, message: ScenarioLoad, now: Snapshot) -> Iterable[Answer]:
    """The commands that load the file, and a notice of what of it is missing; one that is not valid changes nothing."""
    try:
        loading = loader.load(message.file_name, options_of(message, objects=message.load_object_data), now)
    except InputError as error:
        return (Refusal(f"ScenarioLoad: {error}"),)
    return (*loading.commands, Notice("scenario loaded", loading.headline, loading.notes))


def save_sensor_data(archive: SensorArchive, message: SaveSensorData, _: Snapshot) -> Iterable[Answer]:
    """Saves; what is done shows in the archive, and in a notice once it is."""
    custom, name, folder = message.is_custom_file_name, message.custom_file_name, message.file_dir
    try:
        folder, name = checked_place(custom, name, folder, archive.place)
    except InputError as error:
        return (Refusal(str(error)),)
    try:
        archive.save(folder, name)
    except InputError as error:
        return (Refusal(f"SaveSensorData: {error}"),)
    return ()


def later(meaning: Callable[[Any, Snapshot], Iterable[Answer]]) -> Callable[[Any, Snapshot], Iterable[Later]]:
    """The same meaning for a run whose thread shall read no files: it is found out on another thread."""
    return lambda message, _: (Later(partial(meaning, message)),)
