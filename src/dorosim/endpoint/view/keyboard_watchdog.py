"""Releases vehicles that the page drives by keys when the page falls silent. It works in the process of the run.

The page lets pedals come back by itself. If its process hangs or dies, only this watchdog releases the vehicles.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence

from dorosim.world.command import Command
from dorosim.world.vehicle.command import DriveByKeyboard, LeaveKeyboard, TakeKeyboard

KEYBOARD_TIMEOUT_S = 1.0
"""Wall time without a command after which a page drives no longer [s]; while it drives it sends 25 a second."""


class KeyboardWatchdog:
    """Keeps which vehicles the page drives, and releases them when it falls silent. Safe from several threads.

    Args:
        put: gives commands to the present run; a run that is over takes none.
        timeout: wall time without a command while the accelerator is pressed or wheels are turned [s]; a page that only
            brakes may be silent.
        clock: the wall clock [s].
    """

    def __init__(
        self,
        put: Callable[[Sequence[Command]], None],
        timeout: float = KEYBOARD_TIMEOUT_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._put = put
        self._timeout = timeout
        self._clock = clock
        self._changed = threading.Condition()
        self._driven: set[int] = set()
        self._due: dict[int, float] = {}
        self._closed = False
        self._thread: threading.Thread | None = None

    def note(self, commands: Iterable[Command], *, done: bool = True) -> None:
        """Note commands that the page sends.

        Args:
            commands: in order.
            done: whether the world has done them; a page that waits for that is not silent.
        """
        for command in commands:
            if isinstance(command, TakeKeyboard | DriveByKeyboard):
                self._note_driven(command, done=done)
            elif isinstance(command, LeaveKeyboard):
                with self._changed:
                    self._driven.discard(command.actor)
                    self._due.pop(command.actor, None)

    def forget(self) -> None:
        """Forget all vehicles: another run begins, in which the page drives none yet."""
        with self._changed:
            self._driven.clear()
            self._due.clear()

    def close(self) -> None:
        """Release all vehicles of the page, which is gone. The caller calls it again after orders noted since."""
        with self._changed:
            left, self._closed = sorted(self._driven), True
            self._driven.clear()
            self._due.clear()
            self._changed.notify_all()
        if left:
            self._put([LeaveKeyboard(actor) for actor in left])

    def release_overdue(self) -> None:
        """Release the vehicles for which the page has sent nothing in time; a thread of the watchdog does it, too."""
        with self._changed:
            now = self._clock()
            overdue = sorted(actor for actor, due in self._due.items() if due <= now)
            for actor in overdue:
                del self._due[actor]
                self._driven.discard(actor)
        if overdue:
            self._put([LeaveKeyboard(actor) for actor in overdue])

    def _note_driven(self, command: TakeKeyboard | DriveByKeyboard, *, done: bool) -> None:
        with self._changed:
            self._driven.add(command.actor)
            if self._closed:
                return
            if done and isinstance(command, DriveByKeyboard) and (command.accelerator or command.steer):
                self._due[command.actor] = self._clock() + self._timeout
            else:
                self._due.pop(command.actor, None)
            if self._due and self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="dorosim-page-guard", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def _watch(self) -> None:
        while True:
            self.release_overdue()
            with self._changed:
                if self._closed:
                    return
                left = min(self._due.values()) - self._clock() if self._due else None
                if left is None or left > 0.0:
                    self._changed.wait(left)
