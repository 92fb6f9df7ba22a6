"""The tab of a scenario's storyboard: its tree, its conditions, what has happened, and ways back in its time."""

from __future__ import annotations

import html
import math
import threading
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import viser

from dorosim.bridge.view.event import EventLog, PageEvent
from dorosim.bridge.view.transition import STORYBOARD
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import DoneText, PageContext, PagePart, PageRun, write
from dorosim.endpoint.view.panel.storyboard_html import journal_html, summary_html, tree_html
from dorosim.endpoint.view.stage.overlay import OverlayPart
from dorosim.ground.error import DorosimError, InputError
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.bridge.view.storyboard import StoryboardGuide

ACTIVE, ALL = "what waits and runs", "all"
NO_MOMENT = "none yet"
MAX_JOURNAL_LINES = 40
"""Lines of the journal that are shown."""
_SHOWN = 0.25
"""Wall time from one change of the tab to the next [s]."""
_POLLED = 1.0
"""Wall time from one question for the moments to go back to to the next [s]."""
_COLOURS: dict[str, tuple[int, int, int]] = {
    "followed": (255, 60, 200),
    "planned": (190, 130, 210),
    "ways": (0, 190, 255),
    "unmet": (255, 150, 0),
    "met": (40, 190, 80),
}
_TRIGGERS = ("unmet", "met")
_NOTHING = '<div style="padding:0.4em 0.6em;opacity:0.7">This run plays no storyboard.</div>'
_COMING = '<div style="padding:0.4em 0.6em;opacity:0.7">The storyboard is on its way.</div>'


