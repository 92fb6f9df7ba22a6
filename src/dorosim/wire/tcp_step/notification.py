"""What the simulator sends the newest clients unasked: frames of class 3, whose payload is a protobuf message.

Fields as those clients read them (docs/decisions/0095-pictures-and-notifications-of-projects.md): 1 a state as a
varint, 2 a name. Older clients take such a frame for broken bytes, and get none.
"""

from __future__ import annotations

from dorosim.wire.tcp_step.frame import FrameClass, frame

SIMULATOR_STATUS, SCENARIO_STATUS = 0x1001, 0x1504
"""Numbers of the messages."""
MAX_NAME = 1 << 16
"""Bytes of a name; of a longer one the beginning is sent."""
_STATE, _NAME = 1 << 3, 2 << 3 | 2


def simulator_notification(state: int) -> bytes:
    """The frame that says the state of the program: 1 before the login, 2 home, 3 loading, 4 ready."""
    return frame(FrameClass.NOTIFICATION, SIMULATOR_STATUS, 0, bytes((_STATE,)) + _varint(state))


def scenario_notification(state: int, name: str) -> bytes:
    """The frame that says what the active scenario does.

    Args:
        state: `ScenarioState`.
        name: of the scenario, "" for none.
    """
    raw = name.encode()[:MAX_NAME].decode(errors="ignore").encode()
    payload = bytes((_STATE,)) + _varint(state) + bytes((_NAME,)) + _varint(len(raw)) + raw
    return frame(FrameClass.NOTIFICATION, SCENARIO_STATUS, 0, payload)


NOTIFICATIONS = {SIMULATOR_STATUS: simulator_notification, SCENARIO_STATUS: scenario_notification}
"""What makes each of them, by number."""


def _varint(value: int) -> bytes:
    """A whole number of 0 or more, seven bits a byte from the lowest on."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
