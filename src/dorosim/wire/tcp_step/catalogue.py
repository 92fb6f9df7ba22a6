"""All types of messages over TCP. A new one is a row here, with its classes."""

from __future__ import annotations

from typing import Any, NamedTuple

from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step import request as ask
from dorosim.wire.tcp_step import response as told
from dorosim.wire.tcp_step.codec import Decoded, decode


class StepProcedure(NamedTuple):
    """A type of message.

    Attributes:
        number: on the wire. name: for people.
        requests: forms of the request, told apart by their sizes. responses: forms of the answer, the first also that
            of a failure.
    """

    number: int
    name: str
    requests: tuple[type[Wire], ...]
    responses: tuple[type[Wire], ...] = (told.StepResult,)


_NOTHING = (ask.Empty,)
PROCEDURES: tuple[StepProcedure, ...] = (
    StepProcedure(0x1001, "GetSimulatorStatus", _NOTHING, (told.SimulatorState,)),
    StepProcedure(0x1002, "GetSimulatorMode", _NOTHING, (told.SimulatorMode,)),
    StepProcedure(0x1003, "SetSimulatorMode", (ask.SetSimulatorMode,)),
    StepProcedure(0x1004, "LoadMap", (ask.LoadMap,)),
    StepProcedure(0x1101, "GetTimeStatus", _NOTHING, (told.TimeStatus, told.VariableTimeStatus, told.FixedTimeStatus)),
    StepProcedure(0x1102, "SetTimeMode", (ask.SetTimeMode, ask.SetVariableTime, ask.SetFixedTime), (told.TimeModeSet,)),
    StepProcedure(0x1201, "FixedStep", (ask.FixedStep,)),
    StepProcedure(0x1202, "SaveData", _NOTHING),
    StepProcedure(0x1301, "CreateObject", (ask.CreateObject,), (told.ObjectCreated,)),
    StepProcedure(0x1302, "ManualControlById", (ask.ManualControlById,)),
    StepProcedure(0x1303, "TransformControlById", (ask.TransformControlById, ask.TransformControlWithoutSpeed)),
    StepProcedure(0x1304, "SetTrajectory", (ask.SetTrajectory,)),
    StepProcedure(0x1305, "DeleteObject", (ask.DeleteObject,)),
    StepProcedure(0x1401, "ActiveSuite", _NOTHING, (told.SuiteStatus,)),
    StepProcedure(0x1402, "LoadSuite", (ask.LoadSuite,)),
    StepProcedure(0x1504, "ScenarioStatus", _NOTHING, (told.ScenarioStatus, told.NamedScenarioStatus)),
    StepProcedure(0x1505, "ScenarioControl", (ask.ScenarioControl,)),
    StepProcedure(0x1601, "LoadTrafficScenario", (ask.LoadTrafficScenario,)),
    StepProcedure(0x1602, "TrafficGenerate", (ask.TrafficGenerate,)),
)
"""In the order of their numbers. The notes (facts/tcp-fixed-step.md) leave out that these are hexadecimal, and do not
have those of 0x10.., 0x1305 and 0x16.., which the newest public clients send."""
BY_NUMBER: dict[int, StepProcedure] = {one.number: one for one in PROCEDURES}


def read_request(procedure: StepProcedure, payload: bytes) -> Decoded:
    """The request in a payload, in the form whose size fits.

    Raises:
        WireError: it is none of the forms; of the form whose size fits, if one does.
    """
    errors = []
    for form in procedure.requests:
        try:
            return decode(form, payload)
        except WireError as error:
            errors.append(error)
    raise next((one for one in errors if one.fault != "size"), errors[0])


def failure(procedure: StepProcedure, code: int, form: type[Wire] | None = None) -> Any:
    """The answer of a procedure that was not done: its usual form, whose other fields say nothing.

    Args:
        procedure: which.
        code: `ResultCode`.
        form: of the answer, if the client expects another than the first.
    """
    make: Any = form or procedure.responses[0]
    return make(result_code=code, detail_code=code)
