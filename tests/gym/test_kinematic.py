"""Kinematic agents in environments: batches equal to single worlds, other libraries, lights, and what is refused."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from dorosim.batch.world_map import WorldMap
from dorosim.ground.error import InputError
from dorosim.gym import AgentPool, DrivingEnv, DrivingVectorEnv, parallel_env
from dorosim.gym.kinematic import KinematicSet
from dorosim.sensor.agent.kinematic.light_table import light_tables
from dorosim.sensor.agent.kinematic.state import KinematicState
from dorosim.world.signal.permission import Permission

VILLAGE: dict[str, Any] = {"map": "village", "dynamics": "kinematic"}
MANY = ("self", "partners", "segments")


def actions_of(count: int, seed: int, steps: int):
    stream = np.random.default_rng(seed)
    for _ in range(steps):
        yield np.stack([stream.uniform(-0.5, 0.8, count), stream.normal(0.0, 0.1, count)], 1).clip(-1, 1)


def pursuit(observation: np.ndarray, speed: float) -> np.ndarray:
    """Actions of "velocity" that keep to the way; `observation` has the parts "ego" and "road" of 20 points."""
    x, y = observation[:, 20] * 100.0, observation[:, 21] * 100.0
    bend = 2.0 * y / np.maximum(x * x + y * y, 1.0)
    return np.stack([np.full(len(x), speed), np.clip(bend / 0.2, -1.0, 1.0)], 1)


@pytest.mark.parametrize("parts", [("ego", "neighbours", "road", "lights"), MANY])
@pytest.mark.parametrize("respawn", [False, True])
def test_worlds_of_a_batch_have_the_bits_of_single_ones(parts, respawn):
    settings = {**VILLAGE, "agents": 4, "max_steps": 25, "observations": parts, "respawn": respawn}
    pool = AgentPool("Town", 3, threads=2, **settings)
    alone = [AgentPool("Town", 1, **settings) for _ in range(3)]
    first = pool.reset(seed=5)[0].copy()
    assert (first == np.concatenate([one.reset(seed=5 + number)[0] for number, one in enumerate(alone)])).all()
    ended = 0
    for action in actions_of(12, 1, 60):
        pool.step(action)
        for number, one in enumerate(alone):
            rows = slice(4 * number, 4 * number + 4)
            one.step(action[rows])
            for name in ("observations", "rewards", "terminals", "truncations", "masks"):
                assert (getattr(pool, name)[rows] == getattr(one, name)).all(), name
        ended += int((pool.terminals | pool.truncations).sum())
    assert ended >= 24, "every agent ends twice at least"
    assert pool.masks.all() or not respawn
    for one in (pool, *alone):
        one.close()


def test_several_ticks_of_a_step_are_as_many_steps_of_one():
    """The path is the same; what is compared is where vehicles are."""
    found = []
    for ticks in (1, 4):
        one = KinematicSet("Town", 1, {**VILLAGE, "agents": 3, "ends": (), "ticks": ticks, "tick_ms": 25.0})
        one.reset(0, 3)
        for _ in range(40 // ticks):
            one.step(np.tile([0.3, 0.05], (3, 1)))
        found.append(one.arrays.state[0, : KinematicState.at.steer + 1].copy())
        assert one.arrays.time[0] == 10**9
        one.close()
    assert (found[0] == found[1]).all()


def test_pettingzoo_takes_them():
    cars = {**VILLAGE, "agents": 3, "max_steps": 30}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(**cars), num_cycles=70)
        parallel_seed_test(lambda: parallel_env(**cars), num_cycles=8)
        parallel_api_test(parallel_env(**cars, flat=False, observations=MANY, actions="discrete"), num_cycles=40)


def test_an_environment_goes_back_to_a_moment():
    env = parallel_env(**VILLAGE, agents=3, ends=())
    env.reset(seed=1)
    moment = env.snapshot()
    ways = [{name: action[row] for row, name in enumerate(env.agents)} for action in actions_of(3, 2, 6)]
    first = [env.step(way)[1] for way in ways]
    seen, _ = env.restore(moment)
    assert set(seen) == set(env.agents)
    assert [env.step(way)[1] for way in ways] == first
    other = parallel_env(**VILLAGE, agents=2)
    with pytest.raises(InputError, match="of 3 agents"):
        other.restore(moment)
    with pytest.raises(InputError, match="of the map village, and this is motorway"):
        parallel_env("Motorway", dynamics="kinematic", agents=3).restore(moment)
    with pytest.raises(InputError, match="kinematic"):
        parallel_env("Town", map="village", vehicles=0, agents=3).restore(moment)
    env.close()
    other.close()


def test_observations_are_as_of_agents_with_full_dynamics():
    settings = {"map": "village", "vehicles": 0, "agents": 2}
    ours, theirs = AgentPool("Town", 1, **settings, dynamics="kinematic"), AgentPool("Town", 1, **settings)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    ours.close()
    theirs.close()


def test_there_are_1848_numbers_of_the_usual_parts():
    pool = AgentPool("Town", 1, agents=2, **VILLAGE, observations=MANY)
    assert pool.single_observation_space.shape == (7 + 31 * 7 + 232 * 7,) == (1848,)
    pool.close()


def test_given_buffers_are_written_in_place():
    pool = AgentPool("Town", 2, agents=2, **VILLAGE)
    buffers = {name: getattr(pool, name).copy() for name in ("observations", "rewards", "terminals")}
    buffers |= {name: getattr(pool, name).copy() for name in ("truncations", "masks", "actions")}
    other = AgentPool("Town", 2, agents=2, buf=buffers, **VILLAGE)
    assert (pool.reset(seed=1)[0] == other.reset(seed=1)[0]).all()
    for action in actions_of(4, 3, 5):
        assert pool.step(action)[0].any()
        other.send(action)
        assert other.recv()[0] is buffers["observations"]
        assert (buffers["observations"] == pool.observations).all()
    pool.close()
    other.close()


def test_lights_are_as_in_a_world_that_is_stepped():
    start = WorldMap.open("town").start(seed=1, vehicles=0)
    table = light_tables(start.scene.signal_plan)
    now = start.scene.signal_plan.first_state().freeze()
    tick, time, seen = start.scene.tick, 0, 0
    for _ in range(3000):
        now, time = start.scene.signal_plan.advance(now, tick), time + tick
        phase = int(np.searchsorted(table.since, time % table.period, side="right")) - 1
        # a tick that a change falls into shows it at its end
        assert (table.entry[phase] == now.link.entry).all()
        seen = max(seen, phase)
    assert seen >= 10


def test_who_passes_a_red_light_is_told_so_and_who_stops_is_not():
    """Agents keep to their ways at a constant speed, first past all lights, then with a stop before red ones."""
    counts = []
    for stops in (False, True):
        pool = AgentPool(
            "Town", 4, agents=16, dynamics="kinematic", actions="velocity", respawn=True, max_steps=400,
            observations=("ego", "road", "lights"), start_speed=5.0,
        )  # fmt: skip
        pool.reset(seed=2)
        red, before = 0, pool.observations.copy()
        for _ in range(300):
            action = pursuit(before, -0.5)
            light = before[:, 120:136].reshape(-1, 2, 8)[:, 0]
            must = (light[:, 0] > 0.0) & (light[:, 2 : 2 + Permission.STOP_THEN_YIELD].sum(axis=1) == 0.0)
            if stops:
                action[must & (light[:, 1] < 0.15), 0] = -1.0
            infos = pool.step(action)[4]
            red += sum(info["red_light"] for info in infos)
            for info in infos:
                assert np.isfinite(list(info["reward_terms"].values())).all()
                assert info["red_light"] == (info["reward_terms"]["red_light"] == -10.0)
            before = pool.observations.copy()
        counts.append(red)
        pool.close()
    assert counts[0] >= 5
    assert counts[1] == 0


def test_an_agent_that_is_done_stands_and_is_masked():
    pool = AgentPool("Town", 1, agents=3, **VILLAGE, actions="velocity", ends=("off_road",), max_steps=300)
    pool.reset(seed=0)
    action = np.array([[0.2, 1.0], [-1.0, 0.0], [-1.0, 0.0]])
    while pool.masks[0]:
        pool.step(action)
    assert pool.masks.tolist() == [False, True, True]
    for _ in range(40):
        pool.step(action)
    assert pool.set.arrays.state[0, KinematicState.at.speed, 0] == 0.0
    assert pool.rewards[0] == 0.0
    assert not pool.terminals[0]
    assert not pool.truncations[0]
    pool.close()


def test_an_agent_that_respawns_begins_an_episode_of_its_own():
    pool = AgentPool("Town", 1, agents=3, **VILLAGE, actions="velocity", respawn=True, max_steps=50)
    pool.reset(seed=0)
    ints = pool.set.arrays.ints[0]
    for step in range(1, 51):
        infos = pool.step(np.tile([-1.0, 0.0], (3, 1)))[4]
        assert bool(infos) == (step == 50)
    assert [info["steps"] for info in infos] == [50, 50, 50]
    assert pool.truncations.all()
    assert ints[KinematicState.at.episode].tolist() == [1, 1, 1]
    assert ints[KinematicState.at.steps].tolist() == [0, 0, 0]
    pool.close()


@pytest.mark.parametrize("actions", ["pedals", "velocity", "discrete"])
def test_actions_that_are_none_are_refused_and_change_nothing(actions):
    pool = AgentPool("Town", 1, agents=2, **VILLAGE, actions=actions)
    with pytest.raises(gymnasium.error.ResetNeeded):
        pool.step(np.zeros((2, 2)))
    pool.reset(seed=1)
    before = pool.set.arrays.state.copy()
    wrong: list[Any] = [np.full((2, 2), np.nan), [[0.0, np.inf], [0.0, 0.0]], np.zeros((3, 2)), np.zeros(2), [["a", 0]]]
    if actions == "discrete":
        wrong += [np.array([[7, 0], [0, 0]]), np.array([[0, 0], [0, -1]])]
    for action in wrong:
        with pytest.raises(ValueError, match="action"):
            pool.step(action)
    assert (pool.set.arrays.state == before).all()
    pool.step(pool.action_space.sample())
    assert (pool.set.arrays.state != before).any()
    pool.close()


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("Parking", {}),
        ("Scenario", {}),
        ("Town", {"vehicles": 3}),
        ("Town", {"pedestrians": 1}),
        ("Town", {"weather": {"weather": "rainy"}}),
        ("Town", {"actions": "lanes"}),
        ("Town", {"observations": ("lidar",)}),
        ("Town", {"observations": ("picture",), "flat": False}),
        ("Town", {"record": "runs"}),
        ("Town", {"dynamics": "magic"}),
        ("Town", {"partners": -1}),
        ("Town", {"segments": 1.5}),
        ("Town", {"agents": 900}),
        ("Town", {"vehicle": "no such car"}),
    ],
)
def test_what_kinematic_agents_cannot_is_refused(kind, settings, tmp_path):
    given = {**VILLAGE, "agents": 2, **settings}
    if kind != "Town":
        del given["map"]
    with pytest.raises(InputError):
        AgentPool(kind, 1, data=str(tmp_path), **given).reset(seed=1)


def test_other_environments_say_what_to_use():
    for make in (lambda: DrivingEnv("Town", **VILLAGE), lambda: DrivingVectorEnv(2, "Town", **VILLAGE)):
        with pytest.raises(InputError, match="AgentPool"):
            make()
    with pytest.raises(InputError, match="respawn"):
        AgentPool("Town", 1, map="village", vehicles=0, respawn=True)
    with pytest.raises(InputError, match="self"):
        AgentPool("Town", 1, map="village", vehicles=0, observations=("self",))
    with pytest.raises(InputError, match="render_mode"):
        parallel_env(**VILLAGE, render_mode="rgb_array")
    with pytest.raises(InputError, match="respawn"):
        parallel_env(**VILLAGE, respawn=True)


@pytest.mark.parametrize("kind", ["Motorway", "Intersection"])
def test_other_kinds_have_them(kind):
    pool = AgentPool(kind, 2, agents=6, dynamics="kinematic", actions="velocity", respawn=True)
    pool.reset(seed=1)
    for _ in range(30):
        pool.step(pool.action_space.sample())
        assert pool.observation_space.contains(pool.observations)
    pool.close()
