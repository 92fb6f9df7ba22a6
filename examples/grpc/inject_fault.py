#!/usr/bin/env python3
"""Drives with an accelerator that has failed: nothing happens. Then the fault is taken away, and the vehicle goes.

Start the simulator (dorosim run), then: python examples/grpc/inject_fault.py [HOST:PORT]
"""

import sys
import time

from dorosim.client import Client, connect


def speed_after(client: Client, seconds: float) -> float:
    client.drive(accelerator=0.6)
    end = client.time() + seconds
    while client.time() < end:
        time.sleep(0.05)
    return client.state().speed


def main(address: str = "127.0.0.1:7789") -> tuple[float, float]:
    with connect(address) as client:
        client.set_mode("Ego", "auto")
        client.set_gear("Ego", "D")
        client.drive(brake=1.0)
        while client.state().speed > 0.1:
            time.sleep(0.1)
        client.set_control_fault("accelerator", "lost")
        broken = speed_after(client, 1.0)
        print(f"with the fault: {broken:.2f} m/s")
        client.set_control_fault("accelerator", "none")
        healthy = speed_after(client, 2.0)
        print(f"without: {healthy:.2f} m/s")
        client.drive(brake=1.0)
    return broken, healthy


if __name__ == "__main__":
    main(*sys.argv[1:2])
