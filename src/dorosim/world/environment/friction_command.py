"""What can be asked about friction. Values are in SI, angles in rad, positions in the map frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from dorosim.world.command.actor import NEW_ACTOR, ActorCommand, Vector
from dorosim.world.environment.friction_area import Friction, problem_of_area, problem_of_pose, problem_of_road


class CreateMapObject(ActorCommand, frozen=True, tag=True):
    """Puts a map object such as a puddle somewhere; `actor` is its new id.

    Attributes:
        model: its name.
        position: in the map [m].
        rotation: roll, pitch, yaw [rad].
    """

    model: str
    position: Vector
    rotation: Vector = (0.0, 0.0, 0.0)


class CreateFrictionArea(ActorCommand, frozen=True, tag=True, kw_only=True):
    """Puts a map object with a friction area of its own somewhere: `CreateMapObject` and `SetFrictionArea` at once.

    The Standard API and scenario files make both together. Attributes as of the two.
    """

    actor: int = NEW_ACTOR
    model: str = ""
    position: Vector
    rotation: Vector = (0.0, 0.0, 0.0)
    vertical_radius: float
    horizontal_radius: float
    height: float
    multiplier: float


class RemoveMapObject(ActorCommand, frozen=True, tag=True):
    """Takes a map object away."""


class SetFrictionArea(ActorCommand, frozen=True, tag=True):
    """Gives a map object a friction area (dorosim.world.environment.friction_area).

    Attributes:
        vertical_radius: half axis along the object's x [m].
        horizontal_radius: half axis along its y [m].
        height: [m].
        multiplier: of the grip of wheels in it.
    """

    vertical_radius: float
    horizontal_radius: float
    height: float
    multiplier: float


class SetRoadFriction(msgspec.Struct, frozen=True, tag=True):
    """Sets the friction of all roads, over that of dry asphalt."""

    multiplier: float


FrictionCommand = CreateMapObject | CreateFrictionArea | RemoveMapObject | SetFrictionArea | SetRoadFriction
"""Every command about friction."""


def change_friction(friction: Friction, command: FrictionCommand) -> tuple[Friction, str]:
    """The friction after a command, and why the command is refused, or an empty string.

    Args:
        friction: as it is; it is not changed.
        command: what is asked.
    """
    return _EFFECTS[type(command)](friction, command)


def _create(friction: Friction, command: CreateMapObject) -> tuple[Friction, str]:
    if friction.row_of(command.actor) >= 0:
        return friction, f"there is a map object {command.actor} already"
    problem = problem_of_pose(command.position, command.rotation)
    if problem:
        return friction, problem
    return friction.with_object(command.actor, command.model, command.position, command.rotation), ""


def _create_area(friction: Friction, command: CreateFrictionArea) -> tuple[Friction, str]:
    place = CreateMapObject(command.actor, command.model, command.position, command.rotation)
    made, problem = _create(friction, place)
    if problem:
        return friction, problem
    area = (command.actor, command.vertical_radius, command.horizontal_radius, command.height, command.multiplier)
    problem = problem_of_area(made, *area)
    return (friction, problem) if problem else (made.with_area(*area), "")


def _remove(friction: Friction, command: RemoveMapObject) -> tuple[Friction, str]:
    if friction.row_of(command.actor) < 0:
        return friction, f"no map object {command.actor}"
    return friction.without(frozenset({command.actor})), ""


def _set_area(friction: Friction, command: SetFrictionArea) -> tuple[Friction, str]:
    area = (command.actor, command.vertical_radius, command.horizontal_radius, command.height, command.multiplier)
    problem = problem_of_area(friction, *area)
    return (friction, problem) if problem else (friction.with_area(*area), "")


def _set_road(friction: Friction, command: SetRoadFriction) -> tuple[Friction, str]:
    problem = problem_of_road(command.multiplier)
    return (friction, problem) if problem else (friction.with_road(command.multiplier), "")


_EFFECTS: dict[type[Any], Callable[[Friction, Any], tuple[Friction, str]]] = {
    CreateMapObject: _create,
    CreateFrictionArea: _create_area,
    RemoveMapObject: _remove,
    SetFrictionArea: _set_area,
    SetRoadFriction: _set_road,
}
