"""What a message of any protocol asks for, once it is understood."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from dorosim.world.command.catalogue import Command
from dorosim.world.snapshot import Snapshot

CLAMPED = "clamped"
"""Kind of a notice that numbers of a message were brought into their ranges: "CtrlCmd: accel, brake"."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a well-formed message, or a part of one, is not done.

    Attributes:
        kind: by which endpoints count. reason: one sentence.
    """

    kind: Literal["refused", "not in this version"]
    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What a user should know of a message that is done.

    Attributes:
        kind: by which endpoints count. text: one sentence. lines: more, one each.
    """

    kind: str
    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Later:
    """What a message asks for takes long to find out, since files have to be read.

    Attributes:
        work: gives the answers, from any thread; of the last snapshot.
    """

    work: Callable[[Snapshot], Iterable[Command | Refusal | Notice]]


Answer = Command | Refusal | Notice
"""What a message, or a part of one, asks for: a command, or why it cannot be done, or what is to be told of it."""
