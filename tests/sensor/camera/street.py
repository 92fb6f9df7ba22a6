"""A street of boxes for the camera, and the light on it."""

from __future__ import annotations

import numpy as np

from dorosim.ground.mesh import Mesh
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.environment.weather import DAY, first_environment
from tests.sensor.scene.build import box, instances, plane, pose


def street(seed: int, count: int = 40):
    """Boxes of all sizes, turned and stretched, some of whose models lie beside the origin of their frame."""
    random = np.random.default_rng(seed)
    models = [box((2.0, 0.9, 0.7), (0.0, 0.0, 0.8)), box((0.3, 0.3, 3.0), (1.5, -0.5, 3.0))]
    poses = [
        pose(*random.uniform(-40, 40, 2), random.uniform(0, 2), random.uniform(0, 6), random.uniform(0.3, 3.0, 3))  # type: ignore[call-arg]
        for _ in range(count)
    ]
    static = Mesh.joined((plane(), box((30.0, 0.2, 3.0), (20.0, -6.0, 3.0), Material.BRICK)))
    scene = SensorScene.from_meshes(static, models)
    return scene.place(instances(poses, [number % 2 for number in range(count)]))


def light_at(hour: float):
    """The light of a clear day."""
    state = first_environment()
    state.time_of_day[0] = state.sun_time[0] = hour / 24.0 * DAY
    return light_of(state)
