"""What the message Scenario Load asks for (documents/udp-messages-en.txt, Scenario Load)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from dorosim.bridge.answer import Answer, Later, Notice, Refusal
from dorosim.bridge.scenario import ScenarioLoader, options_of
from dorosim.ground.error import InputError
from dorosim.wire.udp.simulator import ScenarioLoad
from dorosim.world.snapshot import Snapshot


class ScenarioLoading:
    """The meaning of Scenario Load: the commands that load the file, and a notice of what of it is missing.

    Args:
        loader: finds and reads scenarios.
    """

    def __init__(self, loader: ScenarioLoader) -> None:
        self._loader = loader

    def __call__(self, message: ScenarioLoad, now: Snapshot) -> Iterable[Answer]:
        """What a message asks for; a file that cannot be loaded changes nothing."""
        options = options_of(message, objects=message.load_object_data)
        try:
            loading = self._loader.load(message.file_name, options, now)
        except InputError as error:
            return (Refusal(f"ScenarioLoad: {error}"),)
        return (*loading.commands, Notice("scenario loaded", loading.headline, loading.notes))


def later(loading: ScenarioLoading) -> Callable[[ScenarioLoad, Snapshot], Iterable[Later]]:
    """The same meaning for a run whose thread shall read no files: it is found out on another thread."""
    return lambda message, _: (Later(partial(loading, message)),)
