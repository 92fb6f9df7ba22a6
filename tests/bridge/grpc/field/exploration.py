"""Every field of a procedure tried: requests that differ in one field from one that does something."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import Any

from google.protobuf.json_format import Parse

from dorosim.bridge.grpc.catalogue import without_effect
from dorosim.wire.grpc.descriptor import Method, message_class, methods
from tests.bridge.grpc.field.actor_cases import ACTOR_CASES
from tests.bridge.grpc.field.documented_cases import DOCUMENTED_CASES
from tests.bridge.grpc.field.leaf import Path, leaves_of, name_of, others, values_at
from tests.bridge.grpc.field.look import LOOKS
from tests.bridge.grpc.field.standard_cases import STANDARD_CASES
from tests.bridge.grpc.field.world import Case, Outcome, Play, request_of

CASES: dict[str, tuple[Case, ...]] = {**ACTOR_CASES, **STANDARD_CASES, **DOCUMENTED_CASES}
STATES = {
    "/morai_msgs/EgoState": message_class("morai_msgs.EgoState"),
    "/morai_msgs/MultiEgoState": message_class("morai_msgs.MultiEgoStateList"),
}
"""What Connect packs into its responses."""
METHODS = [method for method in methods() if method.api != "dorosim"]


def key_of(method: Method) -> str:
    """As in "SetEgo", or "Actor/SetPause" of the Standard API."""
    return method.name if method.api == "documented" else f"{method.service.rpartition('.')[2]}/{method.name}"


def is_idle(method: Method) -> bool:
    """Whether the reference says that a procedure answers and does nothing else."""
    return f"{method.service.rpartition('.')[2]}/{method.name}" in without_effect()[method.api]


class Notice(IntEnum):
    """How it shows that a field has another value, the best last.

    UNTRIED: no request has the field, or it has no other value. NOTHING: not at all. TOLD: the world goes on as it
    would, but the response is another. REFUSED: it is refused. DONE: something else is done, or told by a procedure
    that only tells.
    """

    UNTRIED = 0
    NOTHING = 1
    TOLD = 2
    REFUSED = 3
    DONE = 4


@dataclass
class Exploration:
    """A procedure and what was found of it.

    Attributes:
        idle: what becomes of the situations without the requests. bases: of its requests.
        notice: how each leaf of the request shows. answered: values of each leaf of the response, by name.
    """

    idle: list[Outcome]
    bases: list[Outcome]
    notice: dict[Path, Notice] = field(default_factory=dict)
    answered: dict[str, set[Any]] = field(default_factory=dict)

    @property
    def does(self) -> bool:
        """Whether it changes the world, or asks something of the program around it."""
        return any(base.done != idle.done for base, idle in zip(self.bases, self.idle, strict=True))


@cache
def explored(method: Method) -> Exploration:
    """Try all fields of a procedure."""
    key = key_of(method)
    tries = tries_of(method)
    found = Exploration([play.outcome(None) for play, _ in tries], [play.outcome(request) for play, request in tries])
    looks = [Play(method, case).outcome(request_of(method, case)) for case in LOOKS.get(key, ())]
    found.answered = {name: set() for _, name in answer_leaves(method)}
    for outcome in (*found.bases, *looks):
        _note(method, outcome, found.answered)
    for path in leaves_of(method.request.DESCRIPTOR):
        found.notice[path] = noticed(method, path, tries, found)
    return found


def tries_of(method: Method) -> list[tuple[Play, Any]]:
    """The situations of a procedure, and its request in each."""
    return [(Play(method, case), request_of(method, case)) for case in CASES[key_of(method)]]


def noticed(method: Method, path: Path, tries: list[tuple[Play, Any]], found: Exploration) -> Notice:
    """How a leaf of the request shows in the best of some situations; what is answered is noted."""
    best = Notice.UNTRIED
    for (play, request), base in zip(tries, found.bases, strict=True):
        for other in others(request, path):
            outcome = play.outcome(other)
            _note(method, outcome, found.answered)
            best = max(best, compared(outcome, base, does=found.does))
            if best is Notice.DONE:
                return best
    return best


def compared(outcome: Outcome, base: Outcome, *, does: bool) -> Notice:
    """How one outcome differs from another, of a procedure that does something or only tells something."""
    if outcome.done == base.done and (does or outcome.answer == base.answer):
        return Notice.NOTHING if outcome.answer == base.answer else Notice.TOLD
    return Notice.REFUSED if outcome.refused else Notice.DONE


def answer_leaves(method: Method) -> list[tuple[Any, str]]:
    """Leaves of a response, those of the states that Connect packs too."""
    kinds = [method.response, *(STATES.values() if method.server_streaming else ())]
    names = ["", *(f"{kind.DESCRIPTOR.name}." for kind in kinds[1:])]
    return [
        (path, before + name_of(path))
        for kind, before in zip(kinds, names, strict=True)
        for path in leaves_of(kind.DESCRIPTOR)
    ]


def _note(method: Method, outcome: Outcome, answered: dict[str, set[Any]]) -> None:
    if outcome.message is None:
        return
    messages = [("", outcome.message)]
    if method.server_streaming:
        state = Parse(outcome.message.msg, STATES[outcome.message.service_name]())
        messages.append((f"{state.DESCRIPTOR.name}.", state))
    for before, message in messages:
        for path in leaves_of(message.DESCRIPTOR):
            answered[before + name_of(path)].update(values_at(message, path))
