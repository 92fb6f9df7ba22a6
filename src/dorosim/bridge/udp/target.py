"""What a datagram is about, read from its bytes: of two about the same thing only the later one counts.

This is so where a message sets values whatever was set before. Then the receiver need not decode every message of a
flood: of all that are about one thing the newest is enough, and the result is the same. Which thing that is, a control
command's vehicle or the light that is set, stands in a few bytes at known places.
"""

from __future__ import annotations

from collections.abc import Callable

from dorosim.wire.codec import Codec, record_size
from dorosim.wire.message import Wire
from dorosim.wire.udp.control import EgoCtrlCmd, GhostCtrlCmd, LampControl, NpcGhostCmd, TrajectoryTrackingCmd
from dorosim.wire.udp.ground_vehicle import GroundVehicleDirectCtrlCmd, GroundVehicleStateCtrlCmd
from dorosim.wire.udp.signal import SetIntersectionStatus, SetTrafficLightCtrl
from dorosim.wire.udp.simulator import MultiEgoSetting, SensorControl

Target = Callable[[Codec, bytes], bytes]


def _one(_: Codec, __: bytes) -> bytes:
    """There is only one: the ego vehicle."""
    return b""


def _field(name: str, width: int) -> Target:
    """Returns a function that reads the bytes of one field, `width` of them."""

    def target(codec: Codec, data: bytes) -> bytes:
        at = codec.offsets[name]
        return data[at : at + width]

    return target


def _slots(name: str, width: int, *others: tuple[str, int], last: int = 0) -> Target:
    """Returns a function that reads some other fields, and the first `width` and the last `last` bytes of all slots."""

    def target(codec: Codec, data: bytes) -> bytes:
        field = next(field for field in codec.fields if field.name == name)
        start, step = codec.offsets[name], record_size(field)
        found = [data[at : at + size] for at, size in ((codec.offsets[other], size) for other, size in others)]
        ends = range(start + step, start + step * (field.count + 1), step)
        found += [data[end - step : end - step + width] + data[end - last : end] for end in ends]
        return b"".join(found)

    return target


TARGETS: dict[type[Wire], Target] = {
    # a mode of 0 keeps the one before: it may not take the place of a command that sets another
    EgoCtrlCmd: _field("ctrl_mode", 1),
    GhostCtrlCmd: _one,
    TrajectoryTrackingCmd: _one,
    GroundVehicleDirectCtrlCmd: _one,
    GroundVehicleStateCtrlCmd: _one,
    # a turn signal of 3 leaves the one that burns: it may not take the place of another
    LampControl: _field("turn_signal", 1),
    NpcGhostCmd: _slots("vehicles", 1),
    # so may a slot's ctrl_mode of 0, which is its last byte
    MultiEgoSetting: _slots("egos", 2, ("num_of_ego", 4), ("camera_index", 4), last=1),
    SetTrafficLightCtrl: _field("index", 12),
    SetIntersectionStatus: _field("index", 2),
    SensorControl: _field("sensor_index", 2),
}
"""What each message is about; one that is not here is about something of its own, and each of them counts."""


def target_of(codec: Codec, data: bytes) -> bytes | None:
    """What a datagram is about.

    Args:
        codec: by which it is read.
        data: all of it.

    Returns:
        Bytes that are the same for all datagrams of the message that are about the same thing; None where each counts.
    """
    target = TARGETS.get(codec.message)
    return None if target is None else target(codec, data)
