"""Many worlds on one map, each of them bit for bit what it is alone.

from dorosim.batch import Batch, WorldMap

town = WorldMap.open("town")
worlds = Batch([town.start(seed=seed, vehicles=25) for seed in range(8)])
worlds.step()
worlds[3].now.vehicle.x
"""

from __future__ import annotations

from dorosim.batch.batch import Batch
from dorosim.batch.start import WorldStart
from dorosim.batch.stepper import Stepper, ThreadStepper
from dorosim.batch.world import Moment, World
from dorosim.batch.world_map import WorldMap

__all__ = ["Batch", "Moment", "Stepper", "ThreadStepper", "World", "WorldMap", "WorldStart"]
