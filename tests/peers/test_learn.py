"""Stable-Baselines3 learns to drive, in an environment of its own with torch for the processor."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.peers.environment import LEARN, LIMIT, packages_of
from tests.source import ROOT

pytestmark = pytest.mark.peer
BESIDE = Path(__file__).with_name("beside.py")
LINE = re.compile(r"([\d,]+) steps, +[\d.]+ s: reward +(-?[\d.]+)")


def learnt(program: Path, *arguments: object) -> str:
    """What a program prints that has dorosim and the peer's packages."""
    command = [sys.executable, BESIDE, packages_of(LEARN), "last", program, *arguments]
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, timeout=LIMIT, env=surroundings
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_it_is_a_vec_env_as_the_library_wants_it():
    found = json.loads(learnt(LEARN.folder / "check_stable.py").splitlines()[-1])
    assert found["same"]
    assert len(found["ends"]) >= 6
    assert all(shaped for _, shaped in found["ends"])
    assert any(cut for cut, _ in found["ends"])
    assert found["moments"] == 1
    assert found["episodes"] > 0
    assert found["wrapped"] == [False, False, False]


def test_the_reward_rises(tmp_path):
    """Within 60,000 steps, which take one to five minutes on two cores."""
    policy = tmp_path / "lane.zip"
    shown = learnt(ROOT / "examples" / "learn_lane.py", "--steps", 57_344, "--save", policy, "--episodes", 1)
    curve = [(int(steps.replace(",", "")), float(reward)) for steps, reward in LINE.findall(shown)]
    assert len(curve) >= 10
    assert curve[-1][1] > curve[0][1] + 15.0
    again = learnt(ROOT / "examples" / "learn_lane.py", "--play", policy, "--episodes", 1)
    assert again.splitlines()[-2:] == shown.splitlines()[-2:], "a policy that was saved drives as it did"
