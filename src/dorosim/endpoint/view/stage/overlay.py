"""What is drawn over the world on request, and the marks of the followed actor, of contacts and of faults."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import viser

from dorosim.bridge.actor_state import ActorReader, ActorState
from dorosim.bridge.view import overlay
from dorosim.bridge.view.fault import fault_texts
from dorosim.bridge.view.overlay import Lines, Text
from dorosim.bridge.view.spawn import ActorLister
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.endpoint.view.stage.label import KINDS as LABELS
from dorosim.endpoint.view.stage.label import LabelStage
from dorosim.world.snapshot import Snapshot

_PERIOD = 0.2
"""Wall time from one update of what is drawn on request to the next [s]."""
_MAX_TEXTS, MAX_TEXT_DISTANCE = 25, 120.0
"""Names and ids that are shown at most, and how far from the actor that is followed [m]."""
MAX_ENTITY_NAMES = 50
"""Names of a scenario's entities that are shown at most."""
_FLASH = 1.5
"""How long a contact is marked after it was seen [s of wall time]."""


class OverlayKind(NamedTuple):
    """Lines that can be shown.

    Attributes:
        text: for its box. colour: of the lines. shown: from the start. lines: from a run and a snapshot.
    """

    text: str
    colour: tuple[int, int, int]
    shown: bool
    lines: Callable[[PageRun, Snapshot, int], Lines]


KINDS = {
    "route": OverlayKind(
        "Route of the followed actor",
        (0, 190, 255),
        True,
        lambda run, now, followed: overlay.way_lines(run.scene.network, overlay.route_of(now, followed)),
    ),
    "routes": OverlayKind(
        "Routes of all NPC", (120, 120, 255), False, lambda run, now, _: overlay.all_routes(run.scene.network, now)
    ),
    "sent": OverlayKind("Trajectories sent", (255, 60, 200), True, lambda _run, now, _: overlay.sent_points(now)[0]),
    "goals": OverlayKind("Goals", (255, 200, 0), True, lambda _run, now, _: overlay.sent_points(now)[1]),
    "spawn": OverlayKind("Spawn points", (255, 140, 0), False, lambda _run, now, _: overlay.spawn_points(now)),
    "stop": OverlayKind("Stop lines", (255, 40, 40), False, lambda run, _now, _: overlay.stop_lines(run.scene.network)),
    "shade": OverlayKind("Areas without GPS", (90, 90, 90), True, lambda _run, now, _: overlay.shade_boxes(now)),
    "friction": OverlayKind("Areas of friction", (0, 200, 220), True, lambda _run, now, _: overlay.friction_rings(now)),
}


