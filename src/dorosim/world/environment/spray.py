"""Spray: the water that tyres throw up from a wet road, as a cloud behind each vehicle.

What wheels throw up goes with the film, the width of the tyres and the speed, and with speed more of it breaks into
drops that hang in the wake (D. H. Weir, J. F. Strange, R. K. Heffley, FHWA-RD-79-84 (1979): splash first, spray from
about 50 km/h on). The share that hangs is ours, such that a lorry at 90 km/h on 1 mm of water is followed by air
through which one sees some 30 m, which is what their photometers saw within a factor of 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.world.environment.atmosphere import WATER_DENSITY

MIN_SPRAY_SPEED = 8.0
"""Slower vehicles throw up nothing that hangs in the air [m/s]."""
MIN_SPRAY_FILM = 0.1e-3
"""Water that the texture of a road keeps from being thrown up [m]."""
HANGING_SHARE, SHARE_SPEED = 0.05, 25.0
"""Share of the water under the tyres that hangs in the air at a speed [m/s]; it goes with the square of the speed."""
MAX_HANGING_SHARE = 0.1
HANGING_TIME = 1.0
"""How long drops hang [s]: those of 0.2 mm fall by 0.7 m."""
DROP_DIAMETER = 0.2e-3
"""Of what hangs [m]."""
WIDE_VEHICLE = 2.2
"""Vehicles wider than this have twin tyres on more axles [m]."""
TIRES, WIDE_TIRES = 0.4, 1.2
"""Width of a vehicle's tyres on the road, both sides together, of axles that do not run in a dry track [m]."""
SPRAY_MARGIN, SPRAY_HEIGHT = 0.5, 1.2
"""How much wider than the vehicle its spray is, and how high [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class Spray:
    """Clouds behind vehicles; one row each.

    Attributes:
        density: `(N,)` of the water that hangs in the air [kg/m³]. length: `(N,)` [m], 0 for none.
        width, height: `(N,)` [m].
    """

    density: FloatArray
    length: FloatArray
    width: FloatArray
    height: FloatArray

    @property
    def extinction(self) -> FloatArray:
        """`(N,)` of light [1/m]: twice what the drops cover."""
        found: FloatArray = 3.0 * self.density / (WATER_DENSITY * DROP_DIAMETER)
        return found


def spray_behind(speed: FloatArray, width: FloatArray, height: FloatArray, film: float) -> Spray:
    """The spray behind vehicles.

    Args:
        speed: `(N,)` of each vehicle [m/s].
        width: `(N,)` of each body [m].
        height: `(N,)` likewise.
        film: depth of the water on the road [m].
    """
    thrown = max(film - MIN_SPRAY_FILM, 0.0)
    share = np.minimum(HANGING_SHARE * (speed / SHARE_SPEED) ** 2, MAX_HANGING_SHARE) * (speed >= MIN_SPRAY_SPEED)
    wide, high = width + SPRAY_MARGIN, np.minimum(SPRAY_HEIGHT * np.maximum(height / 1.5, 1.0), 3.0)
    tires = np.where(width > WIDE_VEHICLE, WIDE_TIRES, TIRES)
    density = WATER_DENSITY * tires * thrown * share / (wide * high)
    return Spray(density, np.where(density > 0.0, speed * HANGING_TIME, 0.0), wide, high)
