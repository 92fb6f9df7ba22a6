"""Ctrl-C (SIGINT) in any command, at any moment, also while it still loads.

Python raises KeyboardInterrupt wherever it is. Libraries that are loading, and those that call back from C, drop that
or make another error of it, which would then be told as a fault. So the command remembers that a signal came: whatever
error follows is the end that was asked for. `dorosim.app.run.stop_signal` takes over while a run goes on.

This module needs the standard library only, since it is at work before anything else is loaded.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

_AGAIN_S = 0.02
"""Wall time after which a callback is over [s], and the signal comes again."""


class Interrupts:
    """What is known of SIGINT in this process.

    Attributes:
        came: whether one came.
    """

    came = False
    _hook = staticmethod(sys.unraisablehook)

    @classmethod
    def take(cls) -> None:
        """From now on SIGINT raises KeyboardInterrupt, and is remembered; a second one ends the process at once.

        A process that was started with SIGINT ignored, as shells start those in the background, goes on ignoring it.
        """
        cls.came = False
        if not _may_take():
            return
        signal.signal(signal.SIGINT, cls._take)
        if sys.unraisablehook != cls._again:
            cls._hook = staticmethod(sys.unraisablehook)
            sys.unraisablehook = cls._again

    @classmethod
    def leave(cls) -> None:
        """The command is done: from now on SIGINT ends the process at once, without a word."""
        if _may_take():
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.unraisablehook = cls._hook

    @classmethod
    def _take(cls, number: int, _: FrameType | None) -> None:
        cls.came = True
        signal.signal(number, signal.SIG_DFL)
        raise KeyboardInterrupt

    @classmethod
    def _again(cls, lost: sys.UnraisableHookArgs) -> None:
        """Send the signal again after a callback in which Python drops what is raised."""
        if not cls.came or lost.exc_type is not KeyboardInterrupt:
            cls._hook(lost)
            return
        signal.signal(signal.SIGINT, cls._take)
        later = threading.Timer(_AGAIN_S, os.kill, (os.getpid(), signal.SIGINT))
        later.daemon = True
        later.start()


def _may_take() -> bool:
    """Whether SIGINT is not ignored, and this thread may say what it does."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    return not ignored and threading.current_thread() is threading.main_thread()
