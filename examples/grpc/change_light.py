#!/usr/bin/env python3
"""Turns a traffic light red, looks at it, and gives it back to its programme.

Start the simulator (dorosim run), then: python examples/grpc/change_light.py [HOST:PORT]
"""

import sys

from dorosim.client import Light, connect


def main(address: str = "127.0.0.1:7789") -> Light:
    with connect(address) as client:
        lights = client.map_files()["traffic_light_set.json"]
        name = next(light["idx"] for light in lights if light["type"] == "car")
        print(f"{name} shows {client.light(name).color!r}")
        client.set_light(name, Light.RED)
        seen = client.light(name).color
        print(f"{name} shows {seen!r}")
        client.set_light(name, None)
    return seen


if __name__ == "__main__":
    main(*sys.argv[1:2])
