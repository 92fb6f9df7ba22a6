"""All UDP messages. A new one is its class in a module here, and its vector in the tests."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from dorosim.wire.device.imu import ImuData
from dorosim.wire.message import Wire
from dorosim.wire.udp import control, ground_vehicle, signal, simulator, status
from dorosim.wire.udp.status import EgoVehicleStatus


def _messages_of(module: ModuleType) -> Iterator[type[Wire]]:
    """The messages of a module in their order; records, which are parts of messages, have no envelope."""
    for one in vars(module).values():
        is_own = isinstance(one, type) and issubclass(one, Wire) and one.__module__ == module.__name__
        if is_own and one.table.envelope is not None:
            yield one


DEVICES: tuple[type[Wire], ...] = (ImuData,)
"""What sensors send, each to an address of its own, and not what the network settings list."""
CATALOGUE: tuple[type[Wire], ...] = (
    *(message for module in (control, ground_vehicle, simulator, signal, status) for message in _messages_of(module)),
    *DEVICES,
)
STATUS: dict[str, tuple[type[Wire], int | None]] = {
    **{
        message.__name__: (message, None)
        for message in CATALOGUE
        if message.table.to == "user" and message not in DEVICES
    },
    "CompetitionVehicleStatus": (EgoVehicleStatus, 181),
}
"""What is sent regularly, by name: the message, and the size of its layout where that is not the revision's. The
competition's status is an ego status without place and acceleration (facts/udp-wire.md, section 3.3)."""
BY_NAME: dict[str, type[Wire]] = {message.__name__: message for message in CATALOGUE}
