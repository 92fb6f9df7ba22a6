"""The actor that a request of the Standard API means, and conversions that its procedures share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dorosim.bridge.actor import ActorKind, Names, kind_of
from dorosim.bridge.actor_state import BODIES
from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.standard.result import failure, result_of_outcome
from dorosim.bridge.reply import DeferredReply, Elements
from dorosim.bridge.situation import Situation

if TYPE_CHECKING:
    from google.protobuf.message import Message

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
    """The object that a request means.

    Attributes:
        actor: id, 0 for none. kind: what it is. text: the id as it was asked for.
        problem: why the request means no object that the procedure is for, or an empty string.
    """

    actor: int
    kind: ActorKind
    text: str
    problem: str = ""


def target_of(info: Any, at: Situation, kinds: Collection[ActorKind] = BODIES) -> Target:
    """Returns the object that an ObjectInfo means. The type and the owner that it gives must be those of the object.

    Args:
        info: ObjectInfo.
        at: the situation.
        kinds: that the procedure is for.
    """
    text = info.id.value
    actor = at.names.actor_of(text)
    kind = kind_of(at.now, actor) if actor else ActorKind.NONE
    if kind is ActorKind.NONE:
        problem = f"there is no object {text!r}" if text else "no id says which object is meant"
        return Target(0, kind, text, problem)
    problem = ""
    if kind not in kinds:
        problem = f"{text!r} is {_TYPE_NAMES[OBJECT_TYPES[kind]]}, for which this is not"
        if OBJECT_TYPES[kind] == 1 and ActorKind.EGO in kinds:
            problem = f"{text!r} is no ego vehicle, and this is for ego vehicles only"
    elif info.object_type and info.object_type != OBJECT_TYPES[kind]:
        problem = f"{text!r} is {_TYPE_NAMES[OBJECT_TYPES[kind]]}, not {_TYPE_NAMES.get(info.object_type, 'that')}"
    else:
        problem = problem_with_owner(info, at, actor)
    return Target(actor, kind, text, problem)


def problem_with_owner(info: Any, at: Situation, actor: int) -> str:
    """Why an ObjectInfo cannot mean an object: it names another owner than it has. Else an empty string."""
    if not info.client_key or at.names.owner_of(actor) in {"", info.client_key}:
        return ""
    return f"{at.names.text_of(actor)!r} belongs to another client than {info.client_key!r}"


def about(
    meaning: Callable[[Any, Situation, Target], Answer | Sequence[Answer]], kinds: Collection[ActorKind] = BODIES
) -> Procedure:
    """A procedure about the object in `actor_info`, from what it asks for; its answer is a Result."""

    def procedure(request: Any, at: Situation) -> DeferredReply | Message:
        target = target_of(request.actor_info, at, kinds)
        if target.problem:
            return failure(target.problem)
        answers = meaning(request, at, target)
        return ask_of(answers if isinstance(answers, Sequence) else (answers,))

    return procedure


def ask_of(answers: Sequence[Answer], note: str = "") -> DeferredReply:
    """Commands that belong together, and a Result, which says a note if all is done; nothing is if one is refused."""
    elements = Elements()
    elements.add(*answers)
    return elements.ask(lambda now, outcomes: result_of_outcome(now, outcomes[0], note))


def refused(reason: str) -> Refusal:
    """Why something is not done."""
    return Refusal("refused", reason)


def write_info(message: Any, names: Names, actor: int, kind: ActorKind) -> None:
    """Fill an ObjectInfo of an answer with an object: its id, type and owner."""
    message.id.value, message.object_type = names.text_of(actor), OBJECT_TYPES[kind]
    message.client_key = names.owner_of(actor)


def write_vector(message: Any, values: Sequence[float], factor: float = 1.0) -> None:
    """Fill a message of three numbers, times a factor."""
    x, y, z = values
    message.x, message.y, message.z = x * factor, y * factor, z * factor
