"""How often, and how long, a call is tried."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import grpc

from dorosim.client.error import error_from_status, is_worth_retrying

MIN_RETRY_PAUSE_S, MAX_RETRY_PAUSE_S = 0.05, 1.0
"""Wall time before a call is made again [s]; it doubles from the first to the longest."""


@dataclass(slots=True)
class Attempts:
    """How often, and how long, a call is tried.

    Attributes:
        name: of the procedure. address: of the simulator. timeout: wall time for all attempts [s].
        reads: whether the procedure changes nothing.
        goes_on: whether the simulator may still answer; where it may not, there is no further attempt.
    """

    name: str
    address: str
    timeout: float
    reads: bool
    goes_on: Callable[[], bool] = lambda: True
    _end: float = 0.0
    _pause: float = MIN_RETRY_PAUSE_S

    def __post_init__(self) -> None:
        """Start the time of the attempts."""
        self.begin()

    def begin(self) -> None:
        """Start the time anew, as after a success: the next failure counts as the first one."""
        self._end, self._pause = time.monotonic() + self.timeout, MIN_RETRY_PAUSE_S

    @property
    def left(self) -> float:
        """Wall time for the next attempt [s]."""
        return max(self._end - time.monotonic(), 0.001)

    def after(self, error: grpc.RpcError) -> float:
        """How long to wait before the next attempt, after one that failed [s].

        Raises:
            ClientError: there is none.
        """
        return self._next(error.code(), error.details() or "")

    def after_the_end(self) -> float:
        """How long to wait before the next attempt, after a stream that the simulator ended [s].

        Raises:
            ClientError: there is none.
        """
        return self._next(grpc.StatusCode.UNAVAILABLE, "the simulator ended the stream")

    def _next(self, code: grpc.StatusCode, details: str) -> float:
        pause = self._pause
        over = time.monotonic() + pause > self._end or not self.goes_on()
        if over or not is_worth_retrying(code, details, reads=self.reads):
            raise error_from_status(self.name, self.address, code, details, self.timeout) from None
        self._pause = min(2.0 * pause, MAX_RETRY_PAUSE_S)
        return pause
