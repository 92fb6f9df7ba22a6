"""Environments of many worlds do in compiled code what single ones do: whatever drives them, and whatever they see."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from dorosim.app.run.replay import replay_file
from dorosim.ground.noise import Noise
from dorosim.gym import AgentPool, DrivingEnv, DrivingVectorEnv
from dorosim.recording.format import decode_recording
from dorosim.sensor.agent import agents
from dorosim.sensor.agent.agents import AgentBuffers, Agents
from dorosim.sensor.agent.lane_raster import NO_RASTER
from dorosim.world.ordinary.batch_kernel import WorldPlace
from dorosim.world.step import any_tick

NAME = "dorosim.gym:dorosim/Town-v0"
SMALL = {"map": "village", "vehicles": 4, "pedestrians": 2, "max_steps": 12, "ends": (), "start_speed": 4.0}
KINDS = [
    {"actions": "pedals", "observations": ("ego", "neighbours", "lidar"), "rings": 2, "rays": 16},
    {"actions": "velocity", "ticks": 3, "beginnings": 2},
    {"actions": "discrete", "tick_ms": 50.0, "flat": False, "masks": True},
    {"actions": "lanes"},
]


def acts(space, seed, steps):
    space.seed(seed)
    return [space.sample() for _ in range(steps)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind["actions"])
def test_many_worlds_have_the_bits_of_single_ones(kind):
    many = gymnasium.make_vec(NAME, num_envs=3, threads=2, autoreset_mode="SameStep", **SMALL, **kind)
    singles = [gymnasium.make(NAME, **SMALL, **kind).unwrapped for _ in range(3)]
    many.reset(seed=4)
    for number, one in enumerate(singles):
        one.reset(seed=4 + number)
    for action in acts(many.action_space, 1, 20):
        seen, rewards, _, truncated, infos = many.step(action)
        for number, one in enumerate(singles):
            found, reward, _, cut, info = one.step(action[number])
            assert (reward, cut) == (rewards[number], truncated[number])
            if cut:
                found, info = one.reset()
            parts = found if isinstance(found, dict) else {"": found}
            for name, value in parts.items():
                assert (value == (seen[name] if name else seen)[number]).all(), name
            for name in ("speed", "time", "travelled", "offset", "collision", "world_seed"):
                assert info[name] == infos[name][number], name
            if "action_mask" in info:
                assert (info["action_mask"] == infos["action_mask"][number]).all()
            world = many.unwrapped.set.episodes[number].world
            assert world.now.digest() == one.episode.world.now.digest()
    many.close()
    for one in singles:
        one.close()


@pytest.mark.parametrize("ticks", [1, 3])
def test_lamps_change_in_compiled_ticks(ticks):
    """From its very first tick a world goes on in compiled code, lamps or not, with the bits of `any_tick`."""
    settings = {"vehicles": 6, "ends": (), "max_steps": 0, "beginnings": 3, "actions": "velocity", "ticks": ticks}
    envs = DrivingVectorEnv(3, "Town", **settings)
    envs.reset(seed=1)
    episodes, batch = envs.set.episodes, envs.set._steps._batch
    worlds = [episode.world for episode in episodes]
    pure, alone, changes = [world.now for world in worlds], 0, 0
    for _ in range(120 // ticks):
        actions = np.tile(np.array([-0.8, 0.0]), (3, 1))
        commands = [episode.commands((action,)) for episode, action in zip(episodes, actions, strict=True)]
        envs.step(actions)
        alone += int((batch.places[WorldPlace.DONE] < ticks).sum())
        for number, world in enumerate(worlds):
            before, now = pure[number], pure[number]
            for tick in range(ticks):
                now = any_tick(world.start.scene, now, commands[number] if tick == 0 else (), world.noise)
            pure[number] = now
            changes += int(now.signal.light is not before.signal.light)
            assert world.now.digest() == now.digest()
            assert (world.now.signal.light.ints == now.signal.light.ints).all()
    assert changes > 3
    assert alone == 0
    envs.close()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind["actions"])
def test_recorded_worlds_go_on_with_the_others_and_replay(kind, tmp_path):
    settings = {**SMALL, "max_steps": 25, **kind}
    many = DrivingVectorEnv(3, "Town", autoreset_mode="SameStep", **settings)
    plain = DrivingVectorEnv(3, "Town", autoreset_mode="SameStep", **settings)
    many.reset(seed=4), plain.reset(seed=4)
    world = many.set.episodes[1].world
    for number, action in enumerate(acts(many.action_space, 1, 24)):
        if number == 2:
            world.record(tmp_path / "one.rec")
        found, other = many.step(action), plain.step(action)
        assert (found[1] == other[1]).all()
    last, ticks = world.now, 22 * many.set.settings.ticks
    assert last.digest() == plain.set.episodes[1].world.now.digest()
    many.close(), plain.close()
    content = (tmp_path / "one.rec").read_bytes()
    recorded = list(decode_recording("one", content)[1])
    assert len(recorded) == ticks
    assert recorded[-1].digest == last.digest()[:16]
    told = sum(bool(tick.digest) for tick in recorded)
    assert told == 1, "in less than a minute"
    assert replay_file(tmp_path / "one.rec", None, tmp_path).equal


def test_a_world_that_has_begun_before_is_copied():
    env = DrivingEnv("Town", beginnings=2, **SMALL)
    seeds, digests = set(), {}
    for _ in range(8):
        _, info = env.reset()
        seed, digest = info["world_seed"], env.episode.world.now.digest()
        seeds.add(seed)
        assert digests.setdefault(seed, digest) == digest
        env.step(np.zeros(2, np.float32))
    assert seeds == {0, 1}
    assert digests[0] != digests[1]
    built = DrivingEnv("Town", **SMALL)
    built.reset(options={"world_seed": 1})
    assert built.episode.world.now.digest() == digests[1]


@pytest.mark.parametrize(
    ("actions", "wrong"),
    [("pedals", (np.nan, 0.0)), ("velocity", (0.0, np.inf)), ("discrete", (7, 0)), ("discrete", (0, -1))],
)
def test_an_action_that_is_none_is_refused_and_changes_nothing(actions, wrong):
    vector = DrivingVectorEnv(2, "Town", actions=actions, **SMALL)
    vector.reset(seed=1)
    before = [episode.world.now.digest() for episode in vector.set.episodes]
    good = (0, 6) if actions == "discrete" else (0.0, 0.0)
    with pytest.raises(ValueError, match="an action is"):
        vector.step(np.array([good, wrong]))
    assert [episode.world.now.digest() for episode in vector.set.episodes] == before
    vector.close()


def test_agents_that_are_done_stand_in_a_pool_too():
    pool = AgentPool("Town", 2, agents=3, map="village", vehicles=2, max_steps=30)
    pool.reset(seed=2)
    pool.set.over[1] = True
    for _ in range(8):
        pool.step(np.full((6, 2), (1.0, 0.0), np.float32))
    speeds = pool.set.infos()["speed"]
    assert abs(speeds[1]) < 0.01
    assert speeds[0] > 1.0
    pool.close()


def test_the_raster_of_the_lanes_changes_no_ray(monkeypatch):
    env = DrivingEnv("Town", map="village", vehicles=0, observations=("ego", "lidar"), rays=32, rings=2)
    env.reset(seed=3)
    scene, episode = env.episode.world.start.scene, env.episode
    quick = Agents(scene, (1,), episode.shape, episode.weight)
    monkeypatch.setattr(agents, "raster_of", lambda _: NO_RASTER)
    slow = Agents(scene, (1,), episode.shape, episode.weight)
    into = [AgentBuffers.empty(1, env.layout.width) for _ in range(2)]
    stream, told = Noise(1).stream("rays"), 0
    for _ in range(30):
        env.reset(seed=int(stream.integers(1000)))
        for one, buffers in zip((quick, slow), into, strict=True):
            one.recall(env.episode.agents.memory())
            one.read(env.episode.world.now, 0, buffers)
        assert (into[0].observation == into[1].observation).all()
        edge = into[0].observation[0, -32:]
        told += int(((edge > 0.02) & (edge < 1.0)).sum())
    assert told > 300
    env.close()
