"""Free bodies slide to rest."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.collision.body import PEDESTRIAN_DRAG_FACTOR
from dorosim.world.collision.slide import slide_bodies
from tests.world.collision.cars import cars, energy


def test_distance_is_that_of_uniform_deceleration() -> None:
    """s = v² / (2 f g) within a tick's way, and then exactly at rest."""
    bodies = cars({"velocity_x": 20}, {"velocity_y": 10, "drag_factor": PEDESTRIAN_DRAG_FACTOR})
    for _ in range(500):
        slide_bodies(bodies, np.array([0, 1]), 0.01)
    assert bodies.x[0] == pytest.approx(20**2 / (2 * 0.7 * 9.81), abs=0.02)
    assert bodies.y[1] == pytest.approx(10**2 / (2 * 0.66 * 9.81), abs=0.02)
    assert not bodies.velocity_x.any()
    assert not bodies.velocity_y.any()


def test_a_spinning_body_slides_farther() -> None:
    """Friction that opposes the spin is missing for the way (Brach and Brach, chapter 7)."""
    bodies = cars({"velocity_x": 15}, {"velocity_x": 15, "yaw_rate": 6})
    for _ in range(500):
        slide_bodies(bodies, np.array([0, 1]), 0.01)
    assert bodies.x[1] > 1.05 * bodies.x[0]
    assert not bodies.yaw_rate.any()


def test_energy_only_falls_and_rows_that_are_not_free_stay() -> None:
    bodies = cars({"velocity_x": 15, "yaw_rate": -4, "cg_forward": 0.3}, {"velocity_x": 5})
    before = energy(bodies)
    for _ in range(600):
        slide_bodies(bodies, np.array([0]), 0.01, 0.5)
        assert energy(bodies) <= before + 1e-9
        before = energy(bodies)
    assert bodies.velocity_x[1] == 5
    assert bodies.x[1] == 0
    assert not bodies.velocity_x[0]
