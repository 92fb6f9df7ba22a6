"""The ids by which clients of the fixed step know actors: "Car_1" and the like.

An actor that has a name is known by it. Any other is known by its kind and its id in the world, which is never used
again: the ego vehicle, whose id is 1, is "Car_1". The names of other interfaces are understood as well.
"""

from __future__ import annotations

import re
from itertools import count

from dorosim.bridge.actor import VEHICLES, ActorKind, Names, kind_of
from dorosim.ground.error import InputError
from dorosim.wire.tcp_step.datagram import ID_SIZE
from dorosim.world.actor.effect import EGO_NAME
from dorosim.world.snapshot import LAST_ID, NO_ACTOR, Snapshot

_PREFIXES: dict[ActorKind, str] = {
    **dict.fromkeys(VEHICLES, "Car"),
    ActorKind.PEDESTRIAN: "Pedestrian",
    ActorKind.OBSTACLE: "Obstacle",
}
_ALIAS = re.compile(r"(Car|Pedestrian|Obstacle)_([1-9][0-9]{0,9})")


class StepNames:
    """The ids of the actors of a snapshot.

    Args:
        now: the snapshot.
        names: as other interfaces know them.
    """

    def __init__(self, now: Snapshot, names: Names) -> None:
        self._now, self._names = now, names

    def text_of(self, actor: int) -> str:
        """The id of an actor."""
        name = self._names.text_of(actor)
        prefix = _PREFIXES.get(kind_of(self._now, actor), "")
        if not prefix or (name != EGO_NAME and not name.removeprefix("id ").isdecimal()):
            return name
        text = f"{prefix}_{actor}"
        return text if self._names.actor_of(text) == NO_ACTOR else name

    def actor_of(self, text: str) -> int:
        """The id in the world that a text means, `NO_ACTOR` for none."""
        actor = self._names.actor_of(text)
        alias = _ALIAS.fullmatch(text) if actor == NO_ACTOR else None
        if alias is None or int(alias[2]) > LAST_ID:
            return actor
        actor = int(alias[2])
        return actor if _PREFIXES.get(kind_of(self._now, actor)) == alias[1] else NO_ACTOR

    def find(self, text: str) -> tuple[int, ActorKind]:
        """The actor that a text means, and its kind.

        Raises:
            InputError: there is none.
        """
        actor = self.actor_of(text)
        kind = kind_of(self._now, actor) if actor != NO_ACTOR else ActorKind.NONE
        if kind is ActorKind.NONE:
            known = ", ".join(self.text_of(one) for one in self._now.egos[:5])
            raise InputError("", "", f"there is no actor {text[:64]!r}", f"the vehicles that can be driven are {known}")
        return actor, kind

    def free(self, kind: ActorKind) -> str:
        """The first id of a kind that no actor has, from 1."""
        prefix = _PREFIXES[kind]
        return next(text for number in count(1) if self.actor_of(text := f"{prefix}_{number}") == NO_ACTOR)


def cut_id(text: str) -> str:
    """As much of an id as a datagram has room for."""
    return text.encode()[:ID_SIZE].decode(errors="ignore")
