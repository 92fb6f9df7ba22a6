"""Street lamps light the road below them, while it is dark."""

from __future__ import annotations

import numpy as np

from dorosim.bridge.view.crowd import NO_LIGHTS, Lights
from dorosim.bridge.view.glb import glb_of
from dorosim.bridge.view.scenery import PageScenery
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.endpoint.view.stage.batch import glb_batch
from dorosim.sensor.scene.lit_window import is_dark
from dorosim.world.snapshot import Snapshot

_SIDES = 16
_RINGS = ((0.0, 60), (0.45, 34), (1.0, 0))
"""Radius, over that of the pool, and opacity."""


class StreetLampsPart(PagePart):
    """The light of street lamps on the road (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._batch = glb_batch(context.server, "/lamp/street", pool())
        self._place = ""
        self._pools: Lights = NO_LIGHTS

    def begin(self, run: PageRun) -> None:
        """Forget the lamps of the last map where another run has another one."""
        if run.place != self._place:
            self._place, self._pools = run.place, NO_LIGHTS

    def furnish(self, scenery: PageScenery) -> None:
        """Take the lamps of the map."""
        self._pools = scenery.pools

    def show(self, now: Snapshot) -> None:
        """Show their light, or none by day."""
        self._batch.put(*(self._pools if is_dark(now.environment) else NO_LIGHTS))


def pool() -> bytes:
    """A disc of radius 1 in the xy plane that shines, brightest in its middle."""
    turn = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
    ring = np.column_stack((np.cos(turn), np.sin(turn), np.zeros(_SIDES)))
    vertices = np.concatenate([radius * ring for radius, _ in _RINGS]).astype(np.float32)
    colour = np.array([(255, 226, 160, opacity) for _, opacity in _RINGS for _ in range(_SIDES)], np.uint8)
    here, after = np.arange(_SIDES), (np.arange(_SIDES) + 1) % _SIDES
    faces = [
        np.concatenate(
            (
                np.column_stack((here + low, here + low + _SIDES, after + low + _SIDES)),
                np.column_stack((here + low, after + low + _SIDES, after + low)),
            )
        )
        for low in (0, _SIDES)
    ]
    return glb_of(vertices, np.concatenate(faces), colour, unlit=True)
