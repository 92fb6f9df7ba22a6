"""A stack under test in CI: it has to stop before an obstacle.

It drives in lockstep: simulated time waits for the stack, so a slow machine gets the same result as a quick one. The
run is recorded, so that a failure can be looked at, and replayed bit for bit.
"""

import math
import subprocess
from collections.abc import Iterator

import pytest

from dorosim.client import Client, connect

STEP = 0.05


@pytest.fixture
def client() -> Iterator[Client]:
    command = ["dorosim", "run", "--speed", "max", "--seed", "1", "--record", "drive.rec", "--quiet"]
    with subprocess.Popen(command) as simulator:
        try:
            with connect("127.0.0.1:7789", timeout=120.0) as connected:
                yield connected
        finally:
            simulator.terminate()


def stack(speed: float, distance: float) -> tuple[float, float]:
    """What is tested: accelerator and brake by speed [m/s] and distance to the obstacle [m]. Put your own here."""
    stopping = speed**2 / (2 * 4.0) + 12.0
    if distance < stopping:
        return 0.0, 0.6
    return max(0.0, min(1.0, 0.3 * (8.0 - speed))), 0.0


def test_it_stops_before_an_obstacle(client: Client) -> None:
    fastest, closest = 0.0, math.inf
    with client.synchronous(period=STEP):
        client.set_mode("Ego", "auto")
        client.set_gear("Ego", "D")
        state = client.state()
        (x, y, z), yaw = state.position, state.rotation[2]
        place = (x + 60.0 * math.cos(yaw), y + 60.0 * math.sin(yaw), z)
        client.spawn_obstacle(place, model="container")
        for _ in range(int(20.0 / STEP)):
            state = client.state()
            distance = math.dist(state.position[:2], place[:2])
            accelerator, brake = stack(state.speed, distance)
            client.drive(accelerator=accelerator, brake=brake)
            client.tick()
            fastest, closest = max(fastest, state.speed), min(closest, distance)
        assert fastest > 7.0, "it drove"
        assert client.state().speed == pytest.approx(0.0, abs=0.1), "it stands"
    assert closest > 10.0, f"from the rear axle to the middle of the container: {closest:.1f} m"
