"""From settings to a scene and a first snapshot."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from dorosim.app.run.ego_start import ego_starts
from dorosim.app.setting.settings import EgoSettings, Settings, WorldSettings
from dorosim.app.store.map import MapFiles, forget_records, map_data_id, network_of, plan_of, read_map_files
from dorosim.app.store.openscenario import is_openscenario
from dorosim.app.store.scenery import load_scenery
from dorosim.app.store.terrain import terrain_of
from dorosim.endpoint.udp.socket import LAST_PORT
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.ground.physics import MAX_COORDINATE
from dorosim.recording.format import EgoStart, RunHeader
from dorosim.recording.storyboard import KeptStoryboard
from dorosim.road.network import RoadNetwork
from dorosim.scenario.population import check_room
from dorosim.world.actor.number import LAST_NUMBER
from dorosim.world.collision.room import blocked_egos
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.effect import MAX_FRICTION
from dorosim.world.environment.weather import MAX_RAIN, MAX_VISIBILITY, MIN_VISIBILITY
from dorosim.world.scene import Scene
from dorosim.world.signal.update import SignalPlan
from dorosim.world.snapshot import Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.storyboard.advance import begin_storyboard
from dorosim.world.storyboard.engine import StoryboardEngine
from dorosim.world.storyboard.mover import Mover
from dorosim.world.traffic.effect import MAX_NPCS
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS

if TYPE_CHECKING:
    from dorosim.app.run.storyboard_build import OpenedScenario

MAX_EGOS = 1000
MAX_SENSOR_THREADS = 1000
MIN_TICK_MS, MAX_TICK_MS = 1.0, 100.0
"""Bounds of the tick [ms]."""
MAX_SEED = 2**63 - 1
MAX_RUN_DURATION = 1e8
"""Three years [s]."""
LAST_EPOCH = 2e9
"""Stamps on the wire have an int32 of seconds; this leaves room for the run."""


BOUNDS: dict[str, tuple[float, float]] = {
    "seed": (0, MAX_SEED),
    "tick_ms": (MIN_TICK_MS, MAX_TICK_MS),
    "world.scenery_seed": (0, MAX_SEED),
    "duration": (0.0, MAX_RUN_DURATION),
    "epoch": (0.0, LAST_EPOCH),
    "port_offset": (0, LAST_PORT),
    "sensor_threads": (1, MAX_SENSOR_THREADS),
    "udp.utc_offset_h": (-24.0, 24.0),
    "environment.time_of_day": (0.0, 24.0),
    "environment.rain": (0.0, MAX_RAIN / MM_PER_HOUR),
    "environment.visibility": (MIN_VISIBILITY, MAX_VISIBILITY),
    "environment.friction": (0.0, MAX_FRICTION),
    "traffic.vehicles": (0, MAX_NPCS),
    "traffic.pedestrians": (0, LAST_NUMBER),
    "traffic.mistakes": (0.0, 3600.0),
    "ros.message_mib": (1, 1024),
    "ros.frame_mib": (1, 1024),
    "ros.clients": (1, 1000),
    "view.visitors": (1, 1000),
    "grpc.message_mib": (1, 1024),
    "grpc.streams": (1, 1000),
    "grpc.workers": (1, 1000),
    "grpc.entries": (1, 10**7),
    "grpc.step_patience_s": (0.05, 3600.0),
    "tcp_step.rate_hz": (0.01, 1000.0),
    "tcp_step.clients": (1, 1000),
    "tcp_step.frame_timeout_s": (0.05, 3600.0),
}
"""Least and greatest value of settings, by key."""


def check_settings(settings: Settings) -> None:
    """Refuse numbers that no run can have.

    Raises:
        InputError: with the key and its bounds, of the first of them.
    """
    for problem in number_problems(settings):
        raise problem


def number_problems(settings: Settings) -> Iterator[InputError]:
    """Numbers that no run can have, each with its key and bounds."""
    if not 0 < len(settings.ego) <= MAX_EGOS:
        yield InputError("settings", "ego", f"{len(settings.ego)} ego vehicles", f"give 1 to {MAX_EGOS}")
    bounds = [(key, attrgetter(key)(settings), low, high) for key, (low, high) in BOUNDS.items()]
    bounds += [
        (f"snapshot_at[{number}]", at, 0.0, MAX_RUN_DURATION) for number, (at, _) in enumerate(settings.snapshot_at)
    ]
    for number, ego in enumerate(settings.ego):
        bounds += [(f"ego[{number}].pose", part, -MAX_COORDINATE, MAX_COORDINATE) for part in ego.pose or ()]
        bounds.append((f"ego[{number}].z", ego.z, -MAX_COORDINATE, MAX_COORDINATE))
        bounds.append((f"ego[{number}].s", ego.s, 0.0, MAX_COORDINATE))
    for key, value, low, high in bounds:
        if value is not None and not low <= value <= high:
            yield InputError("settings", key, f"{value} is outside {low:g} to {high:g}", "give a number inside")


@dataclass(frozen=True, slots=True)
class Build:
    """A run that is ready to start.

    Attributes:
        map_files: its map. scene: what it takes as given. egos: its ego vehicles. first: its first snapshot.
        scenery_seed: of its scenery. storyboard: the scenario of OpenSCENARIO that it plays, None for none.
    """

    map_files: MapFiles
    scene: Scene
    egos: tuple[EgoStart, ...]
    first: Snapshot
    scenery_seed: int = 0
    storyboard: KeptStoryboard | None = None


def build(settings: Settings, data: Path) -> Build:
    """Everything that the settings name.

    Raises:
        InputError: a name, file or number among them is wrong.
    """
    check_settings(settings)
    files = read_map_files(settings.map, data)
    network = network_of(files)
    check_room(files.name, network, settings.traffic.vehicles)
    egos = ego_starts(settings.ego, files.name, network)
    played = played_scenario(settings, data, settings.map)
    kept = None if played is None else played.kept
    made = build_from_starts(files, network, egos, round(settings.tick_ms * 1e6), settings.world, kept, settings.seed)
    if kept is not None:
        return made
    for row, there in blocked_egos(made.scene, made.first):
        x, y, _ = egos[row].position
        problem = f"there is no room at ({x:.2f}, {y:.2f}): {there}"
        raise InputError("settings", f"ego[{row}]", problem, "give another place, or [world] solid = false")
    return made


def world_of(header: RunHeader) -> WorldSettings:
    """The settings of the world that a run had."""
    return WorldSettings(scenery_seed=header.scenery_seed, solid=header.solid)


def check_scenery(source: str, header: RunHeader, scene: Scene) -> None:
    """Refuse a run that had other things beside its roads: vehicles would hit what was not there.

    Args:
        source: name of the file, for messages.
        header: of the file.
        scene: of the run made anew.

    Raises:
        InputError: it names the file and the version of dorosim that wrote it.
    """
    if header.scenery and header.scenery != scene.scenery.digest:
        problem = f"what stands beside the roads was laid out by dorosim {header.version}, and here it stands otherwise"
        raise InputError(source, "scenery", problem, f"use dorosim {header.version} for it, or make it anew")


def check_header(source: str, header: RunHeader) -> None:
    """Refuse a header that no run can have written.

    Raises:
        InputError: it names the file and what is wrong.
    """
    egos = tuple(EgoSettings(pose=(ego.position[0], ego.position[1], math.degrees(ego.heading))) for ego in header.egos)
    try:
        check_settings(
            Settings(
                ego=egos, seed=header.seed, tick_ms=header.tick / 1e6, epoch=header.epoch / 1e9, world=world_of(header)
            )
        )
    except InputError as error:
        raise InputError(source, f"header: {error.place}", error.problem, "the file is broken; save it again") from None


def played_scenario(settings: Settings, data: Path, map_name: str | None) -> OpenedScenario | None:
    """The scenario of OpenSCENARIO that the settings name, None where they name none.

    Args:
        settings: all of them.
        data: the data folder.
        map_name: the map; None for that which the scenario names.

    Raises:
        InputError: it cannot be read.
    """
    if settings.scenario is None or not is_openscenario(settings.scenario, data):
        return None
    # a quarter of a start: records and engine of OpenSCENARIO, which most runs do not have
    from dorosim.app.run.storyboard_build import EGO_MOVERS, open_scenario

    played = settings.storyboard
    if played.lockstep and EGO_MOVERS.get(played.ego) is not Mover.EXTERNAL:
        cure = "say by which interface a program drives: --ego udp, ros or grpc"
        raise InputError(
            "settings", "storyboard.lockstep", f"nobody drives the ego vehicle, which is {played.ego}", cure
        )
    allow = [Path(one).expanduser() for one in played.allow]
    return open_scenario(
        settings.scenario, data, allow, played.parameters, played.ego, played.ego_name, map_name=map_name
    )


def build_from_starts(
    files: MapFiles,
    network: RoadNetwork,
    egos: tuple[EgoStart, ...],
    tick: int,
    world: WorldSettings,
    storyboard: KeptStoryboard | None = None,
    seed: int = 0,
    engine: StoryboardEngine | None = None,
) -> Build:
    """A run whose ego vehicles have their start poses already, as those of a recording have.

    Args:
        files: the map.
        network: the same, compiled.
        egos: the ego vehicles; one that is an entity of the storyboard stands where that has it.
        tick: [ns].
        world: what stands beside the roads.
        storyboard: the scenario that is played; its init actions are done in the first snapshot.
        seed: of the run.
        engine: of the scenario on this map, where it is there already.

    Raises:
        InputError: the map is broken, or the scenario does not fit on it.
    """
    if storyboard is not None and engine is None:
        from dorosim.app.run.storyboard_build import engine_of

        engine = engine_of(storyboard, files, seed=seed)
    scenery = load_scenery(files, network, world.scenery_seed)
    scene = Scene(
        map_name=files.name,
        map_data_id=map_data_id(files.name),
        map_origin=network.origin,
        network=network,
        signal_plan=SignalPlan.from_network(network),
        models=VEHICLE_MODELS,
        tick=tick,
        scenery=scenery if world.solid else scenery.without_solids(),
        terrain=terrain_of(files, network),
        storyboard=engine,
        plan_of=partial(plan_of, files),
    )
    forget_records()
    starts = [(ego.model, ego.position, ego.heading) for ego in egos]
    first = begin_storyboard(scene, first_snapshot(scene, starts), Noise(seed))
    return Build(files, scene, egos, first, world.scenery_seed, storyboard)
