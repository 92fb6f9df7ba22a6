"""The settings of the surroundings."""

from __future__ import annotations

from typing import Literal

import msgspec


class EnvironmentSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weather, season, time of day and friction that a run begins with; what is not given is as the scenario has it.

    Attributes:
        weather: kind of weather; with it come the water or the snow that it leaves on the ground. Sunny, else.
        season: spring, else.
        time_of_day: hours after midnight, 0 to 24; 18.5 is half past six in the evening. Noon, else.
        rain: intensity in place of that of the weather [mm/h].
        visibility: how far one sees in place of that of the weather [m].
        friction: of all roads over that of dry asphalt; water, snow and areas come on top.
    """

    weather: Literal["sunny", "cloudy", "foggy", "storm", "rainy", "snowy"] | None = None
    season: Literal["winter", "spring", "summer", "fall"] | None = None
    time_of_day: float | None = None
    rain: float | None = None
    visibility: float | None = None
    friction: float | None = None
