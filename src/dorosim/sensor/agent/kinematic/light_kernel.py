"""What the lights let vehicles do, and where the stop lines of a way are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.bare_kernel import bare
from dorosim.ground.jit import inner_kernel
from dorosim.sensor.agent.kinematic.state import LaneTables, LightTables


class LightsNow(NamedTuple):
    """The lights at a moment.

    Attributes:
        entry: `(T, L)` of `LightTables`. phase: that which is on.
    """

    entry: NDArray[np.uint8]
    phase: int


@inner_kernel
def lights_at(lights: LightTables, time: int) -> LightsNow:
    """The lights at a simulated time [ns]."""
    phase = int(np.searchsorted(lights.since, time % lights.period, side="right")) - 1
    return LightsNow(bare(lights.entry), phase)


@inner_kernel
def permission_at(lights: LightsNow, link: int) -> int:
    """`Permission` to drive onto a link."""
    return int(lights.entry[lights.phase, link])


@inner_kernel
def line_of(lanes: LaneTables, way: NDArray[np.int32], a: int, part: int, begin: float) -> float:
    """Where along a way the stop line before a link with a light is [m]; negative infinity where it is behind it.

    A light stands before the link that it governs, at the line of the link before; a governed link with a line of its
    own has it there (`dorosim.world.signal.permission`).

    Args:
        lanes: of the map.
        way: `(A, MAX_WAY_LINKS)` links of the ways.
        a: row of the agent there.
        part: number of the link on it.
        begin: of that link along the way [m].
    """
    own = lanes.line[way[a, part]]
    if own < np.inf:
        return float(begin + own)
    if part == 0:
        return -np.inf
    link = way[a, part - 1]
    before = lanes.line[link]
    return float(begin - lanes.length[link] + before if before < np.inf else begin)
