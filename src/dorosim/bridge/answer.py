"""What a message of any protocol asks for, once it is understood."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import overload

from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

CLAMPED = "clamped"
"""Kind of a notice that numbers of a message were brought into their ranges."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a well-formed message, or a part of one, is not done.

    Attributes:
        reason: one sentence.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What a user should know of a message that is done.

    Attributes:
        kind: by which endpoints count. text: one sentence, empty for `CLAMPED`.
        lines: more, one each; of `CLAMPED` the fields, as "CtrlCmd: accel".
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

    work: Callable[[Snapshot], Iterable[Answer]]


Answer = Command | Refusal | Notice
"""The result of a message, or of a part of one: a command, the reason of a refusal, or a notice that is reported."""
_REPORTED = (Refusal, Notice)
Report = Callable[[Refusal | Notice], None]
"""Counts a refusal or a notice, and logs it."""


@overload
def dispatch(answers: Iterable[Answer], report: Report) -> list[Command]: ...
@overload
def dispatch(answers: Iterable[Answer | Later], report: Report) -> list[Command | Later]: ...
def dispatch(answers: Iterable[Answer | Later], report: Report) -> Sequence[Command | Later]:
    """What a message asks for, in its order; what else it brings is reported.

    Args:
        answers: of the bridge, for one message.
        report: takes refusals and notices.
    """
    asked: list[Command | Later] = []
    for answer in answers:
        if isinstance(answer, _REPORTED):
            report(answer)
        else:
            asked.append(answer)
    return asked
