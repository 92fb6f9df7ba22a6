"""Stable-Baselines3 learns to drive, in an environment of its own with torch for the processor."""

from __future__ import annotations

import json
import re

import pytest

from tests.peers.environment import LEARN
from tests.peers.learnt import learnt
from tests.source import ROOT

pytestmark = pytest.mark.peer
LINE = re.compile(r"([\d,]+) steps, +[\d.]+ s: reward +(-?[\d.]+)")


def test_it_is_a_vec_env_as_the_library_wants_it():
    found = json.loads(learnt(LEARN, "last", LEARN.folder / "check_stable.py").splitlines()[-1])
    assert found["same"]
    assert len(found["ends"]) >= 6
    assert all(shaped for _, shaped in found["ends"])
    assert any(cut for cut, _ in found["ends"])
    assert found["moments"] == 1
    assert found["episodes"] > 0
    assert found["wrapped"] == [False, False, False]


def test_the_reward_rises(tmp_path):
    """Within 45,000 steps, which take a minute on two idle cores."""
    policy = tmp_path / "lane.zip"
    shown = learnt(
        LEARN, "last", ROOT / "examples" / "learn_lane.py", "--steps", 45_056, "--save", policy, "--episodes", 1
    )
    curve = [(int(steps.replace(",", "")), float(reward)) for steps, reward in LINE.findall(shown)]
    assert len(curve) >= 10
    assert curve[-1][1] > curve[0][1] + 10.0
    again = learnt(LEARN, "last", ROOT / "examples" / "learn_lane.py", "--play", policy, "--episodes", 1)
    assert again.splitlines()[-2:] == shown.splitlines()[-2:], "a policy that was saved drives as it did"
