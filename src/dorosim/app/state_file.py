"""Prints what is in snapshot files, and what differs between two of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from dorosim.app.show import describe_actors
from dorosim.ground.error import one_line
from dorosim.recording.format import RunHeader
from dorosim.recording.snapshot import read_snapshot
from dorosim.world.catalogue import CATALOGUE_NAMES
from dorosim.world.difference import NOBODY, Difference, differences
from dorosim.world.snapshot import Snapshot
from dorosim.world.weather import Season, WeatherKind

DECIDES: Mapping[str, Callable[[RunHeader], object]] = {
    "map": lambda run: run.map_digest,
    "seed": lambda run: run.seed,
    "tick": lambda run: f"{run.tick / 1e6:g} ms",
}
"""What of a header decides how a run goes on."""
PRECISIONS = (5, 7, 10, 13, 17)
"""Digits with which two numbers are tried to be told apart; 17 always do."""


def show_state(file: Path, most: int) -> None:
    """Print what is in a snapshot file.

    Args:
        file: the snapshot file.
        most: actors that are listed at most.

    Raises:
        InputError: it is none.
    """
    saved = read_snapshot(file)
    run, now = saved.header, saved.snapshot
    console = Console(highlight=False)
    _say(console, f"{file}: {now.time * 1e-9:.2f} s, tick {now.tick:,}{', paused' if now.paused else ''}")
    egos = ", ".join(ego.model for ego in islice(run.egos, 3)) + (", ..." if len(run.egos) > 3 else "")
    _say(console, f"of a run on map {run.map_name}, seed {run.seed}, tick {run.tick / 1e6:g} ms, begun with {egos}")
    _say(console, f"saved by dorosim {run.version}, UDP revision {run.revision}, epoch {run.epoch * 1e-9:.3f} s")
    _say(console, describe_actors(now))
    _say(console, _surroundings(now))
    _say(console, f"digest {now.digest().hex()}")
    head = ("actor", "kind:", "model:", "x [m]", "y [m]", "z [m]", "heading [°]", "speed [m/s]")
    actors = sorted(_actors(now))
    _print_rows(console, head, actors[:most])
    if len(actors) > most:
        console.print(f"and {len(actors) - most:,} more; --most N lists more")


def _say(console: Console, text: str) -> None:
    console.print(one_line(text), markup=False, soft_wrap=True)


def _print_rows(console: Console, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Rows in aligned columns, never wrapped or cut: they are read by programs too.

    A name in the head that ends with a colon is that of a column of text, to the left; others are numbers.
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


def _surroundings(now: Snapshot) -> str:
    """Weather and lights in a line."""
    environment = now.environment
    weather = WeatherKind(int(environment.weather[0])).name.lower()
    season = Season(int(environment.season[0])).name.lower()
    hours, minutes = divmod(int(environment.time_of_day[0]) // 60, 60)
    commanded = int((now.signal.light.command >= 0).sum())
    lights = f"{len(now.signal.light)} lights, {commanded} of them commanded"
    return f"{weather}, {season}, {hours:02}:{minutes:02}; road friction {now.friction.road:g}; {lights}"


def _actors(now: Snapshot) -> Iterator[tuple[Any, ...]]:
    """Id, kind, model, place, heading and speed of every actor."""
    vehicle, traffic = now.vehicle, now.traffic.take(now.traffic.plan_of_ego == 0)
    ghost, people, obstacle = now.ghost, now.people.state, now.obstacles.state
    speeds = (
        np.hypot(vehicle.velocity_x, vehicle.velocity_y),
        np.where(traffic.present == 2, np.hypot(traffic.slide_x, traffic.slide_y), traffic.speed),
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
            place = (f"{getattr(table, axis)[row]:.2f}" for axis in "xyz")
            heading = math.degrees(math.remainder(float(table.yaw[row]), math.tau))
            model = int(table.model[row])
            name = names[model] if 0 <= model < len(names) else "?"
            yield (int(table.id[row]), kind, name, *place, f"{heading:.1f}", f"{speed[row]:.2f}")


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
    one, other = read_snapshot(left), read_snapshot(right)
    both = {name: (of(one.header), of(other.header)) for name, of in DECIDES.items()}
    files = tuple((file, saved.snapshot.time, saved.snapshot.tick) for file, saved in ((left, one), (right, other)))
    runs = {name: pair for name, pair in both.items() if pair[0] != pair[1]}
    return Comparison(files, runs, differences(one.snapshot, other.snapshot))


def comparison_facts(found: Comparison, most: int) -> dict[str, Any]:
    """A comparison for machines, with at most so many differences."""
    return {
        "equal": found.equal,
        "runs": {name: {"left": str(left), "right": str(right)} for name, (left, right) in found.runs.items()},
        "count": len(found.differences),
        "differences": [
            {
                "actor": None if one.actor == NOBODY else one.actor,
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
        _say(console, f"{letter}: {file}, {time * 1e-9:.2f} s, tick {tick:,}")
    for name, (left, right) in found.runs.items():
        _say(console, f"the runs have another {name}: {left} / {right}")
    if not found.differences:
        _say(console, "the states are equal, bit for bit")
        return
    _say(console, f"{len(found.differences):,} differences: {_summary(found.differences)}")
    _print_rows(console, ("actor", "what:", "A", "B", "B - A", "unit:"), map(_row, found.differences[:most]))
    if len(found.differences) > most:
        console.print(f"and {len(found.differences) - most:,} more; --most N lists more")


def _summary(found: Sequence[Difference]) -> str:
    """How many differences each part of the state has, and of how many actors."""
    counts: Counter[str] = Counter()
    actors: dict[str, set[int]] = {}
    for one in found:
        part = one.place.partition("[")[0].partition(".")[0]
        counts[part] += 1
        if one.actor != NOBODY:
            actors.setdefault(part, set()).add(one.actor)
    return ", ".join(
        f"{part} {count:,}" + (f" of {len(actors[part]):,} actors" if len(actors.get(part, ())) > 1 else "")
        for part, count in counts.items()
    )


def _row(one: Difference) -> tuple[str, ...]:
    """A difference as cells of a table."""
    left, right = told_apart(one.left, one.right)
    gap = ""
    if isinstance(one.left, np.integer | np.floating) and isinstance(one.right, np.integer | np.floating):
        difference = one.right.item() - one.left.item()
        gap = f"{difference:+d}" if isinstance(difference, int) else f"{difference:+.3g}"
    actor = "" if one.actor == NOBODY else str(one.actor)
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
