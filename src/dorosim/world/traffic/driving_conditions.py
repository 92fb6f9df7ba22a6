"""How weather enters the traffic: roads that are driven more slowly, and drivers that leave more room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from dorosim.ground.column import read_only
from dorosim.world.environment.driving_conditions import GOOD_CONDITIONS, DrivingConditions
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.state import TrafficState


def road_under(road: RoadArrays, conditions: DrivingConditions) -> RoadArrays:
    """The roads with the speeds that drivers take for their limits in a weather; commanded speeds stay as they are.

    Args:
        road: in good weather.
        conditions: of the weather; the very same roads come back where they are good.
    """
    if conditions == GOOD_CONDITIONS:
        return road
    link = np.array(road.link)
    limit = link[:, LINK.speed_limit]
    np.minimum(conditions.speed * limit, conditions.max_speed, out=limit)
    return road._replace(link=read_only(link))


@contextmanager
def gaps_under(state: TrafficState, conditions: DrivingConditions) -> Iterator[None]:
    """Within it, drivers have the time gaps of a weather; afterwards their own again.

    Args:
        state: the vehicles, writable.
        conditions: of the weather.
    """
    if conditions.time_gap == 1.0:
        yield
        return
    own = state.time_gap.copy()
    state.time_gap[:] *= conditions.time_gap
    try:
        yield
    finally:
        state.time_gap[:] = own
