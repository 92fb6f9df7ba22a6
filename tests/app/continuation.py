"""Traffic on a grid, for some ticks, in a process of its own: it goes on from a file, and leaves its state in one.

    python -m tests.app.continuation SIDE VEHICLES TICKS [FROM] [TO]

It prints the digest of the last state.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from dorosim.mapmaking.track import grid_map
from dorosim.road.network import network_from_mgeo
from tools.traffic_run import TrafficRun

SEED = 11


def run_on(side: int, vehicles: int, ticks: int, begin: Path | None = None, end: Path | None = None) -> str:
    """The digest after some ticks, from the start or from the state in a file."""
    run = TrafficRun.fill(network_from_mgeo(grid_map(side)), vehicles, SEED)
    if begin is not None:
        run.traffic, run.signal, run.turn = pickle.loads(begin.read_bytes())
    for _ in range(ticks):
        run.step()
    if end is not None:
        end.write_bytes(pickle.dumps((run.traffic, run.signal, run.turn)))
    return run.digest()


if __name__ == "__main__":
    numbers, files = [int(text) for text in sys.argv[1:4]], [Path(text) for text in sys.argv[4:]]
    if len(files) == 1:
        print(run_on(*numbers, end=files[0]))
    else:
        print(run_on(*numbers, *files))
