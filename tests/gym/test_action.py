"""What actions come to: speeds, curves, lanes and masks, against what the action asks for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.gym import DrivingEnv
from dorosim.gym.action import ACCELERATIONS, LANE_ACTIONS, STEERS

VILLAGE = {"map": "village", "vehicles": 0, "ends": (), "max_steps": 0}
MASK = "action_mask"


@pytest.fixture
def made():
    """Makes environments, which are closed after the test."""
    envs = []

    def make(name="Town", **settings):
        envs.append(DrivingEnv(name, **settings))
        return envs[-1]

    yield make
    for env in envs:
        env.close()


def ego(env):
    return env.episode.world.now.vehicle


@pytest.mark.parametrize(("share", "bend"), [(-0.6, 0.06), (-0.7, -0.04), (-0.8, 0.0)])
def test_velocity_and_curvature_are_driven(made, share, bend):
    env = made(actions="velocity", **VILLAGE)
    env.reset(seed=3)
    for _ in range(45):
        env.step(np.array([share, bend], np.float32))
    speed, most = 0.5 * (share + 1.0) * env.settings.max_speed, env.settings.max_curvature
    assert ego(env).velocity_x[0] == pytest.approx(speed, rel=0.05)
    assert ego(env).angular_velocity[2, 0] == pytest.approx(bend * most * speed, rel=0.15, abs=1e-3)


@pytest.mark.parametrize("number", [2, 4, 5])
def test_an_acceleration_is_that_of_its_number(made, number):
    env = made(actions="discrete", start_speed=10.0, **VILLAGE)
    env.reset(seed=1)
    speeds = []
    for _ in range(15):
        env.step(np.array([number, 6]))
        speeds.append(ego(env).velocity_x[0])
    assert speeds[14] - speeds[4] == pytest.approx(ACCELERATIONS[number], abs=0.2)


def test_thirteen_wheel_angles_are_thirteen_finer_in_the_middle(made):
    env = made(actions="discrete", **VILLAGE)
    limit, angles = 0.0, []
    for number in range(len(STEERS)):
        env.reset(seed=1)
        for _ in range(15):
            env.step(np.array([3, number]))
        limit = float(env.episode.world.now.parameter.max_steer[0])
        angles.append(float(ego(env).steer[0]))
    share = np.array(angles) / limit
    assert share == pytest.approx([math.copysign(one * one, one) for one in STEERS], abs=0.01)
    assert (np.diff(share) > 0).all()


def test_a_lane_is_changed_and_the_way_goes_on_there(made):
    """Seeds with room for a change on the link on which the episode begins."""
    env = made("Motorway", actions="lanes", vehicles=0, ends=(), max_steps=0)
    sides, episode = env.task.scene.network.neighbours.sides, env.episode
    for seed, name in ((4, "left"), (9, "right"), (2, "left")):
        number = LANE_ACTIONS.index(name)
        _, info = env.reset(seed=seed)
        link = episode.agents.link_of(0)
        for action, (beside, allowed) in enumerate(sides, LANE_ACTIONS.index("left")):
            assert bool(info[MASK][action]) == (beside[link] >= 0 and bool(allowed[link])), "before the change"
        wanted, offsets = int(sides[number - 1][0][link]), []
        for step in range(5):
            env.step(number if step == 3 else 0)
        for _ in range(50):
            _, _, _, _, info = env.step(0)
            offsets.append(info["offset"])
        assert 2.0 < max(map(abs, offsets)) < 3.0
        assert max(offsets, key=abs) > 0.0 if name == "left" else max(offsets, key=abs) < 0.0
        assert abs(offsets[-1]) < 0.3, "it is in the middle of its way again"
        assert info["reward_terms"]["lane"] > -0.01
        here = episode.agents.link_of(0)
        assert here == wanted or here in env.task.scene.network.successors.of(wanted)
        for action, (beside, allowed) in enumerate(sides, LANE_ACTIONS.index("left")):
            assert bool(info[MASK][action]) == (beside[here] >= 0 and bool(allowed[here])), "after it"


@pytest.mark.parametrize(("seed", "name"), [(4, "left"), (9, "right")])
def test_a_wish_on_the_first_step_is_heard(made, seed, name):
    """The driver's plan begins with it, as it would without a wish."""
    env = made("Motorway", actions="lanes", vehicles=0, ends=(), max_steps=0)
    env.reset(seed=seed)
    number, link = LANE_ACTIONS.index(name), env.episode.agents.link_of(0)
    wanted = int(env.task.scene.network.neighbours.sides[number - 1][0][link])
    for step in range(60):
        env.step(number if step == 0 else 0)
        assert not any(one.refusal for one in env.episode.world.now.outcomes)
    here = env.episode.agents.link_of(0)
    assert here == wanted or here in env.task.scene.network.successors.of(wanted)


