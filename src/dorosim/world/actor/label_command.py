"""The commands by which clients give names and owners to what they make."""

from __future__ import annotations

from dorosim.world.actor.alias_command import Making
from dorosim.world.command.actor import ActorCommand, WorldCommand
from dorosim.world.environment.friction_command import CreateMapObject


class CreateNamed(WorldCommand, frozen=True, tag=True):
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
