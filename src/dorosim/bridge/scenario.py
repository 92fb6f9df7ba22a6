"""Loads scenarios for clients of every protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from dorosim.scenario.catalogue import Catalogue
from dorosim.scenario.load import LoadOptions, select_work
from dorosim.scenario.morai.file import read_scenario
from dorosim.scenario.morai.record import ScenarioFile
from dorosim.scenario.morai.resolve import Resolved, resolve
from dorosim.scenario.order import orders_from_work
from dorosim.scenario.plan import contents_of
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

_NO_CHANGE = "network settings {}: the addresses of this run cannot be changed"


@dataclass(frozen=True, slots=True)
class StoredScenario:
    """A scenario file as it lies in a library.

    Attributes:
        source: the file, as messages shall name it.
        content: its bytes.
        network: network settings of the same name, as a user would name them; an empty string for none.
    """

    source: str
    content: bytes
    network: str = ""


class ScenarioLibrary(Protocol):
    """Where scenarios lie. `dorosim.app` implements it by files."""

    def read(self, name: str) -> StoredScenario:
        """A scenario by the name that a message gives.

        Raises:
            InputError: there is none, or the name leads out of the library.
        """


class NetworkSwitch(Protocol):
    """Where a run listens and sends. `dorosim.app` implements it by changing the run's sockets."""

    def load(self, source: str) -> Sequence[str]:
        """Go over to the addresses of a network settings file.

        Returns:
            What a user should know of it, one line each.

        Raises:
            InputError: the file is wrong somewhere, or an address cannot be used; then nothing changes.
        """


class ScenarioPlayer(Protocol):
    """Begins runs with files of OpenSCENARIO; `dorosim.bridge.host.Runs` does."""

    def plays(self, name: str) -> bool:
        """See `Runs.plays`."""

    def play(self, name: str, *, paused: bool) -> str:
        """See `Runs.play`."""


def options_of(message: Any, *, objects: bool) -> LoadOptions:
    """What of a scenario a message says to load.

    Args:
        message: a ScenarioLoad of UDP or ROS, which both have the same names for the rest.
        objects: what it says of obstacles, whose field has another name in each.
    """
    return LoadOptions(
        delete_all=message.delete_all,
        network=message.load_network_connection_data,
        ego=message.load_ego_vehicle_data,
        npc=message.load_surrounding_vehicle_data,
        pedestrian=message.load_pedestrian_data,
        object=objects,
        pause=message.set_pause,
    )


@dataclass(frozen=True, slots=True)
class Loading:
    """What loading a scenario does.

    Attributes:
        commands: in their order, all for one tick.
        headline: which file, and what of it is loaded.
        notes: what the world does not do as the file says, one line each.
    """

    commands: tuple[Command, ...]
    headline: str
    notes: tuple[str, ...]


class _Read(NamedTuple):
    """A scenario that was read."""

    content: bytes
    file: ScenarioFile
    resolved: Resolved


class ScenarioLoader:
    """Reads scenarios from a library and says what they ask of the world.

    Args:
        scene: what does not change.
        library: where scenarios lie.

    Attributes:
        scene: the same.
        catalogue: the models that scenarios can use.
        addresses: changes those of the run; None for a run that cannot.
        player: begins runs with files of OpenSCENARIO; None for a program that cannot.
    """

    def __init__(self, scene: Scene, library: ScenarioLibrary) -> None:
        self.scene = scene
        self.catalogue = Catalogue.of_world(scene.models)
        self.addresses: NetworkSwitch | None = None
        self.player: ScenarioPlayer | None = None
        self._library = library
        self._last: _Read | None = None

    @property
    def file(self) -> ScenarioFile | None:
        """The scenario that was loaded last, None for none; saving the world keeps what it says besides."""
        return None if self._last is None else self._last.file

    @property
    def resolved(self) -> Resolved | None:
        """The same on the map."""
        return None if self._last is None else self._last.resolved

    def load(self, name: str, options: LoadOptions, now: Snapshot) -> Loading:
        """The commands that load a scenario into the present world; with one of OpenSCENARIO another run begins.

        Its network settings hold at once, where they are to be loaded.

        Raises:
            InputError: there is no such scenario, or it or its network settings are broken or cannot be used; it names
                the file and the key path. Nothing has changed then.
        """
        if self.player is not None and self.player.plays(name):
            source = self.player.play(name, paused=options.pause)
            return Loading((), f"{source}: a run begins with it", ())
        return self.load_stored(self._library.read(name), options, now)

    def load_stored(self, stored: StoredScenario, options: LoadOptions, now: Snapshot) -> Loading:
        """The commands that load a scenario which was found already; see `load`."""
        resolved = self._resolve(stored)
        work = select_work(resolved.plan, options)
        orders = orders_from_work(work, now, self.scene)
        notes = [*resolved.missing, *resolved.stand_ins, *orders.notes]
        if work.load_network and stored.network:
            network = self.addresses.load(stored.network) if self.addresses else [_NO_CHANGE.format(stored.network)]
            notes = [*network, *notes]
        return Loading(orders.commands, f"{stored.source}: {contents_of(work.create)}", tuple(notes))

    def _resolve(self, stored: StoredScenario) -> Resolved:
        """The scenario on the map; one that is loaded again and has not changed is not read again."""
        last = self._last
        if last is None or stored.content != last.content:
            file = read_scenario(stored.source, stored.content)
            # at once, since messages of several interfaces are worked out on threads of their own
            self._last = last = _Read(stored.content, file, resolve(file, self.scene.network, self.catalogue))
        return last.resolved
