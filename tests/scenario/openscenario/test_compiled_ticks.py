"""Ticks of worlds with a storyboard that compiled code makes have the bits of those that Python makes."""

from __future__ import annotations

import copy
import pickle
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from dorosim.app.run.build import Build
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.world.environment.command import SetRoadFriction
from dorosim.world.ordinary.batch import OrdinaryBatch
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import any_tick, step
from dorosim.world.vehicle.command import SetLamps
from tests.broken_file import survives
from tests.scenario.openscenario.mutation import mutated_scenario
from tests.scenario.openscenario.own_scenario import OURS, ROOT, SOME
from tests.scenario.openscenario.reference import NAMES, scenario_file
from tests.scenario.openscenario.sample import MATERIAL
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.world_run import NOISE, scene_with, start_of
from tests.shared import shared

Mutation = Callable[[bytes, int], bytes]
"""Makes a changed copy of a file, by a seed."""
NUMBER = re.compile(rb' (value|s|t|offset|time|maxAcceleration|maxSpeed|delay)="(-?[0-9]+\.?[0-9]*)"')
"""Numbers of a scenario that say what happens in it."""
MAX_SIZE = 40_000
"""Bytes of the largest file of which broken copies are made."""
TICK, TICKS = 50_000_000, 200
"""Length of a tick [ns], and how many a run has at most."""
QUIET = {
    "tools/bench/scenario.xosc": 0.8,
    "tools/bench/scenario_six.xosc": 0.8,
    "condition_delay": 0.8,
    "cut-in": 0.8,
    "lane_change_crest": 0.8,
    "object_teleport_delete": 0.8,
    "relative_lane_change": 0.8,
    "speed-profile": 0.8,
    "test_action_dynamics": 0.8,
}
"""Scenarios most of whose ticks are compiled: at least so many of them."""
EVENTS = event("faster", speed(12.0, "linear", "time", 1.0), TIME.format(time=0.3)) + event(
    "slower", speed(5.0, "sinusoidal", "time", 2.0), TIME.format(time=1.5)
)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()


def is_compiled(now: Snapshot) -> bool:
    return hasattr(now, "block")


def compiled_share(made: Build, ticks: int = TICKS) -> float:
    """Run a scenario in both ways side by side; the share of ticks that compiled code has made."""
    noise, count, compiled = Noise(0), 0, 0
    ours = pure = made.first
    while count < ticks and not pure.storyboard_report.ended:
        ours, pure = step(made.scene, ours, (), noise), any_tick(made.scene, pure, (), noise)
        assert ours.digest() == pure.digest(), f"tick {pure.tick}"
        assert (ours.storyboard_report, ours.outcomes) == (pure.storyboard_report, pure.outcomes)
        count, compiled = count + 1, compiled + is_compiled(ours)
    return compiled / max(count, 1)  # a run may end at its start


@pytest.mark.parametrize("name", OURS)
def test_our_scenarios_have_the_same_bits(name: str) -> None:
    path = ROOT / name
    made = ready_scenario(str(path), path.parent, [path.parent, ROOT / "examples"]).world(TICK)
    assert compiled_share(made) >= QUIET.get(name, 0.2)


@pytest.mark.parametrize("name", [pytest.param(one, marks=[] if one in SOME else pytest.mark.soak) for one in NAMES])
def test_shared_scenarios_have_the_same_bits(name: str) -> None:
    root = shared("openscenario")
    made = ready_scenario(str(scenario_file(root, name)), root, [root]).world(TICK)
    assert compiled_share(made) >= QUIET.get(name, 0.0)


def run(count: int, orders: dict[int, tuple], *, pure: bool = False) -> list[Snapshot]:
    scene = scene_with(file_text(EVENTS, speed(10.0), end=9.0))
    found = [start_of(scene)]
    for tick in range(count):
        make = any_tick if pure else step
        found.append(make(scene, found[-1], orders.get(tick, ()), NOISE))
    return found


def test_commands_between_compiled_ticks_leave_the_storyboard_as_it_is():
    orders = {40: (SetRoadFriction(0.5),), 41: (SetRoadFriction(0.9),), 90: (SetLamps(EGO, emergency=True),)}
    ours, pure = run(200, orders), run(200, orders, pure=True)
    assert [one.digest() for one in ours] == [one.digest() for one in pure]
    assert sum(map(is_compiled, ours)) > 180
    assert not any(map(is_compiled, pure))


