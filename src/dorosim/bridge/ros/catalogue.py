"""Every topic and service; rows stand in tables by domain."""

from __future__ import annotations

from dorosim.bridge.ros import clock, receive, status
from dorosim.bridge.ros.topic import Provided, Published, Subscribed

PUBLISHED: tuple[Published, ...] = (*status.PUBLISHED, *clock.PUBLISHED)
"""Topics from the simulator; those of sensors depend on which there are (dorosim.bridge.ros.sensor)."""
SUBSCRIBED: tuple[Subscribed, ...] = (*receive.SUBSCRIBED,)
"""Topics to the simulator."""
PROVIDED: tuple[Provided, ...] = ()
"""Services."""
