#!/usr/bin/env python3
"""Puts a box in front of the ego vehicle and measures, by rays from its roof, what is how far away around it.

Start the simulator (dorosim run), then: python examples/grpc/cast_ray.py [HOST:PORT]
"""

import math
import sys

from dorosim.client import connect


def main(address: str = "127.0.0.1:7789", *, rays: int = 12) -> list[float | None]:
    with connect(address, key="cast_ray") as client:
        ego = client.state()
        x, y, z = ego.position
        yaw = ego.rotation[2]
        place = (x + 15.0 * math.cos(yaw), y + 15.0 * math.sin(yaw), z)
        box = client.spawn_obstacle(place, yaw, "container")
        found = []
        for number in range(rays):
            angle = yaw + math.tau * number / rays
            eye = (x + 4.0 * math.cos(angle), y + 4.0 * math.sin(angle), z + 1.2)
            target = (x + 5.0 * math.cos(angle), y + 5.0 * math.sin(angle), z + 1.2)
            found.append(client.cast_ray(eye, target, reach=60.0))
            told = "nothing within 60 m" if found[-1] is None else f"{found[-1]:6.2f} m"
            print(f"{math.degrees(angle - yaw):5.0f} deg: {told}")
        client.destroy(box)
    return found


if __name__ == "__main__":
    main(*sys.argv[1:2])
