"""A map, read once, on which worlds begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path

from dorosim.app.run.build import build_from_starts, check_settings
from dorosim.app.run.ego_start import ego_starts
from dorosim.app.run.initial_commands import environment_commands
from dorosim.app.run.scenario_ready import ReadyScenario, ready_scenario
from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.app.setting.settings import EgoSettings, Settings, TrafficSettings, WorldSettings
from dorosim.app.store.folder import data_folder
from dorosim.app.store.map import MapFiles, network_of, read_map_files
from dorosim.batch.start import WorldStart
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.recording.format import EgoStart
from dorosim.scenario.population import population
from dorosim.world.collision.room import blocked_egos
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.start import first_snapshot

STEP_MS = 100.0
"""Usual length of a tick in a batch [ms]: drivers decide so often; vehicles are moved in steps of a tenth of it."""


@dataclass(frozen=True, slots=True, eq=False)
class WorldMap:
    """A map with all that worlds on it have in common.

    Attributes:
        files: the map. scene: what worlds on it take as given, without a scenario.
        world: what stands beside the roads.
    """

    files: MapFiles
    scene: Scene
    world: WorldSettings

    @classmethod
    def open(
        cls,
        name: str = "town",
        *,
        tick_ms: float = STEP_MS,
        data: str | Path | None = None,
        world: WorldSettings | None = None,
    ) -> WorldMap:
        """Read a map.

        Args:
            name: as of the setting `map`: "town", "village", "motorway", a file, a folder, "empty".
            tick_ms: length of a tick [ms].
            data: the data folder; None for the user's.
            world: what stands beside the roads; None for the usual.

        Raises:
            InputError: there is no such map, it cannot be read, or the tick is none.
        """
        check_settings(Settings(tick_ms=tick_ms))
        files = read_map_files(name, data_folder(None if data is None else str(data)))
        beside = WorldSettings() if world is None else world
        made = build_from_starts(files, network_of(files), (), round(tick_ms * 1e6), beside)
        return cls(files, made.scene, beside)

    def start(
        self,
        *,
        seed: int = 0,
        egos: Sequence[EgoSettings | EgoStart] = (EgoSettings(),),
        vehicles: int = 0,
        pedestrians: int = 0,
        mistakes: float = 0.0,
        environment: EnvironmentSettings | None = None,
        commands: Sequence[Command] = (),
        fewer: bool = False,
    ) -> WorldStart:
        """Where a world on this map begins.

        Args:
            seed: of its randomness.
            egos: its vehicles with full dynamics, one at least.
            vehicles: NPC vehicles all over the map.
            pedestrians: people who cross roads.
            mistakes: of each driver, per hour of driving.
            environment: weather, season, time of day and friction.
            commands: that are done before its first tick, after those of the others.
            fewer: where the map has no room for so many, make as many as it has room for.

        Raises:
            InputError: a number is none, the map has no room, or two ego vehicles are at one place.
        """
        around = EnvironmentSettings() if environment is None else environment
        check_whole(**{"seed": seed, "traffic.vehicles": vehicles, "traffic.pedestrians": pedestrians})
        traffic = TrafficSettings(vehicles=vehicles, pedestrians=pedestrians, mistakes=mistakes)
        asked = [one for one in egos if isinstance(one, EgoSettings)]
        given = asked if asked or not egos else [EgoSettings()]
        check_settings(Settings(seed=seed, traffic=traffic, environment=around, ego=tuple(given)))
        found = iter(ego_starts(asked, self.files.name, self.scene.network))
        starts = tuple(next(found) if isinstance(one, EgoSettings) else one for one in egos)
        first = first_snapshot(self.scene, [(ego.model, ego.position, ego.heading) for ego in starts])
        if asked:
            _check_places(self.scene, first)
        opening: list[Command] = [*environment_commands(around)]
        if vehicles or pedestrians:
            noise = Noise(seed)
            opening += population(self.scene, first, noise, vehicles, pedestrians, fewer=fewer, mistakes=mistakes)
        return WorldStart(
            map_files=self.files,
            scene=self.scene,
            first=first,
            opening=(*opening, *commands),
            seed=seed,
            egos=starts,
            scenery_seed=self.world.scenery_seed,
            solid=self.world.solid,
        )


def check_whole(**numbers: object) -> None:
    """Refuse what is no whole number.

    Args:
        numbers: by the names that settings have for them.

    Raises:
        InputError: with the first of them.
    """
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise InputError("settings", name, f"{value!r} is no whole number", "give one")


def _check_places(scene: Scene, first: Snapshot) -> None:
    for row, there in blocked_egos(scene, first):
        raise InputError("settings", f"ego[{row}]", f"there is no room: {there}", "give another place")


def open_scenario_for_batch(
    scenario: str | Path,
    *,
    seed: int = 0,
    ego: str = "udp",
    ego_name: str = "",
    map_name: str | None = None,
    parameters: Mapping[str, str] | None = None,
    allow: Sequence[str | Path] = (),
    data: str | Path | None = None,
) -> ReadyScenario:
    """Read a file of OpenSCENARIO with its map; arguments as of `dorosim scenario run`.

    Args:
        scenario: the file, or a name in the data folder.
        seed: of its worlds.
        ego: who moves the ego vehicle; "udp": commands of each step do.
        ego_name: the entity that is the ego vehicle, "" for that of the rule.
        map_name: the map; None for that which the scenario names.
        parameters: values of its parameters, by name.
        allow: further folders in which files may be opened.
        data: the data folder; None for the user's.

    Raises:
        InputError: it cannot be found, read or run, or the seed is none.
    """
    check_whole(seed=seed)
    check_settings(Settings(seed=seed))
    folder = data_folder(None if data is None else str(data))
    folders = [Path(one).expanduser() for one in allow]
    return ready_scenario(
        str(scenario), folder, folders, parameters, map_name=map_name, ego=ego, ego_name=ego_name, seed=seed
    )


def scenario_start(ready: ReadyScenario, *, tick_ms: float = STEP_MS, commands: Sequence[Command] = ()) -> WorldStart:
    """Where a world begins that plays a scenario; its init actions are done.

    Args:
        ready: the scenario.
        tick_ms: length of a tick [ms].
        commands: that are done before its first tick.

    Raises:
        InputError: the map is broken, or the tick is none.
    """
    check_settings(Settings(tick_ms=tick_ms))
    made = ready.world(round(tick_ms * 1e6))
    return WorldStart(
        map_files=made.map_files,
        scene=made.scene,
        first=made.first,
        opening=tuple(commands),
        seed=ready.seed,
        egos=made.egos,
        scenery_seed=made.scenery_seed,
        storyboard=made.storyboard,
    )
