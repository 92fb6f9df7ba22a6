"""The sensors of a run: reads them beside the loop, sends their readings as packets, and saves readings as files.

In a run at the pace of the clock, one thread makes readings while the loop goes on, and another makes packets of them;
if they are `_BACKLOG` ticks behind, the loop waits for them, so that no reading is left out. Packets are sent when a
real sensor would send them, later by as much as reading took lately. In a run as fast as possible, the loop reads and
sends at once.
"""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dorosim.bridge.sensor.kind import packets_of
from dorosim.bridge.sensor.packet import Buffer, Packer
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.epoch import Stamped
from dorosim.endpoint.loop.fair_lock import FairLock
from dorosim.endpoint.loop.lag import Lag
from dorosim.endpoint.sensor.destination import SensorDestinations
from dorosim.endpoint.sensor.interface import Heard, Listener, SaveRequest, SensorAddress
from dorosim.endpoint.sensor.packet_sender import PacketSender
from dorosim.endpoint.sensor.queue_item import MadeReading, QueueItem, end_worker, put_unless
from dorosim.endpoint.sensor.rehearsal import mounted
from dorosim.endpoint.sensor.saved_file import put_captured, put_readings
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.error import DorosimError, InputError
from dorosim.sensor.reading import Reading
from dorosim.sensor.rig import Rig
from dorosim.world.command import Command
from dorosim.world.mount.setting import SensorKind
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

_BACKLOG = 20
"""Ticks that the reading thread may be behind before the loop waits for it."""
CATCHING_UP = 0.005
"""Share by which packets come earlier while reading takes less time than it took before."""
TOO_SLOW = (
    "the sensors cannot keep up; the run waits for them, at {:.2f} x real time; "
    "fewer pixels, lower rates or a lower --speed help"
)
READING_TIMEOUT = 10.0
"""Wall time that `SensorStation.read_now` waits for other readings by default [s]."""
MAX_WAITING_SAVES = 8
"""Most requests to save that wait at a time."""


