"""The panel that puts actors into the world and takes them away, by clicks on the picture."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Literal

import viser

from dorosim.bridge.view.pick import Picker
from dorosim.bridge.view.spawn import KINDS, NPC, TURNS, Placing, models_of, place, remove
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.endpoint.view.panel.near import LIST, NO_CHOICE, NearList
from dorosim.ground.error import InputError
from dorosim.world.snapshot import Snapshot

CLICKING_TIMEOUT_S = 60.0
"""Wall time after the last click at which clicking ends by itself [s]."""
PLACE, REMOVE, STOP = "Place by click", "Remove by click", "Stop clicking"
Clicking = Literal["", "place", "remove"]


class SpawnPart(PagePart):
    """The panel of actors (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._run: PageRun | None = None
        self._picker: Picker | None = None
        self._clicking: Clicking = ""
        self._until = 0.0
        self._visitor: int | None = None
        self._changing = threading.Lock()
        gui = context.server.gui
        with context.tab("Spawn"):
            self._kind = gui.add_dropdown("What", KINDS, initial_value=NPC)
            self._model = gui.add_dropdown("Model", ("",))
            self._turn = gui.add_dropdown("Looks", tuple(TURNS))
            self._speed = gui.add_slider("Starts at [km/h]", 0, 100, 5, 0, hint="Of NPC vehicles; others stand")
            self._several = gui.add_checkbox("Several, one after the other", initial_value=True)
            self._turn.hint = "NPC vehicles look along their lane"
            self._place = gui.add_button(PLACE, color="blue")
            self._remove = gui.add_button(REMOVE, color="gray")
            self._note = gui.add_html("")
            with gui.add_folder("Who is there"):
                self._list = gui.add_button(LIST, color="gray")
                self._who = gui.add_dropdown("Actor", (NO_CHOICE,))
                self._follow = gui.add_button("Follow", color="gray")
                self._take = gui.add_button("Remove", color="gray")
        self._own = (self._kind, self._place, self._remove, self._list, self._follow, self._take)
        self._near = NearList(context, self._who, {})
        context.on_use(self._see)
        context.on_input(self._kind, "Spawn", self._list_models)
        context.on_press(self._place, "Spawn", lambda: self._toggle("place"))
        context.on_press(self._remove, "Remove", lambda: self._toggle("remove"))
        context.on_press(self._list, "List", self._near.refresh)
        context.on_press(self._follow, "Follow", lambda: context.follow(self._near.chosen()))
        context.on_press(self._take, "Remove", self._remove_chosen)

    def begin(self, run: PageRun) -> None:
        """End clicking, and list the models of another run."""
        self._end()
        self._run, self._picker = run, self._context.picker(run)
        self._near.begin(run)
        self._list_models()

    def show(self, now: Snapshot) -> None:  # noqa: ARG002 - whatever it shows
        """End clicking after `CLICKING_TIMEOUT_S`, or when the visitor that began it has left."""
        if self._clicking and (
            self._context.clock() > self._until or self._visitor not in self._context.server.get_clients()
        ):
            self._end()

    def clicked(self, origin: Sequence[float], direction: Sequence[float]) -> None:
        """Place or remove what a visitor clicked on, along a ray in the page's frame [m]."""
        clicking, run, picker, now = self._clicking, self._run, self._picker, self._context.now
        if not clicking or run is None or picker is None or now is None:
            return
        self._until = self._context.clock() + CLICKING_TIMEOUT_S
        picked = picker.at(now, origin, direction)
        if clicking == "place":
            order = Placing(self._kind.value, self._model.value, self._turn.value, self._speed.value)
            title, made = (
                "Spawn",
                self._context.trying("Spawn", lambda: self._context.proxy.do(place(run.scene, order, picked))),
            )
            text = f"{order.kind} {order.model}"
        else:
            title, made = "Remove", self._context.trying("Remove", lambda: self._context.proxy.do(remove(picked.actor)))
            text = f"actor {picked.actor} is removed"
        if made:
            self._context.notify(title, text, colour="green")
            if not self._several.value:
                self._end()

    def _see(self, handle: object, visitor: int | None) -> None:
        """End clicking when its visitor uses another tab; viser does not report that a visitor leaves a tab."""
        if handle in (self._place, self._remove):
            self._visitor = visitor
        elif visitor == self._visitor and handle not in self._own:
            self._end()

    def _toggle(self, what: Clicking) -> None:
        if self._clicking == what:
            self._end()
            return
        self._end()
        with self._changing:
            self._clicking, self._until = what, self._context.clock() + CLICKING_TIMEOUT_S
            button = self._place if what == "place" else self._remove
            button.label, button.color = STOP, "red"
            self._context.clicking = (
                "places what is chosen" if what == "place" else "removes the actor that is clicked on"
            )
            self._note.content = (
                f'<div style="padding:0.2em 0.6em;font-size:0.85em;opacity:0.8">'
                f"Click on the picture. It ends {CLICKING_TIMEOUT_S:.0f} s after the last click.</div>"
            )
            self._context.server.scene.on_click()(self._on_click)

    def _on_click(self, event: viser.SceneClickEvent) -> None:
        self._context.trying("Click", lambda: self.clicked(event.ray_origin, event.ray_direction))

    def _end(self) -> None:
        with self._changing:
            if not self._clicking:
                return
            self._clicking = self._context.clicking = ""
            self._context.server.scene.remove_click_callback(self._on_click)
            self._place.label, self._place.color = PLACE, "blue"
            self._remove.label, self._remove.color = REMOVE, "gray"
            self._note.content = ""

    def _list_models(self) -> None:
        if self._run is not None:
            if self._kind.value not in KINDS:
                raise InputError("spawn", "", f"there is no {self._kind.value!r}")
            self._model.options = models_of(self._run.scene, self._kind.value)

    def _remove_chosen(self) -> None:
        self._context.proxy.do(remove(self._near.chosen()))
        self._near.refresh()
