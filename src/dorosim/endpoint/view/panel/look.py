"""The tab of the view: the actor to follow, and the layers and lines to show. A click on an actor follows it."""

from __future__ import annotations

import html

import viser

from dorosim.bridge.view.pick import Picker
from dorosim.bridge.view.scenery import PageScenery
from dorosim.bridge.view.townscape import Layer
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun, write
from dorosim.endpoint.view.panel.near import LIST, NearList
from dorosim.endpoint.view.stage.map import DETAIL, MapPart
from dorosim.endpoint.view.stage.overlay import KINDS, OverlayPart
from dorosim.world.snapshot import EGO, Snapshot

EGO_TEXT = f"{EGO} · ego"


class LookPart(PagePart):
    """The tab of the view (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
        town: the map. lines: what is drawn over it.
    """

    def __init__(self, context: PageContext, town: MapPart, lines: OverlayPart) -> None:
        self._context, self._town, self._lines = context, town, lines
        self._picker: Picker | None = None
        gui = context.server.gui
        with context.tab("View"):
            self._notice = gui.add_html("")
            self._who = gui.add_dropdown("Follow", (EGO_TEXT,), hint="A click on an actor follows it, too.")
            refresh = gui.add_button(LIST)
            detail = gui.add_dropdown(
                "Detail", tuple(DETAIL), initial_value="normal", hint="How far details are drawn."
            )
            for layer in (Layer.BUILDINGS, Layer.TREES):
                self._add_layer(layer)
            names = gui.add_checkbox("Names of actors", False)
            links = gui.add_checkbox("Ids of links", False)
            for name, kind in KINDS.items():
                self._add_kind(name, gui.add_checkbox(kind.text, kind.shown))
        self._add_kind("names", names)
        self._add_kind("links", links)
        self._list = NearList(context, self._who, {EGO_TEXT: EGO})
        context.on_input(self._who, "Follow", lambda: context.follow(self._list.chosen()))
        context.on_press(refresh, "Follow", self._list.refresh)
        context.on_input(detail, "Detail", lambda: town.set_detail(str(detail.value)))
        context.server.scene.on_click()(self._clicked)
        context.on_follow(lambda actor: self._list.choose(actor, f"{actor} · followed"))

    def begin(self, run: PageRun) -> None:
        """List the actors of another run."""
        self._picker = self._context.picker(run)
        self._list.begin(run)
        write(self._notice, "")

    def furnish(self, scenery: PageScenery) -> None:
        """Show which parts of the map are not drawn."""
        write(self._notice, notice_html(scenery.town.notice))

    def show(self, now: Snapshot) -> None:
        """Do nothing: the tab changes only when a visitor uses it."""

    def _add_layer(self, layer: Layer) -> None:
        box = self._context.server.gui.add_checkbox(layer.value.capitalize(), True)
        self._context.on_input(box, "View", lambda: self._town.set_shown(layer, shown=bool(box.value)))

    def _add_kind(self, name: str, box: viser.GuiCheckboxHandle) -> None:
        def change() -> None:
            (self._lines.shown.add if box.value else self._lines.shown.discard)(name)

        self._context.on_input(box, "View", change)

    def _clicked(self, event: viser.SceneClickEvent) -> None:
        self._context.trying("Click", lambda: self._follow_clicked(event))

    def _follow_clicked(self, event: viser.SceneClickEvent) -> None:
        picker, now = self._picker, self._context.now
        if self._context.clicking or picker is None or now is None or event.ray_origin is None:
            return
        actor = picker.at(now, event.ray_origin, event.ray_direction).actor
        if actor and actor != self._context.followed:
            self._context.follow(actor)


def notice_html(text: str) -> str:
    """Returns which parts of the map are not drawn, as a block of HTML; an empty string for none."""
    if not text:
        return ""
    return f'<div style="padding:0.2em 0.6em;font-size:0.85em;color:#e67700">{html.escape(text)}</div>'
