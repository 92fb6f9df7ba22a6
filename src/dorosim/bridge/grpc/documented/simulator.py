"""Simulator: pause, resume, load map (documents/grpc-api-en.txt, Simulator)."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.host import StartOrder
from dorosim.bridge.npc import report_stand_in, vehicle_to_make
from dorosim.bridge.reply import ElementOutcome, reply_of
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import MORAI_MSGS
from dorosim.world.actor.command import PauseRun
from dorosim.world.snapshot import Snapshot

_ASSET_BUNDLE = "V_Extra_Scene,"
"""Before the names of maps that the product loads from a bundle; here they are maps as others."""


def _pause(paused: bool) -> Procedure:
    return lambda _, __: reply_of((PauseRun(paused=paused),), _result)


def _result(_: Snapshot, outcome: ElementOutcome) -> Message:
    return MORAI_MSGS.Result(success=not outcome.refusal, description=outcome.refusal)


def _load_map(request: Any, at: Situation) -> Message:
    name = request.map_name.removeprefix(_ASSET_BUNDLE).strip()
    vehicle, note = vehicle_to_make(request.ego_name)
    try:
        answer = at.host.runs.start(StartOrder(map_name=name, vehicle=vehicle))
    except InputError as error:
        return MORAI_MSGS.Result(success=False, description=str(error))
    report_stand_in(at.host, note)
    return MORAI_MSGS.Result(success=True, description=f"{answer}; {note}" if note else answer)


PROCEDURES: dict[str, Procedure] = {"Pause": _pause(True), "Resume": _pause(False), "LoadMap": _load_map}
"""By name."""
