#!/usr/bin/env python3
"""Steps the simulation in lockstep with a controller: time stands still while it thinks.

Start the simulator (dorosim run), then: python examples/grpc/lockstep.py [HOST:PORT]
"""

import sys

from dorosim.client import State, connect


def main(address: str = "127.0.0.1:7789", *, steps: int = 50, target: float = 5.0) -> State:
    with connect(address) as client:
        client.set_mode("Ego", "auto")
        client.set_gear("Ego", "D")
        with client.synchronous(period=0.05):
            for _ in range(steps):
                state = client.state()
                error = target - state.speed  # a controller may think here as long as it likes
                client.drive(accelerator=min(max(0.3 * error, 0.0), 1.0), brake=min(max(-0.1 * error, 0.0), 1.0))
                client.tick()
            last = client.state()
        print(f"{steps} steps of 50 ms, at the end {last.speed:.2f} m/s at {last.time:.2f} s")
        client.drive(brake=1.0)
    return last


if __name__ == "__main__":
    main(*sys.argv[1:2])
