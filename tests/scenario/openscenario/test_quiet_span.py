"""States of quiet ticks have their tables when they are asked for them, and quiet ticks go on where the world moves."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from dorosim.ground.state_tree import StateTree
from dorosim.scenario.openscenario.engine import quiet
from dorosim.scenario.openscenario.engine.quiet import QuietTicks
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.state import StoryboardState
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.world_run import scene_with, snapshots, start_of

TREE = StateTree(StoryboardState)
TICKS = 60
EVENTS = event("faster", speed(12.0, "linear", "time", 5.0), TIME.format(time=0.2))
THROTTLE = (DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.4),)


def bits(state: StoryboardState) -> tuple[object, ...]:
    return *TREE.plain(state), *(one.tobytes() for one in TREE.arrays(state))


def run(mover: Mover = Mover.DEFAULT, commands: tuple = ()) -> list[Snapshot]:
    scene = scene_with(file_text(EVENTS, speed(10.0), end=9.0), mover)
    return list(snapshots(scene, TICKS, start_of(scene), commands))


@pytest.fixture
def engine_alone(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No tick is quiet while this is in force."""
    monkeypatch.setattr(QuietTicks, "next_state", lambda *_: None)
    return monkeypatch


@pytest.mark.parametrize(("mover", "commands"), [(Mover.DEFAULT, ()), (Mover.EXTERNAL, THROTTLE)])
def test_the_world_has_the_same_bits_with_and_without_quiet_ticks(engine_alone, mover, commands):
    expected = run(mover, commands)
    engine_alone.undo()
    found = run(mover, commands)
    assert [one.digest() for one in found] == [one.digest() for one in expected]
    assert found[-1].vehicle.velocity_x[0] > 10.1


def test_quiet_ticks_go_on_with_an_entity_that_a_program_drives(monkeypatch):
    begun = []

    class Counted(quiet._Chain):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)
            begun.append(self)

    monkeypatch.setattr(quiet, "_Chain", Counted)
    last = run(Mover.EXTERNAL, THROTTLE)[-1].storyboard
    assert last.span is not None
    assert 0 < len(begun) < 8


def test_a_state_has_its_tables_when_it_is_asked_for_one():
    first, second = run()[-2:]
    assert second.storyboard.span is not None
    assert second.storyboard.condition.seen.tolist() == first.storyboard.condition.seen.tolist()
    assert second.storyboard.entity.x[0] > first.storyboard.entity.x[0]
    assert second.storyboard.entity is second.storyboard.entity
    with pytest.raises(AttributeError, match="no attribute 'entities'"):
        second.storyboard.entities  # noqa: B018
    with pytest.raises(ValueError, match="read-only"):
        second.storyboard.action.floats[0, 0] = 1.0


@pytest.mark.parametrize("kept", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy, copy.copy])
def test_a_copy_of_a_state_has_its_bits_and_no_span(kept):
    state = run()[-1].storyboard
    assert state.span is not None
    made = kept(state)
    assert made.span is None
    assert bits(made) == bits(state)


def test_a_state_keeps_no_other_one_but_that_before_its_span():
    ticks = run(Mover.EXTERNAL, THROTTLE)
    for now in ticks:
        state = now.storyboard
        if state.span is not None:
            assert state.span.first.span is None
    assert np.isfinite(ticks[-1].storyboard.entity.floats).all()
