"""What a run begins with besides its ego vehicles: a scenario, and NPC vehicles and pedestrians."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import msgspec

from dorosim.app.run.build import Build, played_scenario
from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.app.setting.network import read_network
from dorosim.app.setting.settings import EgoSettings, Settings
from dorosim.app.store.project import find_project, is_project
from dorosim.app.store.scenario import ScenarioFolder, find_scenario
from dorosim.bridge.scenario import ScenarioLoader, StoredScenario
from dorosim.endpoint.udp.network import UdpNetwork
from dorosim.ground.noise import Noise
from dorosim.scenario.catalogue import Catalogue, Family, find_model
from dorosim.scenario.load import LoadOptions
from dorosim.scenario.morai.file import read_scenario
from dorosim.scenario.population import population
from dorosim.world.command import Command
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.command import SetRoadFriction, SetSeason, SetSky, SetTimeOfDay, SetWeather
from dorosim.world.environment.effect import SkyCommand
from dorosim.world.environment.weather import Season, WeatherKind
from dorosim.world.storyboard.engine import NO_ENTITY
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS

MAX_NOTICES = 10
"""Lines about a scenario that the banner has room for."""


@dataclass(frozen=True, slots=True)
class Script:
    """The scenario that a run begins with, if there is one, and the settings of the run that it changes.

    Attributes:
        stored: its file, None for none.
        settings: those of the run; the ego vehicle is the scenario's and starts where it has it, unless another one
            or another place was chosen.
        network: the network settings beside it and notices about them; None if there are none, or others were chosen.
    """

    stored: StoredScenario | None
    settings: Settings
    network: tuple[UdpNetwork, list[str]] | None


def read_script(settings: Settings, data: Path, given: Collection[str] = ()) -> Script:
    """The scenario that the settings name.

    Args:
        settings: all of them.
        data: the data folder.
        given: keys of the settings that a user gave; the others have their defaults.

    Raises:
        InputError: it cannot be found or read, or is broken.
    """
    scenario = settings.scenario
    if scenario is None:
        return Script(None, settings, None)
    played = played_scenario(settings, data, settings.map if "map" in given else None)
    if played is not None:
        settings = msgspec.structs.replace(settings, map=played.map_name)
        if is_project(scenario) and settings.sensors is None:
            settings = msgspec.structs.replace(settings, sensors=str(find_project(scenario, data)))
        return Script(None, settings, None)
    return script_of_stored(find_scenario(scenario, data, Path(settings.map).name), settings, given)


def script_of_stored(stored: StoredScenario, settings: Settings, given: Collection[str] = ()) -> Script:
    """A scenario of MORAI SIM that was found; arguments as of `read_script`.

    Raises:
        InputError: it is broken.
    """
    ego = read_scenario(stored.source, stored.content).ego
    if ego is not None and "ego" not in given and settings.from_snapshot is None:
        row, exact = find_model(Catalogue.of_world(VEHICLE_MODELS), Family.EGO, ego.data_id, ego.model_name)
        model = VEHICLE_MODELS[row].name if exact else settings.ego[0].vehicle
        pose = (ego.start.pos.x, ego.start.pos.y, ego.start.rot.yaw)
        settings = msgspec.structs.replace(settings, ego=(EgoSettings(vehicle=model, pose=pose),))
    beside = stored.network and settings.udp.network is None
    if not beside:
        return Script(stored, settings, None)
    network, notices = read_network(Path(stored.network))
    return Script(stored, settings, (network.moved(settings.port_offset), notices))


@dataclass(frozen=True, slots=True)
class Opening:
    """What a run begins with.

    Attributes:
        loader: loads scenarios into the run; it knows the one that was loaded last.
        commands: of the first tick.
        lines: what they make, for the banner.
        notices: what of the scenario the world does not do.
    """

    loader: ScenarioLoader
    commands: tuple[Command, ...]
    lines: tuple[str, ...]
    notices: tuple[str, ...]


def environment_commands(environment: EnvironmentSettings) -> list[Command]:
    """What makes the weather, season, time of day and friction of the settings."""
    made: list[Command] = [*sky_commands(environment)]
    if environment.friction is not None:
        made.append(SetRoadFriction(environment.friction))
    return made


def sky_commands(environment: EnvironmentSettings) -> list[SkyCommand]:
    """What of the settings can be seen: weather, season and time of day."""
    made: list[SkyCommand] = []
    if environment.season is not None:
        made.append(SetSeason(Season[environment.season.upper()]))
    if environment.time_of_day is not None:
        made.append(SetTimeOfDay(environment.time_of_day * 3600.0))
    if environment.weather is not None:
        made.append(SetWeather(WeatherKind[environment.weather.upper()]))
    if environment.rain is not None or environment.visibility is not None:
        rain = None if environment.rain is None else environment.rain * MM_PER_HOUR
        made.append(SetSky(rain=rain, visibility=environment.visibility))
    return made


def open_world(settings: Settings, ready: Build, data: Path, script: Script) -> Opening:
    """What the settings ask for at the start.

    Raises:
        InputError: the map has no room for so many vehicles or pedestrians.
    """
    loader = ScenarioLoader(ready.scene, ScenarioFolder(data / "Scenario", ready.scene.map_name))
    commands: list[Command] = []
    lines: list[str] = []
    notices: tuple[str, ...] = ()
    if script.stored is not None:
        # what lies beside it has been read: see `read_script`
        loading = loader.load_stored(script.stored, LoadOptions(network=False), ready.first)
        commands += loading.commands
        lines.append(f"scenario {loading.headline}")
        notices = loading.notes[:MAX_NOTICES]
        if len(loading.notes) > MAX_NOTICES:
            left = len(loading.notes) - MAX_NOTICES
            notices += (f"and {left} more of the scenario; 'dorosim scenario check {settings.scenario}' lists all",)
    if ready.storyboard is not None:
        lines.append(_storyboard_line(ready))
    sky = environment_commands(settings.environment)
    if sky:
        commands += sky
        lines.append(f"environment: {_environment_text(settings.environment)}")
    vehicles, pedestrians = settings.traffic.vehicles, settings.traffic.pedestrians
    if vehicles or pedestrians:
        mistakes = settings.traffic.mistakes
        commands += population(ready.scene, ready.first, Noise(settings.seed), vehicles, pedestrians, mistakes=mistakes)
        more = "more " if settings.from_snapshot else ""
        lines.append(f"traffic: {vehicles} {more}NPC vehicles, {pedestrians} {more}pedestrians")
    return Opening(loader, tuple(commands), tuple(lines), notices)


def _storyboard_line(ready: Build) -> str:
    """The scenario of OpenSCENARIO that is played: how many entities it has, and which is the ego vehicle."""
    kept, engine = ready.storyboard, ready.scene.storyboard
    assert kept is not None
    assert engine is not None
    bodies, ego = engine.cast.bodies, engine.cast.ego
    entities = f"{len(bodies)} {'entity' if len(bodies) == 1 else 'entities'}"
    driven = "as it commands" if kept.ego == "default" else f"by {kept.ego}"
    which = "" if ego == NO_ENTITY else f", the ego vehicle is {bodies[ego].name}, moved {driven}"
    return f"scenario {kept.source}: {entities}{which}"


def _environment_text(environment: EnvironmentSettings) -> str:
    """What of the surroundings was chosen, in words: "fall, rainy, 18:30"."""
    parts: list[str] = [one for one in (environment.season, environment.weather) if one is not None]
    if environment.time_of_day is not None:
        minutes = round(environment.time_of_day * 60.0)
        parts.append(f"{minutes // 60:02d}:{minutes % 60:02d}")
    if environment.rain is not None:
        parts.append(f"rain of {environment.rain:g} mm/h")
    if environment.visibility is not None:
        parts.append(f"visibility of {environment.visibility:g} m")
    if environment.friction is not None:
        parts.append(f"friction {environment.friction:g}")
    return ", ".join(parts)
