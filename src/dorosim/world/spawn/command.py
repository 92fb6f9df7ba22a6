"""Commands about spawn points."""

from __future__ import annotations

from dorosim.world.command import Command
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint


class SetVehicleSpawnPoints(Command, frozen=True, tag=True):
    """Makes spawn points of vehicles; those of the same id are replaced."""

    points: tuple[VehicleSpawnPoint, ...]


class SetPedestrianSpawnPoints(Command, frozen=True, tag=True):
    """Makes spawn points of pedestrians; those of the same id are replaced."""

    points: tuple[PedestrianSpawnPoint, ...]


class EnableSpawnPoints(Command, frozen=True, tag=True):
    """Lets spawn points of vehicles and pedestrians spawn, or stops them; no ids means all."""

    enabled: bool
    ids: tuple[int, ...] = ()


class RemoveSpawnPoints(Command, frozen=True, tag=True):
    """Takes spawn points away; the actors that they spawned stay. No ids means all."""

    ids: tuple[int, ...] = ()
