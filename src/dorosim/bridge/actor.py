"""By which texts clients know actors, and what kind of thing an id is."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

import numpy as np

from dorosim.wire.udp.code import ObjectType
from dorosim.world.actor.effect import EGO_NAME
from dorosim.world.actor.label import Labels
from dorosim.world.collision.body import BodyKind
from dorosim.world.snapshot import EGO, LAST_ID, NO_ACTOR, Snapshot
from dorosim.world.traffic.ghost import GhostState

GhostNumbers = tuple[tuple[int, int], ...]
BARE = "id "
"""Prefix of an id in a text, where the bare number is the name of another actor."""


class ActorKind(IntEnum):
    """What an id is of."""

    NONE = 0
    EGO = 1
    NPC = 2
    GHOST = 3
    PEDESTRIAN = 4
    OBSTACLE = 5
    MAP_OBJECT = 6
    SPAWN_POINT = 7


BODY_TYPES: dict[BodyKind, ObjectType] = {
    BodyKind.EGO: ObjectType.EGO,
    BodyKind.NPC: ObjectType.VEHICLE,
    BodyKind.GHOST: ObjectType.VEHICLE,
    BodyKind.PEDESTRIAN: ObjectType.PEDESTRIAN,
    BodyKind.OBSTACLE: ObjectType.OBJECT,
    BodyKind.SCENERY: ObjectType.OBJECT,
}
"""Type of each kind on UDP and ROS (documents/ros-messages-ko.txt, ObjectStatus). Lists of ROS have no empty slots, for
which clients of UDP take -1, so further egos have it there, too."""
VEHICLES = frozenset({ActorKind.EGO, ActorKind.NPC, ActorKind.GHOST})


class Names:
    """The texts by which clients know actors.

    "Ego" is the first ego vehicle, others have the names that clients gave them. An actor without a name is known by
    its id in decimal (design/seams.md, Who is who), or by the number that a ghost's sender gave it (`world.ghost`).

    Args:
        labels: names that clients gave.
        ghosts: id and number of each ghost that is published under its sender's number; see `names_of`.
    """

    def __init__(self, labels: Labels, ghosts: GhostNumbers = ()) -> None:
        self._label, self._actor = _tables(labels)
        self._number = dict(ghosts)
        self._ghost = {str(number): actor for actor, number in ghosts}

    def actor_of(self, text: str) -> int:
        """Returns the id that a text means, `NO_ACTOR` for none. Does not check whether an actor of this id exists."""
        known = self._actor.get(text)
        if known is not None:
            return known
        text = text.removeprefix(BARE)
        if text in self._ghost:
            return self._ghost[text]
        if text.isascii() and text.isdecimal() and len(text) < 11 and 0 < int(text) <= LAST_ID:
            return int(text)
        return NO_ACTOR

    def text_of(self, actor: int) -> str:
        """The text by which clients know an actor."""
        if actor == EGO:
            return EGO_NAME
        name = self._label.get(actor, ("", ""))[0]
        if name:
            return name
        text = str(self._number.get(actor, actor))
        return text if self._actor.get(text, actor) == actor else BARE + text

    def owner_of(self, actor: int) -> str:
        """Returns the owner of an actor, "" for none."""
        return self._label.get(actor, ("", ""))[1]

    def owned_by(self, owner: str) -> list[int]:
        """Returns the ids of all actors of an owner, in ascending order."""
        return sorted(actor for actor, (_, whose) in self._label.items() if whose == owner)

    def actor_numbered(self, number: int) -> int:
        """Returns the id that a number means: that of the ghost that is published under it, else the number itself."""
        return self._ghost.get(str(number), number)

    def number_of(self, actor: int) -> int:
        """Returns the number of an actor in messages that have no room for a text."""
        return self._number.get(actor, actor)


def names_of(now: Snapshot) -> Names:
    """The texts by which clients know the actors of a snapshot."""
    return _names(now.label, published_ghost_numbers(now.ghost))


def published_ghost_numbers(ghosts: GhostState) -> GhostNumbers:
    """Returns the id and the number of each ghost that is published under its sender's number."""
    if not ghosts.rows:
        return ()
    rows = np.flatnonzero(ghosts.is_told)
    return tuple(zip(ghosts.id[rows].tolist(), ghosts.alias[rows].tolist(), strict=True))


@lru_cache(maxsize=4)
def _names(labels: Labels, ghosts: GhostNumbers) -> Names:
    """Names of the last snapshots: labels never change, and every request asks for them."""
    return Names(labels, ghosts)


@lru_cache(maxsize=4)
def _tables(labels: Labels) -> tuple[dict[int, tuple[str, str]], dict[str, int]]:
    """Name and owner by id, and id by name. Labels never change, and every request asks for those of the last one."""
    label = labels.all()
    return label, {name: actor for actor, (name, _) in label.items() if name} | {EGO_NAME: EGO}


def kind_of(now: Snapshot, actor: int) -> ActorKind:
    """What an id is of, NONE where nothing of this id is there."""
    if now.row_of(actor) >= 0:
        return ActorKind.EGO
    for kind, table in (
        (ActorKind.NPC, now.traffic),
        (ActorKind.GHOST, now.ghost),
        (ActorKind.PEDESTRIAN, now.people.state),
        (ActorKind.OBSTACLE, now.obstacles.state),
        (ActorKind.MAP_OBJECT, now.friction.objects),
    ):
        if table.rows and bool((table.id == actor).any()):
            return kind
    return ActorKind.SPAWN_POINT if now.spawn.holds(actor) else ActorKind.NONE
