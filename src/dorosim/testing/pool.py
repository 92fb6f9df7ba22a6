"""Simulators that tests share, one after the other: a start takes a second, to begin a run anew a few milliseconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from dorosim.client import Client, ClientError, connect
from dorosim.testing.program import SimulatorProgram
from dorosim.testing.simulator import Simulator

RECORDING = "test"
"""Name under which the simulator records a test."""
SIMULATOR_TIMEOUT_S = 60.0
"""Wall time for an answer of the simulator [s]: machines of continuous integration are slow."""


@dataclass
class RecordedSimulator:
    """A simulator while a test has it.

    Attributes:
        simulator: as the test has it. log_begin: where the part of the log about the test begins [bytes].
        recording: file of the recording; it is whole after `end`.
    """

    simulator: Simulator
    log_begin: int
    recording: Path

    def end(self) -> None:
        """End the recording; a simulator that has died leaves what it had written."""
        with suppress(ClientError):
            self.simulator.client.stop_recording()

    @property
    def log(self) -> str:
        """What the simulator logged during the test."""
        with self.simulator.program.log.open("rb") as file:
            file.seek(self.log_begin)
            return file.read().decode("utf-8", errors="replace")


class SimulatorPool:
    """The programs of a process of pytest, by their arguments.

    Args:
        folder: for their logs and data folders.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._programs: dict[tuple[str, ...], tuple[SimulatorProgram, Client]] = {}
        self._count = 0

    @contextmanager
    def simulator(self, arguments: tuple[str, ...], period: float) -> Iterator[RecordedSimulator]:
        """A simulator at simulated time 0, which records; a program that has died is started anew.

        Args:
            arguments: of `dorosim run`.
            period: time of a step [s].

        Raises:
            ClientError: the simulator cannot be started, or refuses the period.
        """
        program, client = self._running(arguments)
        begin = program.log.stat().st_size
        client.start()
        client.set_synchronous(True, period=period)
        recording = program.data / "Recording" / f"{RECORDING}.rec"
        recording.unlink(missing_ok=True)
        client.start_recording(RECORDING)
        yield RecordedSimulator(Simulator(program, client, period), begin, recording)

    def close(self) -> None:
        """End all programs."""
        for program, client in self._programs.values():
            client.close()
            program.end()
        self._programs.clear()

    def _running(self, arguments: tuple[str, ...]) -> tuple[SimulatorProgram, Client]:
        found = self._programs.get(arguments)
        if found is not None and found[0].alive:
            return found
        if found is not None:
            found[1].close()
            found[0].end()
        self._count += 1
        program = SimulatorProgram(arguments, self._folder / str(self._count))
        try:
            client = connect(program.run.grpc, timeout=SIMULATOR_TIMEOUT_S)
        except BaseException:
            program.end()
            raise
        client.goes_on = lambda: program.alive
        # time stands from here on, between tests as well
        client.set_synchronous(True)
        self._programs[arguments] = program, client
        return program, client
