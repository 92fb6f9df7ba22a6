"""Models of actors as the page draws them: few shapes, each stretched to the sizes of the models that look alike.

A shape is drawn in two pieces, each in one node for all actors that have it: what never changes, with its colours, and
what is painted in the colour of the actor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.view.glb import glb_of
from dorosim.bridge.view.tint import screen_albedo
from dorosim.bridge.view.townscape import welded
from dorosim.ground.mesh import Mesh, box_mesh
from dorosim.sensor.scene.actor.catalogue import ActorModels
from dorosim.sensor.scene.material import FIRST_LAMP, LAMPS, Material, MaterialTable

_ALIKE = 0.2
"""Models are alike if their corners differ by no more than this, over half the extents of their boxes."""
_TALL = 0.95
"""Half the height of vehicles from which on they look like a bus from a distance [m]."""
_DIM = 0.45
"""Brightness of the second colour on the page, where all actors have the same one."""
_PROUD = 0.012
"""How far a lit lamp stands out of the body, so that it is seen before it [m]."""


class LampSpot(NamedTuple):
    """A lamp of a shape.

    Attributes:
        lamp: a `material.VehicleLamp`. centre, size: `(3,)` of its box in the frame of the shape [m].
    """

    lamp: int
    centre: tuple[float, float, float]
    size: tuple[float, float, float]


class Shape(NamedTuple):
    """What one or several models look like.

    Attributes:
        fixed: what has its own colours, as a binary glTF file; empty for what has none.
        vertices, faces: what is painted, `(V, 3)` [m] and `(F, 3)`; empty for what has no paint.
        triangles: of both. lamps: all of them.
    """

    fixed: bytes
    vertices: NDArray[np.float32]
    faces: NDArray[np.int64]
    triangles: int
    lamps: tuple[LampSpot, ...]


class Shapes(NamedTuple):
    """All shapes.

    Attributes:
        shapes: each once.
        shape: `(models,)` of each row of `ActorModels`.
        scale: `(models, 3)` of the shape for the model. offset: `(models, 3)` where it is then moved to, in the frame
            of the model [m].
    """

    shapes: tuple[Shape, ...]
    shape: NDArray[np.int64]
    scale: NDArray[np.float64]
    offset: NDArray[np.float64]
    far: NDArray[np.int64]
    far_scale: NDArray[np.float64]
    far_offset: NDArray[np.float64]


def shapes_of(models: ActorModels) -> Shapes:
    """The shapes of all models; of the phases of walking every second one."""
    source = _drawn_rows(models)
    firsts: list[int] = []
    shape = np.zeros(len(models.meshes), np.int64)
    scale, offset = np.ones((len(models.meshes), 3)), np.zeros((len(models.meshes), 3))
    boxes = [_box(mesh) for mesh in models.meshes]
    for row, drawn in enumerate(source.tolist()):
        number = next((k for k, first in enumerate(firsts) if _alike(models.meshes, boxes, drawn, first)), len(firsts))
        if number == len(firsts):
            firsts.append(drawn)
        shape[row] = number
        (middle, half), (middle_drawn, half_drawn) = boxes[drawn], boxes[firsts[number]]
        scale[row] = half / half_drawn
        offset[row] = middle - scale[row] * middle_drawn
    table = MaterialTable.standard()
    colour = np.column_stack((screen_albedo(table.albedo), np.full(len(table.albedo), 255, np.uint8)))
    colour[Material.SECOND_PAINT, :3] = screen_albedo(_DIM * np.array((0.10, 0.12, 0.16)))
    shapes = [_shape(models.meshes[row], colour) for row in firsts]
    far, far_scale, far_offset = shape.copy(), scale.copy(), offset.copy()
    for rows, mesh in _seen_from_afar(models):
        far[rows] = len(shapes)
        shapes.append(_shape(mesh, colour))
        far_scale[rows] = 2.0 * models.half_size[rows]
        far_offset[rows] = models.centre[rows] - np.array((0.0, 0.0, 1.0)) * models.half_size[rows]
    return Shapes(tuple(shapes), shape, scale, offset, far, far_scale, far_offset)


def _seen_from_afar(models: ActorModels) -> list[tuple[NDArray[np.int64], Mesh]]:
    """Rows of models, and their shape from a distance: boxes that fill a cube of side 1 on the ground."""
    car = Mesh.joined(
        [
            box_mesh((0.42, 0.47, 0.09), Material.RUBBER, (0.0, 0.0, 0.1)),
            box_mesh((0.5, 0.5, 0.21), Material.PAINT, (0.0, 0.0, 0.4)),
            box_mesh((0.30, 0.42, 0.17), Material.GLASS, (-0.06, 0.0, 0.78)),
            box_mesh((0.27, 0.41, 0.025), Material.PAINT, (-0.06, 0.0, 0.975)),
        ]
    )
    bus = Mesh.joined(
        [
            box_mesh((0.45, 0.48, 0.07), Material.RUBBER, (0.0, 0.0, 0.07)),
            box_mesh((0.5, 0.5, 0.43), Material.PAINT, (0.0, 0.0, 0.57)),
            box_mesh((0.503, 0.505, 0.11), Material.GLASS, (0.0, 0.0, 0.72)),
        ]
    )
    person = Mesh.joined(
        [
            box_mesh((0.25, 0.3, 0.24), Material.SECOND_PAINT, (0.0, 0.0, 0.24)),
            box_mesh((0.3, 0.42, 0.19), Material.PAINT, (0.0, 0.0, 0.66)),
            box_mesh((0.2, 0.2, 0.08), Material.SKIN, (0.0, 0.0, 0.92)),
        ]
    )
    high = models.half_size[models.vehicle, 2] > _TALL
    people = np.concatenate(
        [first + np.arange(phases + 1) for first, phases in zip(models.person, models.person_phases, strict=True)]
    )
    return [(models.vehicle[~high], car), (models.vehicle[high], bus), (people, person)]


def _drawn_rows(models: ActorModels) -> NDArray[np.int64]:
    """`(models,)` row of the mesh by which each is drawn."""
    rows = np.arange(len(models.meshes))
    for first, phases in zip(models.person.tolist(), models.person_phases.tolist(), strict=True):
        walking = first + 1 + np.arange(phases)
        rows[walking] = first + 1 + 2 * (np.arange(phases) // 2)
    return rows


def _box(mesh: Mesh) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The middle and the half extents of a mesh."""
    low, high = mesh.bounds
    return 0.5 * (low + high), np.maximum(0.5 * (high - low), 1e-3)


