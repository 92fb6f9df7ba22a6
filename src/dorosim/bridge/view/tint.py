"""Colours of materials as a screen shows them: measured albedos are dark, since the sun is bright."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.bridge.view.sky import SkyLight
from dorosim.sensor.scene.material import Material

LIFT = 0.8
"""Exponent that lifts dark albedos, so that tyres, asphalt and grass look different by day and by night."""
LEVELS = 10
"""Steps from faces along the sun's rays to faces across them."""
SUN = (0.37, -0.50, 0.78)
"""Direction to the light by which faces of the map are shaded: one that never moves, so that shapes stay plain."""
_SNOWED = {
    Material.GRASS: 0.85, Material.SOIL: 0.85, Material.ROOF: 0.9, Material.TILE: 0.9, Material.LEAF: 0.5,
    Material.LEAF_LIGHT: 0.5, Material.HEDGE: 0.5, Material.PAVEMENT: 0.55, Material.KERB: 0.4,
    Material.ASPHALT: 0.22,
}  # fmt: skip
"""Share of each material that lasting snow makes white."""
_WETTED = (Material.ASPHALT, Material.PAVEMENT, Material.KERB, Material.CONCRETE, Material.SOIL)
_SHINES: dict[int, tuple[int, int, int]] = {
    int(Material.STREET_LAMP): (255, 226, 160),
    int(Material.WINDOW_OF_STAIRS): (190, 205, 190),
}
_WARM = (235, 170, 85)
"""Linear colours of lamps and of windows that shine, as a screen shows them."""
SHADOW = 0.5
"""Opacity of a contact shadow at the foot of what throws it."""
_SNOW = 0.82
_DARKER = 0.4


def screen_albedo(albedo: ArrayLike) -> NDArray[np.uint8]:
    """Linear colours `(N, 3)`, 0 to 255, that the page's lights fall on."""
    return np.asarray(np.round(255.0 * np.clip(np.asarray(albedo, np.float64), 0.0, 1.0) ** LIFT), np.uint8)


def palette(albedo: NDArray[np.floating], light: SkyLight) -> NDArray[np.uint8]:
    """Linear colours `((materials + 1) * LEVELS, 4)` of a map, 0 to 255: of its faces by material, then by level.

    The last `LEVELS` are those of shadows, from clear to dark.

    Args:
        albedo: `(materials, 3)` linear.
        light: that falls on them.
    """
    base = np.clip(np.asarray(albedo, np.float64), 0.0, 1.0) ** LIFT
    for stuff in _WETTED:
        base[stuff] *= 1.0 - _DARKER * light.wet
    for stuff, share in _SNOWED.items():
        base[stuff] += (_SNOW - base[stuff]) * share * light.snow
    falls = np.array(light.shade) + np.linspace(0.0, 1.0, LEVELS)[:, None] * np.array(light.shine)
    shown = np.clip(base[:, None] * falls, 0.0, 1.0)
    for number in light.burning:
        shown[number] = np.array(_SHINES.get(number, _WARM)) / 255.0
    lit = shown.reshape(-1, 3)
    faces = np.column_stack((np.round(255.0 * lit), np.full(len(lit), 255)))
    shadows = np.zeros((LEVELS, 4))
    shadows[:, 3] = np.round(255.0 * SHADOW * np.linspace(0.0, 1.0, LEVELS))
    return np.concatenate((faces, shadows)).astype(np.uint8)


def level_of(vertices: NDArray[np.floating], faces: NDArray[np.integer]) -> NDArray[np.int64]:
    """`(F,)` 0 to `LEVELS - 1`: how directly the light falls on faces, whichever way round they are.

    Args:
        vertices: `(V, 3)`.
        faces: `(F, 3)`.
    """
    corner = np.asarray(vertices, np.float64)[faces]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    size = np.maximum(np.linalg.norm(normal, axis=1), 1e-12)
    sun = np.array(SUN) / np.linalg.norm(SUN)
    return np.asarray(np.minimum(np.abs(normal @ sun) / size * LEVELS, LEVELS - 1), np.int64)
