"""The page's end of the connection to the run: takes its messages, and sends commands and requests."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from dorosim.endpoint.view import message as page_message
from dorosim.ground.error import DorosimError
from dorosim.sensor.pose import Pose
from dorosim.sensor.reading import Reading
from dorosim.world.command import Command
from dorosim.world.snapshot import Outcome, Snapshot

ANSWER_TIMEOUT_S = 60.0
"""Wall time that the page waits for an answer [s]; a run on another map takes some."""


class RunProxy:
    """The run as the page sees it. Its methods are safe from any thread.

    `do` and `ask` wait for an answer, which the thread of `follow` takes: that thread must call neither.

    Args:
        connection: to the process of the run.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Any]] = {}

    def follow(
        self,
        begin: Callable[[page_message.RunBegun], None],
        show: Callable[[Snapshot], None],
        hear: Callable[[Sequence[Reading], Sequence[Pose | None]], None],
    ) -> None:
        """Take the messages of the run until the connection ends.

        Args:
            begin: is called with each run that begins.
            show: is called with each snapshot of the present run that the page asked for.
            hear: is called with readings, and map_from_sensor of each.
        """
        present = 0
        try:
            while True:
                match self._connection.recv():
                    case page_message.RunBegun() as begun:
                        present = begun.number
                        begin(begun)
                    case page_message.PageFrame(now, number):
                        if number == present:
                            show(now)
                    case page_message.SensorsRead(readings, poses):
                        hear(readings, poses)
                    case page_message.Answer(number, value, problem):
                        self._answer(number, value, problem)
        except (EOFError, OSError):
            return

    def want(self) -> None:
        """Ask for the next snapshot."""
        self._send(page_message.WantFrame())

    def listen(self, sensors: frozenset[int]) -> None:
        """Ask the run for the readings of these sensors, by number, from now on."""
        self._send(page_message.Listen(sensors))

    def report(self, text: str) -> None:
        """Report to the run that something of the page does not work; nothing happens where the run is over."""
        with suppress(DorosimError):
            self._send(page_message.Trouble(text))

    def do(self, *commands: Command) -> tuple[Outcome, ...]:
        """Do commands in the next tick, and wait for it. Returns the outcome of each.

        Raises:
            DorosimError: the run is over, it does not answer in `ANSWER_TIMEOUT_S`, or it refused a command: then with
                the first reason.
        """
        outcomes: tuple[Outcome, ...] = self._ask(lambda number: page_message.Order(number, commands))
        refused = next((one.refusal for one in outcomes if one.refusal), "")
        if refused:
            raise DorosimError(refused)
        return outcomes

    def ask(self, part: str, name: str, *given: Any) -> Any:
        """Ask something of the program around the world (`dorosim.bridge.host.Host`). Returns the answer.

        Args:
            part: "runs", "files", "pace", "records", "bags", or "page" for what is the page's own.
            name: of the method or property.
            given: its arguments.

        Raises:
            DorosimError: it cannot be done, for that reason; the run is over or does not answer in `ANSWER_TIMEOUT_S`.
        """
        return self._ask(lambda number: page_message.Request(number, part, name, given))

    def _ask(self, form: Callable[[int], Any]) -> Any:
        number, answer = next(self._numbers), Future[Any]()
        self._waiting[number] = answer
        try:
            self._send(form(number))
            return answer.result(ANSWER_TIMEOUT_S)
        except TimeoutError:
            raise DorosimError(f"the run does not answer in {ANSWER_TIMEOUT_S:g} s") from None
        finally:
            self._waiting.pop(number, None)

    def _answer(self, number: int, value: Any, problem: str) -> None:
        answer = self._waiting.get(number)
        if answer is None:
            return
        if problem:
            answer.set_exception(DorosimError(problem))
        else:
            answer.set_result(value)

    def _send(self, message: Any) -> None:
        with self._sending:
            try:
                self._connection.send(message)
            except OSError:
                raise DorosimError("the run is over") from None
