"""Reads GLB files, with a reader that is not ours."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import trimesh


def read(glb: bytes) -> trimesh.Trimesh:
    import trimesh  # it takes a second, which each process of the tests would wait for

    scene = trimesh.load(io.BytesIO(glb), file_type="glb", process=False)
    (mesh,) = scene.geometry.values()
    return mesh


def colours_of(mesh: trimesh.Trimesh) -> np.ndarray:
    return np.asarray(mesh.visual.vertex_attributes["color"])
