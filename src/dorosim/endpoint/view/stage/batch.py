"""Many instances of a shape in one node of the page; only arrays that have changed are assigned anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import viser
from numpy.typing import NDArray

_OUT_OF_SIGHT = np.array([(0.0, 0.0, -1e4)], np.float32)
_UPRIGHT = np.array([(1.0, 0.0, 0.0, 0.0)], np.float32)
_UNIT = np.ones((1, 3), np.float32)
_GREY = np.full((1, 3), 128, np.uint8)
_STEP, _MAX_SPARE = 4, 11
"""Room of a node for painted instances comes in steps of so many; so many of them may be out of sight."""


class Batch:
    """Instances of a shape, in one node of the page.

    Args:
        handle: to the node, which begins with one instance out of sight; see `glb_batch` and `paint_batch`.

    Attributes:
        painted: whether each instance has a colour of its own.
    """

    painted = False

    def __init__(self, handle: viser.BatchedGlbHandle | viser.BatchedMeshHandle) -> None:
        self._handle: Any = handle
        self._last: dict[str, NDArray[Any]] = {}

    def put(
        self,
        position: NDArray[np.float32],
        wxyz: NDArray[np.float32],
        scale: NDArray[np.float32],
        colour: NDArray[np.uint8] | None = None,
    ) -> None:
        """Show instances: `(N, 3)`, `(N, 4)`, `(N, 3)` and `(N, 3)`; none hides the node."""
        if not len(position):
            self.hide()
            return
        self._assign("batched_positions", position)
        self._assign("batched_wxyzs", wxyz)
        self._assign("batched_scales", scale)
        if colour is not None:
            self._assign("batched_colors", colour)
        self._handle.visible = True

    def hide(self) -> None:
        """Show none."""
        self._handle.visible = False

    def remove(self) -> None:
        """Take it off the page."""
        self._handle.remove()

    def _assign(self, name: str, values: NDArray[Any]) -> None:
        last = self._last.get(name)
        if last is not None and np.array_equal(last, values):
            return
        self._last[name] = values
        setattr(self._handle, name, values)


class PaintBatch(Batch):
    """Instances of a mesh, each in a colour of its own.

    The node is made for some more instances than there are, which are out of sight, and anew where they do not do. Its
    arrays never change their lengths: viser sends the last positions last to a browser that comes later, which would
    have colours for as many as there are now while it still has the positions of those that there were.

    Args:
        make: a node of positions, turns, scales and colours, as `put` has them.
    """

    painted = True

    def __init__(self, make: Callable[..., viser.BatchedMeshHandle]) -> None:
        self._make, self._room = make, 1
        super().__init__(make(_OUT_OF_SIGHT, _UPRIGHT, _UNIT, _GREY))
        self._handle.visible = False

    def put(
        self,
        position: NDArray[np.float32],
        wxyz: NDArray[np.float32],
        scale: NDArray[np.float32],
        colour: NDArray[np.uint8] | None = None,
    ) -> None:
        """Show instances, as `Batch.put` does."""
        count = len(position)
        if not count:
            self.hide()
            return
        paint = np.repeat(_GREY, count, axis=0) if colour is None else colour
        anew = not self._room - _MAX_SPARE <= count <= self._room
        if anew:
            self._room = -(-count // _STEP) * _STEP
        filled = (
            self._filled(position, _OUT_OF_SIGHT),
            self._filled(wxyz, _UPRIGHT),
            self._filled(scale, _UNIT),
            self._filled(paint, _GREY),
        )
        if anew:
            self._handle.remove()
            self._last = {}
            self._handle = self._make(*filled)
        super().put(*filled)

    def _filled(self, rows: NDArray[Any], filler: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate((rows, np.repeat(filler, self._room - len(rows), axis=0)))


def glb_batch(server: viser.ViserServer, name: str, glb: bytes) -> Batch:
    """Instances of a binary glTF file."""
    handle = server.scene.add_batched_glb(
        name,
        glb,
        _UPRIGHT,
        _OUT_OF_SIGHT,
        batched_scales=_UNIT,
        lod="off",
        cast_shadow=False,
        receive_shadow=False,
        visible=False,
    )
    return Batch(handle)


def paint_batch(
    server: viser.ViserServer, name: str, vertices: NDArray[np.float32], faces: NDArray[np.integer]
) -> Batch:
    """Instances of a mesh, each in a colour of its own."""

    def make(
        position: NDArray[np.float32],
        wxyz: NDArray[np.float32],
        scale: NDArray[np.float32],
        colour: NDArray[np.uint8],
    ) -> viser.BatchedMeshHandle:
        return server.scene.add_batched_meshes_simple(
            name,
            vertices,
            faces,
            wxyz,
            position,
            batched_scales=scale,
            batched_colors=colour,
            lod="off",
            flat_shading=True,
            side="double",
            cast_shadow=False,
            receive_shadow=False,
        )

    return PaintBatch(make)
