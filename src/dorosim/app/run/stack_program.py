"""A program that drives the ego vehicle of a scenario, started and ended with the run."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from dorosim.app.run.report.json_output import Facts
from dorosim.app.run.report.run_facts import run_facts_of
from dorosim.app.run.run_file import RunFile
from dorosim.app.serve.run_service import RunService
from dorosim.client.run_file import RUN_VARIABLE
from dorosim.ground.error import InputError, reason_of

if TYPE_CHECKING:
    from dorosim.app.run.switch import CurrentRun

SERVER_PATIENCE_S, POLL_S = 10.0, 0.01
"""Wall time that servers have to come up, and after which it is looked again [s]."""
END_PATIENCE_S = 3.0
"""Wall time that the program has to end after SIGTERM [s]."""


class StackProgram(RunService):
    """Starts a program as a run begins, with the variable that leads it to the run, and ends it after the run.

    What it prints goes to standard error.

    Args:
        command: with its arguments, "" for none: then it only writes the run's file.
        run_file: of the run, which is written before the program starts.
        services: the interfaces of the run.
        guard: words before the command: of a program that starts it, and ends it as its input is closed.
        variables: that the program has beside those of this process.

    Raises:
        InputError: the command cannot be read.
    """

    def __init__(
        self,
        command: str,
        run_file: RunFile,
        services: Sequence[RunService],
        guard: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self._words, self._guard, self._variables = words_of(command), tuple(guard), dict(variables or {})
        self._run_file, self._services = run_file, services
        self._process: subprocess.Popen[bytes] | None = None
        self._broken, self._over = "", False
        self._lock = threading.Lock()
        self._told: Facts = {}

    @property
    def where(self) -> str:
        """Where a program reaches the run, "" before that is known."""
        told = self._told
        if not told.get("interfaces"):
            sends = [f"{one['message']} to {one['to']}" for one in told.get("sends", ())[:2]]
            return f"the run sends {' and '.join(sends)}, and listens at {told['listen'][0]}" if sends else ""
        return "the run is reached at " + ", ".join(f"{at} ({name})" for name, at in told["interfaces"].items())

    @property
    def broken(self) -> str:
        """Why the run cannot go on with the program, "" where it can."""
        return self._broken

    def serve(self, current: CurrentRun) -> None:
        """The run is about to begin: as soon as its interfaces can be reached, write its file and start the program.

        Raises:
            InputError: there is no such program.
        """
        if self._words and shutil.which(self._words[0]) is None:
            problem = "there is no such program, or it may not be run"
            raise InputError(f"--stack {self._words[0]}", "", problem, "give a program that is there")
        for one in self._services:
            one.open_now()
        facts = msgspec.to_builtins(run_facts_of(current.session, _all(self._services, "lines"), ()))
        event = {"event": "ready", "run": current.number, **facts}
        threading.Thread(target=self._attend, args=(current, event), daemon=True).start()

    def _attend(self, current: CurrentRun, event: Facts) -> None:
        """Start the program and wait until it ends; one that fails ends the run."""
        event["interfaces"] = self._interfaces()
        self._told = event
        self._run_file.write(event)
        with self._lock:
            if not self._words or self._over:
                return
            surroundings = os.environ | self._variables | {RUN_VARIABLE: self._run_file.run_id}
            addresses = {"udp": event["listen"][0]} if event["listen"] else {}
            addresses |= event["interfaces"]
            addresses |= {f"udp {one['message']}": one["to"] for one in event["sends"] if one.get("ego", 1) == 1}
            surroundings |= {address_variable(name): str(at) for name, at in addresses.items()}
            try:
                self._process = process = subprocess.Popen(
                    [*self._guard, *self._words],
                    env=surroundings,
                    stdin=subprocess.PIPE if self._guard else subprocess.DEVNULL,
                    stdout=_errors(),
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                self._break(current, f"the program that drives cannot be started: {reason_of(error)}")
                return
        status = process.wait()
        if status and not self._over:
            how = f"by signal {-status}" if status < 0 else f"with status {status}"
            self._break(current, f"the program that drives ended {how}")

    def _interfaces(self) -> dict[str, str]:
        """Addresses of the interfaces; servers have theirs a moment after the start."""
        end = time.monotonic() + SERVER_PATIENCE_S
        while any(one.addresses is None for one in self._services) and time.monotonic() < end and not self._over:
            time.sleep(POLL_S)
        return {name: at for one in self._services for name, at in (one.addresses or {}).items()}

    def _break(self, current: CurrentRun, why: str) -> None:
        """The run cannot go on."""
        self._broken = why
        lockstep = current.loop.lockstep
        if lockstep is not None:
            lockstep.broken = lockstep.broken or why
            lockstep.wake()

    def close(self) -> None:
        """End the program, with all that it has started."""
        with self._lock:
            self._over = True
            process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()  # by which a guard ends all that it has started
            with suppress(subprocess.TimeoutExpired):
                process.wait(2 * END_PATIENCE_S)
        for sign in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, sign)
            with suppress(subprocess.TimeoutExpired):
                process.wait(END_PATIENCE_S)
                return


def address_variable(interface: str) -> str:
    """The variable that has the address of an interface, such as DOROSIM_ADDRESS_GRPC."""
    return f"{RUN_VARIABLE.rpartition('_')[0]}_ADDRESS_{''.join(c if c.isalnum() else '_' for c in interface).upper()}"


def words_of(command: str) -> list[str]:
    """A command as a program and its arguments.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InputError(f"--stack {command}", "", f"is no command: {error}", "close its quotes") from None


def _all(services: Sequence[RunService], name: str) -> list[str]:
    return [line for one in services for line in getattr(one, name)]


def _errors() -> int | None:
    """Where the output of the program goes: standard output is for the verdicts."""
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return subprocess.DEVNULL
