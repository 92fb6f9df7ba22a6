"""Gymnasium's checker has nothing to say of any environment: all kinds as they are, all actions and forms, pictures."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from dorosim.gym import NAMES
from dorosim.gym.kind import KINDS
from dorosim.gym.setting import ACTIONS

SCENARIO = Path(__file__).parents[2] / "examples" / "scenario" / "cut_in.xosc"
SMALL = {"map": "village", "vehicles": 2}
FORMS = [{"flat": True}, {"flat": False}, {"flat": False, "masks": True}]
PARTS = [
    {"flat": False, "observations": ("ego", "picture"), "picture_size": (32, 24)},
    {"observations": ("ego", "lidar"), "rings": 2},
    {"observations": ("lights", "road", "neighbours"), "neighbours": 0, "lights": 1},
]


def checked(name, *, render=False, **settings):
    """Warnings are errors here, as in all tests: there is none that would have to be listed with a reason."""
    env = gymnasium.make(f"dorosim.gym:dorosim/{name}-v0", **settings)
    try:
        check_env(env.unwrapped, skip_render_check=not render)
    finally:
        env.close()


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_as_it_is(name):
    assert name in NAMES
    checked(name, **({"scenario": str(SCENARIO)} if name == "Scenario" else {}))


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("actions", ACTIONS)
def test_every_kind_of_action_in_every_form(actions, form):
    checked("Town", actions=actions, **form, **SMALL)


@pytest.mark.parametrize("parts", PARTS, ids=str)
def test_other_parts_of_observations(parts):
    checked("Town", **parts, **SMALL)


def test_pictures_and_the_page_too(capsys):
    """The checker makes the environment anew with each of its render modes, and renders."""
    checked("Town", render=True, speed=0.0, render_mode="rgb_array", **SMALL)
    assert capsys.readouterr().out.startswith("live page: http://127.0.0.1:")


def test_a_warning_would_be_seen(monkeypatch):
    """The same checker on an environment whose rewards are none."""
    env = gymnasium.make("dorosim.gym:dorosim/Town-v0", **SMALL).unwrapped
    step = env.step
    monkeypatch.setattr(env, "step", lambda action: (step(action)[0], float("nan"), *step(action)[2:]))
    with pytest.raises(UserWarning, match="NaN"):
        check_env(env, skip_render_check=True)
    env.close()
