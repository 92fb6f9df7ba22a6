"""The panel of faults: of controls, tyres and sensors of the followed actor."""

from __future__ import annotations

import html
from collections.abc import Sequence

from dorosim.bridge.view.fault import FaultPlace, active_faults, clear_all, end_here, inject, kinds_at, places_of
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun, write
from dorosim.ground.error import InputError
from dorosim.world.snapshot import Snapshot

NONE = "none"
_SHOWN = 0.5
"""Wall time from one look at the faults to the next [s]."""


class FaultPart(PagePart):
    """The panel of faults (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._places: dict[str, FaultPlace] = {}
        self._look = Throttle(_SHOWN, context.clock)
        gui = context.server.gui
        with context.tab("Faults"):
            self._where = gui.add_dropdown("Where", (NONE,))
            self._kind = gui.add_dropdown("Fault", (NONE,))
            self._inject = gui.add_button("Inject", color="red")
            self._clear = gui.add_button("Clear this place", color="gray")
            self._clear_all = gui.add_button("Clear all of this vehicle", color="gray")
            with gui.add_folder("Faults of all"):
                self._text = gui.add_html("")
        context.on_input(self._where, "Faults", self._list_kinds)
        context.on_press(self._inject, "Fault", self._bring_about)
        context.on_press(self._clear, "Fault", lambda: self._do_here(clear=True))
        context.on_press(self._clear_all, "Fault", self._end_all)

    def begin(self, run: PageRun) -> None:
        """List the places of another run."""
        self._look.wait(0.0)
        self._list_places(run.first)

    def show(self, now: Snapshot) -> None:
        """List the places of the followed actor, and show the faults of all actors."""
        if not self._look.due():
            return
        self._list_places(now)
        write(self._text, faults_html(active_faults(now)))

    def _list_places(self, now: Snapshot) -> None:
        places = {place.text: place for place in places_of(now, self._context.followed)}
        if places.keys() != self._places.keys() or self._where.options == (NONE,):
            self._places = places
            self._where.options = tuple(places) or (NONE,)
            if places:
                self._list_kinds()
        self._places = places

    def _list_kinds(self) -> None:
        options = kinds_at(self._place())
        if self._kind.options != options:
            self._kind.options = options

    def _place(self) -> FaultPlace:
        place = self._places.get(str(self._where.value))
        if place is None:
            raise InputError("fault", "", "the followed actor has nothing that can fail", "follow an ego vehicle")
        return place

    def _bring_about(self) -> None:
        self._do_here(clear=False)

    def _do_here(self, *, clear: bool) -> None:
        now, actor = self._context.now, self._context.followed
        if now is not None:
            place = self._place()
            self._context.proxy.do(
                end_here(now, actor, place) if clear else inject(now, actor, place, self._kind.value)
            )

    def _end_all(self) -> None:
        now = self._context.now
        if now is not None:
            self._context.proxy.do(*clear_all(now, self._context.followed))


def faults_html(lines: Sequence[str]) -> str:
    """Faults as a block of HTML; what comes from outside is text in it."""
    if not lines:
        return '<div style="padding:0.4em 0.6em;opacity:0.7">There are none.</div>'
    rows = "".join(f"<div>{html.escape(line)}</div>" for line in lines[:30])
    return f'<div style="padding:0.4em 0.6em;font-size:0.85em">{rows}</div>'
