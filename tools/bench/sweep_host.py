"""A process that steps cells of the bench's sweep and does nothing else.

    python -m tools.bench.sweep_host CELLS SECONDS

A line that comes is a list of numbers of cells; a line goes out as these have been stepped.
"""

from __future__ import annotations

import json
import sys
from collections import deque

from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_run import world_ticks
from dorosim.app.store.folder import data_folder
from dorosim.app.sweep.cell import parameters_of
from dorosim.app.sweep.sampler import PlanCells
from dorosim.ground.noise import Noise
from tools.bench.sweep import sweep_plan


def main(arguments: list[str]) -> None:
    """Step cells until standard input ends."""
    plan = sweep_plan(int(arguments[0]), float(arguments[1]))
    cells, entry, data = PlanCells(plan), plan.scenarios[0], data_folder(None)
    for line in sys.stdin:
        for number in json.loads(line):
            cell = cells.cell(number)
            ready = ready_scenario(entry.file, data, (), parameters_of(plan, cell), ego="driver", seed=cell.seed)
            world = ready.world(round(plan.step * 1e9))
            deque(world_ticks(world, Noise(cell.seed), plan.time_limit), maxlen=0)
        sys.stdout.write("done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
