"""The scenery of the town and of the real maps."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dorosim.app.run.build import Build, build
from dorosim.app.setting.settings import Settings
from tests.road.real_map import SUBURB, TRACK, real_folder

MAPS = ("town", SUBURB, TRACK)


@cache
def built(name: str) -> Build:
    """A run on a map; the test is skipped where the map is not here."""
    return build(Settings(map=name if name == "town" else str(real_folder(name))), Path())
