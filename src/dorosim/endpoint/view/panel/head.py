"""The head of the panel: what drives the followed actor, the simulated time, and the buttons of the run."""

from __future__ import annotations

import html

from dorosim.bridge.actor_state import count_on_map
from dorosim.bridge.view.driver import PLAYED, Driver, Tone, who_drives
from dorosim.bridge.view.scenery import PageScenery
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import STEPPED_BY_CLIENTS, DoneText, PageContext, PagePart, PageRun, write
from dorosim.world.actor.command import PauseRun
from dorosim.world.snapshot import Snapshot

POLLED = 0.5
"""Wall time from one look at the interfaces to the next [s]."""
_SHOWN = 0.2
"""Wall time from one change of the head to the next [s]."""
_SILENT = 5.0
"""Wall time without a snapshot after which the head says so [s]."""
_COLOURS = {Tone.BUSY: "#2b8a3e", Tone.IDLE: "#868e96", Tone.STILL: "#e67700"}
PAUSE, STEP, RESET = "Pause / play", "Step", "Reset"


class HeadPart(PagePart):
    """The head of the panel (a `page_context.PagePart`). It asks for the status of the run for all parts.

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._map = self._name = ""
        self._look = Throttle(_SHOWN, context.clock)
        with context.head:
            self._text = context.server.gui.add_html("")
            self._buttons = context.server.gui.add_button_group("Time", (PAUSE, STEP, RESET))
        context.on_press(self._buttons, "Run", lambda: self._press(self._buttons.value), in_tab=False)
        context.every(POLLED, "dorosim-page-status", self._poll)
        context.every(1.0, "dorosim-page-silence", self.note_silence)

    def begin(self, run: PageRun) -> None:
        """Show the name of another run's map, which is still being loaded."""
        self._map = f"{run.scene.map_name}, which is on its way"
        self._name = run.scene.map_name
        self._look.wait(0.0)

    def furnish(self, scenery: PageScenery) -> None:  # noqa: ARG002 - other parts draw it
        """Show that the map is loaded."""
        self._map = self._name
        self._look.wait(0.0)

    def show(self, now: Snapshot) -> None:
        """Show what drives the followed actor, at most once in `_SHOWN`, as visitors read no faster."""
        if not self._look.due():
            return
        status = self._context.status
        if status is not None and status.played:
            driver = PLAYED
        else:
            driver = who_drives(now, self._context.followed, {} if status is None else status.driven)
        write(self._text, head_html(driver, self._details(now), self._pause_of(now), self._context.clicking))

    def note_silence(self) -> None:
        """Show that the run gives no snapshots, while it gives none: it hangs, is stopped, or compiles something."""
        heard = self._context.heard
        silent = 0.0 if heard is None else self._context.clock() - heard
        if silent > _SILENT:
            write(self._text, silence_html(silent))

    def _pause_of(self, now: Snapshot) -> str:
        """Returns a text on which clients step the run, or that it is paused; "" while time passes by the clock."""
        status = self._context.status
        if status is not None and status.synchronous:
            clients = ", ".join(status.steppers) or "no client yet"
            return f"Synchronous mode: stepped by {clients}"
        return "Paused: Esc goes on" if now.paused else ""

    def _details(self, now: Snapshot) -> str:
        actors, status = count_on_map(now), self._context.status
        factor = None if status is None else status.pace.factor
        pace = "–" if factor is None else f"{factor:.2f}"
        count = "1 actor" if actors == 1 else f"{actors} actors"
        return f"{now.time * 1e-9:.1f} s · {pace} × real time · {count} · {self._map}"

    def _press(self, button: str) -> None:
        now, proxy = self._context.now, self._context.proxy
        if now is None:
            return
        if self._context.stepped and button != RESET:
            self._context.notify(button, STEPPED_BY_CLIENTS, colour="orange")
        elif button == PAUSE:
            self._context.trying("Pause", self._context.pause_or_play)
        elif button == STEP:
            self._context.trying("Step", lambda: (proxy.do(PauseRun(paused=True)), proxy.ask("page", "step")))
        elif button == RESET:
            self._context.trying("Reset", self._reset)

    def _reset(self) -> DoneText:
        self._context.proxy.ask("runs", "restart")
        return DoneText("the run is back at its beginning")

    def _poll(self) -> None:
        self._context.status = self._context.proxy.ask("page", "status")


def silence_html(seconds: float) -> str:
    """That the simulator has not answered for some seconds, as a block of HTML."""
    return (
        '<div role="alert" style="margin:0.4em 0.6em;padding:0.4em 0.6em;background:#c92a2a;color:#fff;'
        'border-radius:4px;font-size:0.95em"><b>'
        f"No picture from the simulator for {seconds:.0f} s.</b><br>It is busy or stopped; you see its last one.</div>"
    )


def head_html(driver: Driver, details: str, pause: str, clicking: str = "") -> str:
    """Some lines of HTML; what comes from outside is text in them."""
    colour = _COLOURS[Tone.STILL if pause else driver.tone]
    dot = f'<span style="color:{colour}">●</span>'
    first = f"{dot} <b>{html.escape(driver.text)}</b>"
    if pause:
        first += f'<br><span style="color:{colour}"><b>{html.escape(pause)}</b></span>'
    if clicking:
        first += f'<br><span style="color:#e03131"><b>A click {html.escape(clicking)}</b></span>'
    return (
        f'<div style="padding:0.4em 0.6em 0 0.6em;font-size:0.95em;line-height:1.35">{first}'
        f'<div style="opacity:0.7;font-size:0.8em">{html.escape(details)}</div></div>'
    )
