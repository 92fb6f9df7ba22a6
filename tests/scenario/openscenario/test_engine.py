"""The engine is a function of program and state: edges, delays, priorities, verdicts, and the same bits again."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.app.run.scenario_run import RunTick
from dorosim.ground.error import InputError
from dorosim.ground.state_tree import StateTree
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.advance import advance
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import ElementState, StoryboardState
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.worldless import ticks_of, verdict_on

STEP = 10_000_000
TREE = StateTree(StoryboardState)


def program(events: str, init: str = "", end: float = 3.0) -> Program:
    reading = open_document("a.xosc", file_text(events, init, end).encode()).read()
    return compile_scenario("a.xosc", reading.scenario(), None, reading.parameters)


def run(made: Program) -> list[RunTick]:
    return list(ticks_of(made, STEP, 20.0))


def times(made: Program, ticks: list[RunTick], name: str, state: ElementState) -> list[float]:
    return [
        tick.time * 1e-9
        for tick in ticks
        for one in tick.happened
        if made.elements[one.element].name == name and one.state == state
    ]


def same(one: StoryboardState, other: StoryboardState) -> bool:
    left, right = TREE.leaves(one), TREE.leaves(other)
    return all(np.array_equal(left[path], right[path], equal_nan=True) for path in left)


def test_the_default_controller_moves_by_the_speed_at_the_end_of_the_tick():
    made = program("", speed(10.0, "linear", "time", 1.0), end=1.0)
    last = run(made)[-1].state.entity
    # 0.1 + 0.2 + ... + 10.0 m/s, each for 0.01 s
    assert last.x[0] == pytest.approx(sum(0.1 * n for n in range(1, 101)) * 0.01)
    assert last.speed[0] == 10.0


def test_what_starts_at_a_time_acts_on_the_tick_from_then_on():
    made = program(event("go", speed(10.0), TIME.format(time=0.5)))
    ticks = run(made)
    assert times(made, ticks, "go", ElementState.RUNNING) == [0.5]
    at = {tick.state_time: tick.state.entity.x[0] for tick in ticks}
    assert at[500_000_000] == 0.0
    assert at[510_000_000] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("edge", "delay", "expected"),
    [
        ("none", 0.0, [1.0]),
        ("rising", 0.0, [1.0]),
        ("falling", 0.0, []),
        ("risingOrFalling", 0.0, [1.0]),
        ("none", 0.7, [1.7]),
        ("rising", 0.7, [1.7]),
    ],
)
def test_edges_and_delays(edge, delay, expected):
    made = program(event("go", speed(1.0), TIME.format(time=1.0), edge=edge, delay=delay))
    assert times(made, run(made), "go", ElementState.RUNNING) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("priority", "first_ends", "second_starts"),
    [("override", 1.0, [1.0]), ("parallel", 2.49, [1.0]), ("skip", 2.49, [])],
)
def test_priorities(priority, first_ends, second_starts):
    slow = event("first", speed(10.0, "linear", "time", 2.0), TIME.format(time=0.5))
    variable = (
        '<GlobalAction><VariableAction variableRef="count"><SetAction value="5"/></VariableAction></GlobalAction>'
    )
    made = program(slow + event("second", variable, TIME.format(time=1.0), priority=priority))
    ticks = run(made)
    assert times(made, ticks, "first", ElementState.COMPLETE) == pytest.approx([first_ends])
    assert times(made, ticks, "second", ElementState.RUNNING) == pytest.approx(second_starts)
    assert ticks[-1].state.variable.value[0] == (5.0 if second_starts else 1.0)


def test_an_event_runs_as_often_as_it_may():
    add = (
        '<GlobalAction><VariableAction variableRef="count"><ModifyAction><Rule>'
        '<AddValue value="1"/></Rule></ModifyAction></VariableAction></GlobalAction>'
    )
    made = program(event("add", add, TIME.format(time=1.0), count=3))
    ticks = run(made)
    assert times(made, ticks, "add", ElementState.RUNNING) == pytest.approx([1.0, 1.01, 1.02])
    assert ticks[-1].state.variable.value[0] == 4.0


def test_a_new_action_ends_what_runs_in_its_domain():
    made = program(event("brake", speed(0.0), TIME.format(time=1.0)), speed(50.0, "linear", "rate", 10.0))
    last = run(made)[-1].state
    assert last.entity.speed[0] == 0.0
    assert set(last.action.state.tolist()) == {int(ElementState.COMPLETE)}


@pytest.mark.parametrize(("content", "verdict"), [("failure", "fail"), ("", "pass")])
def test_a_command_ends_the_run_with_a_verdict(content, verdict):
    exit_ = f'<UserDefinedAction><CustomCommandAction type="exit">{content}</CustomCommandAction></UserDefinedAction>'
    made = program(event("exit", exit_, TIME.format(time=1.0)))
    ticks = run(made)
    assert verdict_on(made, ticks).verdict == verdict
    assert ticks[-1].time == 1_000_000_000


def test_a_run_without_an_end_is_broken():
    made = program("", end=100.0)
    ticks = list(ticks_of(made, STEP, 1.0))
    result = verdict_on(made, ticks, 1.0)
    assert result.verdict == "broken"
    assert "no end within 1 s" in result.why


def test_a_run_goes_on_from_any_state_with_the_same_bits():
    events = event("go", speed(20.0, "cubic", "time", 1.0), TIME.format(time=0.3), delay=0.4, edge="rising")
    made = program(events)
    ticks = run(made)
    for number in (5, 50, 120, 200):
        state = TREE.build(TREE.leaves(ticks[number].state))
        for later in ticks[number + 1 : number + 60]:
            state = advance(made, state, later.time, STEP * 1e-9).finish()
        assert same(state, ticks[number + 59].state)


def test_the_last_state_is_not_touched():
    made = program(event("go", speed(20.0), TIME.format(time=0.5)))
    state = run(made)[10].state
    before = {path: leaf.copy() for path, leaf in TREE.leaves(state).items()}
    advance(made, state, 500_000_000, 0.01).finish()
    assert all(np.array_equal(leaf, before[path]) for path, leaf in TREE.leaves(state).items())
    assert not any(array.flags.writeable for array in TREE.arrays(state))


def test_a_name_that_means_nothing_is_refused():
    missing = '<GlobalAction><VariableAction variableRef="speed"><SetAction value="5"/></VariableAction></GlobalAction>'
    with pytest.raises(InputError, match="there is no variable 'speed'"):
        program(event("set", missing, TIME.format(time=1.0)))
