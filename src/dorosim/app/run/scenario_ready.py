"""A file of OpenSCENARIO with its map, made ready to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dorosim.app.run.build import Build, build_from_starts
from dorosim.app.run.ego_start import ego_starts
from dorosim.app.run.storyboard_build import OpenedScenario, engine_of, open_scenario
from dorosim.app.setting.seed import USUAL_SEED
from dorosim.app.setting.settings import Settings
from dorosim.app.store.map import EMPTY, MapFiles, network_of, read_map_files
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.world_engine import ScenarioEngine


@dataclass(frozen=True, kw_only=True)
class ReadyScenario:
    """A scenario that can run.

    Attributes:
        opened: its files. map_files: its map. engine: advances it. seed: of the run.
    """

    opened: OpenedScenario
    map_files: MapFiles
    engine: ScenarioEngine
    seed: int = USUAL_SEED

    @property
    def source(self) -> str:
        """The file."""
        return self.opened.kept.source

    @property
    def program(self) -> Program:
        """What runs."""
        return self.engine.program

    @property
    def map_source(self) -> str:
        """The map's file, "" for none."""
        return "" if self.map_files.name == EMPTY else self.map_files.source

    def world(self, tick: int) -> Build:
        """The scenario in the world, its init actions done.

        Args:
            tick: length of a tick [ns].

        Raises:
            InputError: the map is broken.
        """
        settings, files = Settings(), self.map_files
        network = network_of(files)
        egos = ego_starts(settings.ego, files.name, network)
        return build_from_starts(files, network, egos, tick, settings.world, self.opened.kept, self.seed, self.engine)


def ready_scenario(
    given: str,
    data: Path,
    allow: Sequence[Path] = (),
    parameters: Mapping[str, str] | None = None,
    *,
    map_name: str | None = None,
    ego: str = "default",
    ego_name: str = "",
    seed: int = USUAL_SEED,
) -> ReadyScenario:
    """Read a scenario and its map.

    Args:
        given: a file, or a name in Scenario/ of the data folder.
        data: the data folder.
        allow: further folders in which files may be opened.
        parameters: values of its parameters, by name.
        map_name: the map; None for that which the scenario names.
        ego: who moves the ego vehicle, a key of `storyboard_build.EGO_MOVERS`.
        ego_name: the entity that is the ego vehicle, "" for that of the rule.
        seed: of the run.

    Raises:
        InputError: it cannot be found, read or run.
    """
    opened = open_scenario(given, data, allow, parameters, ego, ego_name, map_name=map_name, own_ego=False)
    map_files = read_map_files(opened.map_name, data)
    engine = engine_of(opened.kept, map_files, opened.reading, seed)
    return ReadyScenario(opened=opened, map_files=map_files, engine=engine, seed=seed)
