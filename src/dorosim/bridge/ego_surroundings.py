"""The lane under an ego vehicle and the light that it faces, as several status messages of a snapshot report them."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.bridge.lane import Lane, lane_under
from dorosim.bridge.light import FacedLight, LightFinder
from dorosim.bridge.snapshot_cache import SnapshotCache
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot


@dataclass(frozen=True, slots=True)
class Around:
    """What is around an ego vehicle in one snapshot.

    Attributes:
        lane: under the body origin. light: that it faces, None for none.
    """

    lane: Lane
    light: FacedLight | None


class EgoSurroundings:
    """Looks around ego vehicles, once a snapshot each; safe to use from any thread.

    Args:
        scene: the map.
        lights: finds the lights of it.
    """

    def __init__(self, scene: Scene, lights: LightFinder) -> None:
        self._network, self._lights = scene.network, lights
        self._kept: SnapshotCache[Around] = SnapshotCache()

    def at(self, now: Snapshot, ego: int = EGO) -> Around:
        """What is around an ego vehicle."""
        return self._kept.get(now, ego, lambda: self._look(now, ego))

    def _look(self, now: Snapshot, ego: int) -> Around:
        row = now.row_of(ego)
        lane = lane_under(self._network, now.vehicle, row)
        x, y, yaw = now.vehicle.x[row], now.vehicle.y[row], now.vehicle.yaw[row]
        return Around(lane, self._lights.faced(lane, float(x), float(y), float(yaw)))
