"""The tab of the view: who is followed, which layers and lines are shown. A click on an actor follows it."""

from __future__ import annotations

from collections.abc import Sequence

import viser

from dorosim.bridge.view.pick import Picker
from dorosim.bridge.view.spawn import ActorLister
from dorosim.bridge.view.townscape import Layer
from dorosim.endpoint.view.part import PageRun, Stagehand, assign
from dorosim.endpoint.view.stage.map import DETAIL, MapPart
from dorosim.endpoint.view.stage.overlay import KINDS, OverlayPart
from dorosim.ground.error import InputError
from dorosim.sensor.reading import Reading
from dorosim.world.snapshot import EGO, Snapshot

EGO_TEXT = f"{EGO} · ego"


class LookPart:
    """The tab of the view (`dorosim.endpoint.view.part.Part`).

    Args:
        hand: what all parts have in common.
        town: the map. lines: what is drawn over it.
    """

    def __init__(self, hand: Stagehand, town: MapPart, lines: OverlayPart) -> None:
        self._hand, self._town, self._lines = hand, town, lines
        self._picker: Picker | None = None
        self._lister: ActorLister | None = None
        self._listed = {EGO_TEXT: EGO}
        gui = hand.server.gui
        with hand.tab("View"):
            self._who = gui.add_dropdown("Follow", (EGO_TEXT,), hint="A click on an actor follows it, too.")
            refresh = gui.add_button("List the nearest")
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
        hand.on_input(self._who, "Follow", self._follow_chosen)
        hand.on_press(refresh, "Follow", self._list)
        hand.on_input(detail, "Detail", lambda: town.set_detail(str(detail.value)))
        hand.server.scene.on_click()(self._clicked)
        hand.on_follow(self._followed)

    def begin(self, run: PageRun) -> None:
        """Another run has other actors."""
        self._picker, self._lister = Picker(run), ActorLister(run.scene)
        self._listed = {EGO_TEXT: EGO}
        self._who.options = (EGO_TEXT,)

    def show(self, now: Snapshot) -> None:
        """It changes when somebody asks for it."""

    def hear(self, readings: Sequence[Reading]) -> None:
        """It is no sensor's."""

    def _add_layer(self, layer: Layer) -> None:
        box = self._hand.server.gui.add_checkbox(layer.value.capitalize(), True)
        self._hand.on_input(box, "View", lambda: self._town.set_shown(layer, shown=bool(box.value)))

    def _add_kind(self, name: str, box: viser.GuiCheckboxHandle) -> None:
        def change() -> None:
            (self._lines.shown.add if box.value else self._lines.shown.discard)(name)

        self._hand.on_input(box, "View", change)

    def _list(self) -> None:
        now, lister = self._hand.now, self._lister
        if now is None or lister is None:
            return
        self._listed = {EGO_TEXT: EGO} | {line.text: line.actor for line in lister.near(now, self._hand.followed)}
        self._who.options = tuple(self._listed)

    def _follow_chosen(self) -> None:
        actor = self._listed.get(str(self._who.value))
        if actor is None:
            raise InputError("list", "", "nobody is chosen", "press 'List the nearest' first")
        self._hand.follow(actor)

    def _followed(self, actor: int) -> None:
        """Somebody else is followed: the list says who."""
        text = next((text for text, one in self._listed.items() if one == actor), None)
        if text is None:
            text = f"{actor} · followed"
            self._listed[text] = actor
            self._who.options = tuple(self._listed)
        assign(self._who, text)

    def _clicked(self, event: viser.SceneClickEvent) -> None:
        self._hand.trying("Click", lambda: self._follow_clicked(event))

    def _follow_clicked(self, event: viser.SceneClickEvent) -> None:
        picker, now = self._picker, self._hand.now
        if self._hand.clicking or picker is None or now is None or event.ray_origin is None:
            return
        actor = picker.at(now, event.ray_origin, event.ray_direction).actor
        if actor and actor != self._hand.followed:
            self._hand.follow(actor)
