"""The hub of ROS: one set of topics and services, however programs reach them.

The loop calls the hub with each snapshot; a message that is due and that a transport wants is made once and given to
the transports that want it. Messages and requests come from the transports' threads; their commands apply in the next
tick.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Protocol

from dorosim.bridge.answer import CLAMPED, Notice, Refusal, dispatch
from dorosim.bridge.first_start import COMPILING, WHY, needs_kernels
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.ros.topic import Provided, Published, RosSituation, Subscribed
from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.loop.epoch import Stamped, Stamps
from dorosim.endpoint.loop.schedule import TurnCounter
from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.ground.error import DorosimError
from dorosim.wire.error import RosError
from dorosim.wire.ros.registry import Registry
from dorosim.wire.value_text import Exchange, Plain
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

MAX_COMMANDS = 5_000
"""Most commands of messages between two ticks: 1,000 vehicles placed five times over. More would delay the ticks."""


@dataclass(frozen=True, slots=True)
class HubPlace:
    """The run that is served.

    Attributes:
        gateway: takes commands. situate: returns the situation in which a client asks; "" stands for no client.
        ready: waits at most for a time [s] until the world can take commands, and returns whether it can.
        stamped: has the epoch of stamps. tick: its length [ns].
    """

    gateway: CommandGateway
    situate: Callable[[str], RosSituation]
    ready: Callable[[float], bool] = lambda _: True
    stamped: Stamped = field(default_factory=Stamps)
    tick: int = 10_000_000


class Transport(Protocol):
    """A way to ROS programs. Its methods are called from any thread and never wait for a peer."""

    def wants(self, topic: str) -> bool:
        """Whether the transport takes messages of a topic."""

    def send(self, outgoing: OutgoingMessage) -> None:
        """Send a message of a topic that the transport wants."""

    def change(self) -> None:
        """Is called when the topics of the hub have changed."""

    def close(self) -> None:
        """Take leave of the peers, close the sockets, and end the threads."""


class ServiceError(DorosimError):
    """A service cannot be called, or its request cannot be done; the text says why."""


class Hub:
    """Topics and services of the present run; an observer of the loop.

    Args:
        registry: types of messages.
        published, subscribed, provided: topics and services, under the names and at the rates of the settings.
        report: is called with the kind and text of each problem, and lines beneath it if there are any, on any thread.

    Attributes:
        registry: as given. published, subscribed: topics by name. provided: services by name.
        counts: messages by topic and direction, calls by service, and problems by kind.
        report_seldom: reports fields that were clamped (`dorosim.endpoint.journal.Journal.report_seldom`).
        last_values: the last message, or the last exchange of a service, by the kind under which it is counted.
    """

    def __init__(
        self,
        registry: Registry,
        published: Iterable[Published],
        subscribed: Iterable[Subscribed],
        provided: Iterable[Provided],
        report: Callable[..., None],
    ) -> None:
        self.registry = registry
        self.published = {one.topic: one for one in published}
        self.subscribed = {one.topic: one for one in subscribed}
        self.provided = {one.service: one for one in provided}
        self.counts: Counter[str] = Counter()
        self.last_values: dict[str, Any] = {}
        self.report_seldom: Callable[[str, Sequence[str], str], None] | None = None
        self._report = report
        self._transports: tuple[Transport, ...] = ()
        self._turns = {name: _turns(one) for name, one in self.published.items() if not one.pushed}
        self._latched: dict[str, OutgoingMessage] = {}
        self._stood: dict[str, int] = {}
        self._changing = threading.Lock()
        self._place: HubPlace | None = None
        self._asking = threading.Lock()
        self._asked = 0  # commands since the last tick

    def serve(self, place: HubPlace | None) -> None:
        """Serve a run from now on; None between two runs. Latched messages of the run before are dropped.

        Only those of topics that are published from outside the loop (`pushed`) stay.
        """
        with self._changing:
            for topic in [one for one in self._latched if one in self.published and not self.published[one].pushed]:
                del self._latched[topic]
        self._place = place
        self._asked = 0

    def begin_again(self) -> None:
        """The run was reset to its first snapshot: when topics are due is counted anew, as in any other run."""
        with self._changing:
            self._turns = {name: _turns(one) for name, one in self.published.items() if not one.pushed}

    def join(self, transport: Transport) -> None:
        """Add a transport."""
        with self._changing:
            self._transports = (*self._transports, transport)

    def leave(self, transport: Transport) -> None:
        """Remove a transport."""
        with self._changing:
            self._transports = tuple(one for one in self._transports if one is not transport)

    @property
    def place(self) -> HubPlace:
        """The run that is served.

        Raises:
            ServiceError: there is no run just now.
        """
        if self._place is None:
            raise ServiceError("no run is there just now; ask again")
        return self._place

    @property
    def time(self) -> int:
        """The stamp of the last snapshot [ns since 1970], 0 between two runs."""
        place = self._place
        return 0 if place is None else place.stamped.epoch + place.gateway.now.time

    def __call__(self, now: Snapshot, _: Sequence[Command]) -> None:
        """Publish what is due at a new snapshot. Never raises."""
        self._asked = 0
        place = self._place
        if place is None:
            return
        situation = cache(lambda: _situation_at(place, now))
        stood = now.tick * place.tick - now.time
        for topic, turns in self._turns.items():
            published = self.published.get(topic)  # None: its sensor goes just now
            if published and turns.take(now.time, stood) and (published.latched or self.wants(topic)):
                self._make(published, situation)

    def stand(self, now: Snapshot, waited: float) -> None:
        """While no client steps, publish what a pause does (`endpoint.loop.loop.StandstillObserver`). Never raises."""
        place = self._place
        if place is None:
            return
        for topic, published in self.published.items():
            if published.pushed or not published.standing:
                continue
            turn = int(waited * 1e9) // (round(1e9 / published.rate_hz) if published.rate_hz else place.tick)
            if turn == self._stood.get(topic) or not self.wants(topic):
                continue
            self._stood[topic] = turn
            self._make(published, partial(_situation_at, place, now))

    def _make(self, published: Published, situation: Callable[[], RosSituation]) -> None:
        """Make the message of a topic and publish it; a topic that cannot be made does not stop the others."""
        try:
            message = published.make(situation())
        except Exception as error:
            self._cannot_send(published.topic, error)
            return
        if message is not None:
            self.publish(published.topic, message)

    def publish(self, topic: str, message: Any, stamp: int | None = None) -> None:
        """Give a message to all transports that want its topic. Safe from any thread. Never raises.

        Args:
            topic: its name; nothing is done if the topic has just been removed.
            message: of its type.
            stamp: when it is published [ns since 1970]; None: at the last snapshot.
        """
        published = self.published.get(topic)
        if published is None:
            return  # its sensor has gone while the message was made
        outgoing = OutgoingMessage(topic, published.type, message, self.registry, self.time if stamp is None else stamp)
        if published.latched:
            self._latched[topic] = outgoing
        self._note(f"{topic} sent", message)
        for transport in self._transports:
            try:
                if transport.wants(topic):
                    transport.send(outgoing)
            except Exception as error:  # the others get it
                self._cannot_send(topic, error)

    def wants(self, topic: str) -> bool:
        """Whether any transport wants a topic."""
        return any(transport.wants(topic) for transport in self._transports)

    def last(self, topic: str) -> OutgoingMessage | None:
        """The last message of a latched topic, for a new subscriber."""
        return self._latched.get(topic)

    def announce(self, published: Iterable[Published], gone: Iterable[str] = ()) -> None:
        """Add and remove topics, as sensors come and go. Safe from any thread."""
        with self._changing:
            topics, turns = dict(self.published), dict(self._turns)
            for name in gone:
                topics.pop(name, None)
                turns.pop(name, None)
                self._latched.pop(name, None)
            for one in published:
                topics[one.topic] = one
                if not one.pushed:
                    turns[one.topic] = _turns(one)
            self.published, self._turns = topics, turns
            for name in gone:
                self.last_values.pop(f"{name} sent", None)  # clouds of sensors that come and go would pile up
        for transport in self._transports:
            transport.change()

    def receive(self, topic: str, message: Any, client: str) -> None:
        """Take a message that a client published; its commands apply in the next tick. Never raises."""
        self._note(f"{topic} received", message)
        try:
            place = self.place
            answers = self.subscribed[topic].meaning(message, place.situate(client))
            reports = list[Refusal | Notice]()
            commands = dispatch(answers, reports.append)
            if needs_kernels(commands) and not place.ready(0.0):
                self.report("first start", f"{topic}: {WHY}; what needs them is left out")
                return
            for report in reports:
                self._report_answer(topic, report)
            # what a message asks for applies in one tick, or not at all
            if self._has_room(len(commands)):
                place.gateway.put(commands)
            else:
                self.report("ROS too many", f"{topic}: more than {MAX_COMMANDS:,} commands in a tick; it is left out")
        except DorosimError as error:
            self.report("refused", f"{topic}: {error}")
        except Exception as error:  # a fault of ours; peers and the run go on
            self.report("ROS internal error", f"{topic}: {type(error).__name__}: {error}")

    def _report_answer(self, topic: str, answer: Refusal | Notice) -> None:
        """Count and log a refusal or a notice that answers a message."""
        if isinstance(answer, Refusal):
            self.report("refused", f"{topic}: {answer.reason}")
        elif answer.kind == CLAMPED and self.report_seldom is not None:
            self.counts[f"ROS {CLAMPED}"] += 1
            self.report_seldom(f"ROS {CLAMPED}", answer.lines, topic)
        else:
            self.report(answer.kind, answer.text or topic, answer.lines)

    def _note(self, kind: str, value: Any) -> None:
        """Count a message and keep it as it is; text is made of it only when the user wants to see it."""
        self.counts[kind] += 1
        self.last_values[kind] = value

    def _has_room(self, count: int) -> bool:
        """Whether so many more commands may wait for the next tick; if so, they count from now on."""
        with self._asking:
            if self._asked + count > MAX_COMMANDS:
                return False
            self._asked += count
            return True

    def call(self, service: str, request: Any, client: str, timeout: float = 30.0) -> Any:
        """Call a service; returns its answer.

        Raises:
            ServiceError: there is no such service, or the request cannot be done; the sentence says why.
        """
        provided = self.provided.get(service)
        if provided is None:
            raise ServiceError(f"there is no service {service}")
        kind = f"{service} called"
        self._note(kind, Exchange(request))
        try:
            answer = self._answer(provided, request, client, timeout)
        except DorosimError as error:
            self.report("refused", f"{service}: {error}")
            failure = ServiceError(str(error))
        except Exception as error:
            self.report("ROS internal error", f"{service}: {type(error).__name__}: {error}")
            failure = ServiceError(f"{type(error).__name__}: {error}; this is a fault of dorosim, please tell us")
        else:
            self.last_values[kind] = Exchange(request, answer)
            return answer
        self.last_values[kind] = Exchange(request, Plain(f"refused: {failure}"))
        raise failure

    def _answer(self, provided: Provided, request: Any, client: str, timeout: float) -> Any:
        place = self.place
        found = provided.meaning(request, place.situate(client))
        if not isinstance(found, DeferredReply):
            return found
        if needs_kernels(found.commands) and not place.ready(timeout):
            raise ServiceError(COMPILING)
        done = place.gateway.do(found.commands, timeout)
        return found.reply(done.now, done.outcomes)

    def _cannot_send(self, topic: str, error: Exception) -> None:
        """Report a message that was not made or not sent; an error other than RosError is a fault of dorosim."""
        if isinstance(error, RosError):
            self.report("ROS message not sent", f"{topic}: {error}")
        else:
            self.report("ROS internal error", f"{topic}: {type(error).__name__}: {error}")

    def report(self, kind: str, text: str, lines: Sequence[str] = ()) -> None:
        """Count a problem or an event, and report it, under a kind that begins with "ROS"."""
        kind = kind if kind.startswith("ROS") else f"ROS {kind}"
        self.counts[kind] += 1
        self._report(kind, text, *((lines,) if lines else ()))


def _situation_at(place: HubPlace, now: Snapshot) -> RosSituation:
    """The situation without a client, at a snapshot."""
    found = place.situate("")
    return replace(found, at=replace(found.at, now=now))


def _turns(published: Published) -> TurnCounter:
    return TurnCounter(round(1e9 / published.rate_hz) if published.rate_hz else 0, standing=published.standing)
