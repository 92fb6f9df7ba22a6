"""The last events, beneath the tabs."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from dorosim.bridge.actor import names_of
from dorosim.bridge.view.event import EventLog, PageEvent
from dorosim.bridge.view.transition import OVER
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import Colour, PageContext, PagePart, PageRun
from dorosim.world.snapshot import Snapshot

_SHOWN = 0.2
"""Wall time from one update of the list to the next [s]."""
_TOLD = 2.0
"""Wall time from one note about events to the next [s]."""
_MAX_NOTED_EVENTS = 3
"""Events in one note; more are only counted."""
_COLOURS: tuple[tuple[str, Colour], ...] = (
    ("collision", "red"),
    ("fault", "orange"),
    ("refused", "orange"),
    ("off the road", "orange"),
    (OVER, "blue"),
)
"""Colours of notes, by how their events begin, the most important first; others are not worth a note."""


class EventPart(PagePart):
    """The list of events (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._log = EventLog()
        self._look = Throttle(_SHOWN, context.clock)
        self._tell = Throttle(_TOLD, context.clock)
        self._untold: list[PageEvent] = []
        self._run, self._old = 0, True
        self._shown: tuple[PageEvent, ...] = ()
        with context.server.gui.add_folder("Events"):
            self._text = context.server.gui.add_html("")

    def begin(self, run: PageRun) -> None:
        """List the beginning of another run."""
        self._log.begin(f"run on {run.scene.map_name}", run.first)
        self._run, self._untold = run.number, []
        self._old = True
        self._look.wait(0.0)

    def show(self, now: Snapshot) -> None:
        """List what has happened since the last update."""
        if not self._look.due():
            return
        self._log.look(now)
        status = self._context.status
        if status is not None and status.run == self._run:  # that of the last run may have been on its way
            found: Sequence[PageEvent] = self._log.note(status.happenings)
            if self._old:  # what was before this page began to look is listed, but is no news
                self._old, found = False, ()
            self._untold += [one for one in found if self._matters(one.text, now)]
        if self._untold and self._tell.due():
            self._note()
        events = self._log.events
        if events != self._shown:
            self._shown, self._text.content = events, events_html(events)

    def _matters(self, text: str, now: Snapshot) -> bool:
        """Whether an event is worth a note.

        Why the page's own command was refused was told at once. People in a crowd touch each other all the time, so
        collisions are only listed in which neither an ego vehicle nor the followed actor is.
        """
        if not colour_of(text) or self._context.has_noted(text.removeprefix("refused: ")):
            return False
        if not text.startswith("collision"):
            return True
        names = names_of(now)
        watched = {names.text_of(actor) for actor in (*now.egos, self._context.followed)}
        return any(f" of {name} and " in text or re.search(f" and {re.escape(name)}( at |$)", text) for name in watched)

    def _note(self) -> None:
        """Show a note of the events that no note has shown yet."""
        untold, self._untold = self._untold, []
        lines = list(dict.fromkeys(one.text for one in untold))
        more = len(lines) - _MAX_NOTED_EVENTS
        text = "; ".join(lines[:_MAX_NOTED_EVENTS]) + (f"; and {more} more, listed under Events" if more > 0 else "")
        colours = {colour_of(line) for line in lines}
        colour = next(found for _, found in _COLOURS if found in colours)
        self._context.notify(f"At {untold[0].time:.1f} s", text, colour=colour)


def colour_of(event: str) -> Colour | None:
    """The colour of a note about an event, by its text; None for one that is worth no note."""
    return next((colour for start, colour in _COLOURS if event.startswith(start)), None)


def events_html(events: Sequence[PageEvent]) -> str:
    """Events as a block of HTML; what comes from outside is text in it."""
    rows = "".join(
        f'<tr><td style="opacity:0.65;text-align:right;padding-right:0.7em;white-space:nowrap;vertical-align:top">'
        f"{event.time:.1f} s</td><td>{html.escape(event.text)}</td></tr>"
        for event in events
    )
    return f'<table style="font-size:0.78em;margin:0.2em 0.6em;line-height:1.3">{rows}</table>'
