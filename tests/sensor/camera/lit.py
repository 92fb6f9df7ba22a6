"""The light of a night, and single lamps."""

from __future__ import annotations

import numpy as np

from dorosim.sensor.camera.light import light_of
from dorosim.sensor.scene.light_source import Beam, Luminaire, fixed_sources
from dorosim.world.environment.weather import DAY, first_environment


def night(hour: float = 23.0):
    state = first_environment()
    state.sun_time[0] = state.time_of_day[0] = hour / 24.0 * DAY
    return light_of(state)


def lamp(*place: float, forward=(0.0, 0.0, -1.0), candela: float = 1000.0, beam: Beam = Beam.WIDE):
    source = fixed_sources(np.array([place]), np.array([forward]), Luminaire(candela, (1.0, 1.0, 1.0), beam))
    side = np.cross((0.0, 0.0, 1.0), forward) if abs(forward[2]) < 0.9 else np.array((0.0, 1.0, 0.0))
    source[:, 6:9], source[:, 9:12] = side, np.cross(forward, side)
    return source
