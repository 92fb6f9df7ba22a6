"""What rays and moving actors cost: the floors of all sensors, on one core."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.app.store.scene import sensor_scene
from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.sensor.scene.bare_kernel import cast_bare
from dorosim.sensor.scene.standard import ACTORS, TRIANGLES, StandardScene
from dorosim.world.step import step
from tools.bench.figure import Figure, least_seconds, seconds_of

UPDATE_TARGET = 0.3
"""Milliseconds for the update of 100 actors."""
_SNAPSHOTS = 20
_FAR = 200.0
_EYE = np.array((3.0, -3.0, 1.8), np.float32)
_SUN = np.array((0.4, 0.3, 0.866), np.float32)
_NO_SUN = np.zeros(3, np.float32)


def figures() -> Iterator[Figure]:
    """Rays a second of a lidar's and of a camera's order, and the cost of moving actors."""
    made = StandardScene()
    view = made.scene.place(made.placement(0.0))
    origin = (_EYE - view.origin).astype(np.float32)
    scene = f"{TRIANGLES:,} static triangles, {ACTORS} moving actors"
    orders = (
        ("lidar of 16 lasers", view.scattered, lidar_directions(16, 1800), _NO_SUN, 1),
        ("camera 640x480", view.arguments, camera_directions(640, 480), _NO_SUN, 1),
        ("camera 640x480 with shadow", view.arguments, camera_directions(640, 480), _SUN, 2),
    )
    for name, arguments, direction, sun, rays in orders:
        distance = np.empty(len(direction), np.float32)
        seconds = seconds_of(
            partial(cast_bare, view.static, view.top, arguments, origin, direction, _FAR, sun, distance)
        )
        rate = rays * len(direction) / seconds / 1e6
        hits = float(np.isfinite(distance).mean())
        detail = f"{seconds * 1e3:.2f} ms for {len(direction):,} pixels or points, {hits:.0%} hit; {scene}"
        yield Figure(f"bare Embree, {name}", rate, "M rays/s", detail=detail)
    clock = iter(range(1 << 60))
    seconds = seconds_of(lambda: made.scene.place(made.placement(0.01 * next(clock))))
    yield Figure("placing of 100 actors", seconds * 1e3, "ms", UPDATE_TARGET, at_most=True, detail=scene)
    yield _update_figure()


def _update_figure() -> Figure:
    """What it costs to bring the town up to a new Snapshot of 100 vehicles that drive in it."""
    with TemporaryDirectory() as folder:
        made = build(Settings(seed=1), Path(folder))
    noise = Noise(1)
    now = step(made.scene, made.first, population(made.scene, made.first, noise, ACTORS - 1, 0), noise)
    snapshots = [now := step(made.scene, now, (), noise) for _ in range(_SNAPSHOTS)]
    scene, turn = sensor_scene(made), cycle(snapshots)
    rows = len(scene.update(now).actor) - 1
    ours, _ = least_seconds(lambda: scene.update(next(turn)), lambda: None)
    detail = f"from a Snapshot of the town with {rows} actors"
    return Figure("update of 100 actors", ours * 1e3, "ms", UPDATE_TARGET, at_most=True, detail=detail)


def lidar_directions(lasers: int, columns: int) -> NDArray[np.float32]:
    """`(columns * lasers, 3)` unit vectors in firing order: all lasers of a column, then the next column."""
    turn = np.linspace(0.0, 2 * np.pi, columns, endpoint=False)[:, None]
    up = np.radians(np.linspace(-15.0, 15.0, lasers))[None, :]
    parts = np.cos(up) * np.cos(turn), -np.cos(up) * np.sin(turn), np.broadcast_to(np.sin(up), (columns, lasers))
    return np.stack(parts, axis=-1).reshape(-1, 3).astype(np.float32)


def camera_directions(width: int, height: int, field_deg: float = 90.0) -> NDArray[np.float32]:
    """`(width * height, 3)` unit vectors of pixels in rows, looking along x; 16 pixels of a row make a packet."""
    focal = 0.5 * width / np.tan(np.radians(0.5 * field_deg))
    u, v = np.meshgrid(0.5 * width - 0.5 - np.arange(width), 0.5 * height - 0.5 - np.arange(height))
    direction = np.stack((np.full(u.shape, focal), u, v), axis=-1).reshape(-1, 3)
    return np.asarray(direction / np.linalg.norm(direction, axis=1)[:, None], np.float32)
