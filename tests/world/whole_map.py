"""Scenes of whole maps, with all that stands on them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.world.scene import Scene
from tests.road.real_map import real_folder


@cache
def whole_map(name: str, tick_ms: float) -> Scene:
    """The built-in town ("town") or a real map."""
    return build(Settings(map=name if name == "town" else str(real_folder(name)), tick_ms=tick_ms), Path()).scene
