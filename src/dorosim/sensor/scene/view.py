"""The scene that sensors look at, kept up with the Snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.actor.catalogue import ActorModels, actor_models
from dorosim.sensor.scene.displaced import DisplacedObjects
from dorosim.sensor.scene.embree_scene import EmbreeScene
from dorosim.sensor.scene.instance import Placement, View
from dorosim.sensor.scene.material import FIRST_SIGNAL, MaterialTable
from dorosim.sensor.scene.night import NightLight
from dorosim.sensor.scene.placement import ActorPlacement, moved_back
from dorosim.sensor.scene.static.signal import SignalLamps
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.world.scene import Scene
from dorosim.world.signal.state import LightState
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.visibility import HiddenFrom


class SensorScene:
    """The static world and all actors in Embree; one for all sensors of a run."""

    def __init__(
        self,
        stage: EmbreeScene,
        actors: ActorPlacement | None = None,
        static: StaticWorld | None = None,
        loose: DisplacedObjects | None = None,
        models: Sequence[Mesh] = (),
    ) -> None:
        self._stage, self._actors, self._static = stage, actors, static
        self._lights: LightState | None = None
        self._loose = loose
        self._hidden: list[tuple[int, int]] = []
        self._night = NightLight(static, models, stage) if static is not None else None

    @classmethod
    def from_scene(cls, scene: Scene, static: StaticWorld, models: ActorModels | None = None) -> Self:
        """The scene of a run.

        Args:
            scene: what the run takes as given.
            static: what stands around its roads (`static.world.static_world_from_map`, or from the cache).
            models: of all actors (`actor.catalogue.actor_models`, or from the cache); None builds them.
        """
        models = models or actor_models(scene.models)
        materials = MaterialTable.standard(static.signal.materials())
        loose = DisplacedObjects(static, scene.scenery, len(models.meshes))
        bounds = np.array([mesh.bounds for mesh in loose.meshes]).reshape(-1, 2, 3)
        boxes = (
            np.concatenate((models.centre, bounds.mean(axis=1))),
            np.concatenate((models.half_size, 0.5 * (bounds[:, 1] - bounds[:, 0]))),
        )
        meshes = (*models.meshes, *loose.meshes)
        stage = EmbreeScene(static.mesh, meshes, materials, boxes)
        return cls(stage, ActorPlacement(scene, models, static.street_lamp), static, loose, meshes)

    def update(self, now: Snapshot, whom: HiddenFrom = HiddenFrom.SENSORS) -> View:
        """Put all actors where they are in a Snapshot, and let traffic lights show what they show there.

        The view before it is no longer valid. A scene made by `from_meshes` follows no Snapshot.

        Args:
            now: the snapshot.
            whom: who looks; what a storyboard hides from them is left out.
        """
        if self._actors is None or self._static is None or self._night is None:
            return self._stage.place(Placement.zeros(0))
        self._light(self._static.signal, now.signal.light)
        if self._loose is not None and (now.displaced.rows or self._hidden):
            self._hide(self._loose.faces(now.displaced))
        return self._shown(self._placement(self._actors, now, whom), now, self._night)

    def between(self, before: Snapshot, now: Snapshot, share: float) -> View:
        """The view of `now`, with actors at a share of their way from `before` (0) to `now` (1).

        They go straight on; a share below 0 or above 1 is beyond it. What only one of the snapshots has stands where it
        is `now`, as does what has moved farther than any vehicle drives in a tick. Lights show what they show `now`.
        """
        if share == 1.0 or self._actors is None or self._night is None:
            return self.update(now)
        placement, earlier = self._placement(self._actors, now), self._placement(self._actors, before)
        return self._shown(moved_back(placement, earlier, 1.0 - share), now, self._night)

    def _placement(self, actors: ActorPlacement, now: Snapshot, whom: HiddenFrom = HiddenFrom.SENSORS) -> Placement:
        placement = actors.of(now, whom)
        if self._loose is not None and now.displaced.rows:
            placement = self._loose.added(placement, now.displaced)
        return placement

    def _shown(self, placement: Placement, now: Snapshot, night: NightLight) -> View:
        """Put instances where they are, with the lamps that burn on them."""
        view = self._stage.place(placement)
        fixed = night.fixed_light(now.environment, now.signal.light)
        if fixed is None:
            return view
        return view._replace(fixed_light=fixed, moving_light=night.lamps.sources(placement, view.origin))

    def _hide(self, faces: list[tuple[int, int]]) -> None:
        """Leave out what has given way where it stood. That takes a moment, and is seldom."""
        if faces != self._hidden:
            self._stage.hide(faces)
            self._hidden = faces

    def _light(self, signal: SignalLamps, lights: LightState) -> None:
        """Let traffic lights show what they show; a Snapshot in which none changes shares its lights with the last."""
        if lights is self._lights or not len(signal.light):
            return
        now = lights.status[signal.light]
        lit = (now > 0) & ((now & signal.lamp) != 0)
        self._stage.materials.emission[FIRST_SIGNAL:] = np.where(lit[:, None], signal.emission, 0.0)
        self._lights = lights

    @classmethod
    def from_meshes(cls, static: Mesh, models: Sequence[Mesh] = (), materials: MaterialTable | None = None) -> Self:
        """A scene of meshes that stand for nothing, with the standard materials unless others are given."""
        return cls(EmbreeScene(static, models, materials or MaterialTable.standard()))

    def place(self, placement: Placement) -> View:
        """Put instances of the models where they are now: for scenes that follow no Snapshot."""
        return self._stage.place(placement)
