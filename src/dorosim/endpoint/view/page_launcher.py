"""The address of the page. Its process starts when the first visitor connects, or before, when it is to be prepared.

Until then none of it is loaded. The listening socket is open from the start, so the first visitor's connection waits in
it for the process, which inherits the socket.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dorosim.endpoint.udp.socket import Address
from dorosim.endpoint.wake_socket import WakeSocket

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MIN_RESTART_PAUSE_S = 5.0
"""Wall time from the start of a process to that of the next one, at least [s]: so one that fails at once does not load
the machine."""
MAX_RESTART_PAUSE_S = 300.0
"""Longest such wall time that the launcher waits, after several processes that failed or could not be started [s]."""
END_TIMEOUT_S = 1.0
"""Wall time that the process has to end when the program does [s]."""
LEAVE_S = 0.3
"""The same until it is told to, by a signal: one that is still being loaded does not look at its connection [s]."""


class PageLauncher:
    """Listens at the address of the page, and starts its process when a visitor connects.

    Args:
        address: of the page; port 0 for any that is free.
        command: what the process runs, without the two descriptors that come last: of its connection, and of the
            socket.
        come: is called with the connection to each process, on the thread of the launcher.
        report: is called with each line that a process writes about problems, from any thread.

    Raises:
        OSError: the address cannot be used.

    Attributes:
        port: of the address.
    """

    def __init__(
        self,
        address: Address,
        command: Sequence[str],
        come: Callable[[Connection], None],
        report: Callable[[str], None],
    ) -> None:
        self._socket = socket.create_server((address.host, address.port))
        self.port = int(self._socket.getsockname()[1])
        self._command = tuple(command)
        self._come = come
        self._report = report
        self._process: subprocess.Popen[bytes] | None = None
        self._waker = WakeSocket()
        self._again = threading.Event()
        self._failed = False
        self._ahead = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._wait_on, name="dorosim-page-door", daemon=True)

    @property
    def process(self) -> int:
        """Number of the last process; 0 before the first."""
        return 0 if self._process is None else self._process.pid

    def start(self) -> None:
        """Begin to wait for visitors."""
        self._thread.start()

    def prepare(self) -> None:
        """Start the process though no visitor is there, if none has been started. Safe from another thread."""
        if not self._ahead:
            self._ahead = True
            self._waker.wake()

    def reopen(self, *, failed: bool = False) -> None:
        """Note that the process is gone, and wait for the next visitor. Safe from another thread.

        Args:
            failed: whether the process ended before it could serve a visitor. The launcher then closes the connections
                that wait, and doubles the wall time until it may start another process, so that one that cannot run is
                not started again and again.
        """
        self._failed = failed
        self._again.set()

    def close(self) -> None:
        """Close the address, and wait for the process to end; kill it after `END_TIMEOUT_S`."""
        self._closing.set()
        self._again.set()
        self._waker.wake()
        if self._thread.ident is not None:
            self._thread.join()
        self._waker.close()
        self._socket.close()
        process = self._process
        if process is not None:
            try:
                process.wait(LEAVE_S)
            except subprocess.TimeoutExpired:
                process.terminate()
            try:
                process.wait(END_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _wait_on(self) -> None:
        pause, reported = MIN_RESTART_PAUSE_S, ""
        while not self._closing.is_set():
            ready, _, _ = select.select([self._socket, self._waker.receiver], [], [])
            if self._closing.is_set():
                return
            self._waker.clear()
            if self._socket not in ready and (not self._ahead or self._process is not None):
                continue
            begun = time.monotonic()
            try:
                process, connection = self._started()
            except OSError as error:
                problem = f"its process cannot be started: {error.strerror or error}"
                if problem != reported:
                    self._report(f"{problem}; it is tried again, more and more seldom, while visitors wait")
                reported, pause = problem, min(2 * pause, MAX_RESTART_PAUSE_S)
            else:
                reported = ""
                self._process = process
                self._come(connection)
                self._again.wait()
                self._again.clear()
                if not self._closing.is_set():
                    process.wait()
                pause = min(2 * pause, MAX_RESTART_PAUSE_S) if self._failed else MIN_RESTART_PAUSE_S
            if self._closing.is_set():
                return
            if self._failed:
                self._turn_away()
            self._waker.clear()
            if self._closing.is_set():
                return
            # `close` ends the wait
            select.select([self._waker.receiver], [], [], max(pause - (time.monotonic() - begun), 0.0))

    def _turn_away(self) -> None:
        """Close the connections that no process has accepted."""
        self._failed = False
        while select.select([self._socket], [], [], 0.0)[0]:
            self._socket.accept()[0].close()

    def _started(self) -> tuple[subprocess.Popen[bytes], Connection]:
        """Start a process. Returns it and the connection to it.

        Raises:
            OSError: the system cannot start it.
        """
        from multiprocessing.connection import Pipe

        mine, its = Pipe()
        with its:
            fds = (its.fileno(), self._socket.fileno())
            command = (sys.executable, *self._command, *(str(fd) for fd in fds))
            try:
                # in a session of its own, so that Ctrl-C at a terminal is the run's alone, which ends the process
                process = subprocess.Popen(
                    command,
                    pass_fds=fds,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
            except OSError:
                mine.close()
                raise
        threading.Thread(target=self._hear, args=(process,), name="dorosim-page-word", daemon=True).start()
        return process, mine

    def _hear(self, process: subprocess.Popen[bytes]) -> None:
        """Report each line that a process writes to its standard error; of tracebacks, the last lines only."""
        assert process.stderr is not None
        with process.stderr as words:
            for raw in words:
                line = raw.decode(errors="replace").rstrip()
                if line and not line[0].isspace() and not line.startswith("Traceback"):
                    self._report(line)


def lower_priority(steps: int) -> None:
    """Raise the niceness of this process, where the system can, so that those of the run go first."""
    if hasattr(os, "nice"):
        os.nice(steps)
