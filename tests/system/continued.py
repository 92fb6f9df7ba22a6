"""Drives a world full of everything in a process of its own, from tick 0 or from a snapshot file.

    python -m tests.system.continued DATA TICKS [--from FILE] [--save TICK FILE]

prints the digest after each tick in hex, and then how many threads numba may use.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numba

from dorosim.recording.snapshot import read_snapshot, write_snapshot
from tests.recording.test_recording import run_header
from tests.system.living_world import turn
from tests.system.rig import rig


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("ticks", type=int)
    parser.add_argument("--from", type=Path, dest="start")
    parser.add_argument("--save", nargs=2)
    given = parser.parse_args()
    run = rig(given.data)
    if given.start:
        run.loop.now = read_snapshot(given.start).snapshot
    tick, file = given.save or (-1, "")
    for _ in range(given.ticks):
        (digest,) = turn(run, 1)
        print(digest.hex())
        if run.now.tick == int(tick):
            write_snapshot(Path(file), run_header(run), run.now)
    print(numba.get_num_threads())


if __name__ == "__main__":
    main()
