"""The answer of nearly every procedure of the Standard API: a status, a description, and the id of what was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dorosim.bridge.actor import names_of
from dorosim.bridge.reply import ElementOutcome, outcome_of
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.snapshot import Outcome, Snapshot

if TYPE_CHECKING:
    from google.protobuf.message import Message

Result = message_class("morai_sim_api.Result")
SUCCESS, FAILURE = 1, 0


def success(description: str = "", custom_message: str = "") -> Message:
    """It is done."""
    return Result(status=SUCCESS, description=description, custom_message=custom_message)


def failure(description: str) -> Message:
    """It is not done, and why."""
    return Result(status=FAILURE, description=description)


def result_of(now: Snapshot, outcomes: tuple[Outcome, ...], note: str = "") -> Message:
    """Of commands that belong together; the name of what they made is the custom message."""
    return result_of_outcome(now, outcome_of(outcomes), note)


def result_of_outcome(now: Snapshot, outcome: ElementOutcome, note: str = "") -> Message:
    """Of what became of them; a note is the description of what is done."""
    if outcome.refusal:
        return failure(outcome.refusal)
    return success(note, names_of(now).text_of(outcome.actor) if outcome.actor else "")
