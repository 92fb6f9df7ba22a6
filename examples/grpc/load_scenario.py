#!/usr/bin/env python3
"""Loads a scenario file of the simulator's data folder, and tells who is there then.

Start the simulator (dorosim run), then: python examples/grpc/load_scenario.py HOST:PORT NAME
"""

import sys
from collections import Counter

from dorosim.client import ClientError, connect


def main(address: str = "127.0.0.1:7789", name: str = "scenario") -> Counter[str]:
    with connect(address) as client:
        try:
            client.load_scenario(name)
        except ClientError as error:
            print(f"it could not be loaded from {client.data_folder()}: {error}")
            raise SystemExit(1) from None
        there = Counter(client.all_states(columns=["kind"])["kind"].tolist())
        print(f"{name}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(there.items())))
    return there


if __name__ == "__main__":
    main(*sys.argv[1:3])
