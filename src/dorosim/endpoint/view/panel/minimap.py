"""The mini-map: a window at the left with the lanes and all actors."""

from __future__ import annotations

import math

import numpy as np
import viser

from dorosim.bridge.view.minimap import MAP_SIDE, MiniMap
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.ground.error import InputError
from dorosim.world.snapshot import Snapshot

REACHES = {"150 m": 150.0, "400 m": 400.0, "1 km": 1000.0, "whole map": math.inf}
"""How far the map reaches from the followed actor [m]."""
_DRAWN = 0.5
"""Wall time from one picture to the next [s]."""
_MARGIN = 15.0
"""Between the window and the edges of the view [pixels of the browser]."""


class MiniMapPart(PagePart):
    """The mini-map (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._map: MiniMap | None = None
        self._run: PageRun | None = None
        self._draw = Throttle(_DRAWN, context.clock)
        self._window: viser.PanelHandle | None = None
        self._image: viser.GuiImageHandle | None = None
        self._reach = REACHES["400 m"]
        gui = context.server.gui
        with context.tab("View"):
            self._shown = gui.add_checkbox("Mini-map", False)
            self._width = gui.add_dropdown("Mini-map reaches", tuple(REACHES), initial_value="400 m")
        context.on_input(self._width, "Mini-map", self._set_reach)

    def begin(self, run: PageRun) -> None:
        """Draw the map of another run from now on."""
        self._run, self._map = run, None
        self._draw.wait(0.0)

    def show(self, now: Snapshot) -> None:
        """Draw where all actors are, at most once in `_DRAWN`, while visitors want it."""
        if not self._shown.value:
            self._close()
            return
        if self._run is None or not self._draw.due():
            return
        if self._map is None:
            self._map = MiniMap(self._run.scene)
        picture = self._map.picture(now, self._context.followed, self._reach)
        if picture is None:
            self._close()
        elif self._image is None:
            self._open(picture)
        elif not np.array_equal(self._image.image, picture):
            self._image.image = picture

    def _set_reach(self) -> None:
        if self._width.value not in REACHES:
            raise InputError("mini-map", "", f"there is no {self._width.value!r}")
        self._reach = REACHES[self._width.value]
        self._draw.wait(0.0)

    def _open(self, picture: object) -> None:
        gui = self._context.server.gui
        self._window = gui.add_panel()
        with self._window.add_tab("Map"):
            self._image = gui.add_image(picture, format="png")  # type: ignore[arg-type]  # an array
        self._window.float(x=_MARGIN, y=-_MARGIN, width=MAP_SIDE + 2.0 * _MARGIN)

    def _close(self) -> None:
        if self._window is not None and self._image is not None:
            self._image.remove()
            self._window.remove()
        self._window = self._image = None
