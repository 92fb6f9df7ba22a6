"""A scenario as text, run by the world's `step` on a plain street."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dorosim.ground.noise import Noise
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.cast import cast_of
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.world_engine import ScenarioEngine
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.storyboard.advance import begin_storyboard
from dorosim.world.storyboard.mover import Mover
from tests.world.world import CAR, street

NOISE = Noise(7)
TICK_MS = 10.0


def scene_with(text: str, ego: Mover = Mover.DEFAULT) -> Scene:
    """The street with the storyboard of a file, whose ego vehicle somebody moves."""
    reading = open_document("a.xosc", text.encode()).read()
    program = compile_scenario("a.xosc", reading.scenario(), None, reading.parameters)
    engine = ScenarioEngine(program=program, cast=cast_of(program.entities), ego_mover=ego)
    return replace(street(TICK_MS), storyboard=engine)


def start_of(scene: Scene) -> Snapshot:
    """Tick 0: the init actions are done."""
    return begin_storyboard(scene, first_snapshot(scene, [(CAR, (500.0, 0.0, 0.0), 0.0)]), NOISE)


def snapshots(scene: Scene, count: int, now: Snapshot | None = None, commands: tuple = ()) -> Iterator[Snapshot]:
    """The snapshots of some ticks; `commands` are those of the first one."""
    now = start_of(scene) if now is None else now
    for _ in range(count):
        now = step(scene, now, commands, NOISE)
        commands = ()
        yield now
