"""The map: road surface, markings, crosswalks, ground, signs, buildings and trees."""

from __future__ import annotations

from collections.abc import Sequence

import viser

from dorosim.bridge.view.surface import surfaces_of
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
        self._server = hand.server
        self._handles: list[viser.MeshHandle] = []

    def begin(self, run: PageRun) -> None:
        """Show the map of another run."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        for surface in surfaces_of(run.static.mesh, MaterialTable.standard(run.static.signal.materials()), run.origin):
            name = f"/map/{surface.material}"
            self._handles.append(
                self._server.scene.add_mesh_simple(
                    name, surface.vertices, surface.faces, color=surface.colour, side="double", cast_shadow=False
                )
            )

    def show(self, now: Snapshot) -> None:
        """It stands still."""

    def hear(self, readings: Sequence[Reading]) -> None:
        """It is no sensor's."""
