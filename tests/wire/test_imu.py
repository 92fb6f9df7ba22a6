"""The IMU packet at the offsets of facts/udp-wire.md, 5.5, packed here by hand."""

from __future__ import annotations

import struct

from dorosim.wire.codec import compile_codec
from dorosim.wire.device.imu import ImuData
from tests.packet import envelope

NUMBERS = (1.0, 0.25, -0.5, 0.125, 0.01, 0.02, 0.03, 0.1, 0.2, 9.81)
DATA = ImuData(
    time=12 * 10**9 + 34, orientation=NUMBERS[:4], angular_velocity=NUMBERS[4:7], linear_acceleration=NUMBERS[7:]
)


def test_115_bytes_with_a_time_stamp():
    data = compile_codec(ImuData, ImuData.table.layouts[0]).encode(DATA)
    assert len(data) == 115
    assert data == envelope("IMUData", struct.pack("<2i10d", 12, 34, *NUMBERS))
    assert int.from_bytes(data[9:13], "little") == 88
    assert struct.unpack_from("<4d", data, 33) == (1.0, 0.25, -0.5, 0.125), "w, x, y, z"
    assert struct.unpack_from("<d", data, 105)[0] == 9.81
    assert compile_codec(ImuData, ImuData.table.layouts[0]).decode(data) == DATA


def test_107_bytes_as_the_page_prints_it():
    data = compile_codec(ImuData, ImuData.table.layouts[1]).encode(DATA)
    assert len(data) == 107
    assert data == envelope("IMUData", struct.pack("<10d", *NUMBERS))
    assert int.from_bytes(data[9:13], "little") == 80