class StoryboardPart(PagePart):
    """The tab of the storyboard (`dorosim.endpoint.view.page_context.PagePart`), there from the first run with one on.

    Args:
        context: what all parts have in common.
        lines: draws over the world.
    """

    def __init__(self, context: PageContext, lines: OverlayPart) -> None:
        self._context, self._lines = context, lines
        self._look = Throttle(_SHOWN, context.clock)
        self._run: PageRun | None = None
        self._guide: StoryboardGuide | None = None
        self._problem = ""
        self._log = EventLog(MAX_JOURNAL_LINES)
        self._moments: tuple[PageEvent, ...] = ()
        self._listed: dict[str, PageEvent] = {}
        self._tab: _StoryboardTab | None = None

    def begin(self, run: PageRun) -> None:
        """Forget the last storyboard, and begin to read that of another run."""
        self._run, self._guide, self._problem = run, None, ""
        self._log = EventLog(MAX_JOURNAL_LINES)
        self._moments = ()
        self._look.wait(0.0)
        if run.load_storyboard is None:
            if self._tab is not None:
                self._tab.clear(_NOTHING)
            return
        if self._tab is None:
            self._tab = self._added_tab()
        self._tab.clear(_COMING)
        threading.Thread(target=self._load, args=(run,), name="dorosim-page-storyboard", daemon=True).start()

    def _load(self, run: PageRun) -> None:
        assert run.load_storyboard is not None
        try:
            found = run.load_storyboard()
        except DorosimError as problem:
            if self._run is run:
                self._problem = str(problem)
            self._context.proxy.report(f"the storyboard cannot be shown: {problem}")
            return
        if self._run is run:
            self._guide = found

    def show(self, now: Snapshot) -> None:
        """Show the storyboard of a snapshot, where there is one, at most once in `_SHOWN`."""
        tab, run, guide = self._tab, self._run, self._guide
        if tab is None or run is None or run.load_storyboard is None or not self._look.due():
            return
        if self._problem:
            tab.fail(self._problem)
        state = now.storyboard
        if guide is None or not guide.fits(state):
            return
        write(tab.summary, summary_html(PurePath(guide.source).name, guide.summary(state, now.time)))
        write(tab.tree, tree_html(guide.lines(state), all_of_it=tab.shown.value == ALL))
        self._note(run)
        write(tab.journal, journal_html(self._log.events))
        self._list_moments(tab)
        self._draw(tab, guide, now)

    def _note(self, run: PageRun) -> None:
        status = self._context.status
        if status is None or status.run != run.number:
            return
        mine = [one for one in status.happenings if one[2].startswith(STORYBOARD)]
        if mine:
            self._log.note([(number, time, text.removeprefix(f"{STORYBOARD}: ")) for number, time, text in mine])

    def _list_moments(self, tab: _StoryboardTab) -> None:
        listed = {f"{one.time:.2f} s, {one.text}": one for one in self._moments}
        if listed.keys() != self._listed.keys():
            self._listed = listed
            tab.moment.options = tuple(listed) or (NO_MOMENT,)

    def _draw(self, tab: _StoryboardTab, guide: StoryboardGuide, now: Snapshot) -> None:
        """Draw ways, places of triggers and names, where visitors want them."""
        none = self._lines.nothing
        wanted = {name for name in _COLOURS if (tab.triggers if name in _TRIGGERS else tab.ways).value}
        drawn = guide.drawn(now.storyboard, now.time)._asdict() if wanted else {}
        for name, colour in _COLOURS.items():
            self._lines.draw(f"{STORYBOARD}_{name}", drawn[name] if name in wanted else none, colour)
        entity = now.storyboard.entity
        rows = zip(entity.actor.tolist(), entity.present.tolist(), guide.entities, strict=True)
        names = {actor: name for actor, present, name in rows if actor and present}
        self._lines.name_entities(now, names if tab.names.value else {})

    def poll(self) -> None:
        """Ask which moments of the run one can go back to."""
        if self._guide is not None:
            found: Sequence[PageEvent] | None = self._context.proxy.ask("page", "moments")
            self._moments = tuple(found or ())

    def _added_tab(self) -> _StoryboardTab:
        tab = _StoryboardTab(self._context)
        self._context.on_press(tab.go, "Storyboard", lambda: self._go_to(self._chosen(tab)))
        self._context.on_press(tab.go_to_time, "Storyboard", lambda: self._go_to(float(tab.time.value)))
        self._context.on_input(tab.shown, "Storyboard", lambda: self._look.wait(0.0))
        self._context.every(_POLLED, "dorosim-page-moments", self.poll)
        return tab

    def _chosen(self, tab: _StoryboardTab) -> float:
        moment = self._listed.get(str(tab.moment.value))
        if moment is None:
            raise InputError(
                "storyboard", "", "there is no moment yet", "moments are listed from when the page is open"
            )
        return moment.time

    def _go_to(self, seconds: float) -> DoneText:
        if not math.isfinite(seconds) or seconds < 0.0:
            raise InputError("storyboard", "", f"{seconds:g} s is no time", "write one from 0 on")
        there: float = self._context.proxy.ask("page", "go_to", seconds)
        return DoneText(f"the run is at {there:.2f} s")


class _StoryboardTab:
    """The handles of the tab."""

    def __init__(self, context: PageContext) -> None:
        gui: viser.GuiApi = context.server.gui
        with context.tab("Storyboard"):
            self.summary = gui.add_html(_COMING)
            self.shown = gui.add_dropdown("Elements", (ACTIVE, ALL), hint="All of them, or those that matter now.")
            self.tree = gui.add_html("")
            with gui.add_folder("Go back"):
                self.moment = gui.add_dropdown(
                    "Moment", (NO_MOMENT,), hint="Just before what happened, as long as the page has been open."
                )
                self.go = gui.add_button("Go there", hint="The run goes on from that moment, as another one.")
                self.time = gui.add_number("Time [s]", 0.0, min=0.0, step=1.0)
                self.go_to_time = gui.add_button("Go to this time", color="gray")
            with gui.add_folder("In the picture"):
                self.names = gui.add_checkbox("Names of entities", True)
                self.ways = gui.add_checkbox("Trajectories and routes", True)
                self.triggers = gui.add_checkbox("Distances of triggers", True)
            with gui.add_folder("Journal"):
                self.journal = gui.add_html(journal_html(()))

    def clear(self, text: str) -> None:
        """Show nothing but a text."""
        write(self.summary, text)
        write(self.tree, "")
        write(self.journal, journal_html(()))

    def fail(self, problem: str) -> None:
        """Show why there is nothing."""
        self.clear(f'<div style="padding:0.4em 0.6em;color:#c92a2a">{html.escape(problem)}</div>')
