"""How long a network and its traffic plan take to be ready from mapped files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mapped_store import read_mapped, write_mapped
from dorosim.world.traffic.plan import TrafficPlan
from tools.bench.figure import Figure, best_seconds

FROM_CACHE = {10_000: 0.3, 50_000: 1.5}
"""By the number of vehicles for which their grid is made: within how many seconds it is to be ready from the cache."""

_ROUNDS = 3


def from_cache(count: int, network: RoadNetwork, plan: TrafficPlan) -> Iterator[Figure]:
    """The wall time in which a network and its plan are mapped and checked, without the start of Python."""
    with TemporaryDirectory(prefix="dorosim-bench-") as folder:
        files = Path(folder, "network"), Path(folder, "plan")
        for path, table in zip(files, (network, plan), strict=True):
            with path.open("wb") as file:
                write_mapped(file, table)

        def read() -> None:
            read_mapped(files[0], RoadNetwork)
            read_mapped(files[1], TrafficPlan)

        seconds = best_seconds(read, _ROUNDS, time.perf_counter)
        size = sum(path.stat().st_size for path in files) / 1e6
    name = f"  grid of {network.link_count:,} links ready from the cache"
    yield Figure(name, seconds, "s", FROM_CACHE[count], at_most=True, detail=f"{size:.0f} MB, files in memory")
