"""Map objects and friction areas as clients ask for them (documents/grpc-api-en.txt, Friction)."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NamedTuple

from dorosim.bridge.actor import ActorKind, Names, kind_of
from dorosim.ground.error import InputError
from dorosim.world.actor.command import CreateNamed
from dorosim.world.command import NEW_ACTOR, Vector
from dorosim.world.environment.command import CreateFrictionArea, CreateMapObject, SetFrictionArea
from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS
from dorosim.world.snapshot import Snapshot


class Area(NamedTuple):
    """A friction area around a map object.

    Attributes:
        vertical_radius, horizontal_radius: half axes along the object's x and y [m].
        height: [m]. multiplier: of the grip of wheels in it.
    """

    vertical_radius: float
    horizontal_radius: float
    height: float
    multiplier: float


def create_object(name: str, model: str, position: Vector, rotation: Vector) -> CreateNamed:
    """Puts a map object such as a puddle somewhere.

    Args:
        name: by which the client will know it, "" for none.
        model: a name of a kind, in whatever spelling; see `map_object_kind`.
        position: in the map [m].
        rotation: roll, pitch, yaw [rad].

    Raises:
        InputError: it is the name of no kind.
    """
    return CreateNamed(CreateMapObject(NEW_ACTOR, map_object_kind(model), position, rotation), name)


def map_object_kind(name: str) -> str:
    """The kind of map objects that a name means, such as "Puddle" for "WaterPuddle_01" and "pudle".

    Raises:
        InputError: it means none; the object would do nothing.
    """
    words = [word.casefold() for word in re.findall("[A-Z]?[a-z]+|[A-Z]+", name)]
    said = "".join(words)
    for plain, kind in _KINDS.items():
        # short names stand in others as well, as in "Device"
        if plain in words or (len(plain) > _SHORT and plain in said):
            return kind
    near = get_close_matches(said, _KINDS, n=1, cutoff=0.7)
    if near:
        return _KINDS[near[0]]
    raise InputError("map object", "", f"there is no kind {name!r}", f"use {' or '.join(_KINDS.values())}")


_KINDS = {model.name.casefold(): model.name for model in MAP_OBJECT_MODELS if model.name}
"""Names of kinds, in lower case."""
_SHORT = 4


def create_area(name: str, owner: str, model: str, position: Vector, rotation: Vector, area: Area) -> CreateNamed:
    """Puts a map object with an area of its own somewhere; arguments as of `create_object`, and whose it is."""
    make = CreateFrictionArea(model=model, position=position, rotation=rotation, **area._asdict())
    return CreateNamed(make, name, owner)


def set_area(now: Snapshot, names: Names, text: str, area: Area) -> SetFrictionArea:
    """Gives a map object another area.

    Raises:
        InputError: there is no map object of this name.
    """
    actor = names.actor_of(text)
    if kind_of(now, actor) is not ActorKind.MAP_OBJECT:
        raise InputError("friction area", "", f"there is no map object {text!r}", "create it first")
    return SetFrictionArea(actor, *area)
