#!/usr/bin/env python3
"""Makes a fleet of vehicles behind the ego vehicle and lets the built-in driver drive them all, at several speeds.

Start the simulator (dorosim run), then: python examples/grpc/cruise_fleet.py [HOST:PORT]
"""

import math
import sys

from dorosim.client import connect


def main(address: str = "127.0.0.1:7789", *, count: int = 4, seconds: float = 4.0) -> list[float]:
    with connect(address, key="cruise_fleet") as client:
        ego = client.state()
        yaw, fleet = ego.rotation[2], []
        for number in range(1, count + 1):
            behind = -12.0 * number
            place = (ego.position[0] + behind * math.cos(yaw), ego.position[1] + behind * math.sin(yaw))
            fleet.append(client.spawn_vehicle((*place, ego.position[2]), ego.rotation, ego.model, ego=True))
        for number, car in enumerate(fleet):
            client.set_mode(car, "cruise")
            client.cruise(car, speed=4.0 + number)
        client.set_mode("Ego", "cruise")
        client.cruise("Ego", limit_ratio=0.8)
        end = client.time() + seconds
        for states in client.states(2.0, columns=["id", "name", "velocity"], kinds=["vehicle"]):
            speeds = [math.hypot(*states["velocity"][states.row_of(car)][:2]) for car in fleet]
            print(f"{states.time:6.2f} s  " + "  ".join(f"{speed:5.2f} m/s" for speed in speeds))
            if states.time > end:
                break
        client.destroy_all()
    return speeds


if __name__ == "__main__":
    main(*sys.argv[1:2])
