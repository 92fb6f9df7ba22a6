"""What environments of learning cost: a step beside the bare one of its world, many worlds and agents, recordings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.batch.world import BatchWorld
from dorosim.gym import AgentPool, DrivingEnv, DrivingVectorEnv
from dorosim.gym.setting import EnvSettings
from dorosim.sensor.agent.state import EgoFeature, NeighbourFeature, RoadFeature
from dorosim.world.step import step
from tools.bench.figure import Figure

VEHICLES, WORLDS, AGENTS = 25, 256, 26
PAIRS, STEPS, EPISODE = 15, 40, 200
BEGINNINGS, RAY_WORLDS = 64, 64
CROWDS = 64
COMPACT = ("ego", "neighbours", "road", "lights")
RAYS: dict[str, Any] = {"observations": ("ego", "lidar"), "rays": 64, "rings": 2}
STEP_TARGET, VECTOR_TARGET, RECORDING_TARGET, RAY_TARGET, AGENT_TARGET = 1.75, 8.0, 1.05, 5000.0, 1.5e5
SCENARIO = Path(__file__).parents[2] / "examples" / "scenario" / "cut_in.xosc"
_ACTION = np.array([-0.6, 0.0], np.float32)


def figures() -> Iterator[Figure]:
    """All of them, in one run."""
    env = DrivingEnv("Town", vehicles=VEHICLES, actions="velocity", max_steps=0, ends=())
    _env_seconds(env)
    yield _step_figure(env)
    yield _recording_figure(env)
    env.close()
    yield _recorded_worlds_figure()
    yield _vector_figure()
    yield _ray_figure()
    yield from _agents_figures()
    for parts, target in (COMPACT, 1e6), (("self", "partners", "segments"), 3e5):
        yield _kinematic_figure(parts, target)
    lidar = DrivingEnv(
        "Town",
        vehicles=VEHICLES,
        max_steps=0,
        ends=(),
        actions="velocity",
        **RAYS,
    )
    yield _rate_figure("env.step with 64 rays to bodies and to the edge of the lanes", lidar)
    yield _rate_figure("env.step of a scenario", DrivingEnv("Scenario", scenario=str(SCENARIO), ends=()))


def _env_seconds(env: DrivingEnv) -> float:
    """Of a step of an environment that drives on [s]; the environment is at a moment some steps after its reset."""
    env.reset(seed=1)
    for _ in range(2 * STEPS):
        env.step(_ACTION)
    return _seconds(lambda: env.step(_ACTION))


def _seconds(work: Callable[[], object]) -> float:
    found = []
    for _ in range(PAIRS):
        began = time.process_time()
        for _ in range(STEPS):
            work()
        found.append((time.process_time() - began) / STEPS)
    return median(found)


def _pairs(first: Callable[[], float], second: Callable[[], float]) -> tuple[float, float, float]:
    """The median of ratios of two that take turns, and the medians of both [s]."""
    ones, others = [], []
    for turn in range(PAIRS):
        if turn % 2:
            ones.append(first())
            others.append(second())
        else:
            others.append(second())
            ones.append(first())
    return median(one / other for one, other in zip(ones, others, strict=True)), median(ones), median(others)


def _step_figure(env: DrivingEnv) -> Figure:
    """The step of an environment to the bare step of its world from the same moment on, with the same commands."""
    moment, world = env.snapshot(), _world_of(env)

    def whole() -> float:
        env.restore(moment)
        began = time.process_time()
        for _ in range(STEPS):
            env.step(_ACTION)
        return (time.process_time() - began) / STEPS

    def bare() -> float:
        now, scene = moment.world.now, world.start.scene
        commands = env.episode.commands((_ACTION,))
        began = time.process_time()
        for _ in range(STEPS):
            now = step(scene, now, commands, world.noise)
        return (time.process_time() - began) / STEPS

    ratio, ours, floor = _pairs(whole, bare)
    width = env.layout.width
    detail = f"{ours * 1e6:.0f} us a step, {floor * 1e6:.0f} us bare, {width} floats, median of {PAIRS} pairs"
    name = f"env.step, ego and {VEHICLES} cars, 0.1 s, to bare step"
    return Figure(name, ratio, "x", STEP_TARGET, at_most=True, detail=detail)


def _world_of(env: DrivingEnv) -> BatchWorld:
    world = env.episode.world
    assert world is not None
    return world


def _recording_figure(env: DrivingEnv) -> Figure:
    """An episode of a world that is recorded to the same one without: all from the beginning to the end of the file."""
    world, commands = _world_of(env), env.episode.commands((_ACTION,))

    def drive(file: Path | None) -> float:
        world.begin(world.start)
        began = time.process_time()
        if file is not None:
            world.record(file)
        for _ in range(EPISODE):
            world.step(commands)
        world.end_recording()
        return (time.process_time() - began) / EPISODE

    with TemporaryDirectory() as folder:
        # a file each, since an operating system takes long to empty one that is there
        files = (Path(folder) / f"{number}.rec" for number in count())
        ratio, ours, floor = _pairs(lambda: drive(next(files)), lambda: drive(None))
    detail = f"{ours * 1e6:.0f} us a step recorded, {floor * 1e6:.0f} us not, episodes of {EPISODE} steps"
    return Figure("step of a world that is recorded", ratio, "x", RECORDING_TARGET, at_most=True, detail=detail)


def _recorded_worlds_figure() -> Figure:
    """Steps of many worlds of which one is recorded, to those of as many of which none is."""
    usual: dict[str, Any] = {"vehicles": VEHICLES, "actions": "velocity", "max_steps": 0, "ends": ()}
    vector = DrivingVectorEnv(RAY_WORLDS, "Town", beginnings=RAY_WORLDS, **usual)
    vector.reset(seed=1)
    world, actions = vector.set.episodes[0].world, _drawn(np.random.default_rng(1), RAY_WORLDS)
    assert world is not None
    moments = [vector.snapshot(number) for number in range(RAY_WORLDS)]

    def drive(file: Path | None) -> float:
        for number, moment in enumerate(moments):
            vector.restore(number, moment)
        if file is not None:
            world.record(file)
        began = time.process_time()
        for _ in range(STEPS):
            vector.step(actions)
        spent = (time.process_time() - began) / STEPS / RAY_WORLDS
        world.end_recording()
        return spent

    with TemporaryDirectory() as folder:
        ratio, ours, floor = _pairs(lambda: drive(Path(folder) / "one.rec"), lambda: drive(None))
    vector.close()
    detail = f"{ours * 1e6:.1f} us a step of each world, {floor * 1e6:.1f} us without"
    name = f"{RAY_WORLDS} worlds in compiled code of which one is recorded"
    return Figure(name, ratio, "x", RECORDING_TARGET, at_most=True, detail=detail)


def _vector_figure() -> Figure:
    """Steps of many worlds by one call, and of a single environment, in turns; episodes end and begin anew in both."""
    usual: dict[str, Any] = {"vehicles": VEHICLES, "actions": "velocity", "max_steps": 200, "beginnings": BEGINNINGS}
    vector = DrivingVectorEnv(WORLDS, "Town", autoreset_mode="SameStep", **usual)
    single = DrivingEnv("Town", **usual)
    vector.reset(seed=1)
    for seed in range(BEGINNINGS):
        # every world that there is has been built before anything is measured
        single.reset(options={"world_seed": seed})
        vector.set.reset(0, given=seed)
    for number, episode in enumerate(vector.set.episodes):
        # as in the middle of learning: episodes are of all ages
        episode.steps = number % episode.settings.max_steps
    stream, ended = np.random.default_rng(1), 0
    for _ in range(EPISODE):
        # so that their worlds are, too: lamps change in some of them in each step
        vector.step(_drawn(stream, WORLDS))
    ours, floor = [], []
    for turn in range(PAIRS + 1):
        many, began = _drawn(stream, WORLDS), time.process_time()
        _, _, terminated, truncated, _ = vector.step(many)
        spent, ended = (time.process_time() - began) / WORLDS, ended + int((terminated | truncated).sum())
        began = time.process_time()
        for action in _drawn(stream, STEPS):
            _, _, over, cut, _ = single.step(action)
            if over or cut:
                single.reset()
        if turn:
            ours.append(spent)
            floor.append((time.process_time() - began) / STEPS)
    vector.close()
    single.close()
    each, alone = float(np.mean(ours)), float(np.mean(floor))
    detail = f"{1.0 / each:,.0f} env-steps/s of processor time, {1.0 / alone:,.0f} single; {ended} episodes ended"
    name = f"make_vec, {WORLDS} worlds of {AGENTS} cars, with resets, to the single environment"
    return Figure(name, alone / each, "x", VECTOR_TARGET, detail=detail)


def _drawn(stream: np.random.Generator, count: int) -> NDArray[np.float32]:
    """Actions by chance: slow, and nearly straight on."""
    return (
        np.stack([stream.uniform(-1.0, 0.2, count), stream.normal(0.0, 0.1, count)], 1).clip(-1, 1).astype(np.float32)
    )


def _ray_figure() -> Figure:
    """Many worlds with 64 rays each to bodies and to the edge of the lanes, whose raster they share."""
    usual: dict[str, Any] = {"vehicles": VEHICLES, "actions": "velocity", "max_steps": 0, "ends": (), **RAYS}
    vector = DrivingVectorEnv(RAY_WORLDS, "Town", **usual)
    vector.reset(seed=1)
    stream, spent = np.random.default_rng(1), []
    for _ in range(PAIRS):
        actions, began = _drawn(stream, RAY_WORLDS), time.process_time()
        vector.step(actions)
        spent.append((time.process_time() - began) / RAY_WORLDS)
    vector.close()
    name, rate = f"make_vec, {RAY_WORLDS} worlds, 64 rays to bodies and to the edge of the lanes", 1.0 / median(spent)
    return Figure(name, rate, "env-steps/s", RAY_TARGET, detail="of processor time, one core")


def _agents_figures() -> Iterator[Figure]:
    """Every car an agent with full dynamics: those that keep straight on, into whatever is there, and on their ways."""
    pool = AgentPool("Town", 1, agents=AGENTS, vehicles=0, actions="velocity", max_steps=0, ends=())
    pool.reset(seed=1)
    actions = np.tile(_ACTION, (AGENTS, 1))
    each = _seconds(lambda: pool.step(actions)) / AGENTS
    name = f"{AGENTS} agents with full dynamics in a world"
    yield Figure(name, 1.0 / each, "agent-steps/s", detail="of processor time; straight on, into buildings, too")
    pool.reset(seed=1)
    spent = []
    for _ in range(PAIRS * STEPS):
        on_way, began = _pursuit(pool.observations), time.process_time()
        pool.step(on_way)
        spent.append((time.process_time() - began) / AGENTS)
    pool.close()
    rate = 1.0 / median(spent)
    yield Figure(f"{name}, on their ways", rate, "agent-steps/s", AGENT_TARGET, detail="of processor time, one core")


def _pursuit(observation: NDArray[np.float32]) -> NDArray[np.float32]:
    """Actions `(N, 2)` that steer towards the first point of each agent's way, with the usual parts of observations."""
    usual = EnvSettings()
    first, reach = len(EgoFeature) + usual.neighbours * len(NeighbourFeature), usual.road_points * usual.road_spacing
    x, y = (observation[:, first + one] * reach for one in (RoadFeature.X, RoadFeature.Y))
    bend = 2.0 * y / np.maximum(x * x + y * y, 1.0) / usual.max_curvature
    return np.stack([np.full(len(x), _ACTION[0]), bend.clip(-1.0, 1.0)], 1).astype(np.float32)


def _kinematic_figure(parts: tuple[str, ...], target: float) -> Figure:
    """Every car an agent by the kinematic bicycle; who is done begins anew, so that all drive."""
    pool = AgentPool(
        "Town",
        CROWDS,
        agents=CROWDS,
        dynamics="kinematic",
        respawn=True,
        actions="velocity",
        observations=parts,
    )
    pool.reset(seed=1)
    stream, spent, count = np.random.default_rng(1), [], CROWDS * CROWDS
    for _ in range(2 * STEPS):
        actions, began = _drawn(stream, count), time.process_time()
        pool.step(actions)
        spent.append((time.process_time() - began) / count)
    floats = pool.observations.shape[1]
    pool.close()
    name = f"{CROWDS} worlds of {CROWDS} kinematic agents, {floats} floats"
    return Figure(name, 1.0 / median(spent), "agent-steps/s", target, detail="of processor time, one core")


def _rate_figure(name: str, env: DrivingEnv) -> Figure:
    rate = 1.0 / _env_seconds(env)
    env.close()
    return Figure(name, rate, "steps/s", detail="of processor time")
