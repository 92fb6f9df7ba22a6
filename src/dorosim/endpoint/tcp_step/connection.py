"""One client of the server: reads frames, does what they ask for in their order, and answers each.

A connection has a thread of its own. What asks the world for something waits for the tick that applies it; while time
passes by the clock, commands that come together wait together, so that a client may send more of them than there are
ticks. Where clients step the run each waits for itself, so that equal requests make equal runs.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from dorosim.bridge.first_start import COMPILING, needs_kernels
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.run import NotNowError
from dorosim.bridge.tcp_step.meaning import form_of_failure, meaning_of
from dorosim.bridge.tcp_step.result import code_of_error
from dorosim.bridge.tcp_step.situation import NotSupportedError, StepPeer, StepSituation
from dorosim.endpoint.command_gateway import CommandGateway, Done, RunOverError, TickTimeoutError
from dorosim.endpoint.tcp_step.info_rule import InfoRule
from dorosim.endpoint.tcp_step.log import StepLog
from dorosim.endpoint.tcp_step.sender import StepSender
from dorosim.endpoint.tcp_step.settings import StepLimits, StepOptions
from dorosim.ground.error import DorosimError
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.catalogue import BY_NUMBER, StepProcedure, failure, read_request
from dorosim.wire.tcp_step.codec import encode
from dorosim.wire.tcp_step.frame import HEAD_SIZE, FrameClass, Head, frame, read_head
from dorosim.wire.tcp_step.response import Result, ResultCode

MAX_READ = 1 << 16
"""Bytes that are read at a time."""
FIXED_STEP, SAVE_DATA = 0x1201, 0x1202
STREAMED = frozenset({0x1302, 0x1303})
"""Commands that clients send all the time, of which several wait together while time passes by the clock."""
FIRST_START_S = 180.0
"""Most wall time that a command waits while kernels are compiled at the first start [s]."""


class SlowFrameError(DorosimError):
    """A frame has not come, or an answer has not been taken, in time."""


@dataclass(frozen=True, slots=True)
class StepPlace:
    """The run that is served.

    Attributes:
        gateway: takes commands. situate: returns the situation in which a connection asks.
        ready: waits at most for a time [s] until the world can take commands, and returns whether it can.
        drain: reads the datagrams that came before a step.
    """

    gateway: CommandGateway
    situate: Callable[[str, StepPeer], StepSituation]
    ready: Callable[[float], bool]
    drain: Callable[[], None]


class StepHost(Protocol):
    """What a connection needs of the server.

    Attributes:
        limits, options, log, sender: of it.
    """

    limits: StepLimits
    options: StepOptions
    log: StepLog
    sender: StepSender

    @property
    def place(self) -> StepPlace:
        """The run that is served.

        Raises:
            RunOverError: there is none just now.
        """


class _Asked(NamedTuple):
    """A request whose commands wait for their tick."""

    head: Head
    procedure: StepProcedure
    deferred: DeferredReply
    wait: Callable[[float], Done]


class StepConnection:
    """A client.

    Args:
        host: the server.
        sock: its socket.
        name: by which the gate and users know it.
    """

    def __init__(self, host: StepHost, sock: socket.socket, name: str) -> None:
        self._host, self._socket, self.name = host, sock, name
        self._peer = StepPeer(host.options.time_form)
        self._rule = InfoRule(host.options.info_after)
        self._data = bytearray()
        self._waiting: list[_Asked] = []
        self._out: list[bytes] = []
        self._began = 0.0  # when the first byte of the frame came, on the monotonic clock

    def run(self) -> None:
        """Serve the client until it goes, or sends what cannot be understood."""
        log = self._host.log
        try:
            while True:
                head = self._next_head()
                if head is None:
                    return
                payload = self._take(head.size)
                self._handle(head, payload)
                if not self._has_frame():
                    self._settle()
                    self._flush()
        except WireError as error:
            self._settle()
            self._refuse_stream(error)
        except SlowFrameError as error:
            log.report("slow client", f"{self.name}: {error}; the connection is closed")
        except (ConnectionError, OSError, EOFError) as error:
            if isinstance(error, EOFError):
                log.report("cut frame", f"{self.name}: {error}")

    def _refuse_stream(self, error: WireError) -> None:
        """Answer 102 to a head that cannot be followed, as far as it can be answered, and say why no more is read."""
        self._host.log.report(f"bad {error.fault}", f"{self.name}: {error}; the connection is closed")
        head = self._data[:HEAD_SIZE]
        if error.fault == "length" and len(head) == HEAD_SIZE:
            number, request = (int.from_bytes(head[at : at + 4], "little") for at in (2, 10))
            self._answer(Head(FrameClass.REQUEST, number, 0, request), self._failed(number, ResultCode.INVALID_PARAM))
        try:
            self._flush()
        except (OSError, SlowFrameError):
            return

    def _next_head(self) -> Head | None:
        """The head of the next frame; None where the client has gone between two frames.

        Raises:
            WireError: it cannot be understood.
            SlowFrameError: it does not come in time.
            EOFError: the client has gone within it.
        """
        while not self._data:
            self._socket.settimeout(None)
            data = self._socket.recv(MAX_READ)
            if not data:
                return None
            self._data += data
        self._began = time.monotonic()
        self._fill(HEAD_SIZE)
        head = read_head(bytes(self._data[:HEAD_SIZE]))
        del self._data[:HEAD_SIZE]
        return head

    def _take(self, size: int) -> bytes:
        """The next bytes of the frame; raises as `_next_head`."""
        self._fill(size)
        data = bytes(self._data[:size])
        del self._data[:size]
        return data

    def _fill(self, size: int) -> None:
        while len(self._data) < size:
            left = self._host.limits.frame_s - (time.monotonic() - self._began)
            if left > 0.0:
                self._socket.settimeout(left)
                try:
                    data = self._socket.recv(MAX_READ)
                except TimeoutError:
                    continue
                if not data:
                    raise EOFError(f"the client has gone within a frame, after {len(self._data)} of {size} bytes")
                self._data += data
            else:
                raise SlowFrameError(
                    f"{len(self._data)} of {size} bytes of a frame came in {self._host.limits.frame_s:g} s"
                )

    def _has_frame(self) -> bool:
        """Whether the next frame is there as a whole."""
        if len(self._data) < HEAD_SIZE:
            return False
        size = int.from_bytes(self._data[6:10], "little")
        return len(self._data) >= HEAD_SIZE + size

    def _handle(self, head: Head, payload: bytes) -> None:
        """Do what a frame asks for; its answer stands behind those before it."""
        procedure = BY_NUMBER.get(head.number)
        if procedure is None:
            self._settle()
            self._host.log.report("unknown message", f"{self.name}: 0x{head.number:04X} of {len(payload)} bytes")
            self._answer(head, self._failed(head.number, ResultCode.NOT_SUPPORTED))
            return
        self._host.log.count(procedure.name)
        if head.number not in STREAMED:
            self._settle()
        try:
            self._do(head, procedure, payload)
        except Exception as error:
            self._settle()
            self._answer(head, self._failure_of(procedure, error))

    def _do(self, head: Head, procedure: StepProcedure, payload: bytes) -> None:
        """Read a request, and do it; what it raises is the reason why it is not done."""
        if head.frame_class != FrameClass.REQUEST:
            raise WireError("value", f"class {head.frame_class} is not a request", procedure.name)
        request, clamped = read_request(procedure, payload)
        place = self._host.place
        to = place.situate(self.name, self._peer)
        if clamped:
            self._host.log.report_clamped(procedure.name, clamped, self.name)
        meaning = meaning_of(procedure, request)
        if meaning is None:
            raise NotSupportedError(f"{procedure.name} is not in this version")
        if head.number == FIXED_STEP:
            place.drain()
            self._flush()
        found = meaning(request, to)
        if not isinstance(found, DeferredReply):
            self._send_info(head, place)
            self._answer(head, found)
        elif not found.commands:
            self._answer(head, found.reply(place.gateway.now, ()))
        else:
            if needs_kernels(found.commands) and not place.ready(FIRST_START_S):
                raise NotNowError(COMPILING)
            self._waiting.append(_Asked(head, procedure, found, place.gateway.ask(found.commands)))
            if head.number not in STREAMED or to.at.host.pace.synchronous:
                self._settle()

    def _send_info(self, head: Head, place: StepPlace) -> None:
        """Send Vehicle Info where it is due; it leaves before the answer, so that it is there when that comes."""
        if head.number == FIXED_STEP and self._rule.is_due_after_step():
            self._host.sender.send_after_step(place.gateway.now)
        elif head.number == SAVE_DATA and self._rule.is_due_after_save():
            self._host.sender.send_infos(place.gateway.now)

    def _settle(self) -> None:
        """Wait for the commands that wait for their tick, and answer them."""
        waiting, self._waiting = self._waiting, []
        for asked in waiting:
            try:
                done = asked.wait(self._host.limits.answer_s)
                self._answer(asked.head, asked.deferred.reply(done.now, done.outcomes))
            except Exception as error:
                self._answer(asked.head, self._failure_of(asked.procedure, error))

    def _failure_of(self, procedure: StepProcedure, error: Exception) -> Wire:
        """The answer to a request that failed; the failure is counted and reported."""
        code = _code_of(error)
        text = str(error) if isinstance(error, DorosimError) else f"{type(error).__name__}: {error}"
        if not isinstance(error, DorosimError):
            text += "; this is a fault of dorosim"
        kind = code.name.lower().replace("_", " ")
        self._host.log.report(kind, f"{self.name}: {procedure.name}: {text}")
        return self._failed(procedure.number, code)

    def _failed(self, number: int, code: ResultCode) -> Wire:
        procedure = BY_NUMBER.get(number)
        if procedure is None:
            return Result(result_code=code, detail_code=code)
        made: Wire = failure(procedure, code, form_of_failure(procedure, self._peer.form, newest=self._peer.newest))
        return made

    def _answer(self, head: Head, message: Wire) -> None:
        self._out.append(frame(FrameClass.RESPONSE, head.number, head.request, encode(message)))

    def _flush(self) -> None:
        """Send the answers that wait."""
        if not self._out:
            return
        data, self._out = b"".join(self._out), []
        self._socket.settimeout(self._host.limits.frame_s)
        try:
            self._socket.sendall(data)
        except TimeoutError:
            raise SlowFrameError(f"answers were not taken in {self._host.limits.frame_s:g} s") from None


def _code_of(error: Exception) -> ResultCode:
    """The code of a failure of the endpoint, or of the bridge."""
    if isinstance(error, TickTimeoutError):
        return ResultCode.TIMEOUT
    if isinstance(error, RunOverError):
        return ResultCode.INVALID_STATE
    return code_of_error(error)
