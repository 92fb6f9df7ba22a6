"""References of the shared scenarios: where the entities of another engine were, and when its storyboard changed."""

from __future__ import annotations

import csv
import gzip
import math
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_run import DEFAULT_STEP, RunTick
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import ElementState
from tests.scenario.openscenario.worldless import ticks_of

NAMES = (
    "add_delete_entity",
    "angle_condition",
    "condition_delay",
    "cut-in",
    "drop-bike",
    "init_test",
    "keep_lateral_distance",
    "lane-change_clothoid_based_trajectory",
    "lane_change_crest",
    "left-hand-traffic_using_road_rule",
    "long_dist_action_with_jerk",
    "object_teleport_delete",
    "override_action",
    "pedestrian",
    "pedestrian_collision",
    "relative_lane_change",
    "relative_speed_phases",
    "routing-test",
    "slow-lead-vehicle",
    "speed-profile",
    "straight_500m",
    "synch_with_steady_state",
    "test_action_dynamics",
    "traffic_lights",
    "trajectory-test",
)
"""The shared scenarios of which there are references."""

Point = tuple[float, float, float]
_LINE = re.compile(r"\[(-?[\d.]+)\] \[info\] (.+?) (\w+State) -> (\w+) -> (\w+State)")
_STATES = {
    "standbyState": ElementState.STANDBY,
    "runningState": ElementState.RUNNING,
    "completeState": ElementState.COMPLETE,
}


class Run(NamedTuple):
    """A run of ours: places by entity and time [ns], and changes of elements by name and state, times [ns]."""

    places: dict[str, dict[int, Point]]
    changes: dict[tuple[str, int], list[int]]
    ended: int


def scenario_file(root: Path, name: str) -> Path:
    """The file of a shared scenario."""
    folders = (root / "resources/xosc", root / "EnvironmentSimulator/Unittest/xosc")
    return next(one / f"{name}.xosc" for one in folders if (one / f"{name}.xosc").exists())


def our_run(root: Path, name: str) -> Run:
    """Run a shared scenario."""
    ready = ready_scenario(str(scenario_file(root, name)), root, [root])
    return gathered(ready.program, list(ticks_of(ready.program, DEFAULT_STEP, 60.0)))


def gathered(program: Program, ticks: Sequence[RunTick]) -> Run:
    """What the ticks of a run have made."""
    places: dict[str, dict[int, Point]] = defaultdict(dict)
    changes: dict[tuple[str, int], list[int]] = defaultdict(list)
    for tick in ticks:
        table = tick.state.entity
        for row, plan in enumerate(program.entities):
            if table.present[row]:
                places[plan.name][tick.state_time] = (float(table.x[row]), float(table.y[row]), float(table.z[row]))
        for one in tick.happened:
            changes[program.elements[one.element].name, one.state].append(tick.time)
    return Run(dict(places), dict(changes), ticks[-1].time)


def reference_places(root: Path, name: str) -> dict[str, dict[int, Point]]:
    """Where the entities were in the reference, by name and time [ns]."""
    found: dict[str, dict[int, Point]] = defaultdict(dict)
    with gzip.open(root / "reference" / f"{name}.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            time = round(float(row["time"]) * 1e9)
            if time >= 0:
                found[row["name"]][time] = (float(row["x"]), float(row["y"]), float(row["z"]))
    return dict(found)


def reference_changes(root: Path, name: str) -> dict[tuple[str, int], list[int]]:
    """When elements changed in the reference, by name and state [ns]; init actions have no element."""
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for line in (root / "reference/storyboard" / f"{name}.txt").read_text().splitlines():
        match = _LINE.match(line)
        if match is None or match[2].startswith("Init ") or match[2] == "storyBoard":
            continue
        found[match[2], int(_STATES[match[5]])].append(round(float(match[1]) * 1e9))
    return dict(found)


def farthest(ours: dict[int, Point], theirs: dict[int, Point]) -> tuple[float, int]:
    """How far the places of a reference are from ours at a time at most one step away, at worst [m], and when."""
    worst = (0.0, 0)
    for time, place in theirs.items():
        near = [ours[one] for one in (time - DEFAULT_STEP, time, time + DEFAULT_STEP) if one in ours]
        away = min((math.dist(place, one) for one in near), default=math.inf)
        worst = max(worst, (away, time))
    return worst


def late_changes(ours: dict[tuple[str, int], list[int]], theirs: dict[tuple[str, int], list[int]]) -> list[str]:
    """Changes of a reference that are not ours within one step."""
    found = []
    for key, times in sorted(theirs.items()):
        mine = sorted(ours.get(key, []))
        if len(mine) != len(times) or any(
            abs(one - other) > DEFAULT_STEP for one, other in zip(mine, sorted(times), strict=True)
        ):
            found.append(
                f"{key[0]} {ElementState(key[1]).name}: {[t * 1e-9 for t in mine]}, not {[t * 1e-9 for t in times]}"
            )
    return found
