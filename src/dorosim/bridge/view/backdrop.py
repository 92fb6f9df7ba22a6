"""Roads as they look from a distance: a band for each lane, through few points, and a wider one for its pavements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.mesh import Mesh, strip_mesh
from dorosim.road.network import RoadNetwork
from dorosim.road.terrain.ground import PAVEMENT
from dorosim.road.terrain.road import SHOULDER
from dorosim.sensor.scene.material import Material

_BEND, MAX_SPACING, _RISE = 0.1, 80.0, 0.02
"""A point is left out if the lane turns by less than this since the last one [rad], after at most so far [m], and if
its grade does not change by more."""
_SUNK, _PAVEMENT_SUNK = 0.10, 0.22
"""How far the bands lie below the lanes, so that what is drawn in detail hides them [m]."""


def backdrop_roads(network: RoadNetwork) -> Mesh:
    """All lanes for vehicles, with pavements where a map has crosswalks or lights, in map [m]."""
    lines = network.lines
    normal = np.column_stack((-lines.tangent[:, 1], lines.tangent[:, 0], np.zeros(len(lines.points))))
    urban = bool(network.signals.lights or len(network.crosswalks))
    parts = []
    for link in np.flatnonzero(network.link_drivable).tolist():
        rows = slice(int(lines.first[link]), int(lines.first[link + 1]))
        kept = rows.start + few_points(lines.arc[rows], lines.tangent[rows], lines.grade[rows])
        if len(kept) < 2:
            continue
        for wider, sunk, material in (
            (SHOULDER, _SUNK, Material.ASPHALT),
            (PAVEMENT, _PAVEMENT_SUNK, Material.PAVEMENT),
        )[: 1 + urban]:
            left = lines.points[kept] + (network.left_width[kept] + wider)[:, None] * normal[kept]
            right = lines.points[kept] - (network.right_width[kept] + wider)[:, None] * normal[kept]
            parts.append(strip_mesh(np.stack((left, right), axis=1) - (0.0, 0.0, sunk), material))
    return Mesh.joined(parts)


def few_points(arc: NDArray[np.float64], tangent: NDArray[np.float64], grade: NDArray[np.float64]) -> NDArray[np.int64]:
    """Returns rows of the points that keep a lane's course: its ends, and where it has turned or gone on far enough.

    Args:
        arc: `(n,)` arc lengths [m].
        tangent: `(n, 2)`.
        grade: `(n,)`.
    """
    kept = [0]
    for row, (s, (x, y), slope) in enumerate(zip(arc.tolist(), tangent.tolist(), grade.tolist(), strict=True)):
        last = kept[-1]
        turned = abs(float(tangent[last, 0]) * y - float(tangent[last, 1]) * x)
        if turned > _BEND or s - float(arc[last]) > MAX_SPACING or abs(slope - float(grade[last])) > _RISE:
            kept.append(row)
    if kept[-1] != len(arc) - 1:
        kept.append(len(arc) - 1)
    return np.array(kept, np.int64)
