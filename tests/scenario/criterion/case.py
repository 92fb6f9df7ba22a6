"""Twenty small encounters of two vehicles, of which another library says how critical they are (tests/peers)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

VECTORS = Path(__file__).with_name("criticality_vectors.json")
"""What commonroad-crime 0.4.5 says of them; `make test-peers` holds this file against it."""
DT = 0.1
STEPS = 80
LOOK = 5
"""Number of the step at which measures are taken, from 0."""
LANE_WIDTH = 4.0


class Vehicle(NamedTuple):
    """A vehicle: its middle before the crossing [m], speed, acceleration and jerk along its way, and its size [m]."""

    place: float
    speed: float
    acceleration: float = 0.0
    jerk: float = 0.0
    length: float = 4.5
    width: float = 1.8

    def speed_at(self, step: int) -> float:
        """Its speed [m/s]."""
        t = step * DT
        return self.speed + self.acceleration * t + self.jerk * t * t / 2.0

    def place_at(self, step: int) -> float:
        """Where its middle is on its way [m]."""
        t = step * DT
        return self.place + self.speed * t + self.acceleration * t * t / 2.0 + self.jerk * t**3 / 6.0


class Case(NamedTuple):
    """An encounter: both drive on the x axis; where they cross, the other one drives on the y axis."""

    name: str
    ego: Vehicle
    other: Vehicle
    crosses: bool = False


CASES = (
    Case("closing in", Vehicle(0.0, 20.0), Vehicle(40.0, 15.0)),
    Case("something stands", Vehicle(0.0, 13.0), Vehicle(90.0, 0.0)),
    Case("falling behind", Vehicle(0.0, 10.0), Vehicle(30.0, 12.0)),
    Case("braking a little", Vehicle(0.0, 15.0, -0.5), Vehicle(25.0, 10.0)),
    Case("braking enough", Vehicle(0.0, 25.0, -2.5), Vehicle(60.0, 10.0)),
    Case("speeding up from behind", Vehicle(0.0, 15.0, 2.0), Vehicle(35.0, 15.0)),
    Case("the other one speeds up", Vehicle(0.0, 20.0), Vehicle(50.0, 10.0, 1.0)),
    Case("the other one speeds away", Vehicle(0.0, 20.0), Vehicle(50.0, 18.0, 2.0)),
    Case("as fast as each other", Vehicle(0.0, 8.0), Vehicle(15.0, 8.0)),
    Case("behind a lorry", Vehicle(0.0, 22.2), Vehicle(45.0, 19.4, length=16.5, width=2.5)),
    Case("hard braking", Vehicle(0.0, 25.0, -2.9), Vehicle(45.0, 5.0)),
    Case("close on a motorway", Vehicle(0.0, 33.3), Vehicle(17.0, 27.7)),
    Case("braking harder and harder", Vehicle(0.0, 20.0, 0.0, -0.6), Vehicle(60.0, 12.0)),
    Case("pulling off", Vehicle(0.0, 2.0, 0.5, 0.4), Vehicle(20.0, 5.0)),
    Case("both speed up", Vehicle(0.0, 5.0, 1.0), Vehicle(12.0, 4.0, 0.5)),
    Case("bumper to bumper", Vehicle(0.0, 6.0), Vehicle(5.5, 5.5)),
    Case("crossing after the ego", Vehicle(-30.0, 10.0), Vehicle(-50.0, 9.0), crosses=True),
    Case("crossing before the ego", Vehicle(-50.0, 10.0), Vehicle(-26.0, 11.0, length=6.0, width=2.2), crosses=True),
    Case("crossing at once", Vehicle(-40.0, 10.0), Vehicle(-41.0, 10.0), crosses=True),
    Case("stopping before the crossing", Vehicle(-40.0, 8.0, -1.0), Vehicle(-35.0, 12.0), crosses=True),
)


def as_json() -> str:
    """The encounters as the program of the peer reads them."""
    return json.dumps(
        {
            "dt": DT,
            "look": LOOK,
            "lane_width": LANE_WIDTH,
            "cases": [
                {
                    "name": one.name,
                    "crosses": one.crosses,
                    "vehicles": [
                        {
                            "length": vehicle.length,
                            "width": vehicle.width,
                            "place": [vehicle.place_at(step) for step in range(STEPS)],
                            "speed": [vehicle.speed_at(step) for step in range(STEPS)],
                        }
                        for vehicle in (one.ego, one.other)
                    ],
                }
                for one in CASES
            ],
        }
    )


def vectors() -> dict[str, dict[str, Any]]:
    """What the other library says, by the names of the encounters; None is infinite."""
    found: dict[str, dict[str, Any]] = json.loads(VECTORS.read_text())
    return found
