"""The UDP packets of spinning lidars, as Velodyne's devices send them (facts/udp-wire.md, section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from dorosim.bridge.sensor.packet import Packer, Packet, fix_of
from dorosim.wire.device.gps import STANDARD, sentences_from_fix
from dorosim.wire.device.velodyne import (
    DUAL,
    HDL_32E,
    LAST,
    POSITION_PORT,
    STRONGEST,
    VLP_16,
    encode_data,
    encode_position,
    hdl_64e_status,
)

if TYPE_CHECKING:
    from dorosim.sensor.lidar.reading import LidarReading
    from dorosim.sensor.reading import GpsReading


def lidar_packets(packer: Packer, reading: LidarReading) -> Iterable[Packet]:
    """Data packets, and position packets between them."""
    positions = [_position(packer, fix) for fix in reading.fixes]
    if not len(reading.number):
        return positions
    kind = reading.setting.kind
    data = encode_data(
        reading.azimuth,
        reading.distance,
        reading.intensity,
        (packer.epoch + reading.start) // 1000,
        _factory(packer, reading),
        banks=kind.banks,
    )
    packets = [Packet(due, row.data) for due, row in zip(reading.due.tolist(), data, strict=True)]
    return sorted([*packets, *positions], key=lambda packet: packet.due) if positions else packets


def _position(packer: Packer, fix: GpsReading) -> Packet:
    """A lidar's position packet, in the standard's form whatever the GPS sensors write: it is no product's."""
    rmc, _ = sentences_from_fix(fix_of(packer, fix), STANDARD)
    return Packet(fix.time, encode_position((packer.epoch + fix.time) // 1000, rmc), POSITION_PORT)


def _factory(packer: Packer, reading: LidarReading) -> Any:
    """The last two bytes of each packet."""
    if reading.setting.kind.banks:
        now = datetime.fromtimestamp((packer.epoch + reading.time) // 1_000_000_000, UTC)
        clock = (now.year - 2000, now.month, now.day, now.hour, now.minute, now.second)
        return hdl_64e_status(reading.number, clock)
    mode = {"strongest": STRONGEST, "last": LAST, "dual": DUAL}[reading.setting.return_mode]
    return np.array((mode, VLP_16 if reading.setting.kind.lasers == 16 else HDL_32E), np.uint8)
