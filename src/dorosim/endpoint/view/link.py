"""The run's end of the connection to the page: packs snapshots for it, and does its requests, on threads of its own."""

from __future__ import annotations

import pickle
import queue
import socket
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

from dorosim.bridge.first_start import COMPILING, needs_kernels
from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.sensor.interface import DueCall, Heard
from dorosim.endpoint.view import message as page_message
from dorosim.endpoint.view.keyboard_watchdog import KeyboardWatchdog
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.watch import RunWatch
from dorosim.ground.error import DorosimError
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:  # a run without sensors imports none of it
    from dorosim.sensor.reading import Reading

MAX_REQUESTS = 4
"""Requests of the page that are worked on at a time; one that begins another run takes seconds."""
BUSY = f"{MAX_REQUESTS} requests of the page are being worked on; wait until one is done"
MAX_WAITING_READINGS = 16
"""Readings that wait for a slow page, at most; those that come while so many wait are left out."""
MAX_PACKINGS = 20
"""How often a message is packed anew, since what is in it has changed meanwhile."""
CAMERA_PERIOD_S = 0.15
"""Wall time from one picture of a camera to the next [s]: few suffice, as no visitor drives by them."""


class PlayedRun(NamedTuple):
    """What the link needs of a run.

    Attributes:
        begun: what is sent to the page of the run. gateway: takes the page's commands. parts: do its requests, by name.
        ready: waits for a time [s] until all kernels are compiled, and returns whether they are.
        elements: what the elements of its storyboard are called, as `RunWatch` takes them.
    """

    begun: page_message.RunBegun
    gateway: CommandGateway
    parts: Mapping[str, Any]
    ready: Callable[[float], bool] = lambda _: True
    elements: Sequence[str] = ()


