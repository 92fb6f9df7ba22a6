"""One at a time, in turn: for what several threads work with, one of them again and again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from dorosim.ground.error import DorosimError


class BusyError(DorosimError):
    """Others are at work for too long."""


class FairLock:
    """Lets one thread through at a time. Who waits goes before who has just been through.

    A plain lock gives no such promise: a thread that takes it again at once may keep the others out for ever.
    """

    def __init__(self) -> None:
        self._next, self._inside = Lock(), Lock()

    @contextmanager
    def passing(self, patience: float = -1.0) -> Iterator[None]:
        """Be the one who works.

        Args:
            patience: wall time to wait at each of the two gates [s]; below 0: any.

        Raises:
            BusyError: it is not one's turn in time.
        """
        if not self._next.acquire(timeout=patience):
            raise BusyError(f"others have been at work for {patience:g} s")
        try:
            come = self._inside.acquire(timeout=patience)
        finally:
            self._next.release()
        if not come:
            raise BusyError(f"somebody has been at work for {patience:g} s")
        try:
            yield
        finally:
            self._inside.release()
