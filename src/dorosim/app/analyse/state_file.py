"""Prints what is in snapshot files, and what differs between two of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from dorosim.app.analyse.recording_file import header_facts, header_lines
from dorosim.app.run.report.console import print_line
from dorosim.app.run.report.json_output import Facts
from dorosim.app.run.report.run_summary import count_actors, in_words
from dorosim.recording.format import RunHeader
from dorosim.recording.snapshot import read_snapshot
from dorosim.world.catalogue import CATALOGUE_NAMES
from dorosim.world.environment.weather import Season, WeatherKind
from dorosim.world.physics import PHYSICS_VERSION
from dorosim.world.snapshot import NO_ACTOR, Snapshot
from dorosim.world.snapshot_diff import Difference, differences

DECIDES: Mapping[str, Callable[[RunHeader], object]] = {
    "map": lambda run: run.map_digest,
    "seed": lambda run: run.seed,
    "tick": lambda run: f"{run.tick / 1e6:g} ms",
}
"""What of a header decides how a run goes on."""
PRECISIONS = (5, 7, 10, 13, 17)
"""Numbers of digits, tried in turn until two different numbers are printed differently; 17 suffice where finite."""


@dataclass(frozen=True, slots=True, order=True)
class Actor:
    """An actor: its id, kind and model, where it is [m, deg], and how fast it drives [m/s]."""

    id: int
    kind: str
    model: str
    x: float
    y: float
    z: float
    heading_deg: float
    speed: float


def state_facts(file: Path) -> Facts:
    """What is in a snapshot file.

    Returns:
        Those of `header_facts`, and file: as it was named. time_s, tick, paused: of the snapshot. digest: of all of it,
        hex. goes_on: whether the rules by which its run went on are this version's, so that a run can go on from it.
        counts: how many there are of each kind. weather, season, time_of_day_s, road_friction: as named. lights,
        lights_commanded: how many there are, and how many of them are set by a command. actors: all of them, by id.

    Raises:
        InputError: it is none.
    """
    saved = read_snapshot(file, any_physics=True)
    run, now = saved.header, saved.snapshot
    environment = now.environment
    return {
        "file": str(file),
        "time_s": now.time * 1e-9,
        "tick": now.tick,
        "paused": bool(now.paused),
        "digest": now.digest().hex(),
        **header_facts(run),
        "goes_on": run.physics == PHYSICS_VERSION,
        "counts": count_actors(now),
        "weather": WeatherKind(int(environment.weather[0])).name.lower(),
        "season": Season(int(environment.season[0])).name.lower(),
        "time_of_day_s": int(environment.time_of_day[0]),
        "road_friction": float(now.friction.road),
        "lights": len(now.signal.light),
        "lights_commanded": int((now.signal.light.command >= 0).sum()),
        "actors": sorted(_actors(now)),
    }


def print_state(facts: Facts, most: int) -> None:
    """Print what is in a snapshot file, and at most so many actors one by one."""
    console = Console(highlight=False)
    other = "" if facts["goes_on"] else f" (here {PHYSICS_VERSION}: use dorosim {facts['version']} to go on from it)"
    hours, minutes = divmod(facts["time_of_day_s"] // 60, 60)
    lights = f"{facts['lights']} lights, {facts['lights_commanded']} of them commanded"
    weather = f"{facts['weather']}, {facts['season']}, {hours:02}:{minutes:02}"
    for line in (
        f"{facts['file']}: {facts['time_s']:.2f} s, tick {facts['tick']:,}{', paused' if facts['paused'] else ''}",
        *header_lines(facts, "", "saved"),
        f"physics {facts['physics'] or 'without a number'}{other}",
        in_words(facts["counts"]),
        f"{weather}; road friction {facts['road_friction']:g}; {lights}",
        f"digest {facts['digest']}",
    ):
        print_line(console, line)
    head = ("actor", "kind:", "model:", "x [m]", "y [m]", "z [m]", "heading [°]", "speed [m/s]")
    rows = [
        (
            one.id,
            one.kind,
            one.model,
            *map("{:.2f}".format, (one.x, one.y, one.z)),
            f"{one.heading_deg:.1f}",
            f"{one.speed:.2f}",
        )
        for one in facts["actors"][:most]
    ]
    _print_rows(console, head, rows, len(facts["actors"]))


def _print_rows(console: Console, head: Sequence[str], rows: Sequence[Sequence[object]], count: int) -> None:
    """Rows in aligned columns, never wrapped or cut: they are read by programs too.

    Args:
        console: prints them.
        head: names of the columns. One that ends with a colon is of text, to the left; others are of numbers.
        rows: the first ones.
        count: how many there are.
    """
    cells = [tuple(name.removesuffix(":") for name in head), *(tuple(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for number, row in enumerate(cells):
        parts = [
            cell.ljust(width) if name.endswith(":") else cell.rjust(width)
            for name, cell, width in zip(head, row, widths, strict=True)
        ]
        style = "bold" if number == 0 else None
        console.print("  ".join(parts).rstrip(), markup=False, soft_wrap=True, style=style)
    if count > len(rows):
        console.print(f"and {count - len(rows):,} more; --most N lists more")


def _actors(now: Snapshot) -> Iterator[Actor]:
    """Every actor, in the order of the tables."""
    vehicle, traffic = now.vehicle, now.traffic.take(now.traffic.plan_of_ego == 0)
    ghost, people, obstacle = now.ghost, now.people.state, now.obstacles.state
    speeds = (
        np.hypot(vehicle.velocity_x, vehicle.velocity_y),
        np.where(traffic.present >= 2, np.hypot(traffic.slide_x, traffic.slide_y), traffic.speed),
        np.hypot(ghost.velocity_x, ghost.velocity_y),
        people.speed,
        np.hypot(obstacle.velocity_x, obstacle.velocity_y),
    )
    kinds: Sequence[tuple[str, Any, str]] = (
        ("ego vehicle", vehicle, "vehicle"),
        ("NPC vehicle", traffic, "vehicle"),
        ("ghost", ghost, "vehicle"),
        ("pedestrian", people, "pedestrian"),
        ("obstacle", obstacle, "obstacle"),
    )
    for (kind, table, catalogue), speed in zip(kinds, speeds, strict=True):
        names = CATALOGUE_NAMES[catalogue]
        for row in range(len(table)):
            x, y, z = (float(getattr(table, axis)[row]) for axis in "xyz")
            heading = math.degrees(math.remainder(float(table.yaw[row]), math.tau))
            model = int(table.model[row])
            name = names[model] if 0 <= model < len(names) else "?"
            yield Actor(int(table.id[row]), kind, name, x, y, z, heading, float(speed[row]))


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two snapshot files.

    Attributes:
        files: as they were named, with time [ns] and tick of each.
        runs: what decides how their runs go on and is another, by name.
        differences: of the states.
    """

    files: tuple[tuple[Path, int, int], ...]
    runs: Mapping[str, tuple[object, object]]
    differences: Sequence[Difference]

    @property
    def equal(self) -> bool:
        """Whether both states are equal, bit for bit, and their runs would go on the same way."""
        return not self.runs and not self.differences


