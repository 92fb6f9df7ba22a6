"""The header of the files that a run leaves behind."""

from __future__ import annotations

from pathlib import Path

from dorosim import __version__
from dorosim.app.run.build import Build
from dorosim.app.setting.settings import Settings
from dorosim.app.store.map import BUILT_IN, EMPTY
from dorosim.recording.format import RunHeader
from dorosim.world.physics import PHYSICS_VERSION


def run_header(ready: Build, settings: Settings, revision: str, epoch: int) -> RunHeader:
    """The header of the files of a run.

    Args:
        ready: the run.
        settings: of it: map, seed, world.
        revision: of UDP.
        epoch: wall time of tick 0 in stamps [ns since 1970].
    """
    named = settings.map in (*BUILT_IN, EMPTY)
    return RunHeader(
        version=__version__,
        map_name=settings.map if named else str(Path(ready.map_files.source).resolve()),
        map_digest=ready.map_files.digest,
        seed=settings.seed,
        tick=ready.scene.tick,
        epoch=epoch,
        egos=ready.egos,
        revision=revision,
        physics=PHYSICS_VERSION,
        scenery=ready.scene.scenery.digest,
        scenery_seed=settings.world.scenery_seed,
        solid=settings.world.solid,
        storyboard=ready.storyboard,
    )
