"""Topics that users publish, to commands (documents/ros-messages-ko.txt; facts/ros-grpc-mgeo.md, 1.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dorosim.bridge.answer import Answer
from dorosim.bridge.drive import Drive, drive
from dorosim.bridge.ros.topic import RosSituation, Subscribed
from dorosim.world.snapshot import EGO

KMH = 1 / 3.6


def _drive(message: Any, to: RosSituation) -> Iterable[Answer]:
    """Steering is the front wheels' angle in radians, left positive; gear and mode stay as they are."""
    order = Drive(
        kind=message.longlCmdType,
        accelerator=message.accel,
        brake=message.brake,
        steer=message.steering if hasattr(message, "steering") else message.front_steer,
        velocity=message.velocity * KMH,
        acceleration=message.acceleration,
    )
    return (drive(to.at.now, EGO, "Ego", order),)


SUBSCRIBED = (Subscribed(key="ctrl_cmd", topic="/ctrl_cmd", type="morai_msgs/CtrlCmd", meaning=_drive, module=771),)
