"""The command by which a scenario makes things under its own ids, so that it can be loaded again and saved."""

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
"""The kind of thing that each of them makes."""


class CreateAs(WorldCommand, frozen=True, tag=True):
    """Makes something and notes its id in the scenario; what had this id in the scenario before leaves the world.

    A spawn point that has this id already is changed and keeps its id in the world, since vehicles came from it.

    Attributes:
        alias: id in the scenario.
        make: what makes it. Spawn points in it are named by the scenario's ids, as are the points that it makes, of
            which there is one; an id that is not known means none.
    """

    alias: int
    make: Making
