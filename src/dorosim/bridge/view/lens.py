"""The lenses of traffic lights, and which of them shine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.bridge.view.crowd import Lights
from dorosim.sensor.scene.material import FIRST_SIGNAL
from dorosim.sensor.scene.static.world import StaticWorld

COLOURS = {"red": (255, 12, 8), "yellow": (255, 160, 5), "green": (5, 255, 90)}
"""Linear colours of lamps that burn."""
_PROUD = 0.02
"""How far a lit lens lies before the dark one [m]."""
_GLOW = 1.1
"""How much larger it is."""


class Lenses(NamedTuple):
    """All lenses of a map, one row each.

    Attributes:
        place: `(K, 3)` in the page's frame [m]. wxyz: `(K, 4)` turns x to where it faces. radius: `(K,)` [m].
        colour: `(K,)` number in `COLOURS`. light: `(K,)` row of the light. lamp: `(K,)` its bit.
    """

    place: NDArray[np.float32]
    wxyz: NDArray[np.float32]
    radius: NDArray[np.float32]
    colour: NDArray[np.int64]
    light: NDArray[np.int64]
    lamp: NDArray[np.int64]

    def lit(self, status: NDArray[np.int64]) -> dict[str, Lights]:
        """The lenses that shine, by colour.

        Args:
            status: `(L,)` lit lamps of each light (`dorosim.world.signal.state.LightState`).
        """
        shown = status[self.light]
        burns = (shown > 0) & ((shown & self.lamp) != 0)
        found = {}
        for number, name in enumerate(COLOURS):
            rows = burns & (self.colour == number)
            scale = np.repeat(self.radius[rows, None], 3, axis=1)
            found[name] = Lights(self.place[rows], self.wxyz[rows], scale)
        return found


def lenses_of(static: StaticWorld, origin: ArrayLike) -> Lenses:
    """The lenses of a map.

    Args:
        static: gives their triangles, which share the foremost corner, and what they stand for.
        origin: `(3,)` of the page's frame in the map [m].
    """
    signal, mesh = static.signal, static.mesh
    count = len(signal.light)
    rows = np.flatnonzero(mesh.material >= FIRST_SIGNAL)
    lens = mesh.material[rows].astype(np.int64) - FIRST_SIGNAL
    corner = mesh.vertices[mesh.faces[rows]]
    faces = np.maximum(np.bincount(lens, minlength=count), 1)[:, None]
    tip, rim = np.zeros((count, 3)), np.zeros((count, 3))
    np.add.at(tip, lens, corner[:, 0])
    np.add.at(rim, lens, corner[:, 1])
    tip, rim = tip / faces, rim / faces
    out = tip - rim
    facing = out / np.maximum(np.linalg.norm(out, axis=1), 1e-9)[:, None]
    radius = np.zeros(count)
    np.maximum.at(radius, lens, np.linalg.norm(corner[:, 1] - rim[lens], axis=1))
    half = 0.5 * np.arctan2(facing[:, 1], facing[:, 0])
    wxyz = np.column_stack((np.cos(half), np.zeros(count), np.zeros(count), np.sin(half)))
    red, green = signal.emission[:, 0], signal.emission[:, 1]
    colour = np.where(green > red, 2, np.where(green > 0.2 * red, 1, 0))
    place = tip + _PROUD * facing - np.asarray(origin)
    return Lenses(
        place.astype(np.float32),
        wxyz.astype(np.float32),
        (_GLOW * radius).astype(np.float32),
        colour,
        signal.light,
        signal.lamp,
    )
