"""A lock that threads get in turn: for what several threads work with, one of them again and again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from dorosim.ground.error import DorosimError


class BusyError(DorosimError):
    """Other threads have held the lock for too long."""


class FairLock:
    """Lets one thread through at a time. A thread that waits goes before one that has just been through.

    A plain lock gives no such promise: a thread that takes it again at once may keep the others out for ever.
    """

    def __init__(self) -> None:
        self._next, self._inside = Lock(), Lock()

    @contextmanager
    def passing(self, timeout: float = -1.0) -> Iterator[None]:
        """Hold the lock within the `with` block.

        Args:
            timeout: wall time to wait for each of the two inner locks [s]; below 0: any.

        Raises:
            BusyError: other threads hold the lock for longer than the patience.
        """
        if not self._next.acquire(timeout=timeout):
            raise BusyError(f"others have been at work for {timeout:g} s")
        try:
            entered = self._inside.acquire(timeout=timeout)
        finally:
            self._next.release()
        if not entered:
            raise BusyError(f"somebody has been at work for {timeout:g} s")
        try:
            yield
        finally:
            self._inside.release()
