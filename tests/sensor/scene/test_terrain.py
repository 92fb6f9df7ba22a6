"""The ground under wheels is the ground that sensors see: on roads and beside them, on bridges, on three maps."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from dorosim.app.run.build import Build, build
from dorosim.app.setting.settings import Settings
from dorosim.app.store.scene import sensor_scene
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.material import Material
from tests.sensor.scene.town import town
from tests.shared import shared

PLACES, WIDE = 10_000, 30.0
GROUND = [
    Material[name]
    for name in (
        *("ASPHALT", "PAVEMENT", "KERB", "GRASS", "SOIL", "CONCRETE"),
        *("WHITE_LINE", "YELLOW_LINE", "BLUE_LINE", "STOP_LINE", "CROSSWALK", "ARROW"),
    )
]


def made(name: str) -> Build:
    if name == "town":
        return town()
    return build(msgspec.structs.replace(Settings(), map=str(shared(f"maps/{name}"))), Path())


def places(run: Build) -> np.ndarray:
    """Places `(N, 3)` within 30 m of a lane, at the height of the ground there."""
    random, lines = np.random.default_rng(1), run.scene.network.lines
    found = lines.points[random.integers(0, len(lines.points), PLACES)].copy()
    turn, away = random.uniform(0.0, 2.0 * np.pi, PLACES), random.uniform(0.0, WIDE, PLACES)
    found[:, :2] += away[:, None] * np.column_stack((np.cos(turn), np.sin(turn)))
    assert run.scene.terrain is not None
    for _ in range(2):  # lanes may be higher or lower than the ground so far beside them
        found[:, 2] = run.scene.terrain.height(found)
    return found


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
