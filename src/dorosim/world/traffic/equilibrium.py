"""Even traffic flow by the Intelligent Driver Model: its fundamental diagram.

Source: M. Treiber, A. Hennecke and D. Helbing, Phys. Rev. E 62, 1805 (2000), equations 7 and 8: in equilibrium all
drive at one speed v with the gap s_e(v) = (s0 + v T) / sqrt(1 - (v / v0)^4), so that the density is
1 / (s_e + length) and the flow density times v.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.world.traffic.driver import DriverParameter

_BISECTIONS = 60


def equilibrium_gap(speed: FloatArray, desired_speed: float, driver: DriverParameter) -> FloatArray:
    """Bumper to bumper gap at even speed, `(N,)` [m]; infinite at the desired speed.

    Args:
        speed: `(N,)`, from 0 to the desired speed [m/s].
        desired_speed: v0 [m/s].
        driver: T and s0.
    """
    free = 1.0 - (speed / desired_speed) ** 4
    with np.errstate(divide="ignore"):
        gap: FloatArray = (driver.standstill_gap + speed * driver.time_gap) / np.sqrt(np.maximum(free, 0.0))
    return gap


def equilibrium_speed(density: FloatArray, desired_speed: float, length: float, driver: DriverParameter) -> FloatArray:
    """The even speed at a density, `(N,)` [m/s]; 0 where vehicles stand closer than the gap at standstill.

    Args:
        density: `(N,)`, greater than 0 [1/m].
        desired_speed: v0 [m/s].
        length: of the vehicles [m].
        driver: T and s0.
    """
    gap = 1.0 / density - length
    low, high = np.zeros_like(gap), np.full_like(gap, desired_speed)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        fits = equilibrium_gap(middle, desired_speed, driver) <= gap
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    return low


def equilibrium_flow(density: FloatArray, desired_speed: float, length: float, driver: DriverParameter) -> FloatArray:
    """Vehicles a second past a place, `(N,)` [1/s]; arguments as for `equilibrium_speed`."""
    flow: FloatArray = density * equilibrium_speed(density, desired_speed, length, driver)
    return flow
