"""What a cell of a sweep may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepLimits:
    """What a cell may take.

    Attributes:
        wall_s: wall time of a cell [s]. retries: how often one that breaks is run again.
        memory_mib: of a worker or stack with all that it starts. disk_mib: of a stack's folder.
        free_mib: room that has to be left on the disk, else the sweep pauses.
    """

    wall_s: float = 60.0
    retries: int = 1
    memory_mib: int = 4096
    disk_mib: int = 256
    free_mib: int = 64
