"""A page without visitors and without a process of its own: viser's real server, and a run that tests step."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import viser

from dorosim.bridge.view.scenery import page_scenery_of
from dorosim.endpoint.view.message import Status
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.endpoint.view.server import open_page_server
from dorosim.ground.error import DorosimError
from dorosim.world.command import Command
from dorosim.world.snapshot import Outcome, Snapshot
from dorosim.world.step import step
from tests.bridge.view.shown import ORIGIN, ShownRun, shown_street, world_on_street
from tests.timing import ManualClock
from tests.world.world import World

VISITOR = 7
"""Number of the visitor who presses and changes everything."""


class WorldMirror:
    """A way to a run (`dorosim.endpoint.view.run_proxy.RunProxy`) whose ticks happen as commands come.

    Args:
        world: takes them.

    Attributes:
        world: the same. done: all commands, in order. asked: all questions. told: to users of the run.
        answers: by name of the question; others have none.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.done: list[Command] = []
        self.asked: list[tuple[str, str, tuple[Any, ...]]] = []
        self.told: list[str] = []
        self.answers: dict[str, Any] = {"status": Status(wall=0.0)}
        self.lock = threading.Lock()

    def do(self, *commands: Command) -> tuple[Outcome, ...]:
        with self.lock:
            self.world.now = step(self.world.scene, self.world.now, commands, self.world.noise)
            self.done += commands  # who waits for them finds them done
            outcomes = self.world.now.outcomes
        refused = next((one.refusal for one in outcomes if one.refusal), "")
        if refused:
            raise DorosimError(refused)
        return outcomes

    def run(self, seconds: float) -> Snapshot:
        with self.lock:
            return self.world.run(seconds)

    def report(self, text: str) -> None:
        self.told.append(text)

    def ask(self, part: str, name: str, *given: Any) -> Any:
        self.asked.append((part, name, given))
        answer = self.answers.get(name)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Hand(PageContext):
    """Remembers what visitors would be told."""

    __slots__ = ("notes",)

    def notify(self, title: str, text: str, **_: Any) -> None:
        self.notes.append(f"{title}: {text}")


@dataclass
class Page:
    """A page and its run.

    Attributes:
        context: of all parts. proxy: the run. run: as parts see it. clock: of all parts.
        parts: those that the test asked for.
    """

    context: Hand
    proxy: WorldMirror
    run: PageRun
    clock: ManualClock
    parts: list[PagePart] = field(default_factory=list)

    @property
    def now(self) -> Snapshot:
        return self.proxy.world.now

    def add(self, kind: Callable[[PageContext], Any]) -> Any:
        part = kind(self.context)
        self.parts.append(part)
        part.begin(self.run)
        part.furnish(self.run.load_scenery())
        self.show()
        return part

    def show(self) -> None:
        """Show the present snapshot, as a page does 30 times a second."""
        self.context.now = self.now
        for part in self.parts:
            part.show(self.now)

    def show_later(self) -> None:
        """Show the present snapshot after a pause that is longer than that of any panel."""
        self.clock.advance(0.6)
        self.show()

    def press(self, hotkey: str, visitor: int = VISITOR) -> None:
        """A visitor presses a key."""
        gui = self.context.server.gui
        handle = next(one for one in gui._command_handle_from_uuid.values() if one.hotkey == hotkey)
        event = viser.CommandEvent(client=None, client_id=visitor, target=handle)
        for callback in handle._impl.trigger_cb:
            asyncio.run(callback(event))

    def leave(self, visitor: int) -> None:
        """A visitor leaves."""
        for callback in tuple(self.context.server._client_disconnect_cb):
            callback(SimpleNamespace(client_id=visitor))


def change(field_: Any, value: Any, visitor: int = VISITOR) -> None:
    """A visitor changes a field, as viser tells of it."""
    field_._impl.value = value
    _report(field_, visitor)


def click(button: Any, value: Any = True, visitor: int = VISITOR) -> None:
    """A visitor presses a button, or the one of a group with a value."""
    button._impl.value = value
    _report(button, visitor)


def _report(handle: Any, visitor: int) -> None:
    for callback in tuple(handle._impl.update_cb):
        callback(viser.GuiEvent(client=None, client_id=visitor, target=handle))


def page_run(shown: ShownRun, first: Snapshot) -> PageRun:
    """A run as the page's parts see it, on a map that is there already."""
    return PageRun(
        scene=shown.scene,
        models=shown.models,
        first=first,
        origin=shown.origin,
        place="street",
        load_scenery=lambda: page_scenery_of(shown.static, shown.scene.network, shown.origin),
        load_static=lambda: shown.static,
    )


@contextmanager
def page() -> Iterator[Page]:
    """A page on the street of `tests.bridge.view.shown`: an ego, an NPC vehicle with id 2 and a person with id 3."""
    world = world_on_street()
    shown = shown_street()
    listener = socket.create_server(("127.0.0.1", 0))
    server = open_page_server(listener, "test")
    clock = ManualClock()
    context = Hand(server, WorldMirror(world), clock=clock)
    context.notes = []
    run = page_run(shown, world.now)
    try:
        yield Page(context, context.proxy, run, clock)
    finally:
        server.stop()


def ray_to(x: float, y: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """A click straight down on a place in the map, in the page's frame."""
    return (x - ORIGIN[0], y - ORIGIN[1], 30.0), (0.0, 0.0, -1.0)
