"""Built-in scenarios, and OpenSCENARIO start and stop (documents/grpc-api-en.txt, Built-in Scenario, Open Scenario)."""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure, Response
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.run import load_scenario
from dorosim.bridge.situation import Situation
from dorosim.bridge.storyboard import NO_STORYBOARD, start_storyboard, status_of
from dorosim.ground.error import DorosimError
from dorosim.wire.grpc.descriptor import MORAI_MSGS
from dorosim.world.snapshot import Outcome, Snapshot
from dorosim.world.storyboard.command import StopStoryboard

START, STOP = "/morai_msgs/StartCmd", "/morai_msgs/StopCmd"
"""Names of the services, as the document has them."""


def _load(request: Any, at: Situation) -> DeferredReply:
    return DeferredReply(load_scenario(at.host, at.now, request.scenario_filename), lambda _, __: MORAI_MSGS.Empty())


def _answer(request: Any, name: str, text: str, *, done: bool) -> Message:
    answer = json.dumps({"success": done, "description": text})
    return MORAI_MSGS.ServiceResponse(service_name=request.service_name or name, msg=answer.encode())


def _start(request: Any, at: Situation) -> Message:
    """Start the storyboard that is loaded; where the request says not to, how it is doing."""
    status = status_of(at.now)
    if request.cmd_start and not status:
        return _answer(request, START, NO_STORYBOARD, done=False)
    if not request.cmd_start:
        return _answer(
            request, START, f"cmd_start is false, so nothing is started; {status or NO_STORYBOARD}", done=False
        )
    try:
        return _answer(request, START, start_storyboard(at.host, at.now), done=True)
    except DorosimError as error:
        return _answer(request, START, str(error), done=False)


def _stop(request: Any, at: Situation) -> Response:
    """Stop the storyboard that is loaded."""
    status = status_of(at.now)
    if request.cmd_start and not status:
        return _answer(request, STOP, NO_STORYBOARD, done=False)
    if not request.cmd_start:
        return _answer(
            request, STOP, f"cmd_start is false, so nothing is stopped; {status or NO_STORYBOARD}", done=False
        )

    def reply(now: Snapshot, outcomes: tuple[Outcome, ...]) -> Message:
        refusals = [one.refusal for one in outcomes if one.refusal]
        text = "; ".join(refusals) or status_of(now)
        return _answer(request, STOP, text, done=not refusals)

    return DeferredReply((StopStoryboard(),), reply)


PROCEDURES: dict[str, Procedure] = {"LoadSimScenario": _load, "Start": _start, "Stop": _stop}
"""By name."""
