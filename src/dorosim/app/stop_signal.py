"""What SIGINT and SIGTERM do to a run, from its first moment on.

A shell starts programs in the background with SIGINT ignored, and Python leaves it so. Who starts a run in a script
ends it by a signal all the same, perhaps while it starts: so the handlers are there before anything is loaded.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import NoReturn

from dorosim.app.exit_code import ExitCode

_BEHIND = 0.02
"""Wall time after which a callback is over [s]; if it is not, the signal comes again."""


class StopSignals:
    """While it is entered, SIGINT (Ctrl-C) and SIGTERM end the program; a second one of them ends it at once.

    Before `lead_to` they raise where the program is: KeyboardInterrupt for SIGINT, as Python does, and SystemExit for
    SIGTERM. After it they stop the run, which then ends as ever.
    """

    def __init__(self) -> None:
        self._came: int | None = None
        self._stop: Callable[[], None] | None = None

    def __enter__(self) -> StopSignals:
        """Take the signals."""
        self._hook, sys.unraisablehook = sys.unraisablehook, self._again
        self._before = {number: signal.signal(number, self._take) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave them to whom they were before."""
        sys.unraisablehook = self._hook
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def lead_to(self, stop: Callable[[], None]) -> None:
        """From now on the signals stop the run.

        Args:
            stop: stops it; safe from a signal handler.

        Raises:
            KeyboardInterrupt, SystemExit: a signal has come before; what it raised then was lost in a library.
        """
        self._stop = stop
        if self._came is not None:
            _end(self._came)

    def _again(self, lost: sys.UnraisableHookArgs) -> None:
        """Python drops what is raised in a callback, as a compiler has them: give the signal once more, behind it."""
        number = self._came
        if number is None or self._stop is not None or lost.exc_type not in (KeyboardInterrupt, SystemExit):
            self._hook(lost)
            return
        signal.signal(number, self._take)
        later = threading.Timer(_BEHIND, os.kill, (os.getpid(), number))
        later.daemon = True
        later.start()

    def _take(self, number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        if self._stop is not None:
            self._stop()
            return
        self._came = number
        _end(number)


def _end(number: int) -> NoReturn:
    """End a program that has not begun its run."""
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(int(ExitCode.OK))
