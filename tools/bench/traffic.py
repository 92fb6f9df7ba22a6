"""How many vehicles drive, beside SUMO in the same run.

Both drive on a grid of signalised crossroads 200 m apart with two lanes in each direction and about ten vehicles on
each kilometre of lane, dt 0.1 s. Drivers follow, change lanes, give way and wait for lights; position, direction and
speed of all vehicles are read in every step. No vehicle arrives. One core, but for the row of the steps on two.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

import numpy as np

from dorosim.endpoint.traffic_threads import use_traffic_threads
from dorosim.ground.cores import usable_cores
from dorosim.mapmaking.track import grid_map
from dorosim.road.network import network_from_mgeo
from tools.bench.figure import Figure, FigureTable, best_seconds
from tools.bench.kept import from_cache
from tools.bench.sumo import WARM_STEPS, SumoRun, run_sumo
from tools.traffic_run import TrafficRun

COUNTS = (100, 1_000, 10_000, 50_000)
"""Vehicles of the rows of the table."""

PROMISED = (1_000, 10_000)
"""Vehicles at which the figure has a target, and SUMO is asked too."""

TARGET = 3.0
"""Million vehicle-steps a second."""

TO_SUMO = {1_000: 40.0, 10_000: 60.0}
"""How many times as many vehicle-steps a second as SUMO."""

SHARED, CORES, SHARED_TARGET = 10_000, 2, 1.6
"""Vehicles whose steps two cores share, and how many times as fast they are to be then."""

SHARED_ROUNDS = 60
"""Rounds of a few steps on one core and on two, in turns."""

DENSITY = 10.0
"""Vehicles on each kilometre of lane."""

ROUND_STEPS, OWN_ROUNDS = 10, 40
"""Steps of a round, as for SUMO, and rounds; the best round counts, for SUMO too."""

FEW = 1_000
DEARER = {10_000: 1.5, 50_000: 2.0}
"""How much more a vehicle may cost where there are so many than where there are `FEW`."""

READY = {10_000: (178.0, 1 / 10), 50_000: (1311.0, 1 / 12)}
"""By the number of vehicles: what making their grid, plan and places cost in version 0.6.0, in calibrations of the same
minute, and the share of it that may be left. Measured on 2026-11-26 and 27 from the commit of version 0.6.0, by what
the row measures: 10.7 to 12.4 s of the processor with calibrations of 0.063 to 0.067 s for 10,000, 90.1 s with 0.069 s
for 50,000. The mean of four, and one."""

CALIBRATION_ROUNDS = 5

_LANE_KM = 2 * 0.172
"""Kilometres of lane between two crossroads, in one direction, without the crossroads themselves."""


def figures() -> Iterator[Figure | FigureTable]:
    """The rates that are promised, the ratios to SUMO, and what a vehicle costs."""
    rows = []
    each: dict[int, float] = {}
    for count in COUNTS:
        side = side_of(count)
        made, took = time.perf_counter(), time.process_time()
        network = network_from_mgeo(grid_map(side))
        run = TrafficRun.fill(network, count, seed=1)
        made, took = time.perf_counter() - made, time.process_time() - took
        if count in READY:
            yield _ready(count, took, len(run.plan.drivable))
            yield from from_cache(count, network, run.plan)
        seconds, lights = _seconds_per_step(run)
        each[count] = seconds / count
        if count in DEARER and FEW in each:
            name = f"  a vehicle of {count:,} to one of {FEW:,}"
            yield Figure(name, each[count] / each[FEW], "x", DEARER[count], at_most=True)
        if count == SHARED:
            yield _shared(run)
        peer = run_sumo(count, side) if count in PROMISED else None
        if peer is not None:
            yield from _promised(count, seconds, run, peer)
        rows.append(_row(count, side, run, made, seconds, lights, peer))
    yield FigureTable(
        "cost of traffic in steps of 0.1 s; M/s: million vehicle-steps a second",
        ("vehicles", "grid", "links", "M/s", "step us", "lights us", "each ns", "SUMO ns", "ready s"),
        tuple(rows),
    )


def _ready(count: int, took: float, links: int) -> Figure:
    """How long a network, its plan and its vehicles took to get ready, to version 0.6.0."""
    before, target = READY[count]
    theirs = before * best_seconds(_small_arrays, CALIBRATION_ROUNDS, time.process_time)
    detail = f"{took:.2f} s of the processor, version 0.6.0 about {theirs:.1f} s by the calibration of this run"
    return Figure(f"  grid of {links:,} links ready, to 0.6.0", took / theirs, "x", target, at_most=True, detail=detail)


def _small_arrays() -> None:
    """The calibration: many calls of numpy with small arrays, which is what version 0.6.0 made networks with."""
    at = np.linspace(0.0, 1.0, 17)
    square = at * at
    for _ in range(20_000):
        np.column_stack((np.interp(at, at, square), square)).sum(axis=1)


def side_of(count: int) -> int:
    """The side of the grid on which so many vehicles have the density `DENSITY`."""
    return max(2, round(0.5 + math.sqrt(0.25 + count / (DENSITY * 4 * _LANE_KM))))


def _seconds_per_step(run: TrafficRun) -> tuple[float, float]:
    """Time of a whole step with its reading, and of the lights alone, the best of several rounds [s].

    The time of the processor counts, here and for SUMO: others on the machine take none of it.
    """
    for _ in range(WARM_STEPS):
        run.step()

    def steps() -> None:
        for _ in range(ROUND_STEPS):
            run.step()
            run.read()

    best = best_seconds(steps, OWN_ROUNDS, time.process_time) / ROUND_STEPS
    signal, started = run.signal, time.process_time()
    for _ in range(ROUND_STEPS):
        signal = run.lights.advance(signal, round(run.dt * 1e9))
    return best, (time.process_time() - started) / ROUND_STEPS


def _shared(run: TrafficRun) -> Figure:
    """How much faster a step is on two cores: the best step of each, in turns. Others on the machine spoil it."""
    name, best = f"  {SHARED:,} vehicles on {CORES} cores to one", dict.fromkeys((1, CORES), math.inf)
    if usable_cores() < CORES:
        return Figure(name, None, "x", detail="this machine has one core")
    for _ in range(SHARED_ROUNDS):
        for count in best:
            threads = use_traffic_threads(count)
            threads.compile()
            for _ in range(ROUND_STEPS):
                began = time.perf_counter()
                run.step()
                best[count] = min(best[count], time.perf_counter() - began)
    use_traffic_threads(1)
    detail = (
        f"{best[1] * 1e6:.0f} us a step, {best[CORES] * 1e6:.0f} us on {CORES} cores; the best of each, by the clock"
    )
    return Figure(name, best[1] / best[CORES], "x", SHARED_TARGET, detail=detail)


def _promised(count: int, seconds: float, run: TrafficRun, peer: SumoRun) -> Iterator[Figure]:
    rate = count / seconds
    speed = float(run.traffic.speed.mean())
    detail = f"{seconds * 1e6:.0f} us a step of {run.dt:g} s with lights and reading, mean speed {speed:.1f} m/s"
    yield Figure(f"{count:,} NPC vehicles", rate / 1e6, "M vehicle-steps/s", TARGET, detail=detail)
    name = f"  to libsumo at {count:,} vehicles"
    if peer.problem:
        yield Figure(name, None, "x", detail=peer.problem)
    else:
        detail = f"{peer.version} {peer.rate / 1e3:.0f} k vehicle-steps/s, {peer.vehicles:,} on the road"
        yield Figure(name, rate / peer.rate, "x", TO_SUMO.get(count), detail=detail)


def _row(
    count: int, side: int, run: TrafficRun, made: float, seconds: float, lights: float, peer: SumoRun | None
) -> tuple[str, ...]:
    theirs = f"{1e9 / peer.rate:,.0f}" if peer is not None and peer.rate else ""
    return (
        f"{count:,}",
        f"{side}x{side}",
        f"{len(run.plan.drivable):,}",
        f"{count / seconds / 1e6:.2f}",
        f"{seconds * 1e6:,.0f}",
        f"{lights * 1e6:.0f}",
        f"{seconds / count * 1e9:.0f}",
        theirs,
        f"{made:.1f}",
    )
