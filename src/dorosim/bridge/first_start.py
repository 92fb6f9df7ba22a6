"""What can be done at the very first start of all, while kernels are compiled; the same for the page, gRPC and ROS."""

from __future__ import annotations

from collections.abc import Iterable

from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Command
from dorosim.world.fault.command import SetControlFault, SetSensorFault
from dorosim.world.vehicle.command import DriveByKeyboard, LeaveKeyboard, TakeKeyboard

WHY = "kernels are compiled, once, up to a minute"
"""Why a command or message is not done yet."""
COMPILING = f"first start: {WHY}; ask again"
"""The error that a client or user gets for a request that comes while kernels are compiled."""
PLAIN = (PauseRun, TakeKeyboard, DriveByKeyboard, LeaveKeyboard, SetControlFault, SetSensorFault)
"""Commands that need no kernels but those that a run of an ego vehicle alone uses from its start.

Faults of tyres are none of them: they need the friction of wheels.
"""


def needs_kernels(commands: Iterable[Command]) -> bool:
    """Whether commands may use kernels that are not there yet: the loop would stand while it compiled them."""
    return not all(isinstance(command, PLAIN) for command in commands)
