"""What `dorosim scenario check` prints, and the scenario that a run saves."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from dorosim.app.build import build
from dorosim.app.scenario_store import find_scenario
from dorosim.app.settings import Settings
from dorosim.bridge.scenario import ScenarioLoader
from dorosim.ground.error import one_line
from dorosim.recording.whole_file import write_whole
from dorosim.scenario.catalogue import Catalogue
from dorosim.scenario.load import LoadOptions, select_work
from dorosim.scenario.morai.file import read_scenario, scenario_bytes
from dorosim.scenario.morai.record import ScenarioFile
from dorosim.scenario.morai.resolve import resolve
from dorosim.scenario.morai.save import scenario_from_world
from dorosim.scenario.order import orders_from_work
from dorosim.scenario.plan import Plan, contents_of
from dorosim.scenario.world import plan_from_snapshot
from dorosim.world.snapshot import Snapshot


def check_scenario(given: str, map_name: str, data: Path) -> bool:
    """Print what of a scenario is loaded on a map, what falls back and what is missing; returns whether all is there.

    A model that another one stands in for does not count as missing.

    Raises:
        InputError: the scenario or the map cannot be found or read.
    """
    stored = find_scenario(given, data, Path(map_name).name)
    file = read_scenario(stored.source, stored.content)
    ready = build(Settings(map=map_name), data)
    resolved = resolve(file, ready.scene.network, Catalogue.of_world(ready.scene.models))
    orders = orders_from_work(select_work(resolved.plan, LoadOptions()), ready.first, ready.scene)
    console = Console(highlight=False)
    made_for = f", made for map {file.map_info.name}" if file.map_info.name else ""
    _say(console, f"{stored.source}{made_for}, on {ready.map_files.source}")
    _say(console, f"loads: {contents_of(resolved.plan)}")
    left = _left_out(file, resolved.plan)
    if left:
        _say(console, f"leaves out: {left}")
    if stored.network:
        _say(console, f"network settings beside it: {stored.network}")
    missing = [*resolved.missing, *orders.notes]
    for title, lines in (("falls back", resolved.stand_ins), ("missing or changed", missing)):
        if lines:
            _say(console, f"{title}:")
        for line in lines:
            _say(console, f"  {line}")
    if not missing:
        _say(console, "nothing is missing")
    return not missing


def _left_out(file: ScenarioFile, plan: Plan) -> str:
    """How many of each list of a file do not get into its plan: "5 of 5 in spawnPointList"."""
    lists = (
        ("vehicleList", file.vehicles, plan.vehicles),
        ("spawnPointList", file.spawn_points, plan.vehicle_spawn_points),
        ("tlList", file.controllers, plan.controllers),
        ("frictionChangeMaterialList", file.friction_areas, plan.friction_areas),
        ("aiPedstrianList", file.ai_pedestrians, ()),
    )
    parts = [(len(there) - len(loaded), len(there), name) for name, there, loaded in lists]
    return ", ".join(f"{lost} of {count} in {name}" for lost, count, name in parts if lost)


def save_world(path: Path, now: Snapshot, loader: ScenarioLoader) -> list[str]:
    """Write the present world as a scenario file, all at once; returns what there is to say of it.

    Args:
        path: the file; one that is there is replaced.
        now: the world.
        loader: knows the scene, and the scenario that was loaded last, whose other keys are kept.

    Raises:
        InputError: the file cannot be written.
    """
    known = None if loader.resolved is None else loader.resolved.plan
    plan, notes = plan_from_snapshot(now, loader.scene, known)
    content = scenario_bytes(scenario_from_world(plan, loader.scene.network, loader.catalogue, loader.file))
    write_whole(path, content, "save where there is room and permission")
    return [f"saved {path}: {contents_of(plan)}", *(f"  {note}" for note in notes)]


def _say(console: Console, line: str) -> None:
    console.print(one_line(line), markup=False, soft_wrap=True)
