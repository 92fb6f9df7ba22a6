"""What can go wrong between a program and the simulator, each with what to do about it."""

from __future__ import annotations

import grpc

from dorosim.ground.error import DorosimError, one_line

Code = grpc.StatusCode
START = (
    "start it with `dorosim run`, or give its address: connect('HOST:PORT'); a first start compiles for up to a minute "
    "before it answers: connect(timeout=90)"
)


class ClientError(DorosimError):
    """Something could not be done.

    Attributes:
        problem: what was wrong. cure: what to do about it, "" where nothing is known.
    """

    def __init__(self, problem: str, cure: str = "") -> None:
        self.problem = problem
        self.cure = cure
        super().__init__(one_line(f"{problem}; {cure}" if cure else problem))


class NoServerError(ClientError):
    """No program answers at the address, or one that does not speak gRPC."""


class NoAnswerError(ClientError):
    """The simulator did not answer in time."""


class RefusedError(ClientError):
    """The simulator understood and says no; `problem` says why, in its words."""


def error_from_status(name: str, address: str, code: grpc.StatusCode, details: str, timeout: float) -> ClientError:
    """The error for a call that ended with a status.

    Args:
        name: of the procedure.
        address: of the simulator.
        code: the status.
        details: its sentence.
        timeout: how long an answer was waited for [s].
    """
    if code == Code.UNAVAILABLE:
        if _speaks_otherwise(details):
            return NoServerError(
                f"what listens at {address} does not speak gRPC", "give the gRPC port (7789 by default), not a UDP one"
            )
        if "ask again" in details:
            return NoAnswerError(f"{name}: {details}")
        if "run" in details:
            return NoAnswerError(f"{name}: {details}", "the run is beginning anew or ended; ask again")
        return NoServerError(f"no simulator answers at {address} ({details})", START)
    if code == Code.DEADLINE_EXCEEDED:
        cure = (
            "does a client tick, if it is synchronous? does it still compile, at its first start? else allow more time"
        )
        return NoAnswerError(f"{name}: no answer in {timeout:g} s", cure)
    if code == Code.UNIMPLEMENTED:
        return ClientError(
            f"{name}: the simulator at {address} does not have it ({details})", "is it an older version?"
        )
    if code in (Code.INVALID_ARGUMENT, Code.FAILED_PRECONDITION, Code.NOT_FOUND, Code.OUT_OF_RANGE):
        return RefusedError(f"{name}: {details}")
    if code == Code.RESOURCE_EXHAUSTED:
        return ClientError(f"{name}: {details}", "close what is not needed, or ask for less")
    if code == Code.CANCELLED:
        return ClientError(f"{name}: the call was ended", "has the client been closed?")
    return ClientError(f"{name}: {code.name.lower()}: {details}")


def is_worth_retrying(code: grpc.StatusCode, details: str, *, reads: bool) -> bool:
    """Whether a call that failed can be made again without doing something twice.

    A command whose connection broke may have been done; one that never left, or that found no run, was not.
    """
    if code != Code.UNAVAILABLE or _speaks_otherwise(details):
        return False
    return reads or "ask again" in details or "failed to connect" in details.lower()


def _speaks_otherwise(details: str) -> bool:
    """Whether a program other than a gRPC server answered; no answer for a while may mean a busy simulator."""
    return any(sign in details.lower() for sign in ("http2", "http/2", "trying to connect an http1"))
