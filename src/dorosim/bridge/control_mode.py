"""Codes of a vehicle's control mode (its driver), and of its lengthwise control, in every interface of the product.

The pages number the same modes in different ways. Each table says which message has it.
"""

from __future__ import annotations

from collections.abc import Mapping

from dorosim.wire.udp.code import CtrlMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode

CTRL_MODES: Mapping[int, ControlMode] = {
    0: ControlMode.KEEP,
    1: ControlMode.KEYBOARD,
    2: ControlMode.AUTO,
    3: ControlMode.AUTO,
    4: ControlMode.CRUISE,
    6: ControlMode.CRUISE,
    16: ControlMode.AUTO,
}
"""ctrl_mode of UDP commands and of multi ego settings: the pages know 1 keyboard and 2 or 16 auto; 3, 4 and 6 are those
of other messages of the product (facts/udp-wire.md, 4.1 and 8.8; facts/ros-grpc-mgeo.md, 1.6, rows 18 and 22)."""
EVENT_MODES: Mapping[int, ControlMode] = {
    1: ControlMode.KEYBOARD,
    2: ControlMode.KEYBOARD,
    3: ControlMode.AUTO,
    4: ControlMode.CRUISE,
    6: ControlMode.CRUISE,
}
"""ctrl_mode of events (ROS and documented API). A game wheel is a person at the controls, as the keyboard is. 26.R1
calls 3 external and 6 its own driver (facts/ros-grpc-mgeo.md, 1.6, row 18)."""
STANDARD_MODES: Mapping[int, ControlMode] = {
    1: ControlMode.KEYBOARD,
    2: ControlMode.KEYBOARD,
    3: ControlMode.AUTO,
    6: ControlMode.CRUISE,
    7: ControlMode.AUTO,
}
"""VehicleControlMode of the Standard API. Simulation.SetSynchronousMode sets whether clients step the simulation."""

UDP_CODES: Mapping[ControlMode, CtrlMode] = {
    ControlMode.KEYBOARD: CtrlMode.KEYBOARD,
    ControlMode.AUTO: CtrlMode.AUTO,
    ControlMode.CRUISE: CtrlMode.CRUISE,
    ControlMode.GHOST: CtrlMode.AUTO,
}
"""ctrl_mode of status messages over UDP. A ghost is driven from outside, as auto is, here and in the tables below."""
EVENT_CODES: Mapping[ControlMode, int] = {
    ControlMode.KEYBOARD: 1,
    ControlMode.AUTO: 3,
    ControlMode.CRUISE: 4,
    ControlMode.GHOST: 3,
}
"""ctrl_mode of answers to events (ROS and documented API)."""
CRUISE_26_R1 = 6
"""ctrl_mode of a cruise in ROS since 26.R1 (facts/ros-grpc-mgeo.md, 1.6, row 18)."""
STANDARD_CODES: Mapping[ControlMode, int] = {**EVENT_CODES, ControlMode.CRUISE: 6}
"""VehicleControlMode of the Standard API's answers."""

LONG_CMD_TYPES: Mapping[int, ControlKind] = {
    0: ControlKind.PEDALS,
    1: ControlKind.PEDALS,
    2: ControlKind.VELOCITY,
    3: ControlKind.ACCELERATION,
}
"""cmd_type of UDP and longCmdType of ROS and both APIs; official clients leave it 0 and mean pedals
(facts/ros-grpc-mgeo.md, 7)."""


def by_ability(kind: ControlKind, *, wanted: bool) -> ControlKind:
    """The kind that reaches a speed as fast as the vehicle can, if that is `wanted`; any other kind as it is."""
    return ControlKind.VELOCITY_BY_ABILITY if wanted and kind is ControlKind.VELOCITY else kind
