"""Replies that wait for the tick in which the commands of a request apply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dorosim.bridge.answer import Answer, Notice, Refusal
from dorosim.ground.error import InputError
from dorosim.world.command import Command
from dorosim.world.snapshot import Outcome, Snapshot

Reply = Callable[[Snapshot, tuple[Outcome, ...]], Any]
"""Makes an answer of the snapshot after the tick that applied the commands, and of what became of each."""


@dataclass(frozen=True, slots=True)
class DeferredReply:
    """What a request asks of the world; its reply is made after the tick in which that applies.

    Attributes:
        commands: in order; all apply in one tick, or none.
        reply: makes the answer.
    """

    commands: tuple[Command, ...]
    reply: Reply


class ElementOutcome(NamedTuple):
    """What became of an element of a list.

    Attributes:
        refusal: why it could not be done, "" if it was. actor: what it made, 0 for nothing.
    """

    refusal: str = ""
    actor: int = 0


class Elements:
    """A request whose elements are done each by itself: one that cannot be done does not stop the others."""

    def __init__(self, makes: Iterable[Callable[[], Answer]] = ()) -> None:
        self._commands: list[Command] = []
        self._parts: list[tuple[str, int, int]] = []
        for make in makes:
            self.attempt(make)

    def add(self, *answers: Answer) -> None:
        """The next element, and what it asks for; a refusal among that refuses all of it."""
        refusals = [answer.reason for answer in answers if isinstance(answer, Refusal)]
        start = len(self._commands)
        if not refusals:
            self._commands += [answer for answer in answers if not isinstance(answer, Refusal | Notice)]
        self._parts.append(("; ".join(refusals), start, len(self._commands)))

    def attempt(self, make: Callable[[], Answer]) -> None:
        """The next element, which asks for one thing; an InputError on the way refuses it."""
        try:
            answer = make()
        except InputError as error:
            answer = Refusal(str(error))
        self.add(answer)

    def ask(self, reply: Callable[[Snapshot, Sequence[ElementOutcome]], Any]) -> DeferredReply:
        """All of it, with an answer of the outcomes of the elements, in their order."""
        parts = tuple(self._parts)

        def answer(now: Snapshot, outcomes: tuple[Outcome, ...]) -> Any:
            return reply(now, [outcome_of(outcomes[start:end], refusal) for refusal, start, end in parts])

        return DeferredReply(tuple(self._commands), answer)


def outcome_of(outcomes: Sequence[Outcome], refusal: str = "") -> ElementOutcome:
    """What became of commands that belong together: the first refusal counts, and the last that made something."""
    reasons = [outcome.refusal for outcome in outcomes if outcome.refusal]
    made = [outcome.actor for outcome in outcomes if outcome.actor]
    return ElementOutcome(refusal or (reasons[0] if reasons else ""), made[-1] if made else 0)


def reply_of(answers: Iterable[Answer], reply: Callable[[Snapshot, ElementOutcome], Any]) -> DeferredReply:
    """Commands that belong together, and an answer of what becomes of them; nothing is done if one is refused."""
    elements = Elements()
    elements.add(*answers)
    return elements.ask(lambda now, outcomes: reply(now, outcomes[0]))
