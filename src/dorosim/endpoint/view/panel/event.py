"""The last events, beneath the tabs."""

from __future__ import annotations

import html
from collections.abc import Sequence

from dorosim.bridge.view.event import EventLog, PageEvent
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.world.snapshot import Snapshot

_SHOWN = 0.2
"""Wall time from one update of the list to the next [s]."""


class EventPart(PagePart):
    """The list of events (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._log = EventLog()
        self._look = Throttle(_SHOWN, context.clock)
        self._run = 0
        self._shown: tuple[PageEvent, ...] = ()
        with context.server.gui.add_folder("Events"):
            self._text = context.server.gui.add_html("")

    def begin(self, run: PageRun) -> None:
        """List the beginning of another run."""
        self._log.begin(f"run on {run.scene.map_name}", run.first)
        self._run = run.number
        self._look.wait(0.0)

    def show(self, now: Snapshot) -> None:
        """List what has happened since the last update."""
        if not self._look.due():
            return
        self._log.look(now)
        status = self._context.status
        if status is not None and status.run == self._run:  # that of the last run may have been on its way
            self._log.note(status.happenings)
        events = self._log.events
        if events != self._shown:
            self._shown, self._text.content = events, events_html(events)


def events_html(events: Sequence[PageEvent]) -> str:
    """Events as a block of HTML; what comes from outside is text in it."""
    rows = "".join(
        f'<tr><td style="opacity:0.65;text-align:right;padding-right:0.7em;white-space:nowrap;vertical-align:top">'
        f"{event.time:.1f} s</td><td>{html.escape(event.text)}</td></tr>"
        for event in events
    )
    return f'<table style="font-size:0.78em;margin:0.2em 0.6em;line-height:1.3">{rows}</table>'