def test_a_state_of_compiled_ticks_is_read_only_and_stays_as_it_was():
    ticks = run(120, {})
    kept = [(one, one.digest()) for one in ticks]
    assert all(one.digest() == digest for one, digest in kept)
    assert is_compiled(ticks[-1])
    entity = ticks[-1].storyboard.entity
    assert entity is ticks[-1].storyboard.entity
    assert entity.x[0] > ticks[-2].storyboard.entity.x[0]
    with pytest.raises(ValueError, match="read-only"):
        entity.floats[0, 0] = 1.0


@pytest.mark.parametrize("copied", [copy.copy, replace], ids=("copy", "replace"))
def test_a_copy_goes_on_like_the_snapshot(copied):
    ticks = run(120, {})
    scene = scene_with(file_text(EVENTS, speed(10.0), end=9.0))
    now, expected = copied(ticks[60]), ticks[60:]
    for one in expected[1:]:
        now = step(scene, now, (), NOISE)
        assert now.digest() == one.digest()
    assert is_compiled(now)


def test_a_pickled_snapshot_holds_the_same():
    now = run(60, {})[-1]
    assert is_compiled(now)
    made = pickle.loads(pickle.dumps(now))
    assert made.digest() == now.digest()
    assert made.storyboard.span is None


def test_two_scenes_of_one_file_do_not_share_what_they_keep():
    """A snapshot that goes on in a scene of another file is stepped by that file."""
    one, other = (scene_with(file_text(EVENTS, speed(10.0), end=end)) for end in (9.0, 1.2))
    now = start_of(one)
    for _ in range(60):
        now = step(one, now, (), NOISE)
    ours = pure = now
    for _ in range(70):
        ours, pure = step(other, ours, (), NOISE), any_tick(other, pure, (), NOISE)
        assert ours.digest() == pure.digest()
    assert ours.storyboard.ended == 1_200_000_000


def test_worlds_of_a_batch_have_the_bits_that_they_have_alone():
    scene = scene_with(file_text(EVENTS, speed(10.0), end=9.0))
    worlds = [start_of(scene)]
    for _ in range(40):
        worlds.append(step(scene, worlds[-1], (), NOISE))
    worlds = [worlds[0], worlds[13], worlds[40]]
    batch = OrdinaryBatch(step)
    for one in worlds:
        batch.add(scene, one, NOISE)
    for _ in range(150):
        batch.step()
        worlds = [step(scene, one, (), NOISE) for one in worlds]
    assert [batch.now(number).digest() for number in range(3)] == [one.digest() for one in worlds]
    assert is_compiled(batch.now(0))


@cache
def originals() -> list[Path]:
    files = sorted(one for one in MATERIAL.rglob("*.xosc") if one.stat().st_size < MAX_SIZE)
    if not files:
        pytest.skip("needs the shared files of OpenSCENARIO")
    return files


def with_other_numbers(content: bytes, seed: int) -> bytes:
    """A copy some of whose numbers are others: most such copies can be run, and take another course."""
    luck = random.Random(seed)
    for _ in range(luck.randint(1, 6)):
        matches = list(NUMBER.finditer(content))
        if not matches:  # a file without a storyboard
            return content
        match = luck.choice(matches)
        new = f"{float(match[2]) * luck.choice((0.0, 0.5, 0.9, 1.1, 1.7, 3.0)) + luck.choice((0.0, 0.0, 0.3, -2.0)):g}"
        content = content[: match.start(2)] + new.encode() + content[match.end(2) :]
    return content


def same_of_broken(seed: int, folder: Path, changed: Mutation = mutated_scenario) -> float | None:
    """Run a changed copy of a scenario in both ways; the share of compiled ticks, None where it cannot begin."""
    path, copied = originals()[seed % len(originals())], folder / "broken.xosc"
    # what it names lies where the original has it
    there = b'="' + str(path.parent).encode() + b"/../"
    copied.write_bytes(changed(path.read_bytes(), seed).replace(b'="../', there))
    try:
        made = ready_scenario(str(copied), folder, [MATERIAL]).world(TICK)
    except InputError:
        return None
    return compiled_share(made, 60)


def compiled_of_broken(seeds: range, folder: Path, changed: Mutation = mutated_scenario) -> int:
    """How many changed copies have compiled ticks."""
    return survives(seeds, lambda seed: bool(same_of_broken(seed, folder, changed)))


def test_scenarios_with_other_numbers_have_the_same_bits(tmp_path):
    assert compiled_of_broken(range(720_000, 720_140, 7), tmp_path, with_other_numbers) > 2


@pytest.mark.soak
def test_many_changed_scenarios_have_the_same_bits(tmp_path):
    assert compiled_of_broken(range(710_000, 711_000), tmp_path) > 50
    assert compiled_of_broken(range(730_000, 731_000), tmp_path, with_other_numbers) > 200
