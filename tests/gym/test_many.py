"""Environments of many worlds and many agents: equal to single ones, and as other libraries want them."""

from __future__ import annotations

import urllib.request
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_api_test, parallel_seed_test, render_test

from dorosim.ground.error import InputError
from dorosim.gym import AgentPool, DrivingEnv, DrivingVectorEnv, parallel_env, raw_env

SMALL = {"map": "village", "vehicles": 4, "max_steps": 25}
CARS = {"map": "village", "vehicles": 2, "agents": 3, "max_steps": 30, "speed": 0.0}


def actions_for(count: int, seed: int, steps: int):
    stream = np.random.default_rng(seed)
    for _ in range(steps):
        action = stream.uniform(-1.0, 1.0, (count, 2)).astype(np.float32)
        action[:, 0], action[:, 1] = abs(action[:, 0]), 0.3 * action[:, 1]
        yield action


def assert_equal(mine, theirs):
    assert set(theirs) <= set(mine)
    for name, value in theirs.items():
        if isinstance(value, dict):
            assert_equal(mine[name], value)
        elif value.dtype == object:
            for one, other in zip(mine[name], value, strict=True):
                assert (one is None) == (other is None)
                assert one is None or (one == other).all()
        else:
            assert (mine[name] == value).all(), name


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_vector_environment_has_the_bits_of_single_ones(mode, threads):
    """Gymnasium steps single environments one after the other: every array that it gives is the same."""
    name = "dorosim.gym:dorosim/Town-v0"
    mine = gymnasium.make_vec(name, num_envs=3, autoreset_mode=mode, threads=threads, **SMALL)
    theirs = gymnasium.make_vec(
        name, num_envs=3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **SMALL
    )
    assert isinstance(mine.unwrapped, DrivingVectorEnv)
    assert (mine.reset(seed=5)[0] == theirs.reset(seed=5)[0]).all()
    ended = 0
    for action in actions_for(3, 0, 60):
        one, other = mine.step(action), theirs.step(action)
        for part, same in zip(one[:4], other[:4], strict=True):
            assert (part == same).all()
        assert_equal(one[4], other[4])
        done = one[2] | one[3]
        ended += int(done.sum())
        if mode is AutoresetMode.DISABLED and done.any():
            with pytest.raises(ValueError, match="reset_mask"):
                mine.step(action)
            options = {"reset_mask": done}
            assert (mine.reset(options=dict(options))[0] == theirs.reset(options=dict(options))[0]).all()
    assert ended >= 3
    mine.close()
    theirs.close()


def test_a_world_of_a_vector_goes_back_while_others_go_on():
    vector, single = DrivingVectorEnv(2, "Town", **SMALL), DrivingEnv("Town", **SMALL)
    vector.reset(seed=3)
    steps = list(actions_for(2, 1, 8))
    for action in steps[:4]:
        vector.step(action)
    moment = vector.snapshot(1)
    rewards = [vector.step(action)[1] for action in steps[4:]]
    vector.restore(1, moment)
    again = [vector.step(action)[1] for action in steps[4:]]
    assert [one[1] for one in again] == [one[1] for one in rewards]
    single.restore(moment)
    assert [single.step(action[1])[1] for action in steps[4:]] == [one[1] for one in rewards]
    vector.close()
    single.close()


def test_what_a_vector_environment_cannot_is_refused():
    vector = DrivingVectorEnv(2, "Town", **SMALL)
    with pytest.raises(gymnasium.error.ResetNeeded):
        vector.step(np.zeros((2, 2), np.float32))
    for settings in ({"agents": 2}, {"render_mode": "human"}, {"autoreset_mode": "Sometimes"}):
        with pytest.raises(InputError):
            DrivingVectorEnv(2, "Town", **{**SMALL, **settings})
    for options in ({"mask": 1}, {"reset_mask": np.zeros(2, np.bool_)}, {"world_seeds": [1]}):
        with pytest.raises(InputError):
            vector.reset(options=options)
    with pytest.raises(ValueError, match="1 or more"):
        DrivingVectorEnv(0, "Town")
    vector.close()


def test_pettingzoo_takes_it():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(**CARS), num_cycles=70)
        parallel_seed_test(lambda: parallel_env(**CARS), num_cycles=8)


def test_pettingzoo_renders_it():
    render_test(lambda render_mode: raw_env(render_mode=render_mode, **CARS))


def test_an_agent_that_is_done_stands_and_the_others_go_on():
    env = parallel_env(**{**CARS, "max_steps": 200})
    env.reset(seed=0)
    first = env.agents[0]
    while first in env.agents:
        env.step({name: np.array([0.8, 0.5] if name == first else [-1.0, 0.0], np.float32) for name in env.agents})
    assert len(env.agents) == 2
    for _ in range(60):
        env.step({name: np.array([-1.0, 0.0], np.float32) for name in env.agents})
    now = env.crew.set.episodes[0].world.now
    assert abs(now.vehicle.velocity_x[0]) < 0.1
    with pytest.raises(ValueError, match="go on"):
        env.step({first: np.zeros(2, np.float32)})
    env.close()


def test_buffers_that_are_given_are_written_in_place():
    pool = AgentPool("Town", 2, agents=2, map="village", vehicles=2, max_steps=12)
    buffers = {name: getattr(pool, name).copy() for name in ("observations", "rewards", "terminals")}
    buffers |= {name: getattr(pool, name).copy() for name in ("truncations", "masks", "actions")}
    other = AgentPool("Town", 2, agents=2, buf=buffers, map="village", vehicles=2, max_steps=12)
    pool.reset(seed=1)
    other.async_reset(seed=1)
    assert other.recv()[0] is buffers["observations"]
    ended = 0
    for action in actions_for(4, 2, 30):
        mine = pool.step(action)
        other.send(action)
        theirs = other.recv()
        for one, same in zip(mine[:4], theirs[:4], strict=True):
            assert (one == same).all()
        assert theirs[1] is buffers["rewards"]
        assert (pool.rewards[~pool.masks] == 0.0).all()
        ended += len(mine[4])
    assert ended >= 8, "every agent of every world ends at least twice"
    with pytest.raises(InputError, match=r"buf\.rewards"):
        AgentPool("Town", buf={**buffers, "rewards": np.zeros(4)}, worlds=2, agents=2, map="village", vehicles=0)
    pool.close()
    other.close()


def test_the_page_of_an_environment_is_served(capsys):
    env = DrivingEnv("Town", render_mode="human", speed=0.0, **SMALL)
    try:
        env.reset(seed=0)
        printed = capsys.readouterr().out
        assert printed.startswith("live page: http://")
        with urllib.request.urlopen(printed.split()[-1], timeout=60) as answer:
            assert b"dorosim" in answer.read()
        env.step(np.zeros(2, np.float32))
        assert env.render() is None
    finally:
        env.close()


def test_what_is_not_installed_is_named():
    for name, package in (("StableVecEnv", "stable-baselines3"), ("RayMultiAgentEnv", "ray")):
        try:
            getattr(__import__("dorosim.gym", fromlist=[name]), name)
        except ImportError as error:
            assert package in str(error)  # noqa: PT017 - where it is installed, there is no error
