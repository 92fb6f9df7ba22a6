"""Conversions and answers that procedures of the documented API share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from google.protobuf.json_format import MessageToJson

from dorosim.bridge.actor import names_of
from dorosim.bridge.drive import Whose
from dorosim.bridge.reply import ElementOutcome
from dorosim.bridge.situation import GrpcForm, Situation
from dorosim.ground.error import InputError
from dorosim.ground.unit import degrees_of
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.snapshot import EGO, NO_ACTOR, Snapshot

if TYPE_CHECKING:
    from google.protobuf.message import Message

ActorResponse = message_class("morai_msgs.ActorResponse")
Empty = message_class("morai_msgs.Empty")
Result = message_class("morai_msgs.Result")
ServiceResponse = message_class("morai_msgs.ServiceResponse")
Vector3 = message_class("morai_msgs.Vector3")


def vector3(values: Sequence[float], factor: float = 1.0) -> Message:
    """A message of three numbers, times a factor."""
    x, y, z = values
    return Vector3(x=x * factor, y=y * factor, z=z * factor)


def degrees3(values: Sequence[float]) -> Message:
    """A message of roll, pitch, yaw [deg] from [rad]."""
    return vector3([degrees_of(angle) for angle in values])


def actor_of(at: Situation, text: str, whose: int = Whose.ANY) -> int:
    """Returns the id that a text means, `NO_ACTOR` for none; an empty one is the ego vehicle where the type says so."""
    if not text:
        return EGO if whose == Whose.EGO else NO_ACTOR
    return at.names.actor_of(text)


def result(outcomes: Sequence[ElementOutcome], texts: Sequence[str]) -> Message:
    """Success if all is done, else which of several could not be done and why.

    Args:
        outcomes: of each.
        texts: ids by which they were asked for.
    """
    flaws = flaws_of(outcomes, texts)
    return Result(success=not flaws, description=flaws)


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
    return Empty()


def actor_response(now: Snapshot, outcome: ElementOutcome, asked: str) -> Message:
    """What became of one that was to be made: its id, or why it was not made."""
    if outcome.refusal:
        return ActorResponse(result=False, actor_name=asked, display_name=outcome.refusal)
    return ActorResponse(result=True, actor_name=asked, display_name=names_of(now).text_of(outcome.actor))


def service_response(form: GrpcForm, name: str, message: Message) -> Message:
    """A message within a ServiceResponse, as JSON text or binary."""
    return ServiceResponse(service_name=name, msg=packed(form, message))


def packed(form: GrpcForm, message: Message) -> bytes:
    """A message as JSON text with all fields under the names of the document, or binary (L5)."""
    if not form.json:
        return bytes(message.SerializeToString())
    text = MessageToJson(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True, indent=None
    )
    return str(text).encode()
