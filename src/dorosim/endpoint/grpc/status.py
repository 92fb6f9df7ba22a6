"""With which status a call ends that fails, and why."""

from __future__ import annotations

import grpc

from dorosim.endpoint.command_gateway import RunOverError, TickTimeoutError
from dorosim.ground.error import DorosimError, InputError

Code = grpc.StatusCode


class CallError(DorosimError):
    """A call cannot be done.

    Attributes:
        code: its status.
    """

    def __init__(self, code: grpc.StatusCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def status_of(error: Exception) -> tuple[grpc.StatusCode, str]:
    """Status and sentence of a failure. INTERNAL means that dorosim itself is at fault."""
    for kind, code in (
        (InputError, Code.INVALID_ARGUMENT),
        (RunOverError, Code.UNAVAILABLE),
        (TickTimeoutError, Code.DEADLINE_EXCEEDED),
        (DorosimError, Code.FAILED_PRECONDITION),
    ):
        if isinstance(error, kind):
            return (error.code if isinstance(error, CallError) else code), str(error)
    return Code.INTERNAL, f"{type(error).__name__}: {error}; this is a fault of dorosim, please tell us"
