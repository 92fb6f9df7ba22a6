"""The time of the simulation, for nodes that take theirs from /clock (ROS wiki, "Clock")."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.ros.topic import Published, RosSituation


def _clock(to: RosSituation) -> Any:
    registry = to.form.registry
    return registry.make("rosgraph_msgs/Clock", clock=registry.time(to.form.epoch + to.at.now.time))


PUBLISHED = (Published(key="clock", topic="/clock", type="rosgraph_msgs/Clock", make=_clock, rate_hz=0.0, on=False),)
