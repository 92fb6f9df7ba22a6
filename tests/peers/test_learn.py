"""Stable-Baselines3 learns to drive, in an environment of its own with torch for the processor."""

from __future__ import annotations

import json
import re

import pytest

from tests.peers.environment import LEARN
from tests.peers.learnt import learnt
from tests.source import ROOT

pytestmark = pytest.mark.peer
EXAMPLES = ROOT / "examples" / "learn"
ROW = re.compile(r"([\d,]+) steps, +[\d.]+ s: reward +(-?[\d.]+)")
SHARE = re.compile(r"^([\d.]+) % of ", re.MULTILINE)
LANE_KEPT, CROSSING_KEPT = 80.0, 80.0
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


def share_of(shown: str) -> float:
    """Percent of episodes that were well done."""
    found = SHARE.search(shown)
    assert found, shown
    return float(found[1])


def test_kept_policies_drive_in_towns_they_have_not_seen(tmp_path):
    for name, file, least in (("lane_keeping", "lane", LANE_KEPT), ("intersection", "intersection", CROSSING_KEPT)):
        kept = EXAMPLES / f"{file}.npz"
        asked = ("--evaluate", kept, "--episodes", 20, "--other-towns", 1, "--maps", tmp_path)
        assert share_of(learnt(LEARN, "last", EXAMPLES / f"{name}.py", *asked)) >= least


def test_the_reward_of_towns_rises_within_a_minute(tmp_path):
    out = tmp_path / "lane"
    asked = ("--seconds", 60, "--towns", 1, "--other-towns", 1, "--episodes", 2, "--maps", tmp_path, "--out", out)
    shown = learnt(LEARN, "last", EXAMPLES / "lane_keeping.py", *asked, "--steps", 250_000, "--worlds", 64)
    rewards = [float(reward) for _, reward in ROW.findall(shown)]
    assert len(rewards) >= 5
    assert max(rewards[-3:]) > rewards[0] + 5.0
    assert out.with_suffix(".npz").is_file()
    assert out.with_suffix(".csv").read_text().startswith("steps,seconds,")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "least"), [("lane_keeping", 95.0), ("intersection", 80.0)])
def test_it_learns_in_5_million_steps_and_15_minutes(name, least, seed, tmp_path):
    asked = ("--seed", seed, "--maps", tmp_path, "--out", tmp_path / name, "--steps", 4_900_000, "--seconds", 900)
    assert share_of(learnt(LEARN, "last", EXAMPLES / f"{name}.py", *asked)) >= least