class PageLink:
    """The connection to the process of a page.

    Args:
        connection: to the process.
        report: is called with kind and text of each problem, from any thread.
        gone: is called when the process is gone, on a thread of the link.

    Attributes:
        wanted: whether the page waits for a snapshot. visited: whether it ever did, as it does for visitors only.
        shown: how many snapshots the present run has sent it.
        watch: what happened in the present run.
        lived: whether the page has sent anything but problems, such as a request.
    """

    def __init__(self, connection: Connection, report: Callable[[str, str], None], gone: Callable[[], None]) -> None:
        self.wanted = self.visited = False
        self.shown = 0
        self.watch = RunWatch()
        self.lived = False
        self._watchdog = KeyboardWatchdog(self._put)
        self._connection = connection
        self._report = report
        self._gone = gone
        self._run: PlayedRun | None = None
        self._sensors: frozenset[int] = frozenset()
        self._pictures: dict[int, Throttle] = {}
        self._out: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._readings = threading.BoundedSemaphore(MAX_WAITING_READINGS)
        self._orders: queue.SimpleQueue[page_message.Order | None] = queue.SimpleQueue()
        self._free = threading.BoundedSemaphore(MAX_REQUESTS)
        works = (self._read_on, self._write_on, self._order_on)
        self._threads = [threading.Thread(target=work, name="dorosim-page", daemon=True) for work in works]

    @property
    def listens(self) -> bool:
        """Whether the page shows readings of sensors."""
        return bool(self._sensors)

    def start(self) -> None:
        """Begin to read and write."""
        for thread in self._threads:
            thread.start()

    def begin(self, run: PlayedRun) -> None:
        """Serve this run from now on, and send its beginning to the page."""
        self._watchdog.forget()
        self.shown = 0
        self.watch = RunWatch(run.elements)
        self._run = run
        self._out.put(run.begun)

    def show(self, now: Snapshot) -> None:
        """Queue a snapshot for the page. The loop calls it, so another thread packs and sends it."""
        run = self._run
        if run is not None:
            self.wanted = False
            self.shown += 1
            self._out.put(page_message.PageFrame(now, run.begun.number))

    def hear(self, heard: Heard) -> Iterable[DueCall]:
        """Queue the readings of a tick that the page shows (`dorosim.endpoint.sensor.interface.Listener`)."""
        wanted = self._sensors
        if not wanted:
            return
        for reading in heard.readings:
            if reading.sensor in wanted and self._is_due(reading) and self._readings.acquire(blocking=False):
                self._out.put(_Read(reading, heard.now))
        yield from ()

    def close(self) -> None:
        """End the page."""
        self._watchdog.close()
        self._run = None
        self._out.put(None)
        self._orders.put(None)

    def _is_due(self, reading: Reading) -> bool:
        if not hasattr(reading, "image"):  # it is no picture; its class is not imported where there are no sensors
            return True
        return self._pictures.setdefault(reading.sensor, Throttle(CAMERA_PERIOD_S)).due()

    def _write_on(self) -> None:
        while (message := self._out.get()) is not None:
            try:
                self._connection.send_bytes(_packed(_made(message) if isinstance(message, _Read) else message))
            except OSError:
                break
            except Exception as problem:  # it cannot be packed, a mistake in this program: reported, the page goes on
                self._mistake(problem, message.number if isinstance(message, page_message.Answer) else None)
            finally:
                if isinstance(message, _Read):
                    self._readings.release()
        # closed under the thread that reads, it would not end that one's wait, and the page would not notice the end
        with socket.fromfd(self._connection.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as way, suppress(OSError):
            way.shutdown(socket.SHUT_RDWR)

    def _read_on(self) -> None:
        try:
            while True:
                self._take(self._connection.recv())
        except (EOFError, OSError):
            pass
        except Exception as problem:  # what cannot be unpacked: the page is not to be trusted any further
            self._mistake(problem, None)
        finally:
            self._watchdog.close()
            self._sensors = frozenset()
            self._out.put(None)
            self._orders.put(None)
            self._threads[1].join()
            self._connection.close()
            self._gone()

    def _take(self, message: Any) -> None:
        self.lived = self.lived or not isinstance(message, page_message.Trouble)
        match message:
            case page_message.WantFrame():
                self.wanted = self.visited = True
            case page_message.Listen(sensors):
                self._sensors = sensors
            case page_message.Trouble(text):
                self._report("live page", text)
            case page_message.Order():
                self._orders.put(message)
            case page_message.Request(number, part, name, given):
                self._begin(number, lambda run: _asked(run.parts[part], name, given))

    def _order_on(self) -> None:
        """Do orders one after the other, on a thread of their own: other requests of the page do not delay them."""
        while (order := self._orders.get()) is not None:
            commands = order.commands
            self._answer(order.number, lambda run, commands=commands: self._do(run, commands))  # type: ignore[misc]
        self._watchdog.close()  # orders that were done after the page was gone may have driven on

    def _begin(self, number: int, work: Callable[[PlayedRun], Any]) -> None:
        """Do a request on a daemon thread, for which the program does not wait when it ends."""
        if not self._free.acquire(blocking=False):
            self._out.put(page_message.Answer(number, problem=BUSY))
            return

        def done() -> None:
            try:
                self._answer(number, work)
            finally:
                self._free.release()

        threading.Thread(target=done, name="dorosim-page-work", daemon=True).start()

    def _put(self, commands: Sequence[Command]) -> None:
        run = self._run
        if run is not None:
            run.gateway.put(commands)

    def _do(self, run: PlayedRun, commands: Sequence[Command]) -> Any:
        if needs_kernels(commands) and not run.ready(0.0):
            raise DorosimError(COMPILING)
        self._watchdog.note(commands, done=False)
        try:
            return run.gateway.do(commands).outcomes
        finally:
            if self._run is run:  # the page drives nothing in this run by what it ordered in another
                self._watchdog.note(commands)  # at a slow pace, a tick takes as long as a page may be silent

    def _answer(self, number: int, work: Callable[[PlayedRun], Any]) -> None:
        run = self._run
        try:
            if run is None:
                return
            answer = page_message.Answer(number, work(run))
        except DorosimError as problem:
            answer = page_message.Answer(number, problem=str(problem) or type(problem).__name__)
        except Exception as problem:  # a mistake in this program: it is reported, and the page goes on
            self._mistake(problem, number)
            return
        self._out.put(answer)

    def _mistake(self, problem: Exception, number: int | None) -> None:
        """Report a mistake of this program, and send it as the answer to the request `number` if there is one."""
        text = f"{type(problem).__name__}: {problem}"
        self._report("page error", text)
        if number is not None:
            self._out.put(page_message.Answer(number, problem=text))


class _Read(NamedTuple):
    """A reading that is to be sent, with the snapshot that it shows."""

    reading: Reading
    now: Snapshot


def _made(read: _Read) -> page_message.SensorsRead:
    """The message with a reading for the page. The thread that writes makes it just before it sends it."""
    from dorosim.bridge.view.sensor import sensor_pose, small_reading

    return page_message.SensorsRead((small_reading(read.reading),), (sensor_pose(read.now, read.reading.sensor),))


class _Pieces(list[bytes]):
    """A file that keeps what is written to it. It is Python code, so the loop's thread can run between its lines."""

    def write(self, piece: Any) -> int:
        """Keep a piece; large arrays come as buffers of their own."""
        self.append(bytes(piece))
        return len(self[-1])


def _packed(message: Any) -> bytes:
    """A message as the other process reads it. Packed in one call, a beginning run would stop the loop for a tick.

    Meanwhile other threads may calculate a property of the scene and keep it there, which Python refuses to pack: then
    it is packed anew.
    """
    failed = 0
    while True:
        pieces = _Pieces()
        try:
            pickle.Pickler(pieces, pickle.HIGHEST_PROTOCOL).dump(message)
            return b"".join(pieces)
        except RuntimeError:
            failed += 1
            if failed == MAX_PACKINGS:
                raise


def _asked(part: Any, name: str, given: tuple[Any, ...]) -> Any:
    """Returns the result of a method of `part`, or the value of a property."""
    found = getattr(part, name)
    return found(*given) if callable(found) else found
