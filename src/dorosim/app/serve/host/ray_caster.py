"""What can be seen in a run now, for interfaces that ask: one sensor's look, and rays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dorosim.endpoint.loop.fair_lock import FairLock
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.bridge.sensor.ray import Ray, RayCaster
    from dorosim.endpoint.sensor.station import SensorStation
    from dorosim.sensor.ray import RayHit
    from dorosim.sensor.reading import Reading
    from dorosim.sensor.sensor_input import SceneGeometry

RAY_TIMEOUT_S = 10.0
"""Wall time that rays may wait for others [s]."""


class HostRayCaster:
    """Sees for interfaces; safe from any thread.

    Rays have a geometry of their own, so that they and the sensors do not wait for each other. It is made when
    the first ray is cast.

    Args:
        station: the sensors of the run.
        stage: makes a geometry.
    """

    def __init__(self, station: Callable[[], SensorStation], stage: Callable[[], SceneGeometry]) -> None:
        self._station = station
        self._stage = stage
        self._caster: RayCaster | None = None
        self._fair_lock = FairLock()

    def look(self, sensor: int) -> Reading | None:
        """What a sensor sees at the last snapshot; None if it is not there, or sees nothing.

        Raises:
            InputError: it cannot be made.
            BusyError: others read for too long.
        """
        return self._station().look(sensor)

    def cast(self, now: Snapshot, rays: Sequence[Ray]) -> list[RayHit | None]:
        """What rays meet in the world of a snapshot.

        Raises:
            InputError: a ray is none, or there is no geometry.
            BusyError: others cast for too long.
        """
        with self._fair_lock.passing(RAY_TIMEOUT_S):
            if self._caster is None:
                from dorosim.bridge.sensor.ray import RayCaster

                self._caster = RayCaster(self._stage)
            return self._caster.cast(now, rays)
