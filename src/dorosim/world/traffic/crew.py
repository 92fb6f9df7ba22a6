"""The crew of the traffic: threads that take parts of a step of many vehicles, where the program has such threads.

The world begins no threads. It asks for them once there are many vehicles; who runs it may give some
(`dorosim.endpoint.traffic_threads`). Results are the same without.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.crew_kernel import CrewWord
from dorosim.world.traffic.traffic_job_kernel import JobWord
from dorosim.world.traffic.traffic_kernel import MANY_VEHICLES

BLOCK: IntArray = np.zeros(int(JobWord.END), np.int64)
"""The block of the crew, which every step of traffic of this process shares; see `dorosim.ground.crew_kernel`.

The scratch of decisions is on a shelf in it (`dorosim.ground.shelf_kernel`), for steps of few vehicles, too."""

BLOCK[JobWord.FEWEST] = MANY_VEHICLES
_ADDRESS = BLOCK.ctypes.data


class CrewCall:
    """What is called when a step has many vehicles and the crew no threads; nothing by default.

    Attributes:
        begin: begins the threads of the crew, whose block is `BLOCK`.
    """

    begin: Callable[[], None] | None = None


def crew_for(vehicles: int) -> int:
    """The address of the block of the crew, for a step of so many vehicles."""
    if vehicles >= BLOCK[JobWord.FEWEST] and BLOCK[CrewWord.WORKERS] == 0 and CrewCall.begin is not None:
        CrewCall.begin()
    return _ADDRESS
