"""What `dorosim scenario check` prints, and the scenario that a run saves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.app.store.scenario import find_scenario
from dorosim.bridge.scenario import ScenarioLoader
from dorosim.ground.error import one_line
from dorosim.recording.whole_file import write_int
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


@dataclass(frozen=True, slots=True)
class Check:
    """What of a scenario is loaded on a map.

    Attributes:
        source: the file. made_for: map that it was made for, "" if the file does not name it. map: the one here.
        loads, leaves_out: what is loaded, and what is not, in words.
        network: network settings beside it, "" for none.
        falls_back: models that others stand in for. missing: what is missing or changed.
    """

    source: str
    made_for: str
    map: str
    loads: str
    leaves_out: str
    network: str
    falls_back: list[str]
    missing: list[str]

    @property
    def whole(self) -> bool:
        """Whether nothing is missing; a model that another one stands in for does not count."""
        return not self.missing


def check_scenario(given: str, map_name: str, data: Path) -> Check:
    """What of a scenario is loaded on a map, what falls back and what is missing.

    Raises:
        InputError: the scenario or the map cannot be found or read.
    """
    stored = find_scenario(given, data, Path(map_name).name)
    file = read_scenario(stored.source, stored.content)
    ready = build(Settings(map=map_name), data)
    resolved = resolve(file, ready.scene.network, Catalogue.of_world(ready.scene.models))
    orders = orders_from_work(select_work(resolved.plan, LoadOptions()), ready.first, ready.scene)
    return Check(
        source=stored.source,
        made_for=file.map_info.name or "",
        map=ready.map_files.source,
        loads=contents_of(resolved.plan),
        leaves_out=_left_out(file, resolved.plan),
        network=stored.network,
        falls_back=list(resolved.stand_ins),
        missing=[*resolved.missing, *orders.notes],
    )


def print_check(check: Check) -> None:
    """Print what of a scenario is loaded."""
    console = Console(highlight=False)
    _say(console, f"{check.source}{f', made for map {check.made_for}' if check.made_for else ''}, on {check.map}")
    _say(console, f"loads: {check.loads}")
    if check.leaves_out:
        _say(console, f"leaves out: {check.leaves_out}")
    if check.network:
        _say(console, f"network settings of this name: {check.network}")
    for title, lines in (("falls back", check.falls_back), ("missing or changed", check.missing)):
        if lines:
            _say(console, f"{title}:")
        for line in lines:
            _say(console, f"  {line}")
    if check.whole:
        _say(console, "nothing is missing")


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
    write_int(path, content, "save where there is room and permission")
    return [f"saved {path}: {contents_of(plan)}", *(f"  {note}" for note in notes)]


def _say(console: Console, line: str) -> None:
    console.print(one_line(line), markup=False, soft_wrap=True)
