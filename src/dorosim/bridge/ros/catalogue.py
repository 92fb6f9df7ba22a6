"""Every topic and service; rows stand in tables by domain."""

from __future__ import annotations

from dorosim.bridge.ros import receive, sim_proc, status, sync
from dorosim.bridge.ros.topic import Provided, Published, Subscribed

PUBLISHED: tuple[Published, ...] = (*status.PUBLISHED, *sim_proc.PUBLISHED, *sync.PUBLISHED)
"""Topics from the simulator; those of sensors depend on which there are (dorosim.bridge.ros.sensor)."""
SUBSCRIBED: tuple[Subscribed, ...] = (*receive.SUBSCRIBED,)
"""Topics to the simulator."""
PROVIDED: tuple[Provided, ...] = (*sim_proc.PROVIDED, *sync.PROVIDED)
"""Services."""
