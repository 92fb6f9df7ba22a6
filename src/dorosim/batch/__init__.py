"""Many worlds on one map, each of them bit for bit what it is alone.

from dorosim.batch import WorldBatch, WorldMap

town = WorldMap.open("town")
worlds = WorldBatch([town.start(seed=seed, vehicles=25) for seed in range(8)])
worlds.step()
worlds[3].now.vehicle.x

Worlds that play scenarios begin where `scenario_start(open_scenario_for_batch("cut_in.xosc"))` says.
"""

from __future__ import annotations

from dorosim.batch.batch import WorldBatch
from dorosim.batch.compiled import CompiledStepper
from dorosim.batch.start import WorldStart
from dorosim.batch.stepper import Stepper, ThreadStepper
from dorosim.batch.world import BatchWorld, WorldMoment
from dorosim.batch.world_map import WorldMap, open_scenario_for_batch, scenario_start

__all__ = [
    "BatchWorld",
    "CompiledStepper",
    "Stepper",
    "ThreadStepper",
    "WorldBatch",
    "WorldMap",
    "WorldMoment",
    "WorldStart",
    "open_scenario_for_batch",
    "scenario_start",
]
