"""What can be done at the very first start of all, while kernels are compiled."""

from __future__ import annotations

from collections.abc import Iterable

from dorosim.world.command.catalogue import Command
from dorosim.world.fault.command import SetControlFault, SetSensorFault

COMPILING = "first start: kernels are compiled, once, up to a minute; ask again"
"""Why a command is not done yet."""


def needs_kernels(commands: Iterable[Command]) -> bool:
    """Whether commands may use kernels that a run of an ego vehicle alone has not used.

    Faults of controls and sensors do not; those of tyres need the friction of wheels.
    """
    return not all(isinstance(command, SetControlFault | SetSensorFault) for command in commands)
