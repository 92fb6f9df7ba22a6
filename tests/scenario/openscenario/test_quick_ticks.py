"""A run whose quiet ticks are made and judged in a row comes to the verdict and snapshot of one made tick by tick."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

import pytest

from dorosim.app.run.build import Build
from dorosim.app.run.scenario_criteria import CriteriaOptions, judge_of
from dorosim.app.run.scenario_judged import VerdictWatch, run_judged
from dorosim.app.run.scenario_ready import ReadyScenario, ready_scenario
from dorosim.app.run.scenario_run import RunTick, quick_ticks, world_ticks
from dorosim.ground.noise import Noise
from dorosim.scenario.criterion.criterion import Criterion
from dorosim.scenario.criterion.track import CriteriaTrack
from dorosim.scenario.criterion.world_moment import WorldSight
from dorosim.world.ordinary.tick import get_ready
from tests.scenario.openscenario.own_scenario import OURS, ROOT, SOME
from tests.scenario.openscenario.reference import NAMES, scenario_file
from tests.shared import shared

TICK, SECONDS = 10_000_000, 12.0
CRITERIA = CriteriaOptions(no_collision=True, no_red_light=True, min_ttc=1.5, max_jerk=1e5, min_thw=0.3).criteria()
FEW = {"tools/bench/scenario.xosc": 0.2, "tools/bench/scenario_six.xosc": 0.2, "cut-in": 0.2, "speed-profile": 0.2}
"""Of these scenarios at most so many ticks are made one by one."""
Ticks = Callable[[Build, Noise, float, Sequence[CriteriaTrack]], Iterable[RunTick]]


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()


def one_by_one(ready: Build, noise: Noise, limit: float, tracks: Sequence[CriteriaTrack]) -> Iterable[RunTick]:
    return world_ticks(ready, noise, limit)


def outcome(
    ready: ReadyScenario, ticks: Ticks, criteria: tuple[Criterion, ...], beside: tuple[Criterion, ...] = ()
) -> tuple[dict[str, Any], int]:
    """All that a run comes to, and how many ticks Python saw."""
    judge, ego = judge_of(ready.program, criteria, "")
    world = ready.world(TICK)
    sight = WorldSight(ready.program, world.scene, ego)
    watch, more = VerdictWatch(ready.program, judge, sight), CriteriaTrack(beside, sight)
    seen: list[RunTick] = []

    def all_see() -> Iterable[RunTick]:
        for tick in ticks(world, Noise(0), SECONDS, (watch.track, more)):
            seen.append(tick)
            assert tick.world is not None
            if not tick.ended:
                more.look(tick.world, tick.state_time)
            yield tick

    run = run_judged(watch, all_see(), SECONDS)
    last = seen[-1]
    assert last.world is not None
    found = asdict(run) | {"digest": last.world.digest(), "last": (last.time, last.state_time, last.world.tick)}
    return found | {"beside": [(one.value, one.time, one.other, one.x, one.y) for one in more.states]}, len(seen)


def holds(ready: ReadyScenario, criteria: tuple[Criterion, ...] = CRITERIA) -> float:
    """Hold both ways against each other; how many ticks Python saw, of all."""
    # without a criterion no entity is judged
    beside = CriteriaOptions(min_distance=1e-9, max_deceleration=1e6).criteria() if criteria else ()
    (fast, few), (slow, many) = (outcome(ready, ticks, criteria, beside) for ticks in (quick_ticks, one_by_one))
    assert repr(fast) == repr(slow)
    return few / many


@pytest.mark.parametrize("name", OURS)
def test_our_scenarios_end_alike(name: str) -> None:
    path = ROOT / name
    assert holds(ready_scenario(str(path), path.parent, [path.parent, ROOT / "examples"])) <= FEW.get(name, 1.0)


@pytest.mark.parametrize("name", [pytest.param(one, marks=[] if one in SOME else pytest.mark.soak) for one in NAMES])
def test_shared_scenarios_end_alike(name: str) -> None:
    root = shared("openscenario")
    assert holds(ready_scenario(str(scenario_file(root, name)), root, [root])) <= FEW.get(name, 1.0)


def slow_lead(**more: Any) -> ReadyScenario:
    path = ROOT / "examples" / "scenario" / "slow_lead.xosc"
    return ready_scenario(str(path), path.parent, (), {"LeadDeceleration": "2", "Gap": "30"}, **more)


def test_a_run_ends_at_the_tick_that_violates_a_criterion() -> None:
    for limit in (2.0, 1.5, 1.0):
        criteria = CriteriaOptions(min_ttc=limit).criteria()
        assert holds(slow_lead(), criteria) < 0.3
        run, _ = outcome(slow_lead(), quick_ticks, criteria)
        assert run["verdict"] == "fail"
        assert 0.9 * limit < run["criteria"][0]["value"] < limit
        assert run["time"] == pytest.approx(run["criteria"][0]["time"], abs=1e-9)


def test_an_ego_that_our_driver_moves_ends_alike() -> None:
    assert holds(slow_lead(ego="driver")) < 0.1


def test_an_ego_with_tyres_ends_alike() -> None:
    assert holds(slow_lead(ego="dynamics")) == 1.0


def test_without_criteria_it_runs_to_its_end() -> None:
    assert holds(slow_lead(), ()) < 0.3


def test_times_of_encroachment_and_borders_of_lanes_are_judged_in_compiled_code() -> None:
    assert holds(slow_lead(), (*CRITERIA, *CriteriaOptions(min_pet=1.0, no_lane_left=True).criteria())) < 0.3


def test_two_times_of_encroachment_are_judged_tick_by_tick() -> None:
    two = (*CriteriaOptions(min_pet=1.0).criteria(), *CriteriaOptions(min_pet=0.5).criteria())
    assert holds(slow_lead(), two) == 1.0


def test_the_time_limit_is_that_of_single_ticks() -> None:
    ready = slow_lead()
    for limit in (0.0, 0.005, 3.0, 3.005):
        ticks = [list(make(ready.world(TICK), Noise(0), limit, ())) for make in (quick_ticks, one_by_one)]
        assert [one[-1].time for one in ticks] == [ticks[1][-1].time] * 2
        assert len({one[-1].world.digest() for one in ticks if one[-1].world is not None}) == 1
