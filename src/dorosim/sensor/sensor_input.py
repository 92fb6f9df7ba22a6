"""What a sensor is given to read from, and what it must be able to do.

A kind of sensor is a module with a function that makes one of its kind from a mount (`sensor/kind.py`). What it
makes may keep buffers and tables, but nothing that readings depend on: whatever was read before, the same input gives
the same reading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from dorosim.ground.noise import Noise
from dorosim.sensor.pool import Pool
from dorosim.sensor.pose import BodyMotion, Pose
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.sensor.reading import Reading
    from dorosim.sensor.scene.instance import View


@dataclass(frozen=True, slots=True, eq=False)
class SensorInput:
    """What one sensor reads from at one moment.

    Attributes:
        scene: what does not change.
        before, now: the last two snapshots; the same at the start.
        mount: the sensor, with its settings and what its slow errors remember.
        body_from_sensor: where it hangs, with its faults.
        motion: the body's motion now. motion_before: that at `before`.
        view: returns the geometry at `now`; what does not ask for it costs nothing.
        noise: the run's randomness; streams begin with "sensor/<number>/".
        pool: threads for what can be split.
        view_at: returns the geometry at a share of the way from `before` (0) to `now` (1), in the arrays that `view`
            has given: a sensor that asks for it asks for the share 1 in the end. None where only `now` can be seen.
    """

    scene: Scene
    before: Snapshot
    now: Snapshot
    mount: Mount
    body_from_sensor: Pose
    motion: BodyMotion
    motion_before: BodyMotion
    view: Callable[[], View]
    noise: Noise
    pool: Pool
    view_at: Callable[[float], View] | None = None

    @property
    def map_from_sensor(self) -> Pose:
        """The sensor's pose now."""
        return self.motion.pose @ self.body_from_sensor

    @property
    def own(self) -> int:
        """The number of the vehicle that carries the sensor, by which rays pass through it."""
        return self.now.number.number_of(self.mount.actor)


class SceneGeometry(Protocol):
    """The geometry of a run: `sensor.scene.view.SensorScene`."""

    def update(self, now: Snapshot) -> View:
        """The geometry at a snapshot."""
        ...

    def between(self, before: Snapshot, now: Snapshot, share: float) -> View:
        """The geometry at a share of the way from one snapshot (0) to the next (1)."""
        ...


class Sensor(Protocol):
    """One sensor of a rig."""

    def read(self, inputs: SensorInput) -> Reading:
        """Returns the reading. Called at each tick in which a reading is due; of a spinning sensor at every tick."""
        ...


class ReadingWork(Protocol):
    """A reading that is being made, in parts that threads share among them.

    Attributes:
        parts: how many there are, one or more.
    """

    parts: int

    def part(self, number: int) -> None:
        """Do one part, of 0 to `parts - 1`; in any order, on any thread."""

    def reading(self) -> Reading:
        """The reading, once all parts are done."""
        ...


@runtime_checkable
class Shared(Protocol):
    """A sensor whose readings are made in parts.

    Those of several sensors are done at once, so that no thread waits for the last part of each.
    """

    def begin(self, inputs: SensorInput) -> ReadingWork:
        """Begin a reading; what `read` gives, when all parts are done."""
        ...


@runtime_checkable
class Spinning(Protocol):
    """A sensor that reads in slices, and can make a whole turn at once."""

    def read(self, inputs: SensorInput) -> Reading:
        """The slice of a tick."""
        ...

    def read_turn(self, inputs: SensorInput) -> Reading:
        """A whole turn up to now."""
        ...


SensorMaker = Callable[[Mount, Scene], Sensor]
"""Makes a sensor from its mount; called anew when its settings change."""
