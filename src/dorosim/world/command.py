"""What all commands have in common.

A command waits for the next tick. Commands of one tick are applied in the order of (source rank, arrival); the last one
that drives an actor wins and holds until it is replaced (design/seams.md, Who drives). All values are in SI, angles in
rad, positions in the map frame, steering left positive.
"""

from __future__ import annotations

from enum import IntEnum

import msgspec

Vector = tuple[float, float, float]
NEW_ACTOR = 0
"""`actor` of a command that makes an actor: the world gives it the next id."""


class Source(IntEnum):
    """The sender of a command; its value is the rank, and a higher rank is applied later in a tick."""

    SCENARIO = 0
    REPLAY = 1
    PEER = 2
    PAGE = 3


class CommandError(Exception):
    """A command is refused and has changed nothing; the text says why."""


class Command(msgspec.Struct, frozen=True, tag=True):
    """Any command. One that derives from it directly is not about one actor."""


class ActorCommand(Command, frozen=True, tag=True):
    """A command to one actor. `actor` is its internal id."""

    actor: int
