"""Cameras beside their bare rays and bare JPEG."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dorosim.endpoint.sensor.pool import ThreadPool
from dorosim.sensor.camera.camera import Camera, CameraPicture, jpeg_of
from dorosim.sensor.camera.light import SceneLight, light_of
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.scene.bare_kernel import cast_bare
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.standard import StandardScene
from dorosim.world.environment.weather import first_environment
from tools.bench import camera_town
from tools.bench.figure import Figure, least_seconds, seconds_of
from tools.bench.sensor import camera_directions

EYE = np.array((3.0, -3.0, 1.8))
"""On one of the streets, looking along it [m]."""
RAY_RANGE = 1e30
"""A camera sees as far as there is anything [m]."""
SIZES = ((640, 480, 50.0, 90.0), (1280, 720, 17.0, 30.0))
"""Width, height, and the frames a second that are promised on one core and on two."""
MAX_RATIO = 1.8
"""Time of a picture over that of its bare rays and bare JPEG."""
THREADS = 2


def figures() -> Iterator[Figure]:
    """Pictures with shadows, depth, classes, boxes and JPEG of the standard scene."""
    made = StandardScene()
    view = made.scene.place(made.placement(0.0))
    for width, height, one, two in SIZES:
        yield from _figures_of(view, CameraModel(width=width, height=height, **_ALL), one, two)
    yield from camera_town.figures()


_ALL: dict[str, Any] = {"depth": True, "semantic": True, "boxes": True}


def _figures_of(view: View, settings: CameraModel, one: float, two: float) -> Iterator[Figure]:
    light, camera = light_of(first_environment()), Camera(settings)

    def picture(pool: ThreadPool | None = None) -> CameraPicture:
        seen = camera.shoot(view, EYE, np.eye(3), light, pool=pool)
        assert seen.rgb is not None
        jpeg_of(seen.rgb, settings.quality)
        return seen

    seen = picture()
    rgb = seen.rgb
    assert rgb is not None
    ours, rays = least_seconds(picture, _floor(view, settings, light))
    jpeg = seconds_of(lambda: jpeg_of(rgb, settings.quality))
    pool = ThreadPool(THREADS)
    both = seconds_of(lambda: picture(pool), 1.0, 25)
    pool.close()
    name, scene = f"camera {settings.width}x{settings.height}", f"{len(view.material):,} triangles"
    yield Figure(f"{name}, one core", 1.0 / ours, "frames/s", one, detail=f"{ours * 1e3:.1f} ms; {scene}")
    yield Figure(f"{name}, two cores", 1.0 / both, "frames/s", two, detail=f"{both * 1e3:.1f} ms")
    parts = f"{ours * 1e3:.1f} ms, bare rays {rays * 1e3:.1f} ms, JPEG {jpeg * 1e3:.1f} ms"
    yield Figure(f"{name}, to bare rays and JPEG", ours / (rays + jpeg), "x", MAX_RATIO, at_most=True, detail=parts)


def _floor(view: View, settings: CameraModel, light: SceneLight) -> Callable[[], object]:
    """The rays of the same pixels, and one to the sun from each hit."""
    field_deg = float(np.degrees(settings.field_of_view))
    direction = camera_directions(settings.width, settings.height, field_deg)
    origin = (EYE - view.origin).astype(np.float32)
    distance = np.empty(len(direction), np.float32)
    return lambda: cast_bare(
        view.static, view.top, view.arguments, origin, direction, RAY_RANGE, light.toward_sun, distance
    )
