"""A stack under test in CI: a pedestrian steps out, a car cuts in, the car ahead brakes. It must brake, too.

Each run has a verdict of its own, and the same one every time: simulated time waits for the stack (lockstep). Of a test
that fails its recording is kept in `dorosim-failures`, and the line "again" does the run again:

    python -m pytest -p dorosim.testing test_scenario.py
"""

import sys
from pathlib import Path

import pytest

from dorosim.testing import ScenarioRunner

SCENARIOS = Path(__file__).parents[1] / "scenario"
STACK = [sys.executable, str(SCENARIOS / "sdk_stack.py")]
"""What is tested. Put the command of your stack here; it finds the simulator by the variable DOROSIM_RUN."""


@pytest.mark.parametrize("walk", [1.0, 1.5])
def test_it_brakes_for_a_pedestrian(scenario: ScenarioRunner, walk: float) -> None:
    file = SCENARIOS / "pedestrian.xosc"
    verdict = scenario(file, "--no-collision", ego="grpc", stack=STACK, parameters={"WalkSpeed": walk})
    assert verdict, verdict


def test_it_keeps_its_lane_while_it_brakes(scenario: ScenarioRunner) -> None:
    file = SCENARIOS / "slow_lead.xosc"
    verdict = scenario(file, "--no-collision", "--no-lane-left", "--min-distance", "1", ego="grpc", stack=STACK)
    assert verdict, verdict
    assert verdict.value("distance") > 2.0
