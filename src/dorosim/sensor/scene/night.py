"""The lamps that stand: which of them burn at what hour, and what they light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.embree_scene import EmbreeScene
from dorosim.sensor.scene.light_source import (
    STREET_LUMINAIRE,
    WINDOW_LUMINAIRE,
    ModelLamps,
    SourceTable,
    fixed_sources,
    signal_sources,
)
from dorosim.sensor.scene.lit_window import HOURS, is_dark, lit_at, window_places
from dorosim.sensor.scene.material import AT_NIGHT, FIRST_SIGNAL
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.world.environment.weather import EnvironmentState
from dorosim.world.signal.state import LightState

_BEFORE_LENS: Final = 0.05


class NightLight:
    """What burns in the dark.

    Args:
        static: the static world.
        models: of the actors.
        stage: the scene, whose materials begin and cease to shine.

    Attributes:
        lamps: of the models.
    """

    def __init__(self, static: StaticWorld, models: Sequence[Mesh], stage: EmbreeScene) -> None:
        self._static, self._materials, self._origin = static, stage.materials, stage.origin
        self.lamps = ModelLamps(models)
        self._bright = self._materials.emission[list(AT_NIGHT)].copy()
        self._materials.emission[list(AT_NIGHT)] = 0.0
        self._standing: SourceTable | None = None
        self._windows: dict[int, SourceTable] = {}
        self._lenses: tuple[np.ndarray, np.ndarray] | None = None
        self._shown: tuple[bytes, LightState] | None = None
        self._table: SourceTable | None = None

    def fixed_light(self, environment: EnvironmentState, lights: LightState) -> SourceTable | None:
        """The sources that stand and burn; None by day. Materials of lamps and windows shine accordingly."""
        dark = is_dark(environment)
        lit = lit_at(float(environment.sun_time[0]) / 3600.0) if dark else np.zeros(0, np.uint16)
        if self._shown is not None and self._shown[0] == bytes((dark,)) + lit.tobytes() and self._shown[1] is lights:
            return self._table
        shining = np.isin(AT_NIGHT, lit) | (np.array(AT_NIGHT) == AT_NIGHT[0]) & dark
        self._materials.emission[list(AT_NIGHT)] = np.where(shining[:, None], self._bright, 0.0)
        self._table = self._sources(lit, lights) if dark else None
        self._shown = bytes((dark,)) + lit.tobytes(), lights
        return self._table

    def _sources(self, lit: np.ndarray, lights: LightState) -> SourceTable:
        static = self._static
        if self._standing is None:
            down = np.tile((0.0, 0.0, -1.0), (len(static.street_lamp), 1))
            self._standing = fixed_sources(static.street_lamp - self._origin, down, STREET_LUMINAIRE)
            for kind in HOURS:
                place, normal = window_places(static.mesh, kind)
                self._windows[int(kind)] = fixed_sources(place - self._origin, normal, WINDOW_LUMINAIRE)
            self._lenses = _lens_places(static)
        assert self._lenses is not None
        place, forward = self._lenses
        status = lights.status[static.signal.light]
        burns = (status > 0) & ((status & static.signal.lamp) != 0)
        signals = signal_sources(place[burns] - self._origin, forward[burns], static.signal.emission[burns])
        return np.concatenate((self._standing, signals, *(self._windows[int(kind)] for kind in lit)))


def _lens_places(static: StaticWorld) -> tuple[np.ndarray, np.ndarray]:
    """Places `(K, 3)` before the lenses of traffic lights in map [m], and their directions `(K, 3)`."""
    mesh, count = static.mesh, len(static.signal.light)
    place, forward = np.zeros((count, 3)), np.zeros((count, 3))
    of_lens = np.flatnonzero(mesh.material >= FIRST_SIGNAL)
    lens = mesh.material[of_lens].astype(np.int64) - FIRST_SIGNAL
    faces = mesh.faces[of_lens]
    for number in range(count):
        own = faces[lens == number]
        if not len(own):
            continue
        # a lens bulges to the front, and all its triangles begin at the foremost corner
        apex, rim = mesh.vertices[own[0, 0]], mesh.vertices[own[:, 1]].mean(axis=0)
        out = (apex - rim) / max(float(np.linalg.norm(apex - rim)), 1e-9)
        place[number], forward[number] = apex + _BEFORE_LENS * out, out
    return place, forward
