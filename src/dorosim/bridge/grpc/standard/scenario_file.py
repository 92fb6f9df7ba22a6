"""The service Scenario: scenario files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.grpc.call import Ask, Procedure, Situation
from dorosim.bridge.grpc.standard.result import failure, result_of
from dorosim.bridge.run import load_scenario
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from google.protobuf.message import Message


def _load(request: Any, at: Situation) -> Ask | Message:
    try:
        commands = load_scenario(at.host, at.now, request.value)
    except InputError as error:
        return failure(str(error))
    return Ask(commands, result_of)


SCENARIO_FILES: dict[str, Procedure] = {"Scenario/LoadMoraiScenario": _load}
"""By "Service/Name"."""
