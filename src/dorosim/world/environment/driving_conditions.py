"""What drivers make of the weather: how much slower they want to drive, how much more room they leave.

Speed and room after R. Hranac et al., "Empirical Studies on Traffic Flow in Inclement Weather", FHWA-HOP-07-073 (2006):
free-flow speed falls by 2 to 3.6 % in light rain, 6 to 9 % at 16 mm/h, 5 to 16 % in light snow and 5 to 19 % at
3 mm/h of water; capacity falls by 10 to 11 % in any rain and by 12 to 20 % in snow, which is taken as room by time.
A road that is wet or white counts as light rain or snow. In fog drivers go no faster than they can stop within what
they see, with the reaction time and the deceleration of stopping sight distances (AASHTO, "A Policy on Geometric Design
of Highways and Streets").
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dorosim.world.environment.atmosphere import CONTRAST, MM_PER_HOUR
from dorosim.world.environment.weather import EnvironmentState, extinction, sky_of

LIGHT_RAIN_LOSS, RAIN_LOSS, RAIN_OF_LOSS = 0.028, 0.075, 16.0 * MM_PER_HOUR
"""Share of the speed that drizzle takes, that rain takes, and the rate of that rain [m/s]."""
LIGHT_SNOW_LOSS, SNOW_LOSS, SNOW_OF_LOSS = 0.105, 0.12, 3.0 * MM_PER_HOUR
"""The same of snow."""
RAIN_GAP, SNOW_GAP = 1.0 / 0.895, 1.0 / 0.84
"""Time gaps over those on dry roads: capacity less 10.5 % and 16 %."""
SIGHT_REACTION_TIME, SIGHT_DECELERATION = 2.5, 3.4
"""Of stopping sight distances [s], [m/s²]."""
WHITE_ROAD = 5e-3
"""Depth of snow on the road that counts as snow [m]."""


class DrivingConditions(NamedTuple):
    """How drivers adapt to the weather.

    Attributes:
        speed: desired speed over that in good weather.
        time_gap: time gap over that in good weather.
        max_speed: that they do not exceed, since they see no farther [m/s]; infinite in clear air.
    """

    speed: float = 1.0
    time_gap: float = 1.0
    max_speed: float = math.inf


GOOD_CONDITIONS = DrivingConditions()
FAR_SIGHT = 2000.0
"""Beyond this a driver's speed does not depend on how far the air is clear [m]."""


def driving_conditions(state: EnvironmentState) -> DrivingConditions:
    """How drivers adapt to the weather as it is."""
    rain, snow, _, _, _ = sky_of(state)
    sight = -math.log(CONTRAST) / extinction(state)
    fast = math.inf if sight > FAR_SIGHT else speed_for_sight(sight)
    if snow > 0.0 or float(state.snow_depth[0]) >= WHITE_ROAD:
        loss = LIGHT_SNOW_LOSS + min(snow / SNOW_OF_LOSS, 1.0) * (SNOW_LOSS - LIGHT_SNOW_LOSS)
        return DrivingConditions(1.0 - loss, SNOW_GAP, fast)
    if rain > 0.0 or float(state.water_depth[0]) > 0.0:
        loss = LIGHT_RAIN_LOSS + min(rain / RAIN_OF_LOSS, 1.0) * (RAIN_LOSS - LIGHT_RAIN_LOSS)
        return DrivingConditions(1.0 - loss, RAIN_GAP, fast)
    return GOOD_CONDITIONS if fast == math.inf else DrivingConditions(max_speed=fast)


def speed_for_sight(sight: float) -> float:
    """The speed from which a vehicle can just stop within a distance [m]: [m/s]."""
    before = SIGHT_DECELERATION * SIGHT_REACTION_TIME
    return math.sqrt(before * before + 2.0 * SIGHT_DECELERATION * sight) - before
