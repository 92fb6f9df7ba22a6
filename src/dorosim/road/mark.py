"""Which of a lane's own lines vehicles may cross, by how they are painted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dorosim.road.adjacency import FlagArray, frozen
from dorosim.road.mgeo.record import LaneBoundary, Link


def crossable_lines(links: Sequence[Link], boundaries: Sequence[LaneBoundary]) -> tuple[FlagArray, FlagArray]:
    """Whether the line to the left and to the right of each lane may be crossed, `(L,)` each.

    A line may be crossed where all of its stretches are broken lines and nothing else. A lane for which the map names
    no line has none that forbids anything, but none that allows it either: it counts as one that may not be crossed.

    Args:
        links: the lanes.
        boundaries: the map's lines (lane_boundary_set.json).
    """
    if not boundaries:
        return frozen(np.zeros(len(links), np.bool_)), frozen(np.zeros(len(links), np.bool_))
    broken = {line.idx: bool(line.lane_shape) and set(line.lane_shape) == {"Broken"} for line in boundaries}
    left = np.array([_all_broken(link.lane_mark_left, broken) for link in links], np.bool_)
    right = np.array([_all_broken(link.lane_mark_right, broken) for link in links], np.bool_)
    return frozen(left), frozen(right)


def _all_broken(names: Sequence[str], broken: Mapping[str, bool]) -> bool:
    if not names:
        return False
    known = [broken[name] for name in names if name in broken]
    return bool(known) and all(known)
