"""The IDM's equilibrium: gaps from the published formula, and speed and flow as its inverse."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.traffic.driver import DRIVER, MOTORWAY_DRIVER
from dorosim.world.traffic.equilibrium import equilibrium_flow, equilibrium_gap, equilibrium_speed


def test_gap_at_standstill_half_speed_and_desired_speed() -> None:
    speed = np.array((0.0, 10.0, 20.0))
    gap = equilibrium_gap(speed, 20.0, DRIVER)
    assert gap[0] == DRIVER.standstill_gap
    assert gap[1] == pytest.approx((2.0 + 10.0 * 1.5) / np.sqrt(1 - 1 / 16))
    assert np.isinf(gap[2])


def test_at_the_equilibrium_gap_the_idm_does_not_accelerate() -> None:
    """a (1 - (v / v0)^4 - (s* / s)^2) = 0 with s* = s0 + v T."""
    density = np.linspace(0.002, 0.14, 60)
    speed = equilibrium_speed(density, 33.0, 5.0, MOTORWAY_DRIVER)
    wish = MOTORWAY_DRIVER.standstill_gap + speed * MOTORWAY_DRIVER.time_gap
    gap = 1 / density - 5.0
    np.testing.assert_allclose((speed / 33.0) ** 4 + (wish / gap) ** 2, 1.0, rtol=1e-9)
    assert np.all(np.diff(speed) < 0)


def test_nothing_flows_on_an_empty_and_on_a_full_road() -> None:
    flow = equilibrium_flow(np.array((1e-6, 0.03, 1.0 / 6.6, 0.2)), 13.9, 4.6, DRIVER)
    assert flow[0] == pytest.approx(13.9e-6, rel=1e-3)
    assert 0.3 < flow[1] < 0.4
    np.testing.assert_allclose(flow[2:], 0.0, atol=1e-12)


def test_the_motorway_driver_has_the_published_capacity() -> None:
    """Treiber, Hennecke and Helbing (2000): about 1,700 vehicles an hour and lane for v0 = 120 km/h, length 5 m."""
    density = np.linspace(0.005, 0.1, 2000)
    assert equilibrium_flow(density, 120 / 3.6, 5.0, MOTORWAY_DRIVER).max() * 3600 == pytest.approx(1700, rel=0.03)
