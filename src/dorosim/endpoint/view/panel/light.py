"""The panel of traffic lights and intersections.

Until a visitor uses it, it shows the light ahead of the followed actor.
"""

from __future__ import annotations

import html
from contextlib import suppress

from dorosim.bridge.view.signal import COLOURS, PROGRAMME, LightBoard, LightView
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun, assign, write
from dorosim.ground.error import InputError
from dorosim.world.snapshot import Snapshot

NONE = "none"
_SHOWN = 0.25
"""Wall time from one look at the light to the next [s]."""
_DOTS = {"red": "#e03131", "yellow": "#f59f00", "green": "#2f9e44", "left": "#2f9e44", "right": "#2f9e44"}


class LightPart(PagePart):
    """The panel of lights (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._board: LightBoard | None = None
        self._look = Throttle(_SHOWN, context.clock)
        self._chosen = False
        gui = context.server.gui
        with context.tab("Lights"):
            self._ahead = gui.add_button("The light ahead of the followed vehicle", color="gray")
            self._light = gui.add_dropdown("Light", (NONE,))
            self._text = gui.add_html("")
            self._once = gui.add_checkbox("For once", initial_value=False, hint="Until the programme's next state")
            self._siblings = gui.add_checkbox("All heads", initial_value=True, hint="All of the same road")
            self._colour = gui.add_button_group("Set to", tuple(COLOURS))
            self._free = gui.add_button("Back to its programme", color="gray")
            with gui.add_folder("Intersection"):
                self._crossing = gui.add_dropdown("Intersection", (NONE,))
                self._state = gui.add_number("State", 0, min=0, max=63, step=1)
                self._set_state = gui.add_button("Set state", color="gray")
        context.on_press(self._colour, "Light", lambda: self._set(self._colour.value))
        context.on_press(self._free, "Light", lambda: self._set(PROGRAMME))
        context.on_press(self._ahead, "Light", self._choose_ahead)
        context.on_press(self._set_state, "Intersection", self._set_intersection)
        context.on_input(self._light, "Light", self._follow_light)

    def begin(self, run: PageRun) -> None:
        """List the lights of another run."""
        self._board = LightBoard(run.scene)
        self._light.options = self._board.lights or (NONE,)
        self._crossing.options = self._board.intersections or (NONE,)
        self._chosen = False
        self._look.wait(0.0)

    def show(self, now: Snapshot) -> None:
        """Show the state of the chosen light."""
        if self._board is None or not self._look.due():
            return
        if not self._chosen and self._board.lights:
            with suppress(InputError):  # the followed actor is gone
                self._aim(self._board, now)
        write(self._text, light_html(self._board.view(now, str(self._light.value))))

    def _present(self) -> tuple[LightBoard, Snapshot]:
        if self._board is None or self._context.now is None:
            raise InputError("light", "", "no run is there yet")
        return self._board, self._context.now

    def _set(self, colour: str) -> None:
        board, _ = self._present()
        self._chosen = True
        once, siblings = bool(self._once.value), bool(self._siblings.value)
        self._context.proxy.do(board.set_light(self._light.value, colour, once=once, siblings=siblings))

    def _set_intersection(self) -> None:
        board, _ = self._present()
        self._chosen = True
        self._context.proxy.do(board.set_intersection(self._crossing.value, self._state.value))

    def _choose_ahead(self) -> None:
        self._chosen = True
        self._aim(*self._present())

    def _aim(self, board: LightBoard, now: Snapshot) -> None:
        """Choose the light ahead of the followed actor."""
        light = board.ahead_of(now, self._context.followed)
        if self._light.value != light:
            assign(self._light, light)
            self._show_intersection(board, now)

    def _follow_light(self) -> None:
        self._chosen = True
        self._show_intersection(*self._present())

    def _show_intersection(self, board: LightBoard, now: Snapshot) -> None:
        """Choose the intersection of the chosen light."""
        view = board.view(now, str(self._light.value))
        if view is None:
            raise InputError("light", "", f"the map has no light {self._light.value!r}")
        if view.intersection:
            assign(self._crossing, view.intersection)
            assign(self._state, view.state)


def light_html(view: LightView | None) -> str:
    """What a light shows, as a block of HTML."""
    if view is None:
        return '<div style="padding:0.4em 0.6em;opacity:0.7">The map has no lights.</div>'
    dots = "".join(
        f'<span style="color:{colour};font-size:1.6em;vertical-align:middle">●</span> '
        for name, colour in _DOTS.items()
        if name in view.colour.split(" + ")
    )
    reason = "set by a command" if view.held else "by its programme"
    lines = f"{dots}<b>{html.escape(view.colour or 'no programme')}</b>, {reason}"
    if view.intersection:
        of = f"{html.escape(view.intersection)}: state {view.state} of 0 to {max(view.states - 1, 0)}"
        lines += f'<br><span style="opacity:0.7">{of}, next in {view.left:.0f} s</span>'
    return f'<div style="padding:0.4em 0.6em;font-size:0.9em">{lines}</div>'
