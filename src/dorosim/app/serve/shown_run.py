"""What the process of the page is given of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dorosim.app.run.build import Build
    from dorosim.app.store.map import MapFiles
    from dorosim.bridge.view.storyboard import StoryboardGuide
    from dorosim.recording.storyboard import KeptStoryboard
    from dorosim.world.scene import Scene


class GivenRun(NamedTuple):
    """A run, as its page is told of it.

    Attributes:
        map_files: its map. scene: what does not change in it, without the engine of its storyboard: the page makes its
            own of the files, beside the run. scenery_seed: of its scenery.
        storyboard: the scenario that is played, None for none.
    """

    map_files: MapFiles
    scene: Scene
    scenery_seed: int
    storyboard: KeptStoryboard | None = None


def given_run(ready: Build, scene: Scene) -> GivenRun:
    """What the page is given of a run with a scene."""
    return GivenRun(ready.map_files, replace(scene, storyboard=None), ready.scenery_seed, ready.storyboard)


def told_elements(scene: Scene) -> Sequence[str]:
    """What the elements of a run's storyboard are called (`dorosim.bridge.view.storyboard.element_texts`)."""
    if scene.storyboard is None:  # most runs import nothing of scenarios for it
        return ()
    from dorosim.bridge.view.storyboard import element_texts

    return element_texts(scene)


class GuideCache:
    """The guide to the storyboard that was shown last: a run that goes on from an earlier moment has the same."""

    def __init__(self) -> None:
        self._given: tuple[KeptStoryboard, str] | None = None
        self._guide: StoryboardGuide | None = None

    def get(self, kept: KeptStoryboard, map_files: MapFiles) -> StoryboardGuide:
        """The guide to the storyboard of a scenario on a map.

        Raises:
            InputError: the scenario cannot be read.
        """
        given = kept, map_files.digest
        if self._guide is None or self._given != given:
            from dorosim.app.run.storyboard_build import engine_of
            from dorosim.bridge.view.storyboard import StoryboardGuide

            self._guide, self._given = StoryboardGuide(engine_of(kept, map_files), kept.source), given
        return self._guide
