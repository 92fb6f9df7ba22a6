"""Built-in scenarios, and OpenSCENARIO start and stop (documents/grpc-api-en.txt, Built-in Scenario, Open Scenario)."""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.run import load_scenario
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import MORAI_MSGS

START, STOP = "/morai_msgs/StartCmd", "/morai_msgs/StopCmd"
"""Names of the services, as the document has them."""
NO_ENGINE = "no OpenSCENARIO engine is installed in this version; LoadSimScenario loads MORAI's own scenarios"

WITHOUT_EFFECT: dict[str, str] = {"MoraiService/Start": NO_ENGINE, "MoraiService/Stop": NO_ENGINE}
"""Procedures that have no meaning here, and why."""


def _load(request: Any, at: Situation) -> DeferredReply:
    return DeferredReply(load_scenario(at.host, at.now, request.scenario_filename), lambda _, __: MORAI_MSGS.Empty())


def _engine(name: str, verb: str) -> Procedure:
    def procedure(request: Any, _: Situation) -> Message:
        text = f"{verb}: {NO_ENGINE}" if request.cmd_start else f"nothing to {verb}: cmd_start is false; {NO_ENGINE}"
        answer = json.dumps({"success": False, "description": text})
        return MORAI_MSGS.ServiceResponse(service_name=request.service_name or name, msg=answer.encode())

    return procedure


PROCEDURES: dict[str, Procedure] = {
    "LoadSimScenario": _load,
    "Start": _engine(START, "start"),
    "Stop": _engine(STOP, "stop"),
}
"""By name."""
