"""What SIGINT and SIGTERM do to a run, from its first moment on.

A shell starts programs in the background with SIGINT ignored, and Python leaves it so. A script that starts a run ends
it by a signal all the same, perhaps while it starts: so the handlers are set before anything is loaded.

After a signal the program ends within `EXIT_TIMEOUT_S`, whatever it does at that moment. Closing the interfaces has a
time limit. Where the main thread does not come to closing, since a tick reads a thousand cameras or a kernel is being
compiled, the process is ended in the middle of it.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import NoReturn

from dorosim.app.cli.exit_code import ExitCode

EXIT_TIMEOUT_S = 2.8
"""Wall time from a signal to the end of the program [s]."""
STUCK_TIMEOUT_S = 2.0
"""Wall time after which the main thread is not waited for any longer, if it is still in a tick or in the start [s]."""
MIN_CLOSING_TIME_S = 0.3
"""Wall time that there is for closing, however long it took to come to that [s]."""
_BEHIND = 0.02
"""Wall time after which a callback is over [s]; if it is not, the signal comes again."""


class StopSignals:
    """While it is entered, SIGINT (Ctrl-C) and SIGTERM end the program; a second one of them ends it at once.

    Before `lead_to` they raise where the program is: KeyboardInterrupt for SIGINT, as Python does, and SystemExit for
    SIGTERM. After it they stop the run, which then ends as ever.

    Attributes:
        came: whether a signal came in any run of this process.
    """

    came = False

    def __init__(self) -> None:
        self._came: int | None = None
        self._stop: Callable[[], None] | None = None
        self._busy: Callable[[], bool] = lambda: True
        self._rescue: Callable[[], None] = lambda: None
        self._moment: float | None = None
        self._left = threading.Event()

    def __enter__(self) -> StopSignals:
        """Take the signals."""
        self._hook, sys.unraisablehook = sys.unraisablehook, self._again
        self._before = {number: signal.signal(number, self._take) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Restore the handlers that the signals had before."""
        self._left.set()
        sys.unraisablehook = self._hook
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @property
    def closing_timeout(self) -> float | None:
        """Wall time that there is for closing [s]; None where no signal has come."""
        if self._moment is None:
            return None
        return max(EXIT_TIMEOUT_S - (time.monotonic() - self._moment), MIN_CLOSING_TIME_S)

    def lead_to(
        self,
        stop: Callable[[], None],
        busy: Callable[[], bool] = lambda: False,
        rescue: Callable[[], None] = lambda: None,
    ) -> None:
        """From now on the signals stop the run.

        Args:
            stop: stops it; safe from a signal handler.
            busy: whether ticks go on all the same, from another thread.
            rescue: puts what the run has written so far onto the disk, from another thread, before the program is ended
                in the middle of a tick.

        Raises:
            KeyboardInterrupt, SystemExit: a signal has come before; what it raised then was lost in a library.
        """
        self._stop, self._busy, self._rescue = stop, busy, rescue
        if self._came is not None:
            _end(self._came)

    def _again(self, lost: sys.UnraisableHookArgs) -> None:
        """Send the signal again after a callback, such as a compiler's, since Python drops what is raised in it."""
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
        if self._moment is None:
            self._moment, StopSignals.came = time.monotonic(), True
            threading.Thread(target=self._watch, args=(number,), name="dorosim-stop", daemon=True).start()
        if self._stop is not None:
            self._stop()
            return
        self._came = number
        _end(number)

    def _watch(self, number: int) -> None:
        """End the program where it is, if it does not come to its end by itself."""
        if self._left.wait(STUCK_TIMEOUT_S) or not self._busy():
            return
        begun = self._stop is not None
        with suppress(Exception):  # whatever it is, the program ends
            self._rescue()
        what = "a tick was not done" if begun else "the start was not done"
        with suppress(OSError):
            late = f"{STUCK_TIMEOUT_S:g} s after the signal"
            sys.stderr.write(f"dorosim: ended {late}, while {what}; its summary is missing\n")
        end_process(ExitCode.OK if number == signal.SIGTERM and not begun else ExitCode.INTERRUPTED)


def end_process(status: int) -> NoReturn:
    """End the process at once: threads that are busy are not waited for, as Python would."""
    for file in (sys.stdout, sys.stderr):
        with suppress(Exception):
            file.flush()
    for act in _AT_END:
        with suppress(Exception):
            act()
    os._exit(status)


_AT_END: list[Callable[[], object]] = []


def at_end(act: Callable[[], object]) -> None:
    """Do something when the process ends, in whatever way it ends by itself.

    Not all that others registered with atexit may be done where threads are still busy: numba frees the code that they
    are in.
    """
    _AT_END.append(act)
    atexit.register(act)


def _end(number: int) -> NoReturn:
    """End a program that has not begun its run."""
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(int(ExitCode.OK))
