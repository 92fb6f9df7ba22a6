"""Plans of Vehicle Info: which numbers of a state stand where, from the message's table."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import numpy as np

from dorosim.bridge.tcp_step.info_kernel import INFO_ANGLE, INFO_NUMBER, INFO_STAMP
from dorosim.bridge.tcp_step.publish import StepPublisher
from dorosim.ground.column import FloatArray, IntArray
from dorosim.wire.message import Field
from dorosim.wire.tcp_step.codec import encode
from dorosim.wire.tcp_step.datagram import VehicleInfo
from dorosim.world.ordinary.kept import kept_frame
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.state import VehicleState

_AT = VehicleState.at
_COLUMNS: dict[str, int] = {
    "location": _AT.x,
    "rotation": _AT.roll,
    "local_velocity": _AT.velocity_x,
    "local_acceleration": _AT.acceleration,
    "angular_velocity": _AT.angular_velocity,
    "throttle": _AT.accelerator,
    "brake": _AT.brake,
    "steer_angle": _AT.asked_control + 2,
}
"""First column of the vehicle of each field that changes from tick to tick; a test holds the bytes against those that
`StepPublisher` makes."""
_YAW = _AT.roll + 2


class InfoPlan:
    """What a call of compiled code needs to write the Vehicle Info of some vehicles, while their frame is the same.

    Args:
        publisher: makes the first of each.
        now: a snapshot in a block.
        actors: vehicles with full dynamics, in the order of the datagrams.

    Attributes:
        frame: of the snapshots that the plan is for.
        rows, scale: see `info_kernel.write_infos`; read-only.
        out: `(bytes,)` the datagrams, one after another; size: of each [bytes].
    """

    def __init__(self, publisher: StepPublisher, now: Snapshot, actors: Sequence[int]) -> None:
        frame = kept_frame(now)
        assert frame is not None
        self.frame = frame
        table = frame.layout.table["vehicle"]
        rows: list[tuple[int, int, int]] = []
        scale: list[float] = []
        made: list[bytes] = []
        for actor in actors:
            info, row = publisher.vehicle(now, actor), now.row_of(actor)
            assert info is not None
            start, largest = sum(map(len, made)), float(now.parameter.max_steer[row])
            rows.append((INFO_STAMP, 0, start))
            scale.append(1.0)
            for field, place in _changing():
                is_steer = field.name == "steer_angle"
                if is_steer and largest <= 0.0:
                    continue  # it stays 0
                for k in range(field.count):
                    column = _COLUMNS[field.name] + k
                    word = table.floats + column * table.rows + row
                    rows.append((INFO_ANGLE if column == _YAW else INFO_NUMBER, word, start + place + 4 * k))
                    scale.append(largest if is_steer else field.unit.factor)
            made.append(encode(info))
        self.size = len(made[0]) if made else 0
        self.rows: IntArray = np.array(rows, np.int64)
        self.scale: FloatArray = np.array(scale)
        self.rows.flags.writeable = self.scale.flags.writeable = False
        self.out = np.frombuffer(bytearray(b"".join(made)), np.uint8)


def _changing() -> Iterator[tuple[Field, int]]:
    """The fields that change from tick to tick, and their places [bytes]."""
    place = 0
    for field in VehicleInfo.table.fields:
        if field.name in _COLUMNS:
            yield field, place
        place += struct.calcsize("<" + field.code * (1 if field.kind == "text" else field.count))
