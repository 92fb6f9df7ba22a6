"""What sensors need of a machine. Notices where that is far too much come before the run is slow or the memory full."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from dorosim.ground.cores import usable_cores
from dorosim.world.mount.setting import CameraSettings, Lidar3dSettings, LidarModel
from dorosim.world.mount.state import Mounts

RAY = 40e-9
"""Processor time of a ray of a camera, with its share of the JPEG [s]: 27 pictures of 1280 x 720 a second and core."""
SHOT = 200e-9
"""The same of a shot of a spinning lidar [s]."""
SHOTS = {LidarModel.VLP_16: 300_000, LidarModel.HDL_32E: 695_000, LidarModel.HDL_64E: 1_333_000}
"""Shots a second."""
RAY_BYTES, PIXEL_BYTES = 8, 8
"""What a camera keeps of each ray, and holds of each pixel while it reads and sends a picture."""
SLOWEST = 0.1
"""Share of real time below which there is a notice about a set of sensors."""
FULLEST = 0.5
"""Share of the free memory above which there is such a notice."""


class Need(NamedTuple):
    """What sensors need.

    Attributes:
        memory: [bytes]. cores: processor cores for real time.
    """

    memory: int
    cores: float


def need_of(mounts: Mounts) -> Need:
    """What sensors need, as far as cameras and spinning lidars do; all others need next to nothing."""
    memory, cores = 0, 0.0
    for mount in mounts.all():
        settings = mount.settings
        if isinstance(settings, CameraSettings):
            pixels = settings.width * settings.height
            memory += pixels * (settings.samples * RAY_BYTES + PIXEL_BYTES)
            cores += pixels * settings.samples * RAY * 1e9 / mount.period
        elif isinstance(settings, Lidar3dSettings):
            cores += SHOTS[settings.model] * SHOT
    return Need(memory, cores)


def need_notices(need: Need, cores: int | None = None, free: int | None = None) -> tuple[str, ...]:
    """A line where sensors need absurdly much, none else.

    Args:
        need: of them.
        cores: that there are; those of this machine if it is not given.
        free: memory [bytes]; that of this machine if it is not given, and 0 where it is not known.
    """
    cores = usable_cores() if cores is None else cores
    free = _free_memory() if free is None else free
    share = cores / need.cores if need.cores else 1.0
    if share >= SLOWEST and (not free or need.memory <= FULLEST * free):
        return ()
    there = f" ({free / 1e9:.1f} GB are free)" if free else ""
    memory = f"about {need.memory / 1e9:.1f} GB of memory{there}"
    pace = f"{cores} are there, so the run goes at {min(share, 1.0):.2g} of real time"
    time = f"about {need.cores:,.1f} processor cores for real time ({pace})"
    return (f"sensors need {memory} and {time}; fewer or smaller ones, or a lower rate_hz, need less",)


def _free_memory() -> int:
    """Memory that programs can have [bytes], 0 where the system does not show it."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(r"^MemAvailable:\s+(\d+) kB$", text, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0