def compare_states(left: Path, right: Path) -> Comparison:
    """What differs between two snapshot files.

    Version, epoch and revision of their runs do not count: they do not change how a run goes on.

    Args:
        left: a snapshot file.
        right: another one.

    Raises:
        InputError: one of them is no snapshot file.
    """
    one, other = read_snapshot(left, any_physics=True), read_snapshot(right, any_physics=True)
    both = {name: (of(one.header), of(other.header)) for name, of in DECIDES.items()}
    files = tuple((file, saved.snapshot.time, saved.snapshot.tick) for file, saved in ((left, one), (right, other)))
    runs = {name: pair for name, pair in both.items() if pair[0] != pair[1]}
    return Comparison(files, runs, differences(one.snapshot, other.snapshot))


def comparison_facts(found: Comparison, most: int) -> Facts:
    """A comparison for machines, with at most so many differences."""
    return {
        "equal": found.equal,
        "runs": {name: {"left": str(left), "right": str(right)} for name, (left, right) in found.runs.items()},
        "count": len(found.differences),
        "differences": [
            {
                "actor": None if one.actor == NO_ACTOR else one.actor,
                "place": one.place,
                "left": _plain(one.left),
                "right": _plain(one.right),
                "unit": one.unit,
            }
            for one in found.differences[:most]
        ],
    }


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value if value is None else str(value)


def print_comparison(found: Comparison, most: int) -> None:
    """Print what differs, and at most so many differences one by one."""
    console = Console(highlight=False)
    for letter, (file, time, tick) in zip("AB", found.files, strict=True):
        print_line(console, f"{letter}: {file}, {time * 1e-9:.2f} s, tick {tick:,}")
    for name, (left, right) in found.runs.items():
        print_line(console, f"the runs have another {name}: {left} / {right}")
    if not found.differences:
        print_line(console, "the states are equal, bit for bit")
        return
    print_line(console, f"{len(found.differences):,} differences: {_summary(found.differences)}")
    head = ("actor", "what:", "A", "B", "B - A", "unit:")
    rows = [difference_row(one) for one in found.differences[:most]]
    _print_rows(console, head, rows, len(found.differences))


def _summary(found: Sequence[Difference]) -> str:
    """How many differences each part of the state has, and of how many actors."""
    counts: Counter[str] = Counter()
    actors: dict[str, set[int]] = {}
    for one in found:
        part = one.place.partition("[")[0].partition(".")[0]
        counts[part] += 1
        if one.actor != NO_ACTOR:
            actors.setdefault(part, set()).add(one.actor)
    return ", ".join(
        f"{part} {count:,}" + (f" of {len(actors[part]):,} actors" if len(actors.get(part, ())) > 1 else "")
        for part, count in counts.items()
    )


def difference_row(one: Difference) -> tuple[str, ...]:
    """A difference as cells of a table."""
    left, right = told_apart(one.left, one.right)
    gap = ""
    if isinstance(one.left, np.integer | np.floating) and isinstance(one.right, np.integer | np.floating):
        difference = one.right.item() - one.left.item()
        gap = f"{difference:+d}" if isinstance(difference, int) else f"{difference:+.3g}"
    actor = "" if one.actor == NO_ACTOR else str(one.actor)
    return actor, one.place, left, right, gap, one.unit


def told_apart(left: Any, right: Any) -> tuple[str, str]:
    """Two values with as few digits as show that they differ; a value that is not there is a dash."""
    if not (isinstance(left, np.floating) and isinstance(right, np.floating)):
        return tuple("-" if value is None else str(value) for value in (left, right))  # type: ignore[return-value]
    for digits in PRECISIONS:
        texts = f"{left:.{digits}g}", f"{right:.{digits}g}"
        if texts[0] != texts[1]:
            return texts
    return left.tobytes()[::-1].hex(), right.tobytes()[::-1].hex()
