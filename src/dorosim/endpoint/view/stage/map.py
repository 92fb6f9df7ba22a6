"""The map: road surface, markings, crosswalks, ground, signs, buildings and trees."""

from __future__ import annotations

from collections.abc import Sequence

import viser

from dorosim.bridge.view.townscape import Layer, townscape
from dorosim.endpoint.view.part import PageRun, Stagehand
from dorosim.sensor.reading import Reading
from dorosim.sensor.scene.material import MaterialTable
from dorosim.world.snapshot import Snapshot


class MapPart:
    """The map (`dorosim.endpoint.view.part.Part`).

    Args:
        hand: what all parts have in common.
    """

    def __init__(self, hand: Stagehand) -> None:
        self._hand = hand
        scene = hand.server.scene
        self._layers = {layer: scene.add_frame(f"/map/{layer.value}", show_axes=False) for layer in Layer}
        self._tiles: list[viser.GlbHandle] = []

    def begin(self, run: PageRun) -> None:
        """Show the map of another run."""
        for tile in self._tiles:
            tile.remove()
        self._tiles.clear()
        table = MaterialTable.standard(run.static.signal.materials())
        town = townscape(run.static.mesh, table, run.origin)
        scene = self._hand.server.scene
        for tile in town.tiles:
            name = f"/map/{tile.layer.value}/{tile.name}"
            self._tiles.append(scene.add_glb(name, tile.glb, cast_shadow=False, receive_shadow=False))
        if town.notice:
            self._hand.notify("Map", town.notice, colour="orange")

    def set_shown(self, layer: Layer, *, shown: bool) -> None:
        """Show or hide a layer."""
        self._layers[layer].visible = shown

    def show(self, now: Snapshot) -> None:
        """It stands still."""

    def hear(self, readings: Sequence[Reading]) -> None:
        """It is no sensor's."""
