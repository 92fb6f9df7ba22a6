"""Ticks in which our driver or a program moves an entity are compiled, with the bits of those that the engine makes."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dorosim.app.run.build import Build
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.ground.hypot_kernel import python_hypot
from dorosim.ground.jit import kernel
from dorosim.ground.noise import Noise
from dorosim.scenario.openscenario.engine.quiet import QuietTicks
from dorosim.scenario.openscenario.engine.world_engine import ScenarioEngine
from dorosim.world.command import Command
from dorosim.world.ordinary.drive_kernel import DRIVE_BLOCK
from dorosim.world.ordinary.link_kernel import STORY_LINKS
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import any_tick, step
from dorosim.world.storyboard.mover import Mover
from dorosim.world.vehicle.command import ChangeLimits, DriveVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.scenario.openscenario.own_scenario import OURS, ROOT
from tests.scenario.openscenario.reference import NAMES, scenario_file
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.world_run import NOISE, scene_with, start_of
from tests.shared import shared

TICK, TICKS = 50_000_000, 100
"""Length of a tick [ns], and how many a run has at most."""
QUICK = ("cut-in", "lane_change_crest", "object_teleport_delete", "relative_speed_phases", "test_action_dynamics")
"""Shared scenarios with events, lane changes, teleports and speeds of others; all others are run in `make soak`."""
COMPILED = {
    **dict.fromkeys(OURS, 0.8),
    "examples/scenario/pedestrian.xosc": 0.3,
    **dict.fromkeys(("cut-in", "lane_change_crest", "object_teleport_delete", "relative_speed_phases"), 0.8),
    "test_action_dynamics": 0.5,
}
"""At least so many of the ticks are compiled."""
EVENTS = event("faster", speed(12.0, "linear", "time", 1.0), TIME.format(time=0.3)) + event(
    "slower", speed(5.0, "sinusoidal", "time", 2.0), TIME.format(time=1.5)
)


@pytest.fixture(scope="module", autouse=True)
def kernels() -> None:
    get_ready()
    for one in STORY_LINKS.values():
        one.address()


class NeverQuiet(QuietTicks):
    """No tick is quiet."""

    def next_state(self, *_: Any) -> None:
        """The engine makes it."""


def engine_alone(scene: Scene) -> Scene:
    """The same scene whose engine makes all ticks itself."""
    engine = copy.copy(scene.storyboard)
    assert isinstance(engine, ScenarioEngine)
    vars(engine)["_quiet"] = NeverQuiet(engine.program)
    return replace(scene, storyboard=engine)


def is_compiled(now: Snapshot) -> bool:
    return hasattr(now, "block")


def compiled_share(
    scene: Scene, first: Snapshot, ticks: int, orders: dict[int, Sequence[Command]] | None = None
) -> float:
    """Run a scene in both ways side by side; the share of ticks that compiled code has made."""
    pure_scene, noise, count, compiled = engine_alone(scene), Noise(0), 0, 0
    ours = pure = first
    while count < ticks and not pure.storyboard_report.ended:
        commands = (orders or {}).get(count, ())
        ours, pure = step(scene, ours, commands, noise), any_tick(pure_scene, pure, commands, noise)
        assert ours.digest() == pure.digest(), f"tick {pure.tick}"
        assert (ours.storyboard_report, ours.outcomes) == (pure.storyboard_report, pure.outcomes)
        count, compiled = count + 1, compiled + is_compiled(ours)
    return compiled / max(count, 1)


def share_of(made: Build) -> float:
    return compiled_share(made.scene, made.first, TICKS)


@pytest.mark.parametrize("ego", ["driver", "udp"])
@pytest.mark.parametrize("name", OURS)
def test_our_scenarios_have_the_same_bits(name: str, ego: str) -> None:
    path = ROOT / name
    made = ready_scenario(str(path), path.parent, [path.parent, ROOT / "examples"], ego=ego).world(TICK)
    assert share_of(made) >= (COMPILED[name] if ego == "driver" else 0.2)


@pytest.mark.parametrize("name", [pytest.param(one, marks=[] if one in QUICK else pytest.mark.soak) for one in NAMES])
def test_shared_scenarios_have_the_same_bits(name: str) -> None:
    root = shared("openscenario")
    made = ready_scenario(str(scenario_file(root, name)), root, [root], ego="driver").world(TICK)
    assert share_of(made) >= COMPILED.get(name, 0.0)


def story(mover: Mover) -> tuple[Scene, Snapshot]:
    scene = scene_with(file_text(EVENTS, speed(10.0), end=9.0), mover)
    return scene, start_of(scene)


def test_a_driver_follows_a_speed_that_changes_in_each_tick() -> None:
    assert compiled_share(*story(Mover.DRIVER), 400) > 0.9


def test_a_driver_that_is_asked_to_reverse_stops() -> None:
    scene = scene_with(file_text(event("back", speed(-5.0), TIME.format(time=0.1)), speed(10.0), end=4.0), Mover.DRIVER)
    assert compiled_share(scene, start_of(scene), 300) > 0.8


def test_commands_between_ticks_of_a_driver_do_what_they_do() -> None:
    """Who has taken another mode is asked to cruise again, in the tick after."""
    orders: dict[int, Sequence[Command]] = {
        60: (SelectMode(EGO, ControlMode.AUTO),),
        90: (ChangeLimits(EGO, max_speed=8.0),),
        120: (DriveVehicle(EGO, ControlKind.PEDALS, brake=0.5, mode=ControlMode.AUTO),),
    }
    assert compiled_share(*story(Mover.DRIVER), 200, orders) > 0.8


def test_a_tick_in_which_a_program_drives_its_entity_is_compiled() -> None:
    DRIVE_BLOCK.address()
    orders = {
        tick: (DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.3, steer=0.01 * math.sin(tick)),)
        for tick in range(10, 200, 3)
    }
    assert compiled_share(*story(Mover.EXTERNAL), 200, orders) > 0.9


def test_a_scenario_without_a_driver_has_ticks_of_tyres_in_python() -> None:
    assert compiled_share(*story(Mover.DYNAMICS), 30) == 0.0


def test_two_runs_that_part_go_on_by_themselves() -> None:
    """States of one span are continued from any of them, in any order."""
    scene, now = story(Mover.DRIVER)
    ticks = [now]
    for _ in range(80):
        ticks.append(step(scene, ticks[-1], (), NOISE))
    for first in (70, 20, 45):
        now = ticks[first]
        for expected in ticks[first + 1 : first + 8]:
            now = step(scene, now, (), NOISE)
            assert now.digest() == expected.digest()


SHAPES = (
    '<lateralProfile><shape s="0" t="-12" a="0.3" b="0.02" c="0" d="0"/>'
    '<shape s="0" t="0" a="0.08" b="-0.01" c="0" d="0"/>'
    '<shape s="500" t="-12" a="0" b="0" c="0" d="0"/></lateralProfile><lanes>'
)


@pytest.mark.parametrize("ego", ["default", "driver"])
def test_heights_of_shapes_are_the_same(tmp_path: Path, ego: str) -> None:
    """The tables of roads do not hold them."""
    folder = ROOT / "examples/scenario"
    (tmp_path / "cut_in.xosc").write_bytes((folder / "cut_in.xosc").read_bytes())
    street = (folder / "street.xodr").read_text()
    (tmp_path / "street.xodr").write_text(street.replace("<lanes>", SHAPES, 1))
    made = ready_scenario(str(tmp_path / "cut_in.xosc"), tmp_path, [tmp_path], ego=ego).world(TICK)
    assert made.first.storyboard.entity.z.min() > 0.1
    compiled_share(made.scene, made.first, TICKS)


@kernel
def _hypot(x: float, y: float) -> float:
    return python_hypot(x, y)


LENGTHS = st.floats(-1e6, 1e6).filter(lambda one: one == 0.0 or abs(one) > 1e-300)


@given(LENGTHS, LENGTHS)
@example(0.0, -0.0)
@example(3.0, 4.0)
def test_a_length_has_the_bits_of_python(x: float, y: float) -> None:
    assert _hypot(x, y) == math.hypot(x, y)