def _alike(
    meshes: tuple[Mesh, ...], boxes: list[tuple[NDArray[np.float64], NDArray[np.float64]]], one: int, other: int
) -> bool:
    """Whether a mesh stretched to another's box is nearly that one."""
    a, b = meshes[one], meshes[other]
    if a is b:
        return True
    if a.faces.shape != b.faces.shape or a.vertices.shape != b.vertices.shape:
        return False
    if not (np.array_equal(a.material, b.material) and np.array_equal(a.faces, b.faces)):
        return False
    (p, half_p), (q, half_q) = boxes[one], boxes[other]
    return bool(np.abs((a.vertices - p) / half_p - (b.vertices - q) / half_q).max() < _ALIKE)


def _shape(mesh: Mesh, colour: NDArray[np.uint8]) -> Shape:
    painted = mesh.material == Material.PAINT
    vertices, faces, material = welded(mesh, np.flatnonzero(~painted))
    paint_vertices, paint_faces, _ = welded(mesh, np.flatnonzero(painted))
    return Shape(
        glb_of(vertices, faces, colour[material]) if len(faces) else b"",
        paint_vertices,
        paint_faces,
        len(faces) + len(paint_faces),
        tuple(_lamps(mesh)),
    )


def _lamps(mesh: Mesh) -> list[LampSpot]:
    """The lamps of a mesh: each piece of a lamp's triangles that hang together by itself."""
    spots = []
    for lamp in range(LAMPS):
        rows = np.flatnonzero(mesh.material == FIRST_LAMP + lamp)
        if not len(rows):
            continue
        vertices, faces, _ = welded(mesh, rows)
        piece = _pieces(len(vertices), faces)
        for one in np.unique(piece[faces[:, 0]]).tolist():
            points = vertices[piece == one].astype(np.float64)
            low, high = points.min(axis=0) - _PROUD, points.max(axis=0) + _PROUD
            middle, size = (0.5 * (low + high)).tolist(), (high - low).tolist()
            spots.append(LampSpot(lamp, (middle[0], middle[1], middle[2]), (size[0], size[1], size[2])))
    return spots


def _pieces(count: int, faces: NDArray[np.int64]) -> NDArray[np.int64]:
    """`(count,)` the lowest vertex that each is connected with."""
    piece = np.arange(count)
    while True:
        lowest = piece[faces].min(axis=1)
        after = piece.copy()
        np.minimum.at(after, faces.ravel(), np.repeat(lowest, 3))
        if np.array_equal(after, piece):
            return piece
        piece = after