def test_a_wish_for_a_lane_that_is_not_there_changes_nothing(made):
    plain, wishing = (made(actions="lanes", **VILLAGE) for _ in range(2))
    for env, number in ((plain, 0), (wishing, LANE_ACTIONS.index("left"))):
        env.reset(seed=1)
        env.step(number)
    assert (ego(wishing).floats == ego(plain).floats).all()
    assert (wishing.episode.world.now.traffic.floats == plain.episode.world.now.traffic.floats).all()


def test_at_the_edge_of_the_road_there_is_no_lane_beside(made):
    env = made(actions="lanes", **VILLAGE)
    _, info = env.reset(seed=1)
    assert info[MASK].tolist() == [1, 0, 0, 1, 1], "roads of the village have one lane a direction"


def test_faster_and_slower_end_at_the_limits_of_the_mask(made):
    env = made(actions="lanes", max_speed=15.0, **VILLAGE)
    _, info = env.reset(seed=1)
    for name in ("faster", "slower"):
        number, asked = LANE_ACTIONS.index(name), 0
        while info[MASK][number]:
            _, _, _, _, info = env.step(number)
            asked += 1
            assert asked < 20
        wished = float(env.episode.world.now.vehicle.cruise_speed[0])
        assert wished == (15.0 if name == "faster" else 0.0)
        assert asked >= 2


def test_who_stands_cannot_brake_and_who_drives_can(made):
    env = made(actions="discrete", **VILLAGE)
    _, info = env.reset(seed=1)
    assert info[MASK].tolist() == [0, 0, 0] + [1] * 17
    assert (env.action_masks() == info[MASK]).all()
    for _ in range(20):
        _, _, _, _, info = env.step(np.array([6, 6]))
    assert info[MASK].all()


def test_terms_are_weighed_by_their_names(made):
    plain, weighed = made(**VILLAGE), made(rewards={"progress": 3.0, "lane": 0.0}, **VILLAGE)
    for env in (plain, weighed):
        env.reset(seed=2)
    for _ in range(30):
        action = np.array([0.5, 0.02], np.float32)
        seen, reward, _, _, info = plain.step(action)
        other, told, _, _, same = weighed.step(action)
        assert (seen == other).all()
        terms = dict(info["reward_terms"])
        assert same["reward_terms"] == pytest.approx(terms | {"progress": 3.0 * terms["progress"], "lane": 0.0})
        assert told == pytest.approx(reward + 2.0 * terms["progress"] - terms["lane"])
    assert terms["progress"] > 0.0 > terms["lane"]


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.float16, ">f4"])
def test_an_action_means_the_same_as_an_array_of_any_kind_and_as_a_list(made, kind):
    actions = made(actions="pedals", **VILLAGE).episode.actions
    for two in ([0.25, -0.5], [-0.0, 1.0], [-1.0, 0.0], [1.5, -7.0]):
        found = actions.numbers(np.array(two, kind))
        assert repr(found) == repr(actions.numbers(two)) == repr(tuple(min(max(one, -1.0), 1.0) for one in two))


@pytest.mark.parametrize("wrong", [np.array([np.nan, 0.0], np.float32), np.array([0.0, -np.inf])])
def test_an_action_is_finite(made, wrong):
    actions = made(actions="pedals", **VILLAGE).episode.actions
    with pytest.raises(ValueError, match="two finite numbers"):
        actions.numbers(wrong)


def test_what_a_program_writes_into_an_info_is_in_no_other_one(made):
    env = made(**VILLAGE)
    env.reset(seed=1)
    info = env.step(np.zeros(2, np.float32))[4]
    info["collision"] = info["reward_terms"]["time"] = "mine"
    later = env.step(np.zeros(2, np.float32))[4]
    assert later["collision"] is False
    assert later["reward_terms"]["time"] != "mine"
