#!/usr/bin/env python3
"""Reads the states of everybody 50 times a second as numpy arrays, and finds who is fastest and nearest.

Start the simulator (dorosim run --vehicles 100), then: python examples/grpc/read_states.py [HOST:PORT]
"""

import sys

import numpy as np

from dorosim.client import connect

COLUMNS = ["id", "kind", "position", "velocity"]


def main(address: str = "127.0.0.1:7789", *, frames: int = 100) -> int:
    with connect(address) as client:
        read = 0
        for states in client.states(50.0, columns=COLUMNS):
            speed = np.linalg.norm(states["velocity"], axis=1)
            far = np.linalg.norm(states["position"] - states["position"][0], axis=1)
            read += 1
            if read % 50 == 1:
                fastest = speed.argmax()
                near = np.count_nonzero(far < 50.0) - 1
                print(
                    f"{states.time:6.2f} s: {states.rows} actors, {near} within 50 m; "
                    f"{states['kind'][fastest]} {states['id'][fastest]} goes {speed[fastest]:.1f} m/s"
                )
            if read == frames:
                break
    return read


if __name__ == "__main__":
    main(*sys.argv[1:2])
