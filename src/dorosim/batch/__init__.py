"""Many worlds on one map, each of them bit for bit what it is alone.

from dorosim.batch import WorldBatch, WorldMap

town = WorldMap.open("town")
worlds = WorldBatch([town.start(seed=seed, vehicles=25) for seed in range(8)])
worlds.step()
worlds[3].now.vehicle.x
"""

from __future__ import annotations

from dorosim.batch.batch import WorldBatch
from dorosim.batch.compiled import CompiledStepper
from dorosim.batch.start import WorldStart
from dorosim.batch.stepper import Stepper, ThreadStepper
from dorosim.batch.world import BatchWorld, WorldMoment
from dorosim.batch.world_map import WorldMap

__all__ = [
    "BatchWorld",
    "CompiledStepper",
    "Stepper",
    "ThreadStepper",
    "WorldBatch",
    "WorldMap",
    "WorldMoment",
    "WorldStart",
]
