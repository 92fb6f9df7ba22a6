"""Releases vehicles that users drive by keyboard, where clients or the simulator drive them from now on."""

from __future__ import annotations

from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import LeaveKeyboard
from dorosim.world.vehicle.mode import ControlMode


def leave_keyboards(now: Snapshot, mode: ControlMode = ControlMode.KEEP) -> tuple[LeaveKeyboard, ...]:
    """Returns commands that release every vehicle that is seized; each is held until it is driven again.

    Args:
        now: the last snapshot.
        mode: control mode from now on, as of `LeaveKeyboard`.
    """
    vehicle = now.vehicle
    return tuple(LeaveKeyboard(actor, mode) for actor in vehicle.id[vehicle.seized != 0].tolist())
