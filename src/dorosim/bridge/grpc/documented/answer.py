"""Conversions and answers that procedures of the documented API share; of lists an entry a request, in its order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from dorosim.bridge.actor import names_of
from dorosim.bridge.answer import Answer
from dorosim.bridge.drive import EgoType
from dorosim.bridge.grpc.call import Procedure, Response
from dorosim.bridge.reply import ElementOutcome, Elements
from dorosim.bridge.situation import GrpcForm, Situation
from dorosim.ground.error import InputError
from dorosim.ground.unit import degrees_of
from dorosim.wire.grpc.descriptor import MORAI_MSGS
from dorosim.world.snapshot import EGO, NO_ACTOR, Snapshot


def vector3(values: Sequence[float], factor: float = 1.0) -> Message:
    """A message of three numbers, times a factor."""
    x, y, z = values
    return MORAI_MSGS.Vector3(x=x * factor, y=y * factor, z=z * factor)


def degrees3(values: Sequence[float]) -> Message:
    """A message of roll, pitch, yaw [deg] from [rad]."""
    return vector3([degrees_of(angle) for angle in values])


def actor_of(at: Situation, text: str, whose: int = EgoType.ANY) -> int:
    """Returns the id that a text means, `NO_ACTOR` for none; an empty one is the ego vehicle where the type says so."""
    if not text:
        return EGO if whose == EgoType.EGO else NO_ACTOR
    return at.names.actor_of(text)


def result(outcomes: Sequence[ElementOutcome], texts: Sequence[str]) -> Message:
    """Success if all is done, else which of several could not be done and why.

    Args:
        outcomes: of each.
        texts: ids by which they were asked for.
    """
    flaws = flaws_of(outcomes, texts)
    return MORAI_MSGS.Result(success=not flaws, description=flaws)


def flaws_of(outcomes: Sequence[ElementOutcome], texts: Sequence[str]) -> str:
    """Which of several could not be done, and why; an empty string if all are done."""
    flaws = [f"{text!r}: {outcome.refusal}" for outcome, text in zip(outcomes, texts, strict=True) if outcome.refusal]
    rest = len(outcomes) - len(flaws)
    return "; ".join(flaws) + (f"; the other {rest} are done" if flaws and rest else "")


def empty(place: str, outcomes: Sequence[ElementOutcome], texts: Sequence[str]) -> Message:
    """Returns the answer of procedures that have none; a refusal becomes the status of the call.

    Raises:
        InputError: something could not be done.
    """
    flaws = flaws_of(outcomes, texts)
    if flaws:
        raise InputError(place, "", flaws, "ask for what is there")
    return MORAI_MSGS.Empty()


def service_response(form: GrpcForm, name: str, message: Message) -> Message:
    """A message within a MORAI_MSGS.ServiceResponse, as JSON text or binary."""
    return MORAI_MSGS.ServiceResponse(service_name=name, msg=packed(form, message))


def packed(form: GrpcForm, message: Message) -> bytes:
    """A message as JSON text with all fields under the names of the document, or binary (L5)."""
    if not form.json:
        return bytes(message.SerializeToString())
    text = MessageToJson(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True, indent=None
    )
    return str(text).encode()


def each(
    make: Callable[[Any, Situation], Answer], name: str = "unique_id", *, empty_is_refused: bool = True
) -> Procedure:
    """A procedure that does each entry of its list by itself, and answers with an ActorResponse for each.

    Args:
        make: what an entry asks for; it may raise InputError.
        name: field of an entry by which the client knows what the entry is about.
        empty_is_refused: an empty list is answered with one entry that says so, else with none.
    """

    def procedure(request: Any, at: Situation) -> Response:
        elements = Elements(partial(make, one, at) for one in request.req_list)
        names = [str(getattr(one, name)) for one in request.req_list]
        if not names and empty_is_refused:
            nothing = {"result": False, "display_name": "the list of requests is empty"}
            return MORAI_MSGS.ActorResponseList(res_list=[nothing])
        return elements.ask(lambda now, outcomes: actor_responses(now, names, outcomes))

    return procedure


def actor_responses(
    now: Snapshot, names: Sequence[str], outcomes: Sequence[ElementOutcome], service_name: str = ""
) -> Message:
    """An entry for each request: what it asked for, and by which name the simulator knows that now.

    The document has no place for a reason: where a request is refused, `display_name`, which then names nothing, says
    why.
    """
    known = names_of(now)
    found = MORAI_MSGS.ActorResponseList(service_name=service_name)
    for name, outcome in zip(names, outcomes, strict=True):
        shown = outcome.refusal or (known.text_of(outcome.actor) if outcome.actor else name)
        found.res_list.add(result=not outcome.refusal, actor_name=name, display_name=shown)
    return found
