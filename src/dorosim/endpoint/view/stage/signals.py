"""Traffic lights: their lamps shine as those of the world do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.view.glb import glb_of
from dorosim.bridge.view.lens import COLOURS, Lenses
from dorosim.bridge.view.scenery import PageScenery
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.endpoint.view.stage.batch import glb_batch
from dorosim.world.snapshot import Snapshot

_SIDES = 12


class SignalsPart(PagePart):
    """The lamps of traffic lights (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._batches = {
            name: glb_batch(context.server, f"/signal/{name}", _disc(colour)) for name, colour in COLOURS.items()
        }
        self._place = ""
        self._lenses: Lenses | None = None
        self._status: NDArray[np.int64] | None = None

    def begin(self, run: PageRun) -> None:
        """Hide the lamps of the last map where another run has another one."""
        self._status = None
        if run.place != self._place:
            self._place, self._lenses = run.place, None
            for batch in self._batches.values():
                batch.hide()

    def furnish(self, scenery: PageScenery) -> None:
        """Take the lenses of the map's lights."""
        self._lenses, self._status = scenery.lenses, None

    def show(self, now: Snapshot) -> None:
        """Show the lamps that are lit, where any has changed."""
        status = now.signal.light.status
        if self._lenses is None or (self._status is not None and np.array_equal(status, self._status)):
            return
        self._status = status
        for name, lights in self._lenses.lit(status).items():
            self._batches[name].put(*lights)


def _disc(colour: tuple[int, int, int]) -> bytes:
    """A disc of radius 1 that faces along x and shines."""
    turn = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
    ring = np.column_stack((np.zeros(_SIDES), np.cos(turn), np.sin(turn)))
    index = np.arange(1, _SIDES - 1)
    faces = np.column_stack((np.zeros(_SIDES - 2, np.int64), index, index + 1))
    rgba = np.tile(np.array((*colour, 255), np.uint8), (_SIDES, 1))
    return glb_of(ring.astype(np.float32), faces, rgba, unlit=True)
