"""Reads the requests of one client, and makes its answers."""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.tcp_step.meaning import form_of_failure, meaning_of
from dorosim.bridge.tcp_step.result import code_of_error
from dorosim.bridge.tcp_step.situation import NotSupportedError, StepPeer, StepSituation
from dorosim.endpoint.command_gateway import CommandGateway, RunOverError, TickTimeoutError
from dorosim.endpoint.tcp_step.info_rule import InfoRule
from dorosim.endpoint.tcp_step.log import StepLog
from dorosim.endpoint.tcp_step.sender import StepSender
from dorosim.endpoint.tcp_step.settings import StepLimits, StepOptions
from dorosim.endpoint.tcp_step.stream import FrameStream
from dorosim.ground.error import DorosimError
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.catalogue import BY_NUMBER, StepProcedure, failure, read_request
from dorosim.wire.tcp_step.codec import encode
from dorosim.wire.tcp_step.frame import FrameClass, Head, frame, step_answer
from dorosim.wire.tcp_step.response import ResultCode, StepResult
from dorosim.world.snapshot import Snapshot

FIXED_STEP, SAVE_DATA = 0x1201, 0x1202
"""Numbers of the requests behind which Vehicle Info may go out."""


@dataclass(frozen=True, slots=True)
class StepPlace:
    """The run that is served.

    Attributes:
        gateway: takes commands. situate: returns the situation in which a connection asks.
        ready: waits at most for a time [s] until the world can take commands, and returns whether it can.
        drain: reads the datagrams that came before a step. heard: their sockets, as of `ControlReceiver.heard`.
        frame: returns the simulated time of a step [ns], 0 while time passes by the clock.
    """

    gateway: CommandGateway
    situate: Callable[[str, StepPeer], StepSituation]
    ready: Callable[[float], bool]
    drain: Callable[[], None]
    heard: Callable[[], Collection[socket.socket]]
    frame: Callable[[], int]


class StepHost(Protocol):
    """What a connection needs of the server.

    Attributes:
        limits, options, log, sender: of it. current: the run that is served, None between two runs.
    """

    limits: StepLimits
    options: StepOptions
    log: StepLog
    sender: StepSender
    current: StepPlace | None

    def notify(self, data: bytes) -> None:
        """Send a frame to all clients that read notifications."""


class StepAnswers:
    """The requests and answers of a client.

    Args:
        host: the server.
        stream: of the connection.
        name: by which the gate and users know the client.

    Attributes:
        name: as given.
    """

    def __init__(self, host: StepHost, stream: FrameStream, name: str) -> None:
        self.name = name
        self._host, self._stream = host, stream
        self._peer = StepPeer(host.options.time_form)
        self._rule = InfoRule(host.options.info_after)

    @property
    def newest(self) -> bool:
        """Whether the client is one of the newest, which read longer answers and notifications."""
        return self._peer.newest

    def request(self, head: Head, payload: bytes) -> tuple[StepProcedure, Wire]:
        """What a frame asks for.

        Raises:
            NotSupportedError: there is no such message.
            WireError: it is not a request, or its payload is not one of the message.
        """
        procedure = BY_NUMBER.get(head.number)
        if procedure is None:
            raise NotSupportedError(f"there is no message 0x{head.number:04X}")
        self._host.log.count(procedure.name)
        if head.frame_class != FrameClass.REQUEST:
            raise WireError("value", f"class {head.frame_class} is not a request", procedure.name)
        request, clamped = read_request(procedure, payload)
        if clamped:
            self._host.log.report_clamped(procedure.name, clamped, self.name)
        return procedure, request

    def situation(self, place: StepPlace) -> StepSituation:
        """In which the client asks now."""
        return place.situate(self.name, self._peer)

    def do(self, procedure: StepProcedure, request: Wire, to: StepSituation) -> Wire | DeferredReply:
        """What a request means; see `StepMeaning` for what it raises.

        Raises:
            NotSupportedError: dorosim does not have it.
        """
        meaning = meaning_of(procedure, request)
        if meaning is None:
            raise NotSupportedError(f"{procedure.name} is not in this version")
        return meaning(request, to)

    def send_info(self, head: Head, place: StepPlace) -> None:
        """Send Vehicle Info where it is due; it leaves before the answer, so that it is there when that comes."""
        if head.number == FIXED_STEP and self._rule.is_due_after_step():
            self._host.sender.send_after_step(place.gateway.now)
        elif head.number == SAVE_DATA and self._rule.is_due_after_save():
            self._host.sender.send_infos(place.gateway.now)

    def answer_step(self, request: int, now: Snapshot, *, counted: bool = False) -> None:
        """Answer a step that has been made; nothing is raised.

        Args:
            request: its id.
            now: the snapshot after it.
            counted: whether the request has been counted.
        """
        try:
            if self._rule.is_due_after_step():
                self._host.sender.send_after_step(now)
        except Exception as error:
            self.fail(Head(FrameClass.REQUEST, FIXED_STEP, 4, request), error)
            self._stream.flush_now()
        else:
            self._stream.put_now(step_answer(request))
        if not counted:
            self._host.log.count_step()

    def answer(self, head: Head, message: Wire) -> None:
        """Answer a frame."""
        self._stream.put(frame(FrameClass.RESPONSE, head.number, head.request, encode(message)))

    def fail(self, head: Head, error: Exception) -> None:
        """Answer a frame that was not done; the failure is counted and reported."""
        code, procedure = code_of(error), BY_NUMBER.get(head.number)
        text = str(error)
        if not isinstance(error, DorosimError):
            text = f"{type(error).__name__}: {error}; this is a fault of dorosim"
        name = procedure.name if procedure is not None else "unknown"
        kind = code.name.lower().replace("_", " ")
        self._host.log.report(kind, f"{self.name}: {name}: {text}")
        self.answer(head, self.failure(head.number, code))

    def failure(self, number: int, code: ResultCode) -> Wire:
        """The answer to a message that was not done, in the form that the client reads."""
        procedure = BY_NUMBER.get(number)
        if procedure is None:
            return StepResult(result_code=code, detail_code=code)
        made: Wire = failure(procedure, code, form_of_failure(procedure, self._peer.form, newest=self._peer.newest))
        return made


def code_of(error: Exception) -> ResultCode:
    """The code of a failure of the endpoint, or of the bridge."""
    if isinstance(error, TickTimeoutError):
        return ResultCode.TIMEOUT
    if isinstance(error, RunOverError):
        return ResultCode.INVALID_STATE
    return code_of_error(error)
