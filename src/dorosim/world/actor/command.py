"""Commands about actors of any kind: where they are, how they move, what they are called, and that they leave."""

from __future__ import annotations

from enum import IntFlag

from dorosim.world.actor.alias import AliasKind
from dorosim.world.command import ActorCommand, Command, Vector
from dorosim.world.environment.command import CreateFrictionArea, CreateMapObject
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.mode import BiasRule
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import CreateVehicle


class Category(IntFlag):
    """Kinds of things that can be removed at once, in the order of the document's fields."""

    VEHICLE = 1
    PEDESTRIAN = 2
    OBSTACLE = 4
    SPAWN_POINT = 8
    MAP_OBJECT = 16


class RemoveActor(ActorCommand, frozen=True, tag=True):
    """Takes an actor of any kind, a map object or a spawn point out of the world, but not the first ego vehicle."""


class RemoveCategories(Command, frozen=True, tag=True):
    """Removes everything of some kinds. VEHICLE means NPC vehicles, not ego vehicles."""

    categories: Category


class PauseActor(ActorCommand, frozen=True, tag=True):
    """Stops an actor that moves by itself on the spot, or lets it go on as it did (gRPC page, ObjectPause).

    A vehicle with full dynamics goes on with the speed that it had, an NPC vehicle or a pedestrian from rest.
    Meanwhile others see it stand.
    """

    paused: bool


class PauseRun(Command, frozen=True, tag=True):
    """Stops simulated time, or lets it go on. Commands still apply meanwhile, in ticks of no duration."""

    paused: bool


class PlaceActor(ActorCommand, frozen=True, tag=True):
    """Puts an actor elsewhere; it keeps its speed, and what it was about to do as far as that goes on from there.

    An NPC vehicle that is put onto a lane and along it goes on there. One that is put beside the lanes, or across one,
    stands as it is put until a command lets it drive: a speed, a way, a goal, or `EnableDriver`, by which it decides
    for itself again. Then it drives onto the lane next to it. A vehicle whose physics is off is put at exactly the
    given pose.

    Attributes:
        position: origin in map [m]. rotation: roll, pitch, yaw [rad]; of an actor that stands on the ground the yaw.
    """

    position: Vector
    rotation: Vector


class SetSpeed(ActorCommand, frozen=True, tag=True):
    """Gives an actor a speed along its own heading at once [m/s].

    A vehicle goes on from there as it is driven; an NPC vehicle that stands beside the lanes drives onto one, at no
    more than `lane_return.SLOW`, and with 0 it stands again. A pedestrian walks at this speed from now on, and so does
    an obstacle that goes along points.
    """

    speed: float


class EnableDriver(ActorCommand, frozen=True, tag=True):
    """Lets an NPC vehicle or a pedestrian decide for itself, or makes it stand until it may (Standard API, SetAI).

    An NPC vehicle that stands beside the lanes drives onto one.
    """

    enabled: bool


class SetLaneOffset(ActorCommand, frozen=True, tag=True):
    """Lets the driver of an NPC vehicle, or that of an ego in cruise mode, keep off the centre of its lane.

    Attributes:
        rule: FIX: `bias` is its offset; GAUSSIAN: the standard deviation from which one is drawn, now.
        bias: over half the lane width, left positive.
    """

    rule: BiasRule
    bias: float


class SetGoal(ActorCommand, frozen=True, tag=True):
    """Gives a vehicle the links to drive along, and the goal to arrive at.

    An ego vehicle drives there in cruise mode. Behind its goal it goes on at random.

    Attributes:
        links: rows of links in driving order; neighbours are a link and one that follows it, or one beside it.
        position: goal in map [m]; None for the end of the last link.
        reach: how near to it counts as there [m]; 0 for `DEFAULT_GOAL_RADIUS`.
    """

    links: tuple[int, ...]
    position: Vector | None = None
    reach: float = 0.0


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


class CreateAs(Command, frozen=True, tag=True):
    """Makes something and notes its id in the scenario; what had this id in the scenario before leaves the world.

    A spawn point that has this id already is changed and keeps its id in the world, since vehicles came from it.

    Attributes:
        alias: id in the scenario.
        make: what makes it. Spawn points in it are named by the scenario's ids, as are the points that it makes, of
            which there is one; an id that is not known means none.
    """

    alias: int
    make: Making


class CreateNamed(Command, frozen=True, tag=True):
    """Makes something and gives it a name.

    A name that an actor has already is not given again: what is made then goes by its id alone (gRPC page,
    SendCreateMultiEgoVehicle).

    Attributes:
        make: what makes it; of spawn points one.
        name: "" for none. owner: of what is made, "" for none.
    """

    make: Making | CreateMapObject
    name: str = ""
    owner: str = ""


class SetLabel(ActorCommand, frozen=True, tag=True):
    """Gives an actor another name and another owner."""

    name: str
    owner: str = ""
