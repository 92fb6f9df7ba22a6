"""Pedestrians as clients speak of them: models by name, people by the texts that they are known by."""

from __future__ import annotations

from typing import NamedTuple

from dorosim.bridge.actor import ActorKind, Names, kind_of
from dorosim.ground.error import InputError
from dorosim.world.command import NEW_ACTOR, Vector
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS, pedestrian_model_row
from dorosim.world.snapshot import NO_ACTOR, Snapshot
from dorosim.world.waypoint import Waypoint


class Walk(NamedTuple):
    """How a pedestrian is to walk.

    Attributes:
        speed: [m/s], 0 for that of the model.
        active_distance: it starts when an ego vehicle is nearer than this [m].
        move_distance: how far it walks straight ahead [m], if `way` is empty.
        start: whether it walks at once.
        way: places to go to, in order.
    """

    speed: float = 0.0
    active_distance: float = 0.0
    move_distance: float = 0.0
    start: bool = False
    way: tuple[Waypoint, ...] = ()


def pedestrian_to_make(model: str, position: Vector, yaw: float, walk: Walk) -> tuple[SpawnPedestrian, str]:
    """The command that makes a pedestrian, and a sentence if another model stands for the one that was asked for.

    Args:
        model: its name, "" for the usual one.
        position: centre of the base in map [m].
        yaw: direction of view [rad].
        walk: how it is to walk.
    """
    row, is_it = pedestrian_model_row(model) if model.strip() else (0, True)
    note = "" if is_it else f"there is no pedestrian {model!r}; {PEDESTRIAN_MODELS[row].name!r} stands for it"
    return SpawnPedestrian(NEW_ACTOR, row, position, yaw, **walk._asdict()), note


def actor_named(now: Snapshot, names: Names, text: str, kind: ActorKind) -> int:
    """The id of an actor of a kind, by the text that a client knows it by.

    Raises:
        InputError: there is no such actor.
    """
    actor = names.actor_of(text)
    found = ActorKind.NONE if actor == NO_ACTOR else kind_of(now, actor)
    if found is kind:
        return actor
    wanted = kind.name.lower().replace("_", " ")
    is_one = f"; it is of the kind {found.name.lower().replace('_', ' ')}" if found else ""
    raise InputError("", "", f"there is no {wanted} {text!r}{is_one}" if text else f"no {wanted} is named")
