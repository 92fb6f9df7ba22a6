"""The tab of recordings: begins and ends one, replays one, and jumps within it to a time or to an event."""

from __future__ import annotations

import html
import math

from dorosim.bridge.host import RecordStatus
from dorosim.bridge.view.event import EventLog, PageEvent
from dorosim.bridge.view.timeline import MAX_TIMELINE_EVENTS, TimeLine
from dorosim.bridge.view.transition import STORYBOARD
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import DoneText, PageContext, PagePart, PageRun, assign, write
from dorosim.endpoint.view.panel.event import colour_of
from dorosim.ground.error import InputError
from dorosim.world.snapshot import Snapshot

NO_EVENT = "none yet"
_POLLED = 1.0
"""Wall time from one question what is replayed to the next [s]."""
_SHOWN = 0.5
"""Wall time from one change of the time line to the next [s]."""
_MARKS = {"red": "#e03131", "orange": "#f08c00"}
_PLAIN = "#868e96"


class RecordPart(PagePart):
    """The tab of recordings (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._look = Throttle(_SHOWN, context.clock)
        self._run: PageRun | None = None
        self._status = RecordStatus()
        self._line: TimeLine | None = None
        self._log = EventLog(MAX_TIMELINE_EVENTS)
        self._listed: dict[str, PageEvent] = {}
        gui = context.server.gui
        with context.tab("Recording"):
            self._name = gui.add_text("Name", "", hint="Of a file in the folder of recordings, without its ending")
            self._record = gui.add_button("Record", color="red", hint="Without a name: date and time")
            self._stop = gui.add_button("Finish the recording", color="gray")
            self._replay = gui.add_button("Replay", hint="The recording of this name, in place of the present run")
            with gui.add_folder("Time line"):
                self._bar = gui.add_html(bar_html(None, 0.0))
                self._time = gui.add_number("Time [s]", 0.0, min=0.0, step=1.0)
                self._jump = gui.add_button("Jump there", color="gray")
                self._event = gui.add_dropdown("Event", (NO_EVENT,), hint="Those that have been replayed so far")
                self._go = gui.add_button("Jump to 2 s before it", color="gray")
        context.on_press(self._record, "Recording", self._begin_recording)
        context.on_press(self._stop, "Recording", self._finish)
        context.on_press(self._replay, "Replay", lambda: self._play(str(self._name.value), None))
        context.on_press(self._jump, "Replay", self._jump_to_time)
        context.on_press(self._go, "Replay", self._jump_to_event)
        context.every(_POLLED, "dorosim-page-replay", self.poll)

    def begin(self, run: PageRun) -> None:
        """Note the events of another run; the time line stays where it is the same recording."""
        self._run = run
        self._log = EventLog(MAX_TIMELINE_EVENTS)
        self._status = RecordStatus()
        self._look.wait(0.0)

    def poll(self) -> None:
        """Ask the run which recording it replays."""
        self._status = self._context.proxy.ask("records", "replaying") or RecordStatus()

    def show(self, now: Snapshot) -> None:
        """Show where in the recording the run is, and its events so far."""
        if self._run is None or not self._look.due():
            return
        status = self._status
        if not status.active or not status.end:
            return
        line = self._line
        if line is None or (line.name, line.length) != (status.name, status.length):
            self._line = line = TimeLine(status.name, status.length)
            assign(self._name, status.name)
        present = now.time * 1e-9
        if line.begin is None:
            line.begin = present - status.time
        self._note(line)
        write(self._bar, bar_html(line, present - line.begin))

    def _note(self, line: TimeLine) -> None:
        """Add the events that have been replayed since the last time."""
        status = self._context.status
        if status is None or self._run is None or status.run != self._run.number:
            return
        happened = (*self._log.note(status.happenings), *self._status.events)
        found = [one for one in happened if colour_of(one.text) or one.text.startswith(STORYBOARD)]
        if line.note(found) or not self._listed:
            self._listed = {f"{one.time:.1f} s: {one.text}": one for one in line.events}
            self._event.options = tuple(self._listed) or (NO_EVENT,)

    def _begin_recording(self) -> DoneText:
        return DoneText(f"into {self._context.proxy.ask('records', 'begin', str(self._name.value))}")

    def _finish(self) -> DoneText:
        file = self._context.proxy.ask("records", "finish")
        if not file:
            raise InputError("recording", "", "none goes on", "press Record first")
        return DoneText(f"{file} is finished")

    def _jump_to_time(self) -> DoneText:
        line, since = self._present(), float(self._time.value)
        return self._play(line.name, line.checked(since if math.isfinite(since) else -1.0))

    def _jump_to_event(self) -> DoneText:
        line, event = self._present(), self._listed.get(str(self._event.value))
        if event is None:
            raise InputError("replay", "", "no event is chosen", "events are listed once they have been replayed")
        return self._play(line.name, line.time_before(event))

    def _present(self) -> TimeLine:
        if self._line is None:
            raise InputError("replay", "", "nothing is being replayed", "write a name, and press Replay")
        return self._line

    def _play(self, name: str, since: float | None) -> DoneText:
        """Replay a recording from a time since its beginning on [s]; None: all of it."""
        name = name.strip()
        if not name:
            raise InputError("replay", "", "no recording is named", "write its name")
        ask = self._context.proxy.ask
        loaded = ask("records", "load", name)
        if since is not None:
            ask("records", "add_span", ask("records", "frame_at", since), loaded.end)
        ask("records", "play")
        return DoneText(name if since is None else f"{name} from {since:.1f} s on")


def bar_html(line: TimeLine | None, since: float) -> str:
    """A time line as a block of HTML: how far the replay is [s since its beginning], and a mark for each event."""
    if line is None or line.length <= 0.0:
        return '<div style="padding:0.2em 0.6em;opacity:0.7;font-size:0.85em">Nothing is being replayed.</div>'
    marks = "".join(
        f'<div title="{html.escape(f"{one.time:.1f} s: {one.text}", quote=True)}" style="position:absolute;top:0;'
        f"bottom:0;width:3px;left:{_share(one.time, line):.1f}%;"
        f'background:{_MARKS.get(colour_of(one.text) or "", _PLAIN)}"></div>'
        for one in line.events
    )
    here = _share(since, line)
    return (
        '<div style="padding:0.2em 0.6em;font-size:0.85em">'
        f"{html.escape(line.name)}: {min(max(since, 0.0), line.length):.1f} of {line.length:.1f} s"
        '<div style="position:relative;height:1.1em;margin-top:0.2em;border-radius:3px;'
        'background:rgba(128,128,128,0.25)">'
        f'<div style="width:{here:.1f}%;height:100%;background:rgba(34,139,230,0.35)"></div>{marks}</div></div>'
    )


def _share(since: float, line: TimeLine) -> float:
    return 100.0 * min(max(since / line.length, 0.0), 1.0)
