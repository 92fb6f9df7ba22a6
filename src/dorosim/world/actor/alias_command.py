"""The command by which scenarios make things, so that they can be told apart and loaded again."""

from __future__ import annotations

from dorosim.world.actor.alias import AliasKind
from dorosim.world.command.actor import WorldCommand
from dorosim.world.environment.friction_command import CreateFrictionArea
from dorosim.world.obstacle.state import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.traffic.command import CreateNpc, SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.vehicle.command import CreateVehicle

Making = (
    CreateNpc
    | CreateVehicle
    | SpawnPedestrian
    | SpawnObstacle
    | SetVehicleSpawnPoints
    | SetPedestrianSpawnPoints
    | CreateFrictionArea
)
"""Commands that make something."""

ALIAS_KINDS: dict[type[Making], AliasKind] = {
    CreateNpc: AliasKind.VEHICLE,
    CreateVehicle: AliasKind.VEHICLE,
    SpawnPedestrian: AliasKind.PEDESTRIAN,
    SpawnObstacle: AliasKind.OBSTACLE,
    SetVehicleSpawnPoints: AliasKind.VEHICLE_SPAWN_POINT,
    SetPedestrianSpawnPoints: AliasKind.PEDESTRIAN_SPAWN_POINT,
    CreateFrictionArea: AliasKind.FRICTION_AREA,
}
"""Of what kind the thing is that each of them makes."""


class CreateAs(WorldCommand, frozen=True, tag=True):
    """Makes something and notes by which id a scenario knows it; what it knew by this id before leaves the world.

    A spawn point that the scenario knows already is changed and stays who it is, since vehicles came from it.

    Attributes:
        alias: id in the scenario.
        make: what makes it. Spawn points in it are named by the scenario's ids, as are the points that it makes, of
            which there is one; an id that is not known means none.
    """

    alias: int
    make: Making
