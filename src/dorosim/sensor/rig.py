"""All sensors of a run: reads those that are due after each tick.

A rig keeps what is dear to make (geometry, lenses, tables) and the readings that faults may still show. What it reads
is a function of the snapshots alone, but for faults of timing right after it was made, whose past it does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.sensor.fault import FaultFilter
from dorosim.sensor.kind import DESCRIPTORS, make_sensor
from dorosim.sensor.pool import Pool, SerialPool
from dorosim.sensor.pose import BodyMotion, hanging_pose, motion_of
from dorosim.sensor.reading import Reading
from dorosim.sensor.sensor_input import ReadingWork, SceneGeometry, Sensor, SensorInput, Shared, Spinning
from dorosim.world.mount.setting import AnySettings
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.visibility import as_seen_by

if TYPE_CHECKING:
    from dorosim.sensor.scene.instance import View


@dataclass(slots=True, eq=False)
class _Fitted:
    """A sensor that is made.

    Attributes:
        settings, since, period, actor: of its mount when it was made; another one means a new sensor.
        sensor: None where no sensor can be so.
        faults: the filter behind it.
    """

    settings: AnySettings
    since: int
    period: int
    actor: int
    sensor: Sensor | None
    faults: FaultFilter

    def fits(self, mount: Mount) -> bool:
        """Whether it is still the sensor of its mount."""
        same = (self.since, self.period, self.actor) == (mount.since, mount.period, mount.actor)
        return same and (self.settings is mount.settings or self.settings == mount.settings)


@dataclass(slots=True, eq=False)
class _Begun:
    """A reading, or one that is begun, and the sensor whose it is."""

    fitted: _Fitted
    made: Reading | ReadingWork


MAX_WAITING_PARTS = 64
"""Parts of readings that wait to be done together: four pictures, whose memory is there at a time."""


class Rig:
    """All sensors of a run.

    Args:
        scene: what does not change.
        noise: the run's randomness.
        stage: makes the geometry; called once, when a sensor first asks for it.
        pool: threads.

    Attributes:
        problems: sensors that cannot be made, one line each; code that reports them empties the list.
    """

    def __init__(
        self, scene: Scene, noise: Noise, stage: Callable[[], SceneGeometry], pool: Pool | None = None
    ) -> None:
        self._scene = scene
        self._noise = noise
        self._make_stage = stage
        self._pool = pool or SerialPool()
        self._stage: SceneGeometry | None = None
        self._fitted: dict[int, _Fitted] = {}
        self._last = -1
        self.problems: list[str] = []

    def read(self, before: Snapshot, now: Snapshot) -> list[Reading]:
        """What the sensors deliver that are due after `before` up to `now`, in ascending order of number.

        Times that go back, as after a reset, begin anew; while time stands, nothing is due.
        """
        if now.time < self._last:
            for fitted in self._fitted.values():
                fitted.faults.clear()
        self._last = now.time
        if not len(now.mounts):
            self._fitted.clear()
            return []
        if now.time <= before.time:
            return []
        mounts = now.mounts.all()
        self._let_go([mount.id for mount in mounts])
        due = [mount for mount in mounts if _is_due(mount, before.time, now.time)]
        return self._read_mounts(due, before, now, filtered=True, whole=False)

    def read_now(
        self, before: Snapshot, now: Snapshot, only: Collection[int] | None = None, *, whole: bool = True
    ) -> list[Reading]:
        """What every enabled sensor sees now, whether it is due or not, without faults of timing and data.

        Args:
            before: the snapshot before.
            now: the snapshot.
            only: numbers of those that look, None for all.
            whole: whether a spinning sensor gives a whole turn, else what falls into the tick.
        """
        numbers = now.mounts.table.id.tolist()
        self._let_go(numbers)
        rows = [row for row, number in enumerate(numbers) if only is None or number in only]
        mounts = [mount for mount in map(now.mounts.mount, rows) if mount.enabled]
        return self._read_mounts(mounts, before, now, filtered=False, whole=whole)

    def beside(self) -> Rig:
        """Another rig over the same geometry, which leaves no trace here. Only one of them may work at a time."""
        return Rig(self._scene, self._noise, self._geometry, self._pool)

    def _read_mounts(
        self, mounts: list[Mount], before: Snapshot, now: Snapshot, *, filtered: bool, whole: bool
    ) -> list[Reading]:
        view = self._view_at(now)
        motions: dict[int, tuple[BodyMotion, BodyMotion] | None] = {}
        found: list[Reading] = []
        begun: list[_Begun] = []
        parts = 0
        for mount in mounts:
            if mount.actor not in motions:
                motions[mount.actor] = _motions(before, now, mount.actor)
            motion = motions[mount.actor]
            if motion is None:
                continue
            fitted = self._of(mount)
            if fitted.sensor is None:
                continue
            seen = as_seen_by(now, (str(mount.id), mount.kind.name, f"{mount.kind.name} {mount.id}"))
            if seen is not now:
                # it sees another world than the others: their view ends here, and its own after it
                found += self._finish(begun, now, filtered=filtered)
                begun, parts, view = [], 0, self._view_at(seen)
            inputs = self._inputs(mount, before, seen, motion, view)
            made = _begin(fitted.sensor, inputs, whole=whole)
            begun.append(_Begun(fitted, made))
            parts += made.parts if not isinstance(made, Reading) else 0
            if parts >= MAX_WAITING_PARTS or seen is not now:
                found += self._finish(begun, now, filtered=filtered)
                begun, parts = [], 0
            if seen is not now:
                view = self._view_at(now)
        return found + self._finish(begun, now, filtered=filtered)

    def _inputs(
        self,
        mount: Mount,
        before: Snapshot,
        now: Snapshot,
        motion: tuple[BodyMotion, BodyMotion],
        view: Callable[[], View],
    ) -> SensorInput:
        """What a sensor reads from."""
        return SensorInput(
            scene=self._scene,
            before=before,
            now=now,
            mount=mount,
            body_from_sensor=hanging_pose(now, mount),
            motion_before=motion[0],
            motion=motion[1],
            view=view,
            noise=self._noise,
            pool=self._pool,
            view_at=lambda share: self._geometry().between(before, now, share),
        )

    def _finish(self, begun: list[_Begun], now: Snapshot, *, filtered: bool) -> list[Reading]:
        """Do all parts of what was begun, and pass the readings through their faults, in order."""
        parts = [
            (one.made, number) for one in begun if not isinstance(one.made, Reading) for number in range(one.made.parts)
        ]
        if parts:
            self._pool.map(_do, parts)
        found: list[Reading] = []
        for one in begun:
            reading: Reading | None = one.made if isinstance(one.made, Reading) else one.made.reading()
            if filtered and reading is not None:
                reading = one.fitted.faults.pass_on(now.fault, reading, now.time)
            if reading is not None:
                found.append(reading)
        return found

    @property
    def kept(self) -> int:
        """How many sensors are made, and readings kept for their faults: what a long run must not pile up."""
        return len(self._fitted) + sum(len(fitted.faults) for fitted in self._fitted.values())

    def _of(self, mount: Mount) -> _Fitted:
        """The sensor of a mount; made when it is read first, or is not what it was."""
        fitted = self._fitted.get(mount.id)
        if fitted is None or not fitted.fits(mount):
            turn = mount.period if DESCRIPTORS[mount.kind].spins else 0
            faults = FaultFilter(mount.actor, mount.id, turn)
            fitted = _Fitted(mount.settings, mount.since, mount.period, mount.actor, self._made(mount), faults)
            self._fitted[mount.id] = fitted
        return fitted

    def _made(self, mount: Mount) -> Sensor | None:
        """Returns the sensor of a mount; None where it cannot be made, and then adds a line to `problems`."""
        try:
            return make_sensor(mount, self._scene)
        except (InputError, ImportError) as error:
            self.problems.append(f"sensor {mount.id} ({mount.kind.name.lower().replace('_', ' ')}): {error}")
            return None

    def _let_go(self, numbers: Sequence[int]) -> None:
        """Forget sensors that were removed, all but those of some numbers."""
        there = set(numbers)
        if not self._fitted.keys() <= there:
            self._fitted = {number: fitted for number, fitted in self._fitted.items() if number in there}

    def _geometry(self) -> SceneGeometry:
        if self._stage is None:
            self._stage = self._make_stage()
        return self._stage

    def _view_at(self, now: Snapshot) -> Callable[[], View]:
        """The geometry at a snapshot, brought up to date when it is first asked for."""
        return cache(lambda: self._geometry().update(now))


def _begin(sensor: Sensor, inputs: SensorInput, *, whole: bool) -> Reading | ReadingWork:
    """A reading, or one that is begun; of a spinning sensor a slice, or a whole turn."""
    if isinstance(sensor, Shared):
        return sensor.begin(inputs)
    if whole and isinstance(sensor, Spinning):
        return sensor.read_turn(inputs)
    return sensor.read(inputs)


def _do(part: tuple[ReadingWork, int]) -> None:
    """Do one part of a work."""
    work, number = part
    work.part(number)


def _is_due(mount: Mount, before: int, now: int) -> bool:
    return mount.enabled if DESCRIPTORS[mount.kind].spins else mount.is_due(before, now)


def _motions(before: Snapshot, now: Snapshot, actor: int) -> tuple[BodyMotion, BodyMotion] | None:
    """A vehicle's motion before and now; None if it is not in the world. One that has just come was where it is."""
    motion = motion_of(now, actor)
    if motion is None:
        return None
    return motion_of(before, actor) or motion, motion