class OverlayPart(PagePart):
    """Lines, names and marks (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.

    Attributes:
        shown: names of `KINDS` that are shown, and "links" and "names".
    """

    def __init__(self, context: PageContext) -> None:
        self._context, self._scene = context, context.server.scene
        self.shown = {name for name, kind in KINDS.items() if kind.shown}
        self._run: PageRun | None = None
        self._reader: ActorReader | None = None
        self._lister: ActorLister | None = None
        self._lines: dict[str, tuple[viser.LineSegmentsHandle, Lines]] = {}
        self._labels = LabelStage(context)
        self._look, self._flash = Throttle(_PERIOD, context.clock), 0.0
        self._ring = self._scene.add_line_segments(
            "/mark/followed", _ring().astype(np.float32), (0, 200, 255), thickness=0.06, visible=False
        )

    def begin(self, run: PageRun) -> None:
        """Remove what was drawn of the last run."""
        for handle, _ in self._lines.values():
            handle.remove()
        self._lines.clear()
        for kind in LABELS:
            self._labels.put(kind, (), run.origin)
        self._run = run
        self._look.wait(0.0)
        self._reader, self._lister = ActorReader(run.scene), ActorLister(run.scene)

    def show(self, now: Snapshot) -> None:
        """Draw what visitors have chosen, and the marks."""
        run, reader = self._run, self._reader
        if run is None or reader is None:
            return
        followed = reader.state(now, self._context.followed)
        self._mark(run, followed)
        self._put_fault_texts(run, now, reader)
        wall = self._context.clock()
        if now.contact.rows:
            self._put("contact", overlay.contact_marks(now), (255, 30, 0), run)
            self._flash = wall + _FLASH
        elif wall > self._flash:
            self._put("contact", overlay.joined(()), (255, 30, 0), run)
        if not self._look.due():
            return
        for name, kind in KINDS.items():
            lines = kind.lines(run, now, self._context.followed) if name in self.shown else overlay.joined(())
            self._put(name, lines, kind.colour, run)
        self._put_names(run, now, followed)
        self._labels.part()

    @property
    def nothing(self) -> Lines:
        """No lines."""
        return overlay.joined(())

    def draw(self, name: str, lines: Lines, colour: tuple[int, int, int]) -> None:
        """Draw lines of another part in place of those that it drew under this name before."""
        if self._run is not None:
            self._put(name, lines, colour, self._run)

    def name_entities(self, now: Snapshot, names: Mapping[int, str]) -> None:
        """Show these names over actors, by id, and no other names of a scenario's entities."""
        run, reader = self._run, self._reader
        if run is None or reader is None or (not names and not self._labels.has("entities")):
            return
        states = ((reader.state(now, actor), name) for actor, name in names.items())
        texts = [_over(state, name) for state, name in states if state is not None]
        self._labels.put("entities", texts[:MAX_ENTITY_NAMES], run.origin)

    def _mark(self, run: PageRun, followed: ActorState | None) -> None:
        """Move the ring to the followed actor; hide it where there is none."""
        self._ring.visible = followed is not None
        if followed is None:
            return
        x, y, z = np.subtract(followed.position, run.origin)
        c, s = np.cos(followed.rotation[2]), np.sin(followed.rotation[2])
        self._ring.position = (x + followed.middle * c, y + followed.middle * s, z + 0.12)
        self._ring.scale = 0.58 * max(followed.size[0], followed.size[1], 0.8)

    def _put(self, name: str, lines: Lines, colour: tuple[int, int, int], run: PageRun) -> None:
        """Show lines, which are sent only when they have changed."""
        handle, before = self._lines.get(name, (None, overlay.joined(())))
        if np.array_equal(before, lines):
            return
        points = (lines - np.asarray(run.origin)).astype(np.float32)
        if handle is None:
            handle = self._scene.add_line_segments(f"/overlay/{name}", points, colour, thickness=0.18)
        elif len(lines):
            handle.points = points
        handle.visible = bool(len(lines))
        self._lines[name] = (handle, lines)

    def _put_names(self, run: PageRun, now: Snapshot, followed: ActorState | None) -> None:
        """Show names of actors and ids of lanes near the followed actor, where visitors have chosen them."""
        links: list[Text] = []
        names: list[Text] = []
        if followed is not None and "links" in self.shown:
            links = overlay.link_texts(run.scene, followed.position[:2], MAX_TEXT_DISTANCE, _MAX_TEXTS)
        if followed is not None and "names" in self.shown and self._lister is not None:
            about = self._lister.about(now, followed.id, MAX_TEXT_DISTANCE, _MAX_TEXTS)
            names = [_over(state, text) for state, text in about]
        self._labels.put("links", links, run.origin)
        self._labels.put("names", names, run.origin)

    def _put_fault_texts(self, run: PageRun, now: Snapshot, reader: ActorReader) -> None:
        faulty = fault_texts(now) if now.fault.rows else {}
        if not faulty and not self._labels.has("faults"):
            return
        texts = []
        for actor, text in faulty.items():
            state = reader.state(now, actor)
            if state is not None:
                texts.append(_over(state, text))
        self._labels.put("faults", texts, run.origin)


def _over(state: ActorState, text: str) -> Text:
    """A text over the middle of an actor."""
    (x, y, z), yaw = state.position, state.rotation[2]
    place = (x + state.middle * math.cos(yaw), y + state.middle * math.sin(yaw), z + state.size[2] + 0.6)
    return Text(state.id, text, place, 0.5 * max(state.size[:2]))


def _ring() -> Lines:
    turn = np.linspace(0.0, 2.0 * np.pi, 37)
    return overlay.lines_along(np.column_stack((np.cos(turn), np.sin(turn), np.zeros(len(turn)))))
