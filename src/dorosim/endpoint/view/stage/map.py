"""The map: roads, ground, signs, buildings and trees, with its details about the actor that is followed."""

from __future__ import annotations

import math

import numpy as np
import viser
from numpy.typing import NDArray

from dorosim.bridge.actor_state import ActorReader
from dorosim.bridge.view.scenery import PageScenery
from dorosim.bridge.view.sky import is_same, light_of
from dorosim.bridge.view.tint import palette
from dorosim.bridge.view.townscape import NEAR, NEAR_TILE, Layer, Tile
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.world.environment.weather import EnvironmentState
from dorosim.world.snapshot import Snapshot

DETAIL = {"low": 50.0, "normal": 95.0, "high": 250.0, "all": math.inf}
"""How far from the actor that is followed details are shown [m]; `NEAR` says by how much farther some of them are."""
_DETAIL_STEP = 15.0
"""How far the followed actor moves until the page looks again which details are near it [m]."""


class MapPart(PagePart):
    """The map (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        scene = context.server.scene
        self._layers = {layer: scene.add_frame(f"/map/{layer.value}", show_axes=False) for layer in Layer}
        self._tiles: list[tuple[Tile, viser.GlbHandle]] = []
        self._albedo = np.zeros((0, 3), np.float32)
        self._palette: NDArray[np.uint8] | None = None
        self._sky: EnvironmentState | None = None
        self._reader: ActorReader | None = None
        self._origin = (0.0, 0.0, 0.0)
        self._detail_range = DETAIL["normal"]
        self._place = ""
        self._seen_from: tuple[float, float] | None = None

    def begin(self, run: PageRun) -> None:
        """Remove the drawn map, unless another run has the same one, as after a reset."""
        self._reader, self._origin, self._seen_from = ActorReader(run.scene), run.origin, None
        if run.place == self._place:
            return
        self._place = run.place
        for _, handle in self._tiles:
            handle.remove()
        self._tiles = []
        self._sky = run.first.environment

    def furnish(self, scenery: PageScenery) -> None:
        """Draw the map, if it is not there yet."""
        if self._tiles or self._sky is None:
            return
        self._albedo = scenery.albedo
        self._palette = colours = palette(self._albedo, light_of(self._sky))
        self._tiles = [(tile, self._added(tile, colours)) for tile in scenery.town.tiles]
        self._seen_from = None
        if scenery.town.notice:
            self._context.notify("Map", scenery.town.notice, colour="orange")

    def set_shown(self, layer: Layer, *, shown: bool) -> None:
        """Show or hide a layer; windows go with their buildings."""
        self._layers[layer].visible = shown
        if layer is Layer.BUILDINGS:
            self._layers[Layer.WINDOWS].visible = shown

    def set_detail(self, name: str) -> None:
        """Show details as far as one of `DETAIL` says."""
        self._detail_range, self._seen_from = DETAIL[name], None

    def show(self, now: Snapshot) -> None:
        """Show the details about the actor that is followed; all else stands still."""
        self._follow_light(now)
        actor = None if self._reader is None else self._reader.state(now, self._context.followed)
        if actor is None:
            return
        x, y = actor.position[0] - self._origin[0], actor.position[1] - self._origin[1]
        if self._seen_from is not None and math.dist(self._seen_from, (x, y)) < _DETAIL_STEP:
            return
        self._seen_from = (x, y)
        for tile, handle in self._tiles:
            if tile.layer in NEAR:
                handle.visible = (
                    math.dist(tile.middle, (x, y)) < NEAR[tile.layer] * self._detail_range + 0.5 * NEAR_TILE
                )

    def _added(self, tile: Tile, colours: NDArray[np.uint8]) -> viser.GlbHandle:
        return self._context.server.scene.add_glb(
            f"/map/{tile.layer.value}/{tile.name}",
            tile.coloured(colours),
            cast_shadow=False,
            receive_shadow=False,
            visible=tile.layer not in NEAR,
        )

    def _follow_light(self, now: Snapshot) -> None:
        """Colour the map anew once light and weather have changed and stay; tiles are sent only then."""
        state = now.environment
        if state.sky_left[0] or state.time_left[0] or (self._sky is not None and is_same(state, self._sky)):
            return
        self._sky = state
        if not self._tiles:  # they come in the colours of this light
            return
        colours = palette(self._albedo, light_of(state))
        if self._palette is not None and np.array_equal(colours, self._palette):
            return
        self._palette = colours
        for tile, handle in self._tiles:
            handle.glb_data = tile.coloured(colours)
