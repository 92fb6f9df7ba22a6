"""The commands by which clients name what they make, and say whose it is."""

from __future__ import annotations

from dorosim.world.actor.alias_command import Making
from dorosim.world.command.actor import ActorCommand, WorldCommand
from dorosim.world.environment.friction_command import CreateMapObject


class CreateNamed(WorldCommand, frozen=True, tag=True):
    """Makes something and gives it a name.

    A name that somebody has already is not given again: what is made is then known by its id alone (gRPC page,
    SendCreateMultiEgoVehicle).

    Attributes:
        make: what makes it; of spawn points one.
        name: "" for none. owner: whose it is, "" for nobody's.
    """

    make: Making | CreateMapObject
    name: str = ""
    owner: str = ""


class SetLabel(ActorCommand, frozen=True, tag=True):
    """Gives an actor another name and another owner."""

    name: str
    owner: str = ""
