"""Small scenes for tests of sensors."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dorosim.ground.mesh import Mesh, box_mesh, quad_mesh
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.instance import Placement, View
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.static.signal import SignalLamps
from dorosim.sensor.scene.view import SensorScene


def plane(height: float = 0.0, half: float = 200.0, material: int = Material.ASPHALT) -> Mesh:
    """A level square about the map's origin."""
    corners = [(-half, -half, height), (half, -half, height), (half, half, height), (-half, half, height)]
    return quad_mesh(corners, material)


def box(half_size: Sequence[float], centre: Sequence[float] = (0.0, 0.0, 0.0), material: int = Material.PAINT) -> Mesh:
    """A box along the axes."""
    return box_mesh(half_size, material, centre)


def pose(x: float, y: float, z: float, yaw: float = 0.0, scale: Sequence[float] = (1.0, 1.0, 1.0)) -> np.ndarray:
    """`(3, 4)` map-from-model of a body that stands upright."""
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)]) * np.asarray(scale)
    return np.column_stack((turn, (x, y, z)))


def instances(poses: Sequence[np.ndarray], model: Sequence[int] | None = None, label: int = 15) -> Placement:
    """Actors 1, 2, ... at poses `(3, 4)`; all of model 0 unless told otherwise."""
    placement = Placement.zeros(len(poses))
    if len(poses):
        placement.pose[:] = np.array(poses)
    placement.actor[:] = np.arange(1, len(poses) + 1)
    placement.label[:] = label
    if model is not None:
        placement.model[:] = model
    return placement


def scene_of(static: Mesh, models: Sequence[Mesh] = (), poses: Sequence[np.ndarray] = ()) -> tuple[SensorScene, View]:
    """A scene with one instance of model 0 at each pose, and its view."""
    scene = SensorScene.from_meshes(static, models)
    return scene, scene.place(instances(poses))


def sphere_mesh(radius: float, material: int, rings: int = 32, centre: ArrayLike = (0.0, 0.0, 0.0)) -> Mesh:
    """A sphere of `rings` rings of `2 * rings` corners; the chord error is about radius * (pi / rings)**2 / 4.

    Args:
        radius: [m].
        material: of all faces.
        rings: from pole to pole.
        centre: `(3,)` [m].
    """
    around = 2 * rings
    polar = np.linspace(0.0, np.pi, rings + 1)[:, None]
    turn = np.linspace(0.0, 2 * np.pi, around, endpoint=False)[None, :]
    x, y = np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn)
    points = np.stack((x, y, np.broadcast_to(np.cos(polar), x.shape)), axis=-1).reshape(-1, 3)
    ring, step = (part.ravel() for part in np.meshgrid(np.arange(rings), np.arange(around), indexing="ij"))
    a, b = ring * around + step, ring * around + (step + 1) % around
    upper = np.column_stack((a, a + around, b + around))[ring < rings - 1]
    lower = np.column_stack((a, b + around, b))[ring > 0]
    upper = np.concatenate((upper, np.column_stack((a, a + around, b))[ring == rings - 1]))
    return Mesh.of(points * radius + np.asarray(centre), np.concatenate((upper, lower)), material)


NO_LIGHTS = SignalLamps(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3)))


def cast_down(view, points, above):
    start = np.add(points, (0.0, 0.0, above))
    return start, *cast_rays(view, start, np.tile((0.0, 0.0, -1.0), (len(start), 1)), np.full(len(start), 60.0), 0)
