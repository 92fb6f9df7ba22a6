"""Where points lie on the road: link, arc length and lateral offset, for thousands at once.

Importing this module imports the kernels, so it is imported where a world is built.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dorosim.road.adjacency import FloatArray, IntArray
from dorosim.road.location_kernel import locate_points
from dorosim.road.network import RoadNetwork


class Location(NamedTuple):
    """Where points lie on lanes; each array is `(N,)`.

    Attributes:
        link: row of the link, -1 if no lane is near.
        s: arc length along it [m], NaN for none.
        lateral: offset from its centre line, left positive [m], NaN for none.
        distance: from the centre line in the plan [m]; more than `lateral` says only before the start and beyond the
            end of a link. NaN for none.
        segment: segment of the centre line (see `Polylines`), -1 for none.
    """

    link: IntArray
    s: FloatArray
    lateral: FloatArray
    distance: FloatArray
    segment: IntArray


def locate(
    network: RoadNetwork,
    points: ArrayLike,
    heading: ArrayLike | None = None,
    *,
    drivable_only: bool = False,
    reach: float = 100.0,
) -> Location:
    """Find the lane of each point.

    The nearest centre line in the plan wins; a lane on another level counts as up to 5 m farther, one against the
    heading as up to 6 m farther.

    Args:
        network: the road network.
        points: `(N, 3)` or `(3,)` in map [m]. A z of NaN means that the height is not known.
        heading: `(N,)` or one, counter-clockwise from east [rad]: lanes in this direction are preferred. NaN means
            any direction.
        drivable_only: pass over sidewalks and the like.
        reach: points farther than this from every lane in the plan belong to none [m].
    """
    wanted = np.array(points, np.float64).reshape(-1, 3)
    toward = np.full(len(wanted), np.nan)
    if heading is not None:
        toward[:] = np.asarray(heading, np.float64)
    ints = np.empty((2, len(wanted)), np.int64)
    floats = np.empty((3, len(wanted)))
    locate_points(network.surface, network.lines.arc, wanted, toward, drivable_only, float(reach), ints, floats)
    return Location(link=ints[0], s=floats[0], lateral=floats[1], distance=floats[2], segment=ints[1])
