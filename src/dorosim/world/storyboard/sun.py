"""The sun as a storyboard has set it, in place of that of the time of day."""

from __future__ import annotations

import math
from typing import NamedTuple

from dorosim.world.storyboard.state import StoryboardState


class SetSun(NamedTuple):
    """A sun that was set.

    Attributes:
        direction: to the sun: east, north, up, of length 1.
        illuminance: [lx]; NaN: as the sky has it.
    """

    direction: tuple[float, float, float]
    illuminance: float


def set_sun(storyboard: StoryboardState) -> SetSun | None:
    """The sun that a storyboard has set, None where it has set none."""
    table = storyboard.environment
    if not len(table) or math.isnan(table.sun_elevation[0]):
        return None
    azimuth, elevation = float(table.sun_azimuth[0]), float(table.sun_elevation[0])
    level = math.cos(elevation)
    direction = (level * math.sin(azimuth), level * math.cos(azimuth), math.sin(elevation))
    return SetSun(direction, float(table.illuminance[0]))
