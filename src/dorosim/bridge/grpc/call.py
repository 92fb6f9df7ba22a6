"""What a procedure is: a function of a request and the present situation to an answer, or to commands and an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from dorosim.bridge.actor import Names
from dorosim.bridge.actor_state import ActorReader
from dorosim.bridge.answer import Answer, Notice, Refusal
from dorosim.bridge.around import EgoSurroundings
from dorosim.bridge.host import Host
from dorosim.bridge.kept import Kept
from dorosim.bridge.light import LightFinder, SignalNames
from dorosim.bridge.route import WayFinder
from dorosim.bridge.vehicle_state import VehicleReader
from dorosim.ground.error import InputError
from dorosim.world.command.catalogue import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Outcome, Snapshot

if TYPE_CHECKING:
    from google.protobuf.message import Message


class SceneIndex:
    """What is looked up in a map again and again, made once for a run.

    Args:
        scene: what does not change.

    Attributes:
        signals: lights and intersections by name. lights: finds the light that a vehicle faces.
        around: looks around the ego vehicle.
        actors: reads states of actors. vehicles: looks around vehicles. ways: finds ways for vehicles.
        answers: made for the last snapshot, the same for everybody who asks.
    """

    def __init__(self, scene: Scene) -> None:
        self.signals = SignalNames(scene.network.signals)
        self.lights = LightFinder(scene)
        self.around = EgoSurroundings(scene, self.lights)
        self.actors = ActorReader(scene)
        self.vehicles = VehicleReader(scene, self.lights)
        self.ways = WayFinder(scene, self.actors, self.vehicles)
        self.answers: Kept[Any] = Kept()
        self._links = {link: row for row, link in enumerate(scene.network.link_ids)}

    def link_row(self, link_id: str) -> int:
        """Row of a link by its id, -1 if the map has none."""
        return self._links.get(link_id, -1)


@dataclass(frozen=True, slots=True)
class GrpcForm:
    """Choices where the documents leave one.

    Attributes:
        json: `ServiceResponse.msg` holds JSON text, else the binary form of the message
            (facts/ros-grpc-mgeo.md, 2.2, L5).
        patience: wall time that a step of synchronous mode may take [s].
    """

    json: bool = True
    patience: float = 10.0


_FORM = GrpcForm()


@dataclass(frozen=True, slots=True)
class Situation:
    """In which a request comes.

    Attributes:
        now: the last snapshot. scene: what does not change. index: of the map.
        names: by which clients know actors. host: the program around the world.
        client: who asks: the address of its connection.
        form: choices of the interface.
    """

    now: Snapshot
    scene: Scene
    index: SceneIndex
    names: Names
    host: Host
    client: str = ""
    form: GrpcForm = _FORM


Reply = Callable[[Snapshot, tuple[Outcome, ...]], Any]
"""Makes an answer of the snapshot after the tick that applied the commands, and of what became of each."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a request asks of the world.

    Attributes:
        commands: in order; all apply in one tick, or none.
        reply: makes the answer.
    """

    commands: tuple[Command, ...]
    reply: Reply


Procedure = Callable[[Any, Situation], "Message | Ask"]
"""The meaning of a procedure. It may raise InputError: the caller is told, and nothing is done."""


class Fate(NamedTuple):
    """What became of an element of a list.

    Attributes:
        refusal: why it could not be done, "" if it was. actor: what it made, 0 for nothing.
    """

    refusal: str = ""
    actor: int = 0


class Elements:
    """A request whose elements are done each by itself: one that cannot be done does not stop the others."""

    def __init__(self) -> None:
        self._commands: list[Command] = []
        self._parts: list[tuple[str, int, int]] = []

    def add(self, *answers: Answer) -> None:
        """The next element, and what it asks for; a refusal among that refuses all of it."""
        refusals = [answer.reason for answer in answers if isinstance(answer, Refusal)]
        start = len(self._commands)
        if not refusals:
            self._commands += [answer for answer in answers if not isinstance(answer, Refusal | Notice)]
        self._parts.append(("; ".join(refusals), start, len(self._commands)))

    def attempt(self, make: Callable[[], Answer]) -> None:
        """The next element, which asks for one thing; an InputError on the way refuses it."""
        try:
            answer = make()
        except InputError as error:
            answer = Refusal("refused", str(error))
        self.add(answer)

    def extend(self, elements: Iterable[Iterable[Answer]]) -> None:
        """The next elements."""
        for element in elements:
            self.add(*element)

    def ask(self, reply: Callable[[Snapshot, Sequence[Fate]], Any]) -> Ask:
        """All of it, with an answer of the fates of the elements, in their order."""
        parts = tuple(self._parts)

        def answer(now: Snapshot, outcomes: tuple[Outcome, ...]) -> Any:
            return reply(now, [_fate(refusal, outcomes[start:end]) for refusal, start, end in parts])

        return Ask(tuple(self._commands), answer)


def _fate(refusal: str, outcomes: Sequence[Outcome]) -> Fate:
    """Of several commands the first refusal counts, and the last that made something."""
    reasons = [outcome.refusal for outcome in outcomes if outcome.refusal]
    made = [outcome.actor for outcome in outcomes if outcome.actor]
    return Fate(refusal or (reasons[0] if reasons else ""), made[-1] if made else 0)


def fate_of(outcomes: Sequence[Outcome]) -> Fate:
    """What became of commands that belong together."""
    return _fate("", outcomes)
