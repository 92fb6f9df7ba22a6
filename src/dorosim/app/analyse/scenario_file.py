"""What `dorosim scenario check` prints, and the scenario that a run saves."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from dorosim.app.run.build import build
from dorosim.app.run.report.console import print_line
from dorosim.app.run.report.json_output import Facts
from dorosim.app.setting.settings import Settings
from dorosim.app.store.scenario import find_scenario
from dorosim.bridge.scenario import ScenarioLoader
from dorosim.recording.whole_file import write_file
from dorosim.scenario.catalogue import Catalogue
from dorosim.scenario.load import LoadOptions, select_work
from dorosim.scenario.morai.file import read_scenario, scenario_bytes
from dorosim.scenario.morai.record import ScenarioFile
from dorosim.scenario.morai.resolve import resolve
from dorosim.scenario.morai.save import scenario_from_world
from dorosim.scenario.order import orders_from_work
from dorosim.scenario.plan import ScenarioPlan, contents_of
from dorosim.scenario.world import plan_from_snapshot
from dorosim.world.snapshot import Snapshot


def check_scenario(given: str, map_name: str, data: Path) -> Facts:
    """What of a scenario is loaded on a map, what falls back and what is missing.

    Returns:
        source: the file. made_for: map that it was made for, "" if the file does not name it. map: the one here. loads,
        leaves_out: what is loaded, and what is not, in words. network: network settings beside it, "" for none.
        falls_back: models that others stand in for. missing: what is missing or changed.

    Raises:
        InputError: the scenario or the map cannot be found or read.
    """
    stored = find_scenario(given, data, Path(map_name).name)
    file = read_scenario(stored.source, stored.content)
    ready = build(Settings(map=map_name), data)
    resolved = resolve(file, ready.scene.network, Catalogue.of_world(ready.scene.models))
    orders = orders_from_work(select_work(resolved.plan, LoadOptions()), ready.first, ready.scene)
    return {
        "source": stored.source,
        "made_for": file.map_info.name or "",
        "map": ready.map_files.source,
        "loads": contents_of(resolved.plan),
        "leaves_out": _left_out(file, resolved.plan),
        "network": stored.network,
        "falls_back": list(resolved.stand_ins),
        "missing": [*resolved.missing, *orders.notes],
    }


def print_check(check: Facts) -> None:
    """Print what of a scenario is loaded."""
    made_for = f", made for map {check['made_for']}" if check["made_for"] else ""
    lines = [f"{check['source']}{made_for}, on {check['map']}", f"loads: {check['loads']}"]
    for title, value in (("leaves out", check["leaves_out"]), ("network settings of this name", check["network"])):
        lines += [f"{title}: {value}"] if value else []
    for title, found in (("falls back", check["falls_back"]), ("missing or changed", check["missing"])):
        lines += [f"{title}:", *(f"  {line}" for line in found)] if found else []
    if not check["missing"]:
        lines.append("nothing is missing")
    console = Console(highlight=False)
    for line in lines:
        print_line(console, line)


def _left_out(file: ScenarioFile, plan: ScenarioPlan) -> str:
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
    """Write the present world as a scenario file, all at once. Returns lines to print about it.

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
    write_file(path, content, "save where there is room and permission")
    return [f"saved {path}: {contents_of(plan)}", *(f"  {note}" for note in notes)]
