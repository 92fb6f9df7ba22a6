"""What became of what a client asked for, as a code."""

from __future__ import annotations

from dorosim.bridge.reply import ElementOutcome
from dorosim.bridge.run import NotNowError
from dorosim.bridge.tcp_step.situation import NotSupportedError, StepSituation
from dorosim.ground.error import InputError
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.response import ResultCode, StepResult


def result_of(name: str, outcome: ElementOutcome, to: StepSituation) -> Wire:
    """The answer to what was put to the world; users see why something was refused."""
    if not outcome.refusal:
        return StepResult()
    to.at.host.runs.report("refused", f"{name}: {outcome.refusal}")
    return StepResult(result_code=ResultCode.FAILED, detail_code=ResultCode.FAILED)


def code_of_error(error: Exception) -> ResultCode:
    """The code of what is not done since a procedure raised an error."""
    for kind, code in (
        (InputError, ResultCode.INVALID_PARAM),
        (WireError, ResultCode.INVALID_PARAM),
        (NotNowError, ResultCode.INVALID_STATE),
        (NotSupportedError, ResultCode.NOT_SUPPORTED),
    ):
        if isinstance(error, kind):
            return code
    return ResultCode.FAILED
