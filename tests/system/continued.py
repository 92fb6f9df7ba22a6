"""Drives a world in a process of its own, from tick 0 or from a snapshot file.

    python -m tests.system.continued DATA TICKS [--cars N] [--every TICKS] [--from FILE] [--save TICK FILE]

The world is full of everything, or with --cars one of that many NPC vehicles and a cruising ego vehicle. Prints the
digest after each tick, or after every so many, in hex, and then how many threads numba may use.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np

from dorosim.recording.snapshot import read_snapshot, write_snapshot
from dorosim.world.command import Command, Source
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveVehicle, SetCruise
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.recording.header import run_header
from tests.system.living_world import first_commands, later_commands
from tests.system.rig import rig


def cars_on(scene: Scene, count: int) -> Iterator[Command]:
    """NPC vehicles all over the map, and an ego vehicle that drives among them."""
    network = scene.network
    links = np.flatnonzero(network.link_drivable)
    ends = np.cumsum(network.link_length[links])
    for place in (np.arange(count) + 0.5) * ends[-1] / count:
        row = int(np.searchsorted(ends, place))
        s = float(network.link_length[links[row]] - (ends[row] - place))
        yield CreateNpc(model="2016_Hyundai_Ioniq", link=int(links[row]), s=s, move_on=True)
    yield SetCruise(EGO, ratio=0.9)
    yield DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.CRUISE)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("ticks", type=int)
    parser.add_argument("--cars", type=int)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", type=Path, dest="start")
    parser.add_argument("--save", nargs=2, default=(-1, ""))
    given = parser.parse_args()
    run = rig(given.data)
    scene = run.built.scene
    if given.start:
        run.loop.now = read_snapshot(given.start).snapshot
    for _ in range(given.ticks):
        tick, commands = run.now.tick, ()
        if given.cars is None:
            commands = later_commands(scene, tick) if tick else first_commands(scene)
        elif tick == 0:
            commands = cars_on(scene, given.cars)
        for command in commands:
            run.loop.put(Source.SCENARIO, command)
        now = run.turn()
        if now.tick % given.every == 0:
            print(now.digest().hex(), flush=True)
        if now.tick == int(given.save[0]):
            write_snapshot(Path(given.save[1]), run_header(run), now)
    print(numba.get_num_threads())


if __name__ == "__main__":
    main()
