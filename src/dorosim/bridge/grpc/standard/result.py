"""The object that a request of the Standard API means, and the Result by which nearly every procedure answers.

A Result is a status, a description, and the id of what was made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypeVar

from google.protobuf.message import Message

from dorosim.bridge.actor import ActorKind, Names, kind_of, names_of
from dorosim.bridge.actor_state import BODIES
from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.grpc.call import Procedure, Response
from dorosim.bridge.reply import DeferredReply, ElementOutcome, reply_of
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

T = TypeVar("T")
SUCCESS, FAILURE = 1, 0


def success(description: str = "", custom_message: str = "") -> Message:
    """It is done."""
    return SIM_API.Result(status=SUCCESS, description=description, custom_message=custom_message)


def failure(description: str) -> Message:
    """It is not done, and why."""
    return SIM_API.Result(status=FAILURE, description=description)


def result_of(now: Snapshot, outcome: ElementOutcome, note: str = "") -> Message:
    """Of what became of them; a note is the description of what is done."""
    if outcome.refusal:
        return failure(outcome.refusal)
    return success(note, names_of(now).text_of(outcome.actor) if outcome.actor else "")


OBJECT_TYPES: dict[ActorKind, int] = {
    ActorKind.EGO: 1,
    ActorKind.NPC: 1,
    ActorKind.GHOST: 1,
    ActorKind.PEDESTRIAN: 2,
    ActorKind.OBSTACLE: 3,
    ActorKind.MAP_OBJECT: 3,
    ActorKind.SPAWN_POINT: 4,
}
"""ObjectType of what an id is of."""
_TYPE_NAMES = {1: "a vehicle", 2: "a pedestrian", 3: "an obstacle", 4: "a spawn point"}


class Target(NamedTuple):
    """What an ObjectInfo means.

    Attributes:
        actor: its id. kind: what it is. text: its name as it was sent.
    """

    actor: int
    kind: ActorKind
    text: str


def target_of(
    info: Any, at: Situation, kinds: Collection[ActorKind] = BODIES, source: str = "", cure: str = ""
) -> Target:
    """Finds the object that an ObjectInfo means; its type counts if it is given.

    Args:
        info: the message.
        at: this moment.
        kinds: what it may be.
        source: begins the text of an error.
        cure: ends it.

    Raises:
        InputError: there is no such object, or it is another client's.
    """
    text = info.id.value
    actor = at.names.actor_of(text)
    kind = kind_of(at.now, actor) if actor else ActorKind.NONE
    if kind is ActorKind.NONE:
        problem = f"there is no object {text!r}" if text else "no id says which object is meant"
    elif kind not in kinds:
        problem = f"{text!r} is {_TYPE_NAMES[OBJECT_TYPES[kind]]}, for which this is not"
        if OBJECT_TYPES[kind] == 1 and ActorKind.EGO in kinds:
            problem = f"{text!r} is not an ego vehicle, and this is for ego vehicles only"
    elif info.object_type and info.object_type != OBJECT_TYPES[kind]:
        problem = f"{text!r} is {_TYPE_NAMES[OBJECT_TYPES[kind]]}, not {_TYPE_NAMES.get(info.object_type, 'that')}"
    else:
        problem = problem_with_owner(info, at, actor)
    if problem:
        raise InputError(source, "", problem, cure)
    return Target(actor, kind, text)


def problem_with_owner(info: Any, at: Situation, actor: int) -> str:
    """Why an ObjectInfo cannot mean an object: it names another owner than it has. Else an empty string."""
    if not info.client_key or at.names.owner_of(actor) in {"", info.client_key}:
        return ""
    return f"{at.names.text_of(actor)!r} belongs to another client than {info.client_key!r}"


def check_owner(info: Any, at: Situation, actor: int, source: str = "") -> None:
    """See whether an ObjectInfo names no other owner than an object has; `source` begins the text of the error.

    Raises:
        InputError: it does.
    """
    problem = problem_with_owner(info, at, actor)
    if problem:
        raise InputError(source, "", problem)


def about(
    meaning: Callable[[Any, Situation, Target], Answer | Sequence[Answer]], kinds: Collection[ActorKind] = BODIES
) -> Procedure:
    """A procedure about the object in `actor_info`, from what it asks for; its answer is a Result."""

    def command(request: Any, at: Situation) -> Response:
        answers = meaning(request, at, target_of(request.actor_info, at, kinds))
        return ask_of(answers if isinstance(answers, Sequence) else (answers,))

    return answered(command)


def ask_of(answers: Sequence[Answer], note: str = "") -> DeferredReply:
    """Commands that belong together, and a Result, which says a note if all is done; nothing is if one is refused."""
    return reply_of(answers, lambda now, outcome: result_of(now, outcome, note))


def answered(meaning: Callable[[Any, Situation], Response | Command | Refusal | tuple[Command, ...]]) -> Procedure:
    """A procedure whose answer is a Result of the commands that it asks for; an InputError is its failure."""

    def procedure(request: Any, at: Situation) -> Response:
        try:
            found = meaning(request, at)
        except InputError as error:
            return failure(str(error))
        if isinstance(found, Message | DeferredReply):
            return found
        return ask_of(found if isinstance(found, tuple) else (found,))

    return procedure


def write_info(message: Any, names: Names, actor: int, kind: ActorKind) -> None:
    """Fill an ObjectInfo of an answer with an object: its id, type and owner."""
    message.id.value, message.object_type = names.text_of(actor), OBJECT_TYPES[kind]
    message.client_key = names.owner_of(actor)


def write_vector(message: Any, values: Sequence[float], factor: float = 1.0) -> None:
    """Fill a message of three numbers, times a factor."""
    x, y, z = values
    message.x, message.y, message.z = x * factor, y * factor, z * factor
