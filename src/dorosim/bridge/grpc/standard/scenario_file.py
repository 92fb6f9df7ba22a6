"""The service Scenario: scenario files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.standard.result import failure, result_of
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.run import load_scenario
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from google.protobuf.message import Message


def _load(request: Any, at: Situation) -> DeferredReply | Message:
    try:
        commands = load_scenario(at.host, at.now, request.value)
    except InputError as error:
        return failure(str(error))
    return DeferredReply(commands, result_of)


SCENARIO_FILES: dict[str, Procedure] = {"Scenario/LoadMoraiScenario": _load}
"""By "Service/Name"."""
