"""Commands of a user at the keyboard (design/seams.md, Who drives).

A user that presses a key drives the vehicle alone: until the user leaves it, no other source changes its control mode.
"""

from __future__ import annotations

from dorosim.world.command.actor import ActorCommand
from dorosim.world.vehicle.mode import ControlMode, Gear


class TakeKeyboard(ActorCommand, frozen=True, tag=True):
    """Lets the keyboard take over a vehicle. Until a key is pressed, a held one stays held, another one rolls."""


class DriveByKeyboard(ActorCommand, frozen=True, tag=True, kw_only=True):
    """Drives a vehicle that is in keyboard mode, and takes it over.

    Attributes:
        accelerator, brake: pedals, 0 to 1; what is beyond counts as the bound.
        steer: front wheel angle [rad], left positive.
        gear: None leaves it.
    """

    accelerator: float = 0.0
    brake: float = 0.0
    steer: float = 0.0
    gear: Gear | None = None


class LeaveKeyboard(ActorCommand, frozen=True, tag=True):
    """Lets go of a vehicle, which is held with full brake until it is driven again.

    Attributes:
        mode: the control mode from now on; KEEP leaves it in keyboard mode, and any source may ask for another one.
    """

    mode: ControlMode = ControlMode.KEEP
