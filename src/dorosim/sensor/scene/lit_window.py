"""When street lamps burn, and which windows are lit at what hour: by rule, so that every command shows the same."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.material import Material
from dorosim.world.environment.weather import EnvironmentState, sky_of, sun_direction

MAX_LAMP_SUN_SINE: Final = 0.05
"""Sine of the sun's elevation below which street lamps and windows are lit, and lamps light anything that one sees."""
MAX_LAMP_SUN_SINE_OVERCAST: Final = 0.12
"""The same below a closed cover of clouds."""
HOURS: Final[dict[Material, tuple[tuple[float, float], ...]]] = {
    Material.WINDOW_OF_EVENING: ((17.0, 22.0), (6.0, 8.0)),
    Material.WINDOW_OF_NIGHT: ((17.0, 23.8), (5.5, 8.0)),
    Material.WINDOW_OF_STAIRS: ((0.0, 24.0),),
}
"""Hours of the day in which windows are lit, if it is dark."""
_SHARE: Final = ((Material.WINDOW_OF_EVENING, 0.2), (Material.WINDOW_OF_NIGHT, 0.18), (Material.WINDOW_OF_STAIRS, 0.05))
_LOWER_FLOORS, _SQUARE = 5.5, 12.0
"""Windows that are higher above the lowest one near them light nothing that matters; the square that is near [m]."""


def is_dark(environment: EnvironmentState) -> bool:
    """Whether street lamps burn: at dusk, and a little earlier below clouds."""
    cloud = sky_of(environment).cloud
    limit = MAX_LAMP_SUN_SINE + cloud * (MAX_LAMP_SUN_SINE_OVERCAST - MAX_LAMP_SUN_SINE)
    return sun_direction(environment)[2] < limit


def with_lit_windows(mesh: Mesh) -> Mesh:
    """The mesh with some of its windows made of the materials of `HOURS`.

    Args:
        mesh: of the static world; its windows are quadrangles of which both triangles begin at the same corner.
    """
    material = mesh.material.copy()
    faces = np.flatnonzero(material == Material.WINDOW)
    start = mesh.faces[faces, 0]
    # a hash of the place, to the decimetre: the same window whatever else the world holds
    spot = np.round(10.0 * mesh.vertices[start]).astype(np.int64)
    mixed = (spot @ np.array((73_856_093, 19_349_663, 83_492_791))).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    share = (mixed >> np.uint64(40)).astype(np.float64) / (1 << 24)
    low = 0.0
    for kind, part in _SHARE:
        material[faces[(share >= low) & (share < low + part)]] = kind
        low += part
    return Mesh(mesh.vertices, mesh.faces, material)


def window_places(mesh: Mesh, kind: int) -> tuple[FloatArray, FloatArray]:
    """Middles `(N, 3)` of the lower windows of a kind, in map [m], and their unit normals `(N, 3)`, out or in."""
    faces = np.flatnonzero(mesh.material == kind)
    start, first = np.unique(mesh.faces[faces, 0], return_index=True)
    if not len(start):
        return np.zeros((0, 3)), np.zeros((0, 3))
    corner = mesh.vertices[mesh.faces[faces[first]]]
    middle = 0.5 * (corner[:, 0] + corner[:, 2])
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    normal = normal / np.maximum(np.linalg.norm(normal, axis=1), 1e-9)[:, None]
    low = middle[:, 2] < _lowest_around(mesh, middle) + _LOWER_FLOORS
    return middle[low], normal[low]


def _lowest_around(mesh: Mesh, points: FloatArray) -> FloatArray:
    """The height `(N,)` of the lowest window in the square of each point `(N, 3)` [m]."""
    every = mesh.vertices[mesh.faces[np.isin(mesh.material, (Material.WINDOW, *HOURS))][:, 0]]
    square = np.concatenate((every, points))[:, :2] // _SQUARE
    cells, number = np.unique(square, axis=0, return_inverse=True)
    lowest = np.full(len(cells), np.inf)
    np.minimum.at(lowest, number.ravel()[: len(every)], every[:, 2])
    return np.asarray(lowest[number.ravel()[len(every) :]])


def lit_at(hour: float) -> NDArray[np.uint16]:
    """Materials of windows that are lit at an hour of the day, if it is dark."""
    return np.array([m for m, spans in HOURS.items() if any(a <= hour < b for a, b in spans)], np.uint16)