class SensorStation:
    """The sensors of a run; an observer of the loop.

    Args:
        rig: reads them.
        packer: makes packets.
        addresses: where packets go, by number of the sensor; None for a sensor that sends nothing here. A sensor that
            is not there sends to the default port of its kind.
        journal: where problems are reported.
        clock: of the run; its factor is the pace of the packets.
        sockets: those that are open already, by address; others are opened, and closed with the station.
        captures: folder for the readings of captured sensors; None: they are not saved.
        port_offset: of the run, which is added to the default ports of sensors.

    Raises:
        InputError: a socket of an address cannot be opened.

    Attributes:
        stamped: has the epoch of stamps at each tick; the packer unless another object is assigned.
        waits: how often the loop had to wait for the sensors.
        readings: how many were made. hurried: whether the program ends, and what is begun need not be finished.
        pace: simulated over wall time that the run can reach with its sensors, as it begins; None where it begins with
            none, or where this was not measured.
    """

    def __init__(
        self,
        rig: Rig,
        packer: Packer,
        addresses: Mapping[int, SensorAddress | None],
        journal: Journal,
        clock: PacedClock | None = None,
        sockets: Mapping[Address, socket.socket] | None = None,
        captures: Path | None = None,
        port_offset: int = 0,
    ) -> None:
        self.waits = 0
        self.readings = 0
        self.pace: float | None = None
        self._rig = rig
        self._packer = packer
        self.stamped: Stamped = packer
        self._journal = journal
        self._clock = clock or PacedClock(None)
        self._pace: float | None = None
        self._captures = captures
        self._present_rig, self._fair_lock = rig.beside(), FairLock()
        self._problems: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        # an event is set when all before it is done
        self._items: queue.Queue[QueueItem | threading.Event | None] = queue.Queue(_BACKLOG)
        self._made: queue.Queue[MadeReading | threading.Event | None] = queue.Queue(_BACKLOG)
        self._saves: list[SaveRequest] = []
        self._last: Snapshot | None = None
        self._seen: tuple[Snapshot, Snapshot] | None = None
        self._busy = False
        self._failure: Exception | None = None
        self.hurried = False
        self._zero = 0.0
        self._threads: tuple[threading.Thread, ...] = ()
        queued = self._problems  # not the station: it and its geometry are freed as soon as they are not needed
        self.sender = PacketSender(lambda text: queued.put(("send error", text)))
        self._destinations = SensorDestinations(
            addresses, sockets or {}, lambda kind, text: queued.put((kind, text)), port_offset
        )
        self._listeners: tuple[Listener, ...] = ()
        self._called_until = 0.0
        self._lag = Lag()

    def __call__(self, now: Snapshot, _: Sequence[Command]) -> None:
        """Read and send what is due at a new snapshot."""
        before, self._last = self._last or now, now
        if now.tick <= before.tick and self._threads:
            self._finish()
        self._see(now)
        self._report()
        if self._failure is not None:
            raise self._failure
        if not len(now.mounts) and not self._busy and not self._saves:
            return
        self._busy = bool(len(now.mounts))
        saves, self._saves = tuple(self._saves), []
        item = QueueItem(before, now, saves, self._clock.factor, self.stamped.epoch, self._listeners)
        if item.pace is None and not self._threads:
            self._work(item)
            self._report()
            return
        if not self._threads:
            works = (("dorosim-sensors", self._work_on), ("dorosim-packets", self._send_on))
            self._threads = tuple(threading.Thread(target=work, name=name, daemon=True) for name, work in works)
            for thread in self._threads:
                thread.start()
        try:
            self._items.put_nowait(item)
        except queue.Full:
            self._wait(item)

    def _wait(self, item: QueueItem) -> None:
        """Wait until there is room for a tick, and report it if that keeps the run behind its pace."""
        begin = time.monotonic()
        if not put_unless(lambda: self.hurried, self._items, item) or item.pace is None:
            return
        self.waits += 1
        end = time.monotonic()
        late = self._lag.note(end, item.now.time * 1e-9, item.pace, end - begin)
        if late is None:
            return
        pace, must_report = late
        if must_report:
            self._journal.report("sensors late", TOO_SLOW.format(pace))
        else:
            self._journal.counts["sensors late"] += 1

    def _finish(self) -> None:
        """The run was reset: send the readings from before first, so that they do not mix with new ones."""
        done = threading.Event()
        self._items.put(done)
        if done.wait(READING_TIMEOUT):
            self.sender.hurry(READING_TIMEOUT)

    def prepare(self, now: Snapshot, scene: Scene, commands: Sequence[Command]) -> None:
        """Make the sensors that a run begins with, so that no tick waits for kernels and geometry.

        What is due in the first tick is read, since the snapshot before it is known.

        Args:
            now: the first snapshot.
            scene: of the run.
            commands: of the first tick that add and remove sensors.
        """
        self._last = now
        self._see(now)
        begin = mounted(now, scene, commands)
        if not len(begin[0].mounts):
            return
        self._rig.read_now(*begin)
        self._busy = True

    def follow(self, before: Snapshot) -> None:
        """Take a snapshot as the one before the next."""
        self._last = before
        self._see(before)

    def read_now(self, sensor: int, timeout: float = READING_TIMEOUT) -> Reading | None:
        """The reading of a sensor at the last snapshot, made on the caller's thread. Safe from any thread.

        It does not change the readings that are sent; these wait meanwhile, since all readings share the geometry.

        Args:
            sensor: its number.
            timeout: wall time to wait for other readings [s].

        Returns:
            The reading, or None if the sensor is not there or sees nothing.

        Raises:
            InputError: the reading cannot be made.
            BusyError: other readings take too long.
        """
        if self._seen is None:
            return None
        with self._fair_lock.passing(timeout):
            before, now = self._seen
            found = self._present_rig.read_now(before, now, (sensor,))
            problems = self._present_rig.problems[:]
            self._present_rig.problems.clear()
        if problems:
            raise InputError("sensor", str(sensor), problems[0])
        return found[0] if found else None

    def save(self, request: SaveRequest) -> None:
        """Save what every sensor sees at the next tick.

        Raises:
            InputError: too many wait already.
        """
        if len(self._saves) >= MAX_WAITING_SAVES:
            raise InputError("SaveSensorData", "", f"{MAX_WAITING_SAVES} requests wait already", "ask less often")
        if request not in self._saves:
            self._saves.append(request)

    def readdress(self, addresses: Mapping[int, SensorAddress | None]) -> None:
        """Send the packets of some sensors elsewhere from now on; None: nowhere. Safe from another thread."""
        self._destinations.readdress(addresses)

    def listen(self, listener: Listener) -> None:
        """Call a listener with the readings of each tick from now on, none that waits already. Safe from any thread."""
        self._listeners = (*self._listeners, listener)

    def unlisten(self, listener: Listener) -> None:
        """Call a listener no longer. Safe from another thread."""
        self._listeners = tuple(one for one in self._listeners if one != listener)

    @property
    def sent(self) -> dict[str, int]:
        """Packets sent, by kind of sensor."""
        return dict(self.sender.sent)

    def last_sent(self, kind: str) -> tuple[Buffer, ...]:
        """The last packets of a kind of sensors, the newest last. Safe from another thread."""
        return self.sender.last_of(kind)

    def close(self) -> dict[str, int]:
        """Finish what was begun, and let go of threads and sockets; returns the packets sent, by kind of sensor."""
        if self._threads:
            reads, sends = self._threads
            end_worker(self._items, reads, hurried=self.hurried)
            end_worker(self._made, sends, hurried=self.hurried)
        self.sender.close()
        self._report()
        self._destinations.close()
        return self.sent

    def _work_on(self) -> None:
        while (item := self._items.get()) is not None:
            if isinstance(item, threading.Event):
                self._made.put(item)
                continue
            if self._failure is not None or self.hurried:
                continue  # ticks are taken off the queue, so that the loop does not wait and raises the failure
            try:
                self._work(item)
            except Exception as error:  # the loop's thread raises it again
                self._failure = error

    def _see(self, now: Snapshot) -> None:
        """Take note of the last snapshot, and of the last one of an earlier time."""
        before, last = self._seen or (now, now)
        if now.time != last.time:
            before = last if now.time > last.time else now
        self._seen = before, now

    def _work(self, item: QueueItem) -> None:
        """Read, send and save for one tick; problems are reported, and end nothing."""
        with self._fair_lock.passing():
            self._work_alone(item)

    def _work_alone(self, item: QueueItem) -> None:
        try:
            readings = self._rig.read(item.before, item.now)
            self._keep_pace(item)
            made = MadeReading(readings, item.now, self._zero, item.pace, item.epoch, item.listeners)
            if self._threads:
                self._made.put(made)
            else:
                self._send_all(made)
            self._capture(readings, item)
            for request in item.saves:
                self._save(request, item)
        except DorosimError as error:
            self._report_later("sensor error", str(error))
        for problem in self._rig.problems:
            self._report_later("sensor error", problem)
        self._rig.problems.clear()

    def _send_on(self) -> None:
        while (made := self._made.get()) is not None:
            if isinstance(made, threading.Event):
                made.set()
                continue
            try:
                self._send_all(made)
            except DorosimError as error:
                self._report_later("sensor error", str(error))
            except Exception as error:  # the loop's thread raises it again
                self._failure = error

    def _send_all(self, made: MadeReading) -> None:
        """Make packets of the readings of a tick, and send them; then call the listeners with the readings."""
        self._packer.epoch = made.epoch  # packets are made on one thread
        for reading in made.readings:
            self.readings += 1
            self._send(reading, made)
        for listener in (one for one in made.listeners if one in self._listeners):
            for due, publish in listener(Heard(made.readings, made.now, self._packer.jpeg, made.epoch)):
                self._call_at(due, publish, made)

    def _call_at(self, due: int | None, publish: Callable[[], None], made: MadeReading) -> None:
        """Call a listener's function when a packet would be sent that is due at a simulated time [ns]; None: at once.

        The functions keep their order, whatever time each is due at.
        """
        if made.pace is None:
            publish()
            return
        wanted = time.monotonic_ns() if due is None else made.zero + due / made.pace
        self._called_until = max(self._called_until, wanted)
        self.sender.call_at(round(self._called_until), publish)

    def _keep_pace(self, item: QueueItem) -> None:
        """Map simulated time 0 to the monotonic clock [ns], so that no packet is overdue.

        It moves forward at once when reading takes longer, and back so slowly that packets keep their order. Where
        the pace changes, the stream goes on from the moment that it has reached.
        """
        last, self._pace = self._pace, item.pace
        if item.pace is not None:
            if last is not None and last != item.pace:
                self._zero += item.before.time / last - item.before.time / item.pace
            earliest = time.monotonic_ns() - item.before.time / item.pace
            eased = self._zero - CATCHING_UP * (item.now.time - item.before.time) / item.pace
            if last is None:
                eased = earliest
            self._zero = max(earliest, eased)

    def _send(self, reading: Reading, made: MadeReading) -> None:
        kind = reading.KIND
        destination = self._destinations.of(reading.sensor, kind)
        if destination is None:
            return
        sock, to = destination
        name = kind.name.lower()
        for packet in packets_of(self._packer, reading):
            where, what = (to, name) if packet.port is None else ((to[0], packet.port), f"{name}_position")
            if made.pace is None or kind is not SensorKind.LIDAR_3D:
                self.sender.send(what, packet.data, sock, where)
            else:
                due = made.zero + packet.due / made.pace
                self.sender.send_at(round(due), what, packet.data, sock, where)

    def _save(self, request: SaveRequest, item: QueueItem) -> None:
        """Write what every sensor sees."""
        try:
            written = put_readings(
                request.folder, request.name, item.now, self._rig.read_now(item.before, item.now), is_resolved=True
            )
        except OSError as error:
            self._report_later("save error", f"SaveSensorData: {request.folder}: {error.strerror or error}")
            return
        text = f"{written} file{'s' if written != 1 else ''} in {request.folder}"
        self._report_later("sensor data saved", text if written else f"nothing: no sensor sees anything; {text}")

    def _capture(self, readings: Sequence[Reading], item: QueueItem) -> None:
        """Save what captured sensors read."""
        if self._captures is None or not item.now.mounts.table.captured.any():
            return
        try:
            put_captured(self._captures, item.before, item.now, readings, self._rig.read_now)
        except OSError as error:
            self._report_later("save error", f"captured sensors: {self._captures}: {error.strerror or error}")

    def _report_later(self, kind: str, text: str) -> None:
        """Queue a problem for the journal, from any thread; the loop's thread reports it (`_report`)."""
        self._problems.put((kind, text))

    def _report(self) -> None:
        while not self._problems.empty():
            self._journal.report(*self._problems.get())
