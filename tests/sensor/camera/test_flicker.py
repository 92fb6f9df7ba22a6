"""Surfaces do not fight for a pixel: what a camera sees hardly changes when it moves by a millimetre."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.mesh import Mesh, quad_mesh
from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.scene.material import Material
from dorosim.world.step import step
from tests.sensor.camera.shot import NOON, camera, turn, view_of
from tests.sensor.scene.build import plane
from tests.sensor.scene.town import shared_scene, town

STEP = 1e-3
"""By which the camera moves [m]."""
MAX_CHANGED = 0.01
"""Share of the pixels that may show something else: edges move by far less than a pixel."""
PLACES = 12


def street_places(seed: int) -> list[tuple[np.ndarray, float]]:
    """Where cameras stand, `(3,)` in map, and where they look [rad]: on lanes all over the town, near and high."""
    network = town().scene.network
    random = np.random.default_rng(seed)
    found = []
    for link in random.choice(network.link_count, PLACES, replace=False).tolist():
        points = network.points_of(link)
        here = int(random.integers(0, len(points) - 1))
        ahead = points[here + 1] - points[here]
        height = float(random.choice((0.5, 1.4, 6.0)))
        found.append((points[here] + (0.0, 0.0, height), float(np.arctan2(ahead[1], ahead[0]))))
    return found


@pytest.mark.parametrize("seed", [1])
def test_a_camera_that_moves_by_a_millimetre_sees_the_same_things(seed):
    made, noise = town(), Noise(1)
    now = step(made.scene, made.first, population(made.scene, made.first, noise, 60, 40), noise)
    view, light = shared_scene(made).update(now), light_of(now.environment)
    lens = camera(320, 240)
    changed = []
    for place, yaw in street_places(seed):
        shots = [
            lens.shoot(view, place + np.array(shift) * STEP, turn(yaw, 0.1), light)
            for shift in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
        ]
        for other in shots[1:]:
            same = (other.semantic == shots[0].semantic) & (other.instance == shots[0].instance)
            near = shots[0].depth < 60.0
            changed.append((~same & near).sum() / max(near.sum(), 1))
    assert np.mean(changed) < 0.2 * MAX_CHANGED
    assert max(changed) < MAX_CHANGED


def test_surfaces_in_one_plane_would_be_found():
    """The measure sees what it is to see: a plate in the plane of the ground, of another class."""

    def share(lift: float) -> float:
        corners = [(3.0, -5.0, 0.031), (20.0, -5.0, 0.173), (20.0, 5.0, 0.173), (3.0, 5.0, 0.031)]
        slope = quad_mesh(corners, Material.GRASS)
        plate = quad_mesh([(x, y, z + lift) for x, y, z in corners[1:] + corners[:1]], Material.ASPHALT)
        view = view_of(Mesh.joined((plane(-1.0), slope, plate)))
        one, other = (
            camera(320, 240).shoot(view, np.array((0.0, 0.0, 1.4 + dz)), turn(0.0, 0.1), NOON) for dz in (0.0, STEP)
        )
        return float((one.semantic != other.semantic).mean())

    assert share(0.02) < MAX_CHANGED < share(0.0)
