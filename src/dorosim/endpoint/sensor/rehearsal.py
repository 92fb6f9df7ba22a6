"""How fast a run will be with its sensors, measured before it begins: each of them reads a few times.

It is measured, not computed: the cost of a picture depends on the map, on where the camera looks, on the processor and
on what else the machine does. The sensors read one after the other, as they do on the reading thread, with the same
helpers; their packets are made as well. The time of each and its rate give how long a simulated second takes. It
changes neither the world nor the sensors.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import NamedTuple

from dorosim.bridge.sensor.kind import packets_of
from dorosim.bridge.sensor.packet import Packer
from dorosim.sensor.kind import DESCRIPTORS
from dorosim.sensor.rig import Rig
from dorosim.world.command import Command
from dorosim.world.mount.effect import mounts_after
from dorosim.world.mount.state import Mount, Mounts
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

ROUNDS = 4
"""How often each sensor reads, as long as there is time."""
MAX_REHEARSAL_TIME = 1.0
"""Wall time after which a sensor reads only if no sensor with the same settings has read yet [s]."""
_SLOW = 0.97
"""Share of the wanted pace below which a run is slow."""
WILL_BE_SLOW = (
    "the sensors are more than this machine can do: the run will reach about {:.2f} x real time, as each of them was "
    "read a few times; fewer pixels, lower rates or a lower --speed help"
)


class Cost(NamedTuple):
    """The cost of a reading: wall time of the thread that reads, and processor time of its packets [s]."""

    read: float
    pack: float


@dataclass(slots=True)
class _Samples:
    """Costs of the readings of sensors with the same settings."""

    costs: dict[int, list[Cost]] = field(default_factory=dict)

    def add(self, sensor: int, cost: Cost) -> None:
        self.costs.setdefault(sensor, []).append(cost)

    def median(self, sensor: int) -> Cost:
        """The median of a sensor's costs, or of all costs where it has none; it ignores what a first picture adds."""
        own = self.costs.get(sensor) or [cost for costs in self.costs.values() for cost in costs]
        return Cost(*(median(parts) for parts in zip(*own, strict=True)))


def mounted(now: Snapshot, scene: Scene, commands: Sequence[Command]) -> tuple[Snapshot, Snapshot]:
    """A snapshot with the sensors that commands add and remove, and the same a tick later."""
    mounts = mounts_after(now.mounts, commands, now.time)
    return replace(now, mounts=mounts), replace(now, mounts=mounts, time=now.time + scene.tick)


def pace_within_reach(
    rig: Rig, packer: Packer, begin: tuple[Snapshot, Snapshot], tick: int, *, cores: int, threads: int
) -> float:
    """Simulated over wall time that a run can reach with its sensors.

    Args:
        rig: reads them in the run; it is ready.
        packer: makes their packets.
        begin: two snapshots that the run may begin with, one tick apart.
        tick: of the run [ns].
        cores: processors that this process may use.
        threads: how many share the work of a reading.
    """
    before, now = begin
    costs = _costs(rig, packer, before, now)
    read = sum(costs[mount.id].read * _rate(mount, tick) for mount in _enabled(now.mounts))
    pack = sum(costs[mount.id].pack * _rate(mount, tick) for mount in _enabled(now.mounts))
    # the thread that reads takes so long; and all processors together have so much to do
    second = max(read, (read * min(threads, cores) + pack) / cores)
    return 1.0 / second if second > 0.0 else float("inf")


def slow_notice(pace: float, wanted: float | None) -> str:
    """The notice for a pace within reach; "" where it is as wanted, or where no pace is wanted."""
    return WILL_BE_SLOW.format(pace) if wanted is not None and pace < _SLOW * wanted else ""


def _enabled(mounts: Mounts) -> list[Mount]:
    return [mount for mount in mounts.all() if mount.enabled]


def _rate(mount: Mount, tick: int) -> float:
    """Readings in a simulated second; a spinning sensor has one in every tick."""
    return 1e9 / (tick if DESCRIPTORS[mount.kind].spins else max(mount.period, tick))


def _costs(rig: Rig, packer: Packer, before: Snapshot, now: Snapshot) -> dict[int, Cost]:
    """What a reading of each sensor takes."""
    end = time.monotonic() + MAX_REHEARSAL_TIME
    mounts = _enabled(now.mounts)
    samples: dict[object, _Samples] = {}
    of: dict[int, _Samples] = {}
    for mount in mounts:
        of[mount.id] = samples.setdefault((mount.kind, mount.period, mount.settings), _Samples())
    for _ in range(ROUNDS):
        for mount in mounts:
            if not of[mount.id].costs or time.monotonic() < end:
                of[mount.id].add(mount.id, _cost(rig, packer, before, now, mount))
    return {mount.id: of[mount.id].median(mount.id) for mount in mounts}


def _cost(rig: Rig, packer: Packer, before: Snapshot, now: Snapshot, mount: Mount) -> Cost:
    """What one reading of a sensor takes."""
    start = time.perf_counter()
    readings = rig.read_now(before, now, (mount.id,), whole=False)
    middle = time.thread_time()
    read = time.perf_counter() - start
    for reading in readings:
        for _ in packets_of(packer, reading):
            pass
    return Cost(read, time.thread_time() - middle)
