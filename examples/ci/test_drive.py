"""A stack under test in CI: it has to stop before an obstacle.

It drives in lockstep: simulated time waits for the stack, so a slow machine gets the same result as a quick one. The
fixtures of `dorosim.testing` start the simulator on ports of its own and end it; of a test that fails they keep its
recording, log and video in `dorosim-failures`:

    python -m pytest -p dorosim.testing test_drive.py
"""

import math

import pytest

from dorosim.testing import Ego


def stack(speed: float, distance: float) -> tuple[float, float]:
    """What is tested: accelerator and brake by speed [m/s] and distance to the obstacle [m]. Put your own here."""
    stopping = speed**2 / (2 * 4.0) + 12.0
    if distance < stopping:
        return 0.0, 0.6
    return max(0.0, min(1.0, 0.3 * (8.0 - speed))), 0.0


@pytest.mark.dorosim("--seed", "1", period=0.05)
def test_it_stops_before_an_obstacle(ego: Ego) -> None:
    fastest, closest = 0.0, math.inf
    state = ego.state
    (x, y, z), yaw = state.position, state.rotation[2]
    place = (x + 60.0 * math.cos(yaw), y + 60.0 * math.sin(yaw), z)
    ego.client.spawn_obstacle(place, model="container")
    for _ in range(400):
        distance = math.dist(state.position[:2], place[:2])
        accelerator, brake = stack(state.speed, distance)
        ego.drive(accelerator=accelerator, brake=brake)
        state = ego.step()
        fastest, closest = max(fastest, state.speed), min(closest, distance)
    assert fastest > 7.0, "it drove"
    assert state.speed == pytest.approx(0.0, abs=0.1), "it stands"
    assert closest > 10.0, f"from the rear axle to the middle of the container: {closest:.1f} m"
