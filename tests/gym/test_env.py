"""The environments of one agent: what an episode does, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from dorosim.app.run.replay import replay_file
from dorosim.ground.error import InputError
from dorosim.gym import NAMES, DrivingEnv, DrivingVectorEnv, parallel_env
from dorosim.gym.action import ACCELERATIONS, LANE_ACTIONS
from dorosim.gym.kind import KINDS
from dorosim.gym.setting import WEIGHTS

SMALL = {"map": "village", "vehicles": 4}
SCENARIO = Path(__file__).parents[2] / "examples" / "scenario" / "cut_in.xosc"


@pytest.fixture(scope="module")
def village():
    env = DrivingEnv("Town", **SMALL)
    yield env
    env.close()


def test_all_kinds_are_registered():
    assert set(NAMES) == set(KINDS)
    for name in NAMES:
        spec = gymnasium.spec(f"dorosim/{name}-v0")
        assert spec.vector_entry_point is not None


@pytest.mark.parametrize("actions", ["pedals", "velocity", "discrete", "lanes"])
def test_every_kind_of_action_drives(actions):
    env = DrivingEnv("Town", actions=actions, observations=("ego", "road"), flat=False, masks=True, **SMALL)
    env.action_space.seed(0)
    _, info = env.reset(seed=2)
    for step in range(25):
        action = {
            "pedals": np.array([0.5, 0.0], np.float32),
            "velocity": np.array([0.0, 0.0], np.float32),
            "discrete": np.array([len(ACCELERATIONS) - 1, 6]),
            "lanes": LANE_ACTIONS.index("faster" if step == 5 else "keep"),
        }[actions]
        observation, _, _, _, info = env.step(action)
        assert env.observation_space.contains(observation)
    assert info["speed"] > 2.0
    assert env.episode.world is not None
    assert not env.episode.world.now.refusals
    assert ("action_mask" in info) == (actions in ("discrete", "lanes"))
    env.close()


def test_the_wheel_turns_to_the_side_of_the_action(village):
    headings = []
    for wheel in (-0.5, 0.0, 0.5):
        village.reset(seed=3)
        for _ in range(20):
            village.step(np.array([0.6, wheel], np.float32))
        headings.append(village.episode.agents.state.heading_error[0])
    assert headings[0] < headings[1] - 0.1 < headings[2] - 0.2


def test_one_seed_gives_one_episode_and_another_seed_another(village):
    def run(seed: int) -> list[bytes]:
        observation, _ = village.reset(seed=seed)
        found = [observation.tobytes()]
        for _ in range(10):
            observation, reward, *_ = village.step(np.array([0.4, 0.1], np.float32))
            found += [observation.tobytes(), np.float64(reward).tobytes()]
        return found

    assert run(7) == run(7)
    assert run(7) != run(8)


def test_it_goes_back_to_a_snapshot_and_on_as_before(village):
    village.reset(seed=5)
    for _ in range(5):
        village.step(np.array([0.5, 0.05], np.float32))
    moment = village.snapshot()

    def rest() -> list[tuple[bytes, float]]:
        found = []
        for _ in range(10):
            observation, reward, *_ = village.step(np.array([0.5, 0.05], np.float32))
            found.append((observation.tobytes(), reward))
        return found

    first = rest()
    village.restore(moment)
    assert rest() == first
    village.reset(seed=1)
    village.reset(options={"moment": moment})
    assert rest() == first, "also from another episode"


def test_a_car_that_leaves_the_road_is_off_road_or_hits_something(village):
    info = {}
    for seed in (0, 2):
        village.reset(seed=seed)
        for _ in range(150):
            _, reward, terminated, _, info = village.step(np.array([1.0, 0.4], np.float32))
            if terminated:
                break
        assert info["off_road"] or info["collision"]
        event = "off_road" if info["off_road"] else "collision"
        assert info["reward_terms"][event] == WEIGHTS[event]
        assert reward == pytest.approx(sum(info["reward_terms"].values()), abs=1e-12)


def test_an_episode_is_cut_off_after_its_steps():
    env = DrivingEnv("Town", max_steps=3, **SMALL)
    env.reset(seed=0)
    ends = [env.step(np.zeros(2, np.float32))[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    env.close()


def test_a_car_that_parks_has_arrived():
    env = DrivingEnv("Parking")
    env.reset(seed=4)
    task, world = env.task, env.episode.world
    assert world is not None
    goal = env.episode.agents.state
    from dorosim.world.vehicle.command import PlaceVehicle
    from dorosim.world.vehicle.mode import Gear

    place = (float(goal.goal_x[0]), float(goal.goal_y[0]), math.nan)
    heading = float(goal.goal_heading[0])
    _, _, terminated, _, info = env.step(np.zeros(2, np.float32))
    assert not terminated
    assert not info["arrival"]
    env.episode.step((PlaceVehicle(1, (*place[:2], 0.0), (0.0, 0.0, heading), 0.0, Gear.D),))
    assert env.episode.info(0)["arrival"]
    assert env.episode.info(0)["is_success"]
    assert task.goal.radius == 0.5
    env.close()


def test_observations_are_finite_and_in_their_space_at_every_step():
    env = DrivingEnv(
        "Intersection",
        observations=("ego", "neighbours", "road", "lights", "lidar"),
        rings=2,
        rays=16,
        vehicles=8,
        pedestrians=5,
        weather={"weather": "rainy", "time_of_day": 22.0},
    )
    env.action_space.seed(1)
    for seed in range(3):
        observation, _ = env.reset(seed=seed)
        for _ in range(30):
            assert env.observation_space.contains(observation)
            assert np.isfinite(observation).all()
            observation, *_ = env.step(env.action_space.sample())
    env.close()


def test_pictures_are_what_the_agent_sees():
    env = DrivingEnv(
        "Town", observations=("ego", "picture"), flat=False, picture_size=(48, 32), render_mode="rgb_array", **SMALL
    )
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    assert np.ptp(observation["picture"]) > 50
    rendered = env.render()
    assert rendered.shape == (400, 640, 3)
    assert np.ptp(rendered) > 50
    env.close()


def test_episodes_are_recorded_for_replay(tmp_path: Path):
    folder = tmp_path / "runs" / "today"
    env = DrivingEnv("Town", record=str(folder), **SMALL)
    for seed in (1, 2):
        env.reset(seed=seed)
        for _ in range(4):
            env.step(np.array([0.5, 0.0], np.float32))
    env.close()
    files = sorted(folder.glob("episode-*.rec"))
    assert len(files) == 2
    for file in files:
        found = replay_file(file, None, tmp_path)
        assert found.equal
        assert found.ticks == 5, "the opening and four steps"
    env = DrivingEnv("Town", record=str(files[0]), **SMALL)
    with pytest.raises(InputError, match="give another folder"):
        env.reset(seed=1)
    env.close()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"vehicels": 3}, "did you mean 'vehicles'"),
        ({"map": "nowhere"}, "nowhere"),
        ({"actions": "wheels"}, "use pedals, velocity"),
        ({"observations": "ego"}, "give a list"),
        ({"observations": ()}, "empty"),
        ({"observations": ("picture",)}, "flat=False"),
        ({"rewards": {"progres": 1.0}}, "use progress"),
        ({"rewards": {"progress": math.nan}}, "finite"),
        ({"neighbours": -1}, "neighbours: -1 is outside"),
        ({"neighbours": 2.5}, "whole number"),
        ({"max_speed": math.inf}, "max_speed: inf is outside"),
        ({"start_speed": math.nan}, "start_speed: nan is outside"),
        ({"tick_ms": 0.0}, "tick_ms"),
        ({"weather": {"weather": "hail"}}, "hail"),
        ({"picture_size": (4, 4)}, "8 to 4096"),
        ({"agents": 2}, "parallel_env"),
        ({"vehicle": "cart"}, "cart"),
        ({"render_mode": "ansi"}, "rgb_array or human"),
        ({"map": None}, "map: is None; give a text"),
        ({"vehicles": "3"}, "vehicles: '3' is no number"),
        ({"vehicles": -1}, "vehicles: -1 is no number"),
        ({"pedestrians": 2.5}, "pedestrians: 2.5 is no number"),
        ({"flat": "no"}, "give True or False"),
        ({"rewards": ["lane"]}, "rewards: is .*; give a table"),
        ({"weather": [1]}, "weather: is .*; give a table"),
        ({"picture_size": 5}, "picture_size: is 5; give a list"),
        ({"ends": "collision"}, "ends: is 'collision'; give a list"),
        ({"scenario": 5}, "scenario: is 5; give a path"),
    ],
)
def test_a_wrong_setting_says_what_is_right(settings, says):
    with pytest.raises(InputError, match=".*".join(says.split(" "))):
        DrivingEnv("Town", **{**SMALL, **settings})


def test_what_else_is_wrong_is_refused(village):
    with pytest.raises(InputError, match="Town, Motorway"):
        DrivingEnv("City")
    with pytest.raises(InputError, match="give a file"):
        DrivingEnv("Scenario")
    with pytest.raises(gymnasium.error.ResetNeeded):
        DrivingEnv("Town", **SMALL).step(np.zeros(2, np.float32))
    village.reset(seed=0)
    for action in ([math.nan, 0.0], [0.0], "left", [math.inf, 0.0]):
        with pytest.raises(ValueError, match="two"):
            village.step(action)
    for options in ({"seed": 1}, {"world_seed": -1}, {"world_seed": 1.5}, {"moment": "then"}):
        with pytest.raises(InputError):
            village.reset(options=options)


def test_values_may_be_what_programs_have_at_hand():
    """Numbers of numpy, paths, lists, and numbers as parameters of a scenario."""
    env = DrivingEnv(
        "Town", map="village", vehicles=np.int64(2), max_speed=np.float32(10.0), ends=[], agents=np.int8(1)
    )
    assert (env.settings.vehicles, env.settings.ends) == (2, ())
    env.reset(seed=1)
    env.close()
    speeds = []
    for speed in (10, 15.5):
        env = DrivingEnv("Scenario", scenario=SCENARIO, parameters={"EgoSpeed": speed})
        speeds.append(env.reset(seed=1)[1]["speed"])
        env.close()
    assert speeds == pytest.approx([10.0, 15.5])


def test_a_moment_of_another_environment_is_refused(village):
    village.reset(seed=1)
    moment = village.snapshot()
    with pytest.raises(gymnasium.error.ResetNeeded, match="before snapshot"):
        DrivingEnv("Town", **SMALL).snapshot()
    other = DrivingEnv("Motorway", vehicles=0)
    with pytest.raises(InputError, match="of the map village, and this is motorway"):
        other.restore(moment)
    cars = parallel_env("Town", agents=2, **SMALL)
    with pytest.raises(InputError, match="of 1 agents, and here are 2"):
        cars.restore(moment)
    vector = DrivingVectorEnv(1, "Town", **SMALL)
    with pytest.raises(InputError, match="moment: is str"):
        vector.restore(0, "then")
    vector.restore(0, moment)
    for one in (other, cars, vector):
        one.close()


def test_what_needs_no_other_package_is_there_by_a_star():
    found = {}
    exec("from dorosim.gym import *", found)
    assert {"DrivingEnv", "AgentPool", "parallel_env"} <= found.keys()
