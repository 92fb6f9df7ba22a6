"""Broken files of OpenSCENARIO that are run: each is refused with its place or runs, in bounded time and memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from dorosim.app.run.scenario_ready import ReadyScenario, ready_scenario
from dorosim.app.run.scenario_run import RunTick, world_ticks
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from tests.broken_file import survives
from tests.scenario.openscenario.mutation import mutated_scenario
from tests.scenario.openscenario.sample import MATERIAL
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.worldless import ticks_of

MAX_SIZE = 40_000
STEP = 50_000_000
"""Length of a tick [ns]."""
TICKS = 60


@cache
def originals() -> list[tuple[Path, bytes]]:
    files = sorted(MATERIAL.rglob("*.xosc"))
    if not files:
        pytest.skip("needs the shared files of OpenSCENARIO")
    return [(path, path.read_bytes()) for path in files if path.stat().st_size < MAX_SIZE]


def runs(seed: int, folder: Path) -> bool:
    """Run a broken copy for a while; whether it could begin."""
    path, original = originals()[seed % len(originals())]
    copy = folder / "broken.xosc"
    # what it names lies where the original has it
    copy.write_bytes(mutated_scenario(original, seed).replace(b'="../', b'="' + str(path.parent).encode() + b"/../"))
    found, refusal = ready(copy, [MATERIAL])
    if found is None:
        assert "\n" not in refusal
        assert 0 < len(refusal) < 1_500
        return False
    try:
        world = found.world(STEP)
    except InputError:
        return False
    look(world_ticks(world, Noise(seed), TICKS * STEP * 1e-9))
    return True


def ready(path: Path, allowed: Sequence[Path] = ()) -> tuple[ReadyScenario | None, str]:
    """A file ready to run, or why it cannot be."""
    try:
        return ready_scenario(str(path), path.parent, allowed), ""
    except InputError as error:
        return None, str(error)


def look(ticks: Iterator[RunTick]) -> None:
    """Let a run go on for a while, and look that its states are numbers."""
    for tick in islice(ticks, TICKS):
        assert math.isfinite(float(tick.state.entity.floats.sum())), f"after {tick.time * 1e-9:g} s"


def survivors(seeds: range, folder: Path) -> int:
    """How many broken copies begin to run. A sound file is run before, which loads what the first one needs."""
    path = folder / "sound.xosc"
    path.write_text(file_text(event("go", speed(10.0, "linear", over=2.5), TIME.format(time=0.5)), end=2.0))
    look(world_ticks(ready_scenario(str(path), folder, ()).world(STEP), Noise(0), TICKS * STEP * 1e-9))
    return survives(seeds, lambda seed: runs(seed, folder))


def test_broken_files_run_or_are_refused(tmp_path):
    begun = survivors(range(1_000), tmp_path)
    assert 100 < begun < 900, "some can still be run, some not"


@pytest.mark.soak
def test_many_broken_files_run_or_are_refused(tmp_path):
    survivors(range(200_000, 300_000), tmp_path)


@pytest.mark.parametrize("value", ["nan", "NaN", "inf", "-INF", "1e400", "1e15", "-1e15", "1e-320", ""])
def test_numbers_that_are_none_or_too_large(value, tmp_path):
    """They are refused where they stand, or the run goes on with finite states."""
    path = tmp_path / "numbers.xosc"
    path.write_text(file_text(event("go", speed(10.0, "linear", over=2.5), TIME.format(time=0.5)), end=2.0))
    original = path.read_text()
    begun = 0
    for old in ('value="10.0"', 'value="2.5"', 'x="0"', 'length="5"', 'maxAcceleration="100"', 'value="0.5"'):
        assert old in original
        path.write_text(original.replace(old, f'{old.split("=")[0]}="{value}"'))
        found, refusal = ready(path)
        if found is None:
            assert "line " in refusal
            continue
        begun += 1
        look(ticks_of(found.program, STEP))
    assert begun < 6 or value in ("1e15", "-1e15", "1e-320")
