"""What street lamps light on the page: pools of light on the ground below them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.bridge.view.crowd import NO_LIGHTS, Lights
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.static.world import StaticWorld

POOL_RADIUS = 9.0
"""Where the light of a lamp ends on the page [m]."""
_ROAD = (Material.ASPHALT, Material.WHITE_LINE, Material.YELLOW_LINE)
_MIN_CORNERS = 6
"""Of the road near a lamp, from which on its slope can be told."""
_PROUD = 0.12
"""How far pools lie above the road [m]: roads are no planes, and would come through."""


def pools_of(static: StaticWorld, origin: ArrayLike) -> Lights:
    """The pools of a map's street lamps, as the page draws them; each lies as the road below it slopes.

    Args:
        static: the map's triangles and lamps.
        origin: `(3,)` of the page's frame in the map [m].
    """
    if not len(static.street_lamp):
        return NO_LIGHTS
    mesh = static.mesh
    corner = mesh.vertices[np.unique(mesh.faces[np.isin(mesh.material, _ROAD)])]
    corner = corner[np.argsort(corner[:, 0], kind="stable")]
    place, wxyz = [], []
    for lamp in static.street_lamp:
        first, last = np.searchsorted(corner[:, 0], (lamp[0] - POOL_RADIUS, lamp[0] + POOL_RADIUS))
        near = corner[first:last]
        near = near[(np.hypot(*(near[:, :2] - lamp[:2]).T) < POOL_RADIUS) & (near[:, 2] < lamp[2] - 2.0)]
        if len(near) < _MIN_CORNERS:
            continue  # it stands away from roads that are drawn
        height, slope_x, slope_y = np.linalg.lstsq(
            np.column_stack((np.ones(len(near)), near[:, :2] - lamp[:2])), near[:, 2], rcond=None
        )[0]
        place.append((lamp[0], lamp[1], height + _PROUD))
        wxyz.append(_tilt(-slope_x, -slope_y))
    if not place:
        return NO_LIGHTS
    return Lights(
        (np.array(place) - np.asarray(origin)).astype(np.float32),
        np.array(wxyz, np.float32),
        np.full((len(place), 3), POOL_RADIUS, np.float32),
    )


def _tilt(x: float, y: float) -> NDArray[np.float64]:
    """The turn, as a quaternion wxyz, from the z axis to the direction `(x, y, 1)`."""
    length = np.sqrt(x * x + y * y + 1.0)
    turn: NDArray[np.float64] = np.array((1.0 + 1.0 / length, -y / length, x / length, 0.0))
    turn /= np.linalg.norm(turn)
    return turn
