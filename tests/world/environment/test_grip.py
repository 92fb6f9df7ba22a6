"""Grip and rolling resistance by kind of ground, film of water and snow."""

from __future__ import annotations

import pytest

from dorosim.ground.jit import kernel
from dorosim.ground.unit import KMH
from dorosim.road.surface_kind import SurfaceKind
from dorosim.world.environment import grip_kernel


@kernel
def grip_on(surface: int, film_depth: float, snow_depth: float, speed: float) -> float:
    return grip_kernel.grip_on(surface, film_depth, snow_depth, speed)


@kernel
def rolling_resistance_on(surface: int, snow_depth: float) -> float:
    return grip_kernel.rolling_resistance_on(surface, snow_depth)


HANDBOOK = {
    50: (0.65, 0.55, 0.50),
    90: (0.60, 0.30, 0.05),
    130: (0.55, 0.20, 0.00),
}
"""Bosch, "Automotive Handbook": static friction of new tyres at speeds [km/h] in 0.2, 1 and 2 mm of water."""
DRY = {50: 0.85, 90: 0.8, 130: 0.75}


@pytest.mark.parametrize(("speed", "depth"), [(speed, depth) for speed in HANDBOOK for depth in range(3)])
def test_wet_asphalt_grips_as_in_the_handbook(speed: int, depth: int) -> None:
    grip = grip_on(SurfaceKind.ASPHALT, (0.2e-3, 1e-3, 2e-3)[depth], 0.0, speed * KMH.factor)
    assert grip == pytest.approx(HANDBOOK[speed][depth] / DRY[speed], abs=0.01)


def test_tyres_float_about_where_horne_and_dreher_say() -> None:
    """On 2 mm less than a tenth of the grip is left at 6.35 km/h times the root of 220 kPa, and half at half of it."""
    floats = 6.35 * 220**0.5 * KMH.factor

    def on_wet(depth: float, speed: float) -> float:
        return grip_on(SurfaceKind.ASPHALT, depth, 0.0, speed)

    assert on_wet(2e-3, floats) < 0.1
    assert on_wet(2e-3, 0.5 * floats) > 0.5
    assert on_wet(5e-3, floats) == on_wet(2e-3, floats)


@pytest.mark.parametrize("kind", list(SurfaceKind))
def test_more_water_and_more_speed_never_grip_better(kind: SurfaceKind) -> None:
    """But for sand, which is firmer when it is wet."""
    if kind is SurfaceKind.SAND:
        assert grip_on(kind, 1e-3, 0.0, 10.0) > grip_on(kind, 0.0, 0.0, 10.0)
        return
    for slow, fast in ((0.0, 10.0), (10.0, 20.0), (20.0, 30.0), (30.0, 60.0)):
        for thin, thick in ((0.0, 0.02e-3), (0.02e-3, 0.5e-3), (0.5e-3, 1.5e-3), (1.5e-3, 9e-3)):
            assert 0.0 <= grip_on(kind, thick, 0.0, fast) <= grip_on(kind, thin, 0.0, fast) <= 1.0
            assert grip_on(kind, thin, 0.0, fast) <= grip_on(kind, thin, 0.0, slow)


def test_the_order_of_surfaces_is_what_every_driver_knows() -> None:
    dry = [grip_on(SurfaceKind[name], 0.0, 0.0, 15.0) for name in ("ASPHALT", "GRAVEL", "GRASS", "SNOW", "ICE")]
    assert dry == sorted(dry, reverse=True)
    assert dry[0] == 1.0
    wet = [grip_on(SurfaceKind[name], 0.2e-3, 0.0, 15.0) for name in ("CONCRETE", "ASPHALT", "PAINT", "COBBLE", "ICE")]
    assert wet == sorted(wet, reverse=True)


def test_snow_covers_all_that_grips_better() -> None:
    snow = grip_on(SurfaceKind.SNOW, 0.0, 0.0, 15.0)
    for kind in SurfaceKind:
        assert grip_on(kind, 0.0, 0.1, 15.0) == pytest.approx(min(snow, grip_on(kind, 0.0, 0.0, 15.0)))
    assert snow < grip_on(SurfaceKind.ASPHALT, 0.0, 2e-3, 15.0) < 1.0


def test_soft_ground_rolls_hard() -> None:
    """At 1,500 kg and 0.12 a car in sand loses 1.05 m/s² more than on asphalt: it stops from 20 km/h within 15 m."""
    assert rolling_resistance_on(SurfaceKind.ASPHALT, 0.0) == 0.0
    assert rolling_resistance_on(SurfaceKind.SAND, 0.0) * 9.81 == pytest.approx(1.05, abs=0.01)
    assert rolling_resistance_on(SurfaceKind.ASPHALT, 0.05) == pytest.approx(0.017)
    assert rolling_resistance_on(SurfaceKind.MUD, 0.05) == rolling_resistance_on(SurfaceKind.MUD, 0.0)
