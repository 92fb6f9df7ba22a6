"""Sends the datagrams of the interface: Vehicle Info and collision events."""

from __future__ import annotations

import socket
import threading

from dorosim.bridge.actor import names_of
from dorosim.bridge.tcp_step.name import StepNames
from dorosim.bridge.tcp_step.publish import StepPublisher
from dorosim.endpoint.loop.schedule import TurnCounter
from dorosim.endpoint.tcp_step.info_sender import InfoSender
from dorosim.endpoint.tcp_step.log import StepLog
from dorosim.endpoint.tcp_step.settings import EventOutput, InfoOutput, StepOutputs
from dorosim.endpoint.udp.socket import Address, resolve
from dorosim.wire.error import WireError
from dorosim.wire.tcp_step.codec import encode
from dorosim.wire.tcp_step.datagram import CollisionEvent, WheelList
from dorosim.world.snapshot import NO_ACTOR, Snapshot

INFO, EVENT = "sent Vehicle Info", "sent Collision Event"
"""Kinds by which datagrams are counted."""


class StepSender:
    """Where Vehicle Info and collision events go. Safe to use from any thread.

    Args:
        outputs: where to.
        log: where datagrams are counted and problems reported.

    Raises:
        InputError: the name of a host is not known.
    """

    def __init__(self, outputs: StepOutputs, log: StepLog) -> None:
        self._log = log
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._sending = threading.Lock()
        self._publisher: StepPublisher | None = None
        self._together: InfoSender | None = None
        self._tick = 0
        self._stepped = -1
        self._seen = -1
        self.change(outputs)

    def change(self, outputs: StepOutputs) -> None:
        """Send to other addresses from now on.

        Raises:
            InputError: the name of a host is not known; then nothing changes.
        """
        goals = {*(one.to for one in outputs.infos), *(one.to for one in outputs.events)}
        addresses = {one: resolve(one) for one in goals}
        counters = [TurnCounter(one.period) for one in outputs.infos]
        with self._sending:
            self._outputs, self._addresses, self._turns = outputs, addresses, counters
            self._together = self._made_together()

    @property
    def sends(self) -> bool:
        """Whether there is an address to which something goes."""
        return bool(self._outputs.infos or self._outputs.events)

    def begin(self, publisher: StepPublisher, tick: int, time: int) -> None:
        """Serve another run from now on.

        Args:
            publisher: makes its messages.
            tick: simulated time of its ticks [ns].
            time: simulated time of its first snapshot [ns].
        """
        with self._sending:
            self._publisher, self._tick, self._stepped, self._seen = publisher, tick, -1, time
            self._turns = [TurnCounter(one.period) for one in self._outputs.infos]
            self._together = self._made_together()

    def send_infos(self, now: Snapshot) -> None:
        """Send the Vehicle Info of all outputs."""
        with self._sending:
            self._send_infos(now)

    def send_after_step(self, now: Snapshot) -> None:
        """The same after a step; once, where several clients have made it together."""
        if not self._outputs.infos:
            return
        with self._sending:
            if now.tick == self._stepped:
                return
            self._stepped = now.tick
            self._send_infos(now)

    def pass_tick(self, now: Snapshot, *, stepped: bool) -> None:
        """Send what is due after a tick.

        Args:
            now: the snapshot after it.
            stepped: whether clients of this interface step the run, or time waits for a first step; Vehicle Info is
                sent after the steps then.
        """
        with self._sending:
            if now.time < self._seen:  # the run began again
                self._seen = self._stepped = -1
            if not stepped:
                stood = now.tick * self._tick - now.time
                for output, turn in zip(self._outputs.infos, self._turns, strict=True):
                    if turn.take(now.time, stood):
                        self._send_info(now, output)
            if now.time > self._seen:
                self._send_events(now, self._seen)
                self._seen = now.time

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def _made_together(self) -> InfoSender | None:
        """What sends the Vehicle Info of all outputs at once; None where each is made by itself."""
        infos = self._outputs.infos
        if self._publisher is None or not infos or not InfoSender.may_send(infos):
            return None
        return InfoSender(self._publisher, infos, self._addresses)

    def _send_infos(self, now: Snapshot) -> None:
        """Send the Vehicle Info of all outputs; the lock is held."""
        infos, together, number = self._outputs.infos, self._together, self._socket.fileno()
        failed = None
        if together is not None and number >= 0:
            failed = together.send(now, lambda: [actor_of(now, one.vehicle) for one in infos], number)
        if failed is None:
            for output in infos:
                self._send_info(now, output)
            return
        self._log.count(INFO, len(infos) - len(failed))
        for row, error in failed.items():
            self._log.report("send error", f"{infos[row].to}: {error}")

    def _send_info(self, now: Snapshot, output: InfoOutput) -> None:
        actor = actor_of(now, output.vehicle)
        made = None if self._publisher is None or actor == NO_ACTOR else self._publisher.vehicle(now, actor)
        if made is None or self._publisher is None:
            return
        wheeled = output.wheels or output.template is not None
        wheels = self._publisher.wheels(now, actor) if wheeled else ()
        try:
            if output.template is not None:
                data = output.template.encode(made, wheels)
            else:
                data = encode(made) + (encode(WheelList(wheels=wheels)) if output.wheels else b"")
        except WireError as error:
            self._log.report("send error", f"Vehicle Info to {output.to}: {error}")
            return
        self._send(INFO, data, output.to)

    def _send_events(self, now: Snapshot, since: int) -> None:
        if self._publisher is None or not self._outputs.events or not now.contact.rows:
            return
        for event in self._publisher.collisions(now, since):
            for output in self._outputs.events:
                if output.vehicle == 0 or self._is_of(now, event, output):
                    self._send_event(event, output)

    def _is_of(self, now: Snapshot, event: CollisionEvent, output: EventOutput) -> bool:
        actor = actor_of(now, output.vehicle)
        return actor != NO_ACTOR and StepNames(now, names_of(now)).text_of(actor) == event.id

    def _send_event(self, event: CollisionEvent, output: EventOutput) -> None:
        try:
            data = encode(event) if output.template is None else output.template.encode(event, event.objects)
        except WireError as error:
            self._log.report("send error", f"Collision Event to {output.to}: {error}")
            return
        self._send(EVENT, data, output.to)

    def _send(self, kind: str, data: bytes, to: Address) -> None:
        try:
            self._socket.sendto(data, self._addresses[to])
            self._log.count(kind)
        except OSError as error:
            self._log.report("send error", f"{to}: {error.strerror or error}")


def actor_of(now: Snapshot, vehicle: int | str) -> int:
    """The id of a vehicle of an output or input, `NO_ACTOR` where it is not there.

    Args:
        now: the snapshot.
        vehicle: number of an ego vehicle from 1, or the id by which clients know it.
    """
    if isinstance(vehicle, str):
        return StepNames(now, names_of(now)).actor_of(vehicle)
    egos = now.egos
    return egos[vehicle - 1] if 0 < vehicle <= len(egos) else NO_ACTOR
