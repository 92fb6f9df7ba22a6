"""People at all crosswalks of a town, and of a real map, with the lights' own programmes."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from dorosim.ground.state_tree import arrays_of
from dorosim.mapmaking.plan import Size
from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.world.pedestrian.command import (
    DrivePedestrian,
    PausePedestrian,
    RoutePedestrian,
    SpawnPedestrian,
    StartPedestrian,
)
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import Pedestrians, PedestrianState, Stage
from dorosim.world.pedestrian.walk import PedestrianPlan, step_pedestrians
from dorosim.world.signal.command import SetLight
from dorosim.world.signal.state import WalkSignal
from dorosim.world.signal.update import SignalPlan
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.waypoint import Waypoint
from tests.road.generated_town import town_of
from tests.road.real_map import SUBURB, real_network
from tests.world.effect import changed

TICK = 50_000_000


def network_named(name: str) -> RoadNetwork:
    return real_network(name) if name == SUBURB else network_from_mgeo(town_of(1, Size.DEFAULT))


def walkers_at_every_crosswalk(network: RoadNetwork) -> Pedestrians:
    """Two people who go to and fro over every crosswalk, from heads to heads, 4 m more on either side."""
    people, crosswalks = Pedestrians.empty(), network.crosswalks
    for area in range(len(crosswalks)):
        heads = [network.signals.lights[row].point for row in crosswalks.lights.of(area).tolist()]
        (ax, ay, _), (bx, by, _) = heads[0], heads[1]
        middle = crosswalks.of(area)[:, :2].mean(axis=0)
        way = np.array((bx - ax, by - ay)) / math.hypot(bx - ax, by - ay)
        half = 0.5 * math.hypot(bx - ax, by - ay) + 4.0
        for side in (-1.0, 1.0):
            start, end = middle - side * half * way, middle + side * half * way
            command = SpawnPedestrian(
                len(people) + 1,
                model=area % 3,
                position=(float(start[0]), float(start[1]), 0.0),
                yaw=0.0,
                start=True,
                way=(Waypoint(float(end[0]), float(end[1])),),
                mode=CharacterMode.REPEAT,
            )
            people, problem = changed("people", people, command)
            assert not problem
    return people.freeze()


@pytest.mark.parametrize("name", ["town", SUBURB])
def test_people_step_on_the_road_at_green_only_and_are_over_when_it_is_red(name):
    network = network_named(name)
    lights, plan = SignalPlan.from_network(network), PedestrianPlan.from_network(network)
    people, now = walkers_at_every_crosswalk(network), lights.first_state().freeze()
    nowhere, gap = np.full(1, 1e6), np.full(plan.crosswalk_count, math.inf)
    crossings = np.zeros(len(people), np.int64)
    late = np.zeros(plan.crosswalk_count)
    for _ in range(6 * 60 * 20):
        now = lights.advance(now, TICK)
        walk = plan.walk_of(now.light)
        before, people = people, people.copy()
        step_pedestrians(plan, people, walk, gap, nowhere, nowhere, 1, TICK * 1e-9)
        people.freeze()
        stage, at = people.state.stage, people.state.crosswalk
        stepped = (stage == Stage.CROSS) & (before.state.stage != Stage.CROSS)
        assert (walk[at[stepped]] == WalkSignal.GO).all()
        crossings += stepped
        on = np.bincount(at[stage == Stage.CROSS], minlength=plan.crosswalk_count) > 0
        late = np.where(on & (walk == WalkSignal.STAY), late + TICK * 1e-9, 0.0)
        assert late.max() < 3.5, "seconds on the road at red"
    assert crossings.min() >= 2


@pytest.mark.parametrize("name", ["town", SUBURB])
def test_crowds_on_real_crosswalks_do_not_walk_through_one_another(name):
    """Six people from either end of eight crosswalks, who go to and fro for half a minute on one line each."""
    network = network_named(name)
    plan, people = PedestrianPlan.from_network(network), Pedestrians.empty()
    for area in range(0, len(network.crosswalks), max(len(network.crosswalks) // 8, 1)):
        corners = network.crosswalks.of(area)[:, :2]
        middle, heads = corners.mean(axis=0), network.crosswalks.lights.of(area).tolist()
        first, second = (np.array(network.signals.lights[row].point[:2]) for row in heads[:2])
        way = (second - first) / np.hypot(*(second - first))
        half = 0.5 * float(np.hypot(*(second - first))) + 2.0
        for k, side in itertools.product(range(6), (-1.0, 1.0)):
            start, end = middle - side * (half + 1.0 * k) * way, middle + side * half * way
            command = SpawnPedestrian(
                len(people) + 1,
                model=k,
                position=(float(start[0]), float(start[1]), 0.0),
                yaw=0.0,
                start=True,
                speed=1.4,
                way=(Waypoint(float(end[0]), float(end[1])),),
                mode=CharacterMode.REPEAT,
            )
            people, problem = changed("people", people, command)
            assert not problem
    radius, worst = plan.radius[people.state.model], -math.inf
    walk = np.full(plan.crosswalk_count, WalkSignal.GO, np.int64)
    for tick in range(600):
        people = people.copy()
        step_pedestrians(plan, people, walk, plan_gap(plan), FAR, FAR, 3, TICK * 1e-9)
        if tick > 40:  # those that were put too near to each other have come apart
            x, y = people.state.x, people.state.y
            deep = radius[:, None] + radius - np.hypot(x[:, None] - x, y[:, None] - y)
            np.fill_diagonal(deep, -math.inf)
            worst = max(worst, float(deep.max()))
    assert worst < 0.05
    assert (people.state.walked > 15.0).mean() > 0.9, "and they get on"


def plan_gap(plan: PedestrianPlan) -> np.ndarray:
    return np.full(plan.crosswalk_count, math.inf)


FAR = np.array([1e5])


def test_a_commanded_head_holds_people_back():
    network = network_named("town")
    lights, plan = SignalPlan.from_network(network), PedestrianPlan.from_network(network)
    now = lights.first_state().freeze()
    area = int(np.flatnonzero(plan.walk_of(now.light) == WalkSignal.GO)[0])
    head = int(network.crosswalks.lights.of(area)[0])
    held, _ = changed("signal", now, SetLight(head, 1), plan=lights)
    assert plan.walk_of(held.light)[area] == WalkSignal.STAY
    freed, _ = changed("signal", held, SetLight(head, 16, siblings=True), plan=lights)
    assert plan.walk_of(freed.light)[area] == WalkSignal.GO


def random_command(rng: random.Random, actor: int, count: int) -> object:
    """A legal or illegal command to one of some people."""
    place = lambda: (rng.uniform(-300, 300), rng.uniform(-300, 300), 0.0)  # noqa: E731 - a word for the lines below
    way = tuple(Waypoint(*place(), rng.choice((0.0, 1.0)), rng.choice((0.0, 2.0))) for _ in range(rng.randrange(4)))
    who = rng.randint(1, max(count, 1))
    return rng.choice(
        (
            SpawnPedestrian(actor, rng.randrange(8), place(), rng.uniform(-9, 9), move_distance=5.0, start=True),
            SpawnPedestrian(
                actor, rng.randrange(8), place(), 0.0, 1.4, 50.0, way=way, mode=rng.choice([*CharacterMode])
            ),
            SpawnPedestrian(actor, 0, (0.0, 0.0, 0.0), 0.0, start=True, way=way, leaves=True),
            StartPedestrian(who),
            RoutePedestrian(who, way, rng.choice([*CharacterMode])),
            DrivePedestrian(who, place(), rng.uniform(0, 3)),
            DrivePedestrian(who, (math.nan, 0.0, 0.0), 1.0),
            PausePedestrian(who, rng.random() < 0.5),
        )
    )


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_asked_the_state_stays_whole_and_repeats(seed):
    network = network_named("town")
    lights, plan = SignalPlan.from_network(network), PedestrianPlan.from_network(network)

    def run(copy_at: int) -> list[bytes]:
        """States after every second; at one tick all goes through bytes, as when a snapshot is saved."""
        rng = random.Random(seed)
        people, now, seen = Pedestrians.empty(), lights.first_state().freeze(), []
        actors = itertools.count(1)
        for tick in range(900):
            people = people.copy()
            for _ in range(rng.randrange(3) if tick < 300 else 0):
                people, _ = changed("people", people, random_command(rng, next(actors), len(people)))
            now = lights.advance(now, TICK)
            ego = np.full(1, -200.0 + 0.5 * tick)
            gap = np.full(plan.crosswalk_count, math.inf)
            step_pedestrians(plan, people, plan.walk_of(now.light), gap, ego, ego, 3, TICK * 1e-9)
            if people.departed().any():
                people = people.keep(~people.departed())
            if tick == copy_at:
                floats, ints = people.state.floats.tobytes(), people.state.ints.tobytes()
                shape = people.state.floats.shape, people.state.ints.shape
                state = PedestrianState(
                    np.frombuffer(floats).reshape(shape[0]).copy(),
                    np.frombuffer(ints, np.int64).reshape(shape[1]).copy(),
                )
                people = Pedestrians(state, people.route)
            people.freeze()
            check(people)
            seen.append(b"".join(block.tobytes() for block in arrays_of(people)))
        return seen

    assert run(-1) == run(450)


def check(people: Pedestrians) -> None:
    """What always holds."""
    state = people.state
    endless = ("crossing_begin", "crossing_end", "allowed_speed")
    bounded = [column for column in PedestrianState.float_columns if column.name not in endless]
    assert all(np.isfinite(state.floats[column.index]).all() for column in bounded)
    assert (np.diff(state.id) > 0).all()
    assert len(people.route) == len(people)
    assert (state.speed <= 1.3 * np.maximum(12.5, state.desired_speed)).all()
    assert (np.abs(state.yaw) <= math.pi + 1e-9).all()
    assert np.isin(state.stage, [*Stage]).all()
    assert ((state.model >= 0) & (state.model < len(PEDESTRIAN_MODELS))).all()
    counts = np.diff(people.route.first)
    assert ((state.waypoint >= 0) & (state.waypoint < np.maximum(counts, 1))).all()
