"""RLlib takes the environment in which every car is an agent, with the version of Gymnasium that it pins."""

from __future__ import annotations

import json

import pytest

from tests.peers.environment import RLLIB
from tests.peers.learnt import learnt

pytestmark = pytest.mark.peer


def test_rllib_drives_and_learns():
    found = json.loads(learnt(RLLIB, "first", RLLIB.folder / "check_ray.py").splitlines()[-1])
    assert found["gymnasium"] == "1.2.2"
    assert found["is_theirs"]
    assert found["same"], "one seed, one episode"
    assert found["cut"]
    assert found["steps"] >= 240
