"""Answers of the documented API to lists of requests: one entry a request, in its order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dorosim.bridge.actor import names_of
from dorosim.bridge.answer import Answer
from dorosim.bridge.reply import DeferredReply, ElementOutcome, Elements
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from google.protobuf.message import Message

ActorResponseList = message_class("morai_msgs.ActorResponseList")
EMPTY_LIST = "the list of requests is empty"


def for_each(
    requests: Iterable[Any], name_of: Callable[[Any], str], make: Callable[[Any], Answer]
) -> DeferredReply | Message:
    """Do each request by itself, and answer with an entry for each.

    Args:
        requests: entries of the request's list.
        name_of: by which the client knows what an entry is about.
        make: what an entry asks for; it may raise InputError.
    """
    elements, names = Elements(), []
    for request in requests:
        names.append(name_of(request))
        elements.attempt(lambda request=request: make(request))  # type: ignore[misc]
    if not names:
        return ActorResponseList(res_list=[{"result": False, "display_name": EMPTY_LIST}])
    return elements.ask(lambda now, outcomes: actor_responses(now, names, outcomes))


def actor_responses(now: Snapshot, names: Sequence[str], outcomes: Sequence[ElementOutcome]) -> Message:
    """An entry for each request: what it asked for, and by which name the simulator knows that now.

    The document has no place for a reason: where a request is refused, `display_name`, which then names nothing, says
    why.
    """
    known = names_of(now)
    found = ActorResponseList()
    for name, outcome in zip(names, outcomes, strict=True):
        shown = outcome.refusal or (known.text_of(outcome.actor) if outcome.actor else name)
        found.res_list.add(result=not outcome.refusal, actor_name=name, display_name=shown)
    return found
