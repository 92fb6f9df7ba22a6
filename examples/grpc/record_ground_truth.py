#!/usr/bin/env python3
"""Mounts a ground truth sensor on the ego vehicle and writes what it sees into a CSV file, ten times a second.

Start the simulator (dorosim run --vehicles 30), then: python examples/grpc/record_ground_truth.py [HOST:PORT]
"""

import csv
import sys
from pathlib import Path

from dorosim.client import connect


def main(address: str = "127.0.0.1:7789", out: str = "ground_truth.csv", *, seconds: float = 3.0) -> int:
    with connect(address) as client, Path(out).open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["time", "id", "kind", "model", "x", "y", "heading", "speed", "length", "width", "height"])
        sensor, rows = client.add_sensor("ground_truth", position=(0.0, 0.0, 1.5)), 0
        client.set_ground_truth(sensor, reach=150.0)
        begin = None
        for states in client.states(10.0, columns=["id"]):
            begin = states.time if begin is None else begin
            if states.time > begin + seconds:
                break
            for seen in client.ground_truth(sensor):
                x, y, _ = seen.position
                speed = (seen.velocity[0] ** 2 + seen.velocity[1] ** 2) ** 0.5
                place = (f"{x:.2f}", f"{y:.2f}", f"{seen.heading:.3f}", f"{speed:.2f}")
                table.writerow([f"{states.time:.2f}", seen.id, seen.kind, seen.model, *place, *seen.size])
                rows += 1
        client.remove_sensor(sensor)
    print(f"{rows} rows in {out}")
    return rows


if __name__ == "__main__":
    main(*sys.argv[1:3])
