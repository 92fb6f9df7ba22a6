"""Tags of bounds: how they are painted, and who may cross them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dorosim.road.lanelet2.line_conversion import CODE_TAG, SHAPES
from dorosim.road.lanelet2.rule import may_change
from dorosim.road.mgeo.record import LaneBoundary

_SUBTYPES = {shape: subtype for subtype, shape in SHAPES.items()}


def tags_of_bound(
    names: Sequence[str], boundaries: Mapping[str, LaneBoundary], change: tuple[bool, bool]
) -> dict[str, str]:
    """The tags of a bound.

    Args:
        names: the painted lines of the map along it.
        boundaries: all lines of the map, by id.
        change: whether one may change over it to its left, and to its right.
    """
    known = [boundaries[name] for name in names if name in boundaries]
    painted = [one for one in known if one.lane_shape]
    tags = {"type": "virtual"}
    if painted:
        line = max(painted, key=_length)
        shape = next((one for one in line.lane_shape if one != "Broken"), line.lane_shape[0])
        tags = {"type": "line_thin", "subtype": _SUBTYPES.get(shape, "solid")}
        tags |= {"color": (line.lane_color or ["white"])[0], "width": f"{line.lane_width:g}"}
        if line.lane_type:
            tags[CODE_TAG] = str(line.lane_type[0])
    elif any(change):
        tags = {"type": "line_thin", "subtype": "dashed"}
    if may_change(tags) != change:
        if change[0] == change[1]:
            tags["lane_change"] = _word(change[0])
        else:
            tags |= {"lane_change:left": _word(change[0]), "lane_change:right": _word(change[1])}
    return tags


def _word(flag: bool) -> str:
    return "yes" if flag else "no"


def _length(line: LaneBoundary) -> float:
    return float(np.linalg.norm(np.diff(line.points, axis=0), axis=1).sum())
