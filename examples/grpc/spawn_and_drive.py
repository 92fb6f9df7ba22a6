#!/usr/bin/env python3
"""Makes a vehicle beside the ego vehicle, drives it for a few seconds, and takes it away again.

Start the simulator (dorosim run), then: python examples/grpc/spawn_and_drive.py [HOST:PORT]
"""

import math
import sys
import time

from dorosim.client import connect


def main(address: str = "127.0.0.1:7789", *, seconds: float = 3.0) -> float:
    with connect(address, key="spawn_and_drive") as client:
        ego = client.state()
        yaw = ego.rotation[2]
        ahead = [p + 20.0 * d for p, d in zip(ego.position, (math.cos(yaw), math.sin(yaw), 0.0), strict=True)]
        car = client.spawn_vehicle(ahead, ego.rotation, "2016_Hyundai_Ioniq", ego=True)
        print(f"made vehicle {car}")
        client.set_gear(car, "D")
        client.drive(car, accelerator=0.5, steer=math.radians(2.0))
        end = client.time() + seconds
        while client.time() < end:
            state = client.state(car)
            print(f"{state.time:6.2f} s  {state.speed:5.2f} m/s  at ({state.position[0]:.1f}, {state.position[1]:.1f})")
            time.sleep(0.5)
        speed = client.state(car).speed
        client.drive(car, brake=1.0)
        client.destroy(car)
    return speed


if __name__ == "__main__":
    main(*sys.argv[1:2])
