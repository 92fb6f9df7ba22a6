"""Criteria in compiled code come to the states of the readable ones, bit for bit, tick by tick."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dorosim.app.run.build import Build
from dorosim.app.run.scenario_criteria import CriteriaOptions
from dorosim.app.run.scenario_ready import ReadyScenario, ready_scenario
from dorosim.app.run.scenario_run import world_ticks
from dorosim.ground.noise import Noise
from dorosim.scenario.criterion.compiled import CompiledCriteria, compiled_criteria
from dorosim.scenario.criterion.criterion import START, Criterion, CriterionState
from dorosim.scenario.criterion.encroachment import MinPostEncroachmentTime
from dorosim.scenario.criterion.judge import Judge
from dorosim.scenario.criterion.moment import RedLine
from dorosim.scenario.criterion.storyboard_moment import moment_from_storyboard
from dorosim.scenario.criterion.track import CriteriaTrack
from dorosim.scenario.criterion.world_moment import WorldSight
from dorosim.scenario.openscenario.engine.program import BodyBox
from dorosim.world.storyboard.criterion_kernel import hold_against_criteria
from dorosim.world.storyboard.criterion_word import CANNOT_SAY
from dorosim.world.storyboard.state import EntityTable
from tests.scenario.openscenario.own_scenario import OURS, ROOT, SOME
from tests.scenario.openscenario.reference import NAMES, scenario_file
from tests.shared import shared

TICK = 20_000_000
SECONDS = 8.0
LOOSE = {
    "no_collision": True,
    "no_red_light": True,
    "max_deceleration": 1e6,
    "max_jerk": 1e6,
    "min_ttc": 1e-9,
    "min_ettc": 1e-9,
    "min_thw": 1e-9,
    "max_drac": 1e6,
    "max_required_deceleration": 1e6,
    "min_distance": 1e-9,
}
TIGHT = LOOSE | {"max_deceleration": 1.0, "min_ttc": 3.0, "min_thw": 1.5, "min_distance": 5.0, "max_jerk": 20.0}
TIGHT |= {"min_pet": 1.0, "no_lane_left": True}


def criteria(options: dict[str, Any] = LOOSE, arrive: str = "1000,1000") -> tuple[Criterion, ...]:
    return CriteriaOptions(**options, arrive=arrive, arrive_within=60.0).criteria()


def facts(state: CriterionState) -> list[object]:
    """All of a state, so that numbers that differ in a bit or in their sign differ."""
    numbers = np.array([state.value, state.x, state.y]).tobytes()
    return [state.failed, state.time, state.other, numbers, state.memory.ravel().tobytes()]


def all_facts(states: Sequence[CriterionState]) -> list[list[object]]:
    return [facts(one) for one in states]


class ReadableSight(WorldSight):
    """A sight by which all is judged in Python."""

    def compiled(self, criteria: Sequence[Criterion]) -> None:
        return None


def readable_share(ready: ReadyScenario, world: Build, given: tuple[Criterion, ...], ego: int = 0) -> float:
    """Judge a run in both ways side by side; the share of ticks that only Python could judge."""
    scene, program = world.scene, ready.program
    track = CriteriaTrack(given, WorldSight(program, scene, ego))
    slow = CriteriaTrack(given, ReadableSight(program, scene, ego))
    assert track.compiled is not None
    assert slow.compiled is None
    count = 0
    for tick in world_ticks(world, Noise(0), SECONDS):
        assert tick.world is not None
        failed = [one.look(tick.world, tick.state_time) for one in (track, slow)]
        assert failed[0] == failed[1]
        assert all_facts(track.states) == all_facts(slow.states), tick.time
        count += 1
    assert all_facts(track.at_end()) == all_facts(slow.at_end())
    return track.readable / count


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("options", [LOOSE, TIGHT], ids=("loose", "tight"))
def test_of_our_scenarios(name: str, options: dict[str, Any]) -> None:
    path = ROOT / name
    ready = ready_scenario(str(path), path.parent, [path.parent, ROOT / "examples"])
    assert readable_share(ready, ready.world(TICK), criteria(options)) < 0.25


@pytest.mark.parametrize("ego", ["driver", "dynamics"])
def test_of_an_ego_that_the_world_moves(ego: str) -> None:
    path = ROOT / "examples" / "scenario" / "slow_lead.xosc"
    ready = ready_scenario(str(path), path.parent, ego=ego)
    assert readable_share(ready, ready.world(TICK), criteria(TIGHT)) < 0.2


@pytest.mark.parametrize("name", [pytest.param(one, marks=[] if one in SOME else pytest.mark.soak) for one in NAMES])
def test_of_shared_scenarios(name: str) -> None:
    root = shared("openscenario")
    ready = ready_scenario(str(scenario_file(root, name)), root, [root])
    readable_share(ready, ready.world(TICK), criteria(TIGHT))


def test_of_a_car_that_leaves_its_lane() -> None:
    path = ROOT / "examples" / "scenario" / "cut_in.xosc"
    ready = ready_scenario(str(path), path.parent, ego="driver")
    given = CriteriaOptions(no_lane_left=True, min_pet=0.5).criteria()
    assert readable_share(ready, ready.world(TICK), given, 1) < 0.25


def test_an_arrival_is_seen() -> None:
    path = ROOT / "examples" / "scenario" / "slow_lead.xosc"
    ready = ready_scenario(str(path), path.parent)
    given = criteria(arrive="60,-1.75,2")
    track = CriteriaTrack(given, WorldSight(ready.program, ready.world(TICK).scene, 0))
    for tick in world_ticks(ready.world(TICK), Noise(0), SECONDS):
        assert tick.world is not None
        track.look(tick.world, tick.state_time)
        if not math.isnan(track.states[-1].value):
            break
    assert 0.5 < track.states[-1].value < 0.6
    assert track.readable == 1


def program_of(names: Sequence[str], boxes: Sequence[BodyBox]) -> Any:
    entities = [SimpleNamespace(name=name, box=box) for name, box in zip(names, boxes, strict=True)]
    return SimpleNamespace(entities=entities, roads=None)


def random_table(draw: random.Random, count: int, before: EntityTable | None) -> EntityTable:
    """Entities about each other: on a road or none, some as others are, some that are not there."""
    table = EntityTable.zeros(count) if before is None else before.copy()
    for row in range(count):
        if before is None or draw.random() < 0.1:
            table.x[row], table.y[row] = draw.choice([0.0, draw.uniform(-60, 60), 400.0]), draw.uniform(-12, 12)
            table.heading[row] = draw.choice([0.0, math.pi, draw.uniform(0, 6.3)])
            table.z[row] = draw.choice([0.0, 0.0, 8.0])
            table.s[row], table.t[row] = table.x[row] + 100.0, draw.choice([table.y[row], 0.0])
            table.turn[row] = draw.choice([table.heading[row], 0.0])
            table.road[row], table.present[row] = draw.choice([-1, 0, 0, 1]), draw.random() < 0.9
            table.velocity_x[row], table.velocity_y[row] = (
                draw.choice([0.0, draw.uniform(-20, 20)]),
                draw.uniform(-2, 2),
            )
        else:
            for column, speed in (
                (table.x, table.velocity_x),
                (table.s, table.velocity_x),
                (table.y, table.velocity_y),
            ):
                column[row] += speed[row] * 0.02
        if draw.random() < 0.3:
            table.acceleration_x[row] = draw.choice([0.0, draw.uniform(-5, 3)])
        twin = draw.randrange(count)
        if draw.random() < 0.03 and twin != row:  # as far away as another one, on the other side
            table.floats[:, row] = table.floats[:, twin]
            table.y[row] = -table.y[twin]
    table.actor[:] = np.arange(1, count + 1)
    return table.freeze()


def judged_both_ways(seed: int) -> tuple[int, int]:
    """Judge random ticks in both ways; how many there were, and how many Python had to judge."""
    draw = random.Random(seed)
    count, ticks, left = draw.randint(1, 6), 60, 0
    sizes = [draw.uniform(0.5, 12) for _ in range(count)]
    boxes = [BodyBox(draw.choice([0.0, 1.4]), 0.0, 0.7, size, draw.choice([0.6, 2.0]), 1.5) for size in sizes]
    names = draw.sample(["b", "a", "car 10", "car 9", "Z", "ä"], count)
    program = program_of(names, boxes)
    given = criteria(draw.choice([LOOSE, TIGHT]))
    lines = [RedLine("far", 900.0, 0.0, 0.0, 2.0)]
    fast, judge = compiled_criteria(program, 0, given, lines, TICK), Judge(given, names[0])
    assert fast is not None
    states: tuple[CriterionState, ...] = (START,) * len(given)
    table = None
    for tick in range(ticks):
        table = random_table(draw, count, table)
        moment = moment_from_storyboard(program, SimpleNamespace(entity=table), tick * TICK, 0)
        states = judge.look(states, moment)
        found = hold_against_criteria(fast.words, table.floats, table.ints, tick * TICK)
        if found == CANNOT_SAY:
            fast.put(states)
            left += 1
            continue
        assert bool(found) == any(one.failed for one in states)
        assert all_facts(fast.states()) == all_facts(states), (seed, tick)
    return ticks, left


def test_of_random_entities() -> None:
    """Those of 60 runs; `make soak` has many more."""
    found = [judged_both_ways(seed) for seed in range(60)]
    ticks, left = (sum(column) for column in zip(*found, strict=True))
    assert left < 0.5 * ticks


@pytest.mark.soak
def test_of_many_random_entities() -> None:
    for seed in range(1_000, 6_000):
        judged_both_ways(seed)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_is_no_number_is_left_to_python(value: float) -> None:
    fast = one_car()
    table = EntityTable.zeros(1)
    table.present[0], table.velocity_x[0] = 1, value
    before = all_facts(fast.states())
    assert hold_against_criteria(fast.words, table.freeze().floats, table.ints, 0) == CANNOT_SAY
    assert all_facts(fast.states()) == before, "nothing is written"


def one_car() -> CompiledCriteria:
    made = compiled_criteria(program_of(["a"], [BodyBox(1.4, 0.0, 0.7, 4.5, 1.8, 1.5)]), 0, criteria(), (), TICK)
    assert made is not None
    return made


def test_near_a_stop_line_python_looks() -> None:
    line, box = RedLine("line", 30.0, 0.0, 0.0, 1.75), BodyBox(1.4, 0.0, 0.7, 4.5, 1.8, 1.5)
    fast = compiled_criteria(program_of(["a"], [box]), 0, criteria({"no_red_light": True}), [line], TICK)
    assert fast is not None
    found = []
    for x in (0.0, 3.0, 6.0, 9.0, 60.0):
        table = EntityTable.zeros(1)
        table.present[0], table.x[0] = 1, x
        found.append(hold_against_criteria(fast.words, table.freeze().floats, table.ints, 0))
    assert found == [0, 0, CANNOT_SAY, CANNOT_SAY, 0]


def test_criteria_that_compiled_code_does_not_know_are_left_to_python() -> None:
    program = program_of(["a"], [BodyBox()])
    two, long = (MinPostEncroachmentTime(1.0), MinPostEncroachmentTime(2.0)), MinPostEncroachmentTime(1e5)
    for more in (two, (long,)):
        assert compiled_criteria(program, 0, (*criteria(), *more), (), TICK) is None
    assert compiled_criteria(program, -1, criteria(), (), TICK) is None
    assert compiled_criteria(program, 0, (), (), TICK) is None


def test_trails_of_many_others_are_left_to_python() -> None:
    """Actors that are no entities leave trails, too: more of them than there is room for."""
    box, given = BodyBox(1.4, 0.0, 0.7, 4.5, 1.8, 1.5), CriteriaOptions(min_pet=0.1).criteria()
    fast = compiled_criteria(program_of(["a"], [box]), 0, given, (), TICK)
    assert fast is not None
    trail = np.array([(0.0, -one, one, 0.0, 0.0) for one in range(40)])
    fast.put([CriterionState(memory=trail)])
    nothing: Any = None
    assert fast.is_left_to_python(nothing), "and it looks at nothing else then"


def test_states_go_there_and_back() -> None:
    fast = one_car()
    states = tuple(
        CriterionState(failed=row == 2, value=row * 0.1, time=row, other="the scenery" if row % 2 else "", x=1.0, y=row)
        for row in range(len(criteria()))
    )
    fast.put(states)
    assert all_facts(fast.states()) == all_facts(states)
