"""Places on the ground near lanes, and what of a scene is ground."""

from pathlib import Path

import msgspec
import numpy as np

from dorosim.app.run.build import Build, build
from dorosim.app.setting.settings import Settings
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
