"""The tab of sensors: which there are, which are shown, their last readings, and the pictures of cameras."""

from __future__ import annotations

import html
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import viser

from dorosim.bridge.sensor.kind import OUTPUTS
from dorosim.bridge.view.sensor import PointColour
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun, write
from dorosim.endpoint.view.panel.mount import MountFolder
from dorosim.endpoint.view.panel.picture import PicturePanes
from dorosim.endpoint.view.stage.sensor import SensorStage
from dorosim.ground.error import DorosimError
from dorosim.sensor.reading import CameraReading, Reading
from dorosim.world.mount.state import Mount, Mounts
from dorosim.world.snapshot import EGO, Snapshot

_SHOWN = 0.5
"""Wall time from one change of the figures to the next [s]."""
NONE = "No sensors. Begin with `--sensors FILE`, or `[[sensor]]` rows in the settings, or add them here or by gRPC."
MAX_CHOSEN_SENSORS = 8
"""Sensors that are shown from the start, at most; others, if a visitor chooses them."""


class SensorsPart(PagePart):
    """The tab of sensors (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._stage = SensorStage(context)
        self._tab = context.tab("Sensors")
        self._signature: object = None
        self._mounts: dict[int, Mount] = {}
        self._boxes: dict[int, viser.GuiCheckboxHandle] = {}
        self._chosen: dict[int, bool] = {}
        self._listened: frozenset[int] = frozenset()
        self._listening = threading.Lock()
        self._last: dict[int, Reading] = {}
        self._look = Throttle(_SHOWN, context.clock)
        gui = context.server.gui
        with self._tab:
            self._list = gui.add_folder(None)
            self._text = gui.add_html("")
            self._pictures = PicturePanes(context, gui.add_folder(None))
            self._none = gui.add_markdown(NONE)
            windowed = gui.add_checkbox("Pictures in windows", False, hint="Windows can be moved, docked and resized")
            with gui.add_folder("Points of lidars", expand_by_default=False):
                colour = gui.add_dropdown("Colour by", tuple(one.value for one in PointColour))
                size = gui.add_slider("Size [cm]", 1, 50, 1, round(100 * self._stage.point_size))
            self._mounting = MountFolder(context)
        context.on_input(windowed, "Sensors", lambda: setattr(self._pictures, "windowed", bool(windowed.value)))
        context.on_input(colour, "Sensors", lambda: self._stage.set_colour(PointColour(colour.value)))
        context.on_input(size, "Sensors", lambda: self._stage.set_size(0.01 * size.value))
        context.server.on_client_connect(lambda _: self._listen())
        context.server.on_client_disconnect(lambda _: self._listen())

    def begin(self, run: PageRun) -> None:
        """List the sensors of another run."""
        self._stage.begin(run)
        self._chosen.clear()
        self._signature = None
        self._set_mounts(run.first.mounts)

    def show(self, now: Snapshot) -> None:
        """Move the drawn sensors with the actors that carry them, and show their last readings."""
        if _signature_of(now.mounts) != self._signature:
            self._set_mounts(now.mounts)
        if not self._mounts:
            return
        self._hide_others()
        self._stage.show(now)
        if self._look.due():
            self._show_rows()

    def hear(self, readings: Sequence[Reading]) -> None:
        """Show the readings of the chosen sensors."""
        for reading in readings:
            number = reading.sensor
            if number not in self._listened or number not in self._mounts:
                continue
            self._last[number] = reading
            if isinstance(reading, CameraReading):
                self._pictures.show(reading, name_of(self._mounts[number]))
            else:
                self._stage.hear(reading, self._context.poses.get(number))

    def _set_mounts(self, mounts: Mounts) -> None:
        """List these sensors in place of the former ones."""
        self._signature = _signature_of(mounts)
        self._mounts = {one.id: one for one in (mounts.mount(row) for row in range(len(mounts)))}
        self._stage.set_mounts(self._mounts)
        for box in self._boxes.values():
            box.remove()
        self._boxes.clear()
        self._pictures.clear()
        self._mounting.set_mounts({name_of(mount): mount for mount in self._mounts.values()})
        self._none.visible = not self._mounts
        self._text.visible = bool(self._mounts)
        gui = self._context.server.gui
        with self._list:
            for number, mount in self._mounts.items():
                chosen = self._chosen.setdefault(number, len(self._chosen) < MAX_CHOSEN_SENSORS and mount.enabled)
                self._boxes[number] = gui.add_checkbox(name_of(mount), chosen, hint="whether it is shown")
                self._context.on_input(self._boxes[number], "Sensors", partial(self._choose, number))
        self._listen()

    def _choose(self, number: int) -> None:
        """Note whether a visitor chooses a sensor. `show` removes what is drawn of it, as `hear` may draw meanwhile."""
        box = self._boxes.get(number)
        if box is None:
            return
        self._chosen[number] = bool(box.value)
        self._listen()

    def _hide_others(self) -> None:
        """Show nothing more of sensors that are not chosen."""
        for number in self._mounts:
            if not self._chosen.get(number):
                self._stage.hide(number)
                self._last.pop(number, None)
                self._pictures.remove(number)

    def _listen(self) -> None:
        """Ask the run for the readings of the chosen sensors; for none while there is no visitor."""
        with self._listening:  # so that the run gets the latest choice last
            looked_at = bool(self._context.server.get_clients())
            wanted = (
                frozenset(number for number in self._mounts if self._chosen.get(number)) if looked_at else frozenset()
            )
            if wanted == self._listened:
                return
            self._listened = wanted
            with suppress(DorosimError):  # the run is over
                self._context.proxy.listen(wanted)

    def _show_rows(self) -> None:
        """Show how often each sensor reads, and its last reading."""
        line = "".join(self._row(number, mount) for number, mount in self._mounts.items())
        write(self._text, f'<table style="font-size:0.8em;width:100%;font-variant-numeric:tabular-nums">{line}</table>')

    def _row(self, number: int, mount: Mount) -> str:
        last = self._last.get(number)
        points = self._stage.points_of(number)
        last_text = f"{points:,} points" if points else "" if last is None else OUTPUTS[last.KIND].text(last)
        cells = (name_of(mount), f"{1e9 / mount.period:g} Hz", last_text if number in self._listened else "not shown")
        style = 'style="padding-right:0.8em;vertical-align:top;white-space:nowrap"'
        first = "".join(f"<td {style}>{html.escape(cell)}</td>" for cell in cells[:2])
        return f"<tr>{first}<td>{html.escape(cells[2])}</td></tr>"


def name_of(mount: Mount) -> str:
    """How a sensor is called on the page."""
    where = "" if mount.actor == EGO else f" on vehicle {mount.actor}"
    return f"{OUTPUTS[mount.kind].name} {mount.id}{where}"


def _signature_of(mounts: Mounts) -> object:
    """Returns a value that stays equal as long as the same sensors are there in the same places."""
    if not len(mounts):
        return None
    table = mounts.table
    return (
        table.floats[:6].tobytes(),
        table.id.tobytes(),
        table.actor.tobytes(),
        table.period.tobytes(),
        bytes(mounts.text),
    )
