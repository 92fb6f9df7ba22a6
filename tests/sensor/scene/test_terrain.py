"""The ground under wheels is the ground that sensors see: on roads and beside them, on bridges, on three maps."""

import numpy as np
import pytest

from dorosim.app.store.scene import sensor_scene
from dorosim.sensor.scene.embree_kernel import cast_rays
from tests.sensor.scene.ground_place import GROUND, PLACES, made, places


@pytest.mark.parametrize("name", ["town", "V_RHT_Suburb_03", "Sangam_Track"])
def test_wheels_and_rays_meet_the_same_ground_within_2_cm(name):
    run = made(name)
    view, spots = sensor_scene(run).update(run.first), places(run)
    start = np.add(spots, (0.0, 0.0, 0.5))
    down = np.tile((0.0, 0.0, -1.0), (PLACES, 1))
    distance, _, row, material = cast_rays(view, start, down, np.full(PLACES, 40.0), 0)
    assert (row >= 0).all(), "no ray falls through the ground"
    ground = np.isin(material, GROUND)
    assert ground.sum() > 0.98 * PLACES
    assert np.abs(0.5 - distance)[ground].max() < 0.02
