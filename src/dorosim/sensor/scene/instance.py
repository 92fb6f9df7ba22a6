"""Instances of models: where they stand, and what kernels get of all of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.scene.material import PAINTS

SOURCE_COLUMNS = 18
"""Columns of a table of light sources; see `light_source`."""


class View(NamedTuple):
    """The scene at one tick, as kernels see it: valid until the next update, which writes into the same arrays.

    It keeps its stage, so that what `static`, `top` and the others stand for lives as long as it does.

    Row 0 of the instances is the static world, further rows are actors in the order of their kinds and ids.

    Attributes:
        static: the Embree scene of the static world. top: that of the instances, 0 where there are none.
        arguments, scattered: arguments of queries, for packets whose rays go about the same way, and for others.
        origin: `(3,)` the scene's origin in map [m]: subtract it in float64 before a ray is cast in float32.
        transform: `(A, 3, 4)` float32 local-from-model; local is the map moved by `origin`.
        normal: `(A, 3, 3)` float32, turns (unnormalised) normals of models into the map.
        model: `(A,)` uint64 the Embree scene of the instance's model alone, in the frame of the model.
        actor: `(A,)` id of the actor, 0 for the static world.
        label: `(A,)` `Semantic`, -1 where each material has its own.
        lamp: `(A,)` bits of lit lamps, see `material.VehicleLamp`.
        paint: `(A, 2, 3)` float32 linear colours of materials below `material.PAINTS`.
        ball: `(A, 4)` float32 middle in local [m] and radius [m] of a ball that holds the instance; of the static world
            nothing.
        centre, half_size: `(A, 3)` float32 middle and half extents of the body's box in the frame of the model [m],
            before the scale that `transform` may hold.
        first_face: `(A,)` where the faces of the instance's model begin in `material`.
        vertex: `(V, 3)` float32 corners of the static world [m from `origin`]; the same array at every tick.
        face: `(N, 3)` its triangles, rows of `vertex`.
        material: `(F,)` uint16 of each face.
        albedo, emission: `(M, 3)` float32 linear colours of each material. reflectivity: `(M,)` float32 for lidars.
        semantic: `(M,)` class of each material.
        fixed_light, moving_light: what sends out light, standing and with the actors; `light_source.SourceTable`.
            Empty by day.
    """

    static: int
    top: int
    arguments: int
    scattered: int
    origin: NDArray[np.float64]
    transform: NDArray[np.float32]
    normal: NDArray[np.float32]
    model: NDArray[np.uint64]
    actor: NDArray[np.int64]
    label: NDArray[np.int64]
    lamp: NDArray[np.int64]
    paint: NDArray[np.float32]
    ball: NDArray[np.float32]
    centre: NDArray[np.float32]
    half_size: NDArray[np.float32]
    first_face: NDArray[np.int64]
    vertex: NDArray[np.float32]
    face: NDArray[np.uint32]
    material: NDArray[np.uint16]
    albedo: NDArray[np.float32]
    emission: NDArray[np.float32]
    reflectivity: NDArray[np.float32]
    semantic: NDArray[np.int64]
    fixed_light: NDArray[np.float32]
    moving_light: NDArray[np.float32]


@dataclass(slots=True, eq=False)
class Placement:
    """Which models stand where; one row each.

    Attributes:
        model: `(N,)` row of the models, 0 for the first after the static world.
        pose: `(N, 3, 4)` map-from-model [m]; may scale.
        actor, label, lamp: `(N,)` as of `View`. paint: `(N, 2, 3)` linear colours.
        mask: `(N,)` numbers up to 65,535 by which rays leave out one of them; None where the ids are that.
    """

    model: NDArray[np.int64]
    pose: NDArray[np.float64]
    actor: NDArray[np.int64]
    label: NDArray[np.int64]
    lamp: NDArray[np.int64]
    paint: NDArray[np.float32]
    mask: NDArray[np.int64] | None = None

    def without(self, actors: Collection[int]) -> Placement:
        """The same without some actors."""
        kept = ~np.isin(self.actor, list(actors))
        return Placement(
            self.model[kept],
            self.pose[kept],
            self.actor[kept],
            self.label[kept],
            self.lamp[kept],
            self.paint[kept],
            None if self.mask is None else self.mask[kept],
        )

    @classmethod
    def zeros(cls, rows: int) -> Placement:
        """Instances of model 0 that stand at the map's origin."""
        pose = np.zeros((rows, 3, 4))
        pose[:, [0, 1, 2], [0, 1, 2]] = 1.0
        whole = np.zeros((4, rows), np.int64)
        return cls(whole[0], pose, whole[1], whole[2], whole[3], np.full((rows, PAINTS, 3), 0.5, np.float32))
