"""The 2D lidar's packet, against bytes laid out by hand at the documented offsets."""

from __future__ import annotations

import contextlib
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.wire.device.lidar_2d import (
    LIDAR_2D_DATAGRAM_SIZE,
    LIDAR_2D_RAYS,
    Lidar2dPacket,
    decode_lidar_2d,
    encode_lidar_2d,
)
from dorosim.wire.error import WireError

DISTANCE = np.arange(LIDAR_2D_RAYS, dtype=np.uint16) * 100
INTENSITY = (np.arange(LIDAR_2D_RAYS) % 256).astype(np.uint8)


def by_hand(name: bytes) -> bytes:
    rays = b"".join(struct.pack("<HB", d, i) for d, i in zip(DISTANCE.tolist(), INTENSITY.tolist(), strict=True))
    return b"#" + name + b"$" + struct.pack("<I", 1080) + struct.pack("<fff", 1.5, -2.0, 0.25) + rays + b"\x0d\x0a"


@pytest.mark.parametrize("name", ["2DLidar", "Lidar2D"])
def test_the_documented_layout(name):
    data = by_hand(name.encode())
    assert len(data) == LIDAR_2D_DATAGRAM_SIZE == 1107
    packet = Lidar2dPacket(DISTANCE, INTENSITY, (1.5, -2.0, 0.25), name)
    assert encode_lidar_2d(packet) == data
    read = decode_lidar_2d(data)
    assert (read.name, read.position) == (name, (1.5, -2.0, 0.25))
    np.testing.assert_array_equal(read.distance_mm, DISTANCE)
    np.testing.assert_array_equal(read.intensity, INTENSITY)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (by_hand(b"2DLidar")[:-1], "size"),
        (by_hand(b"3DLidar"), "header"),
        (b"\0" + by_hand(b"2DLidar")[1:], "header"),
        (by_hand(b"2DLidar")[:-1] + b"\0", "tail"),
        (by_hand(b"2DLidar")[:9] + b"\0\0\0\0" + by_hand(b"2DLidar")[13:], "length"),
        (by_hand(b"2DLidar")[:13] + b"\0\0\x80\x7f" + by_hand(b"2DLidar")[17:], "non-finite"),
    ],
)
def test_what_is_refused(data, fault):
    with pytest.raises(WireError) as caught:
        decode_lidar_2d(data)
    assert caught.value.fault == fault


def test_a_packet_has_360_rays_and_a_known_name():
    with pytest.raises(WireError):
        encode_lidar_2d(Lidar2dPacket(DISTANCE[:-1], INTENSITY[:-1]))
    with pytest.raises(WireError):
        encode_lidar_2d(Lidar2dPacket(DISTANCE, INTENSITY, name="lidar"))


@given(st.integers(0, LIDAR_2D_DATAGRAM_SIZE - 1), st.integers(0, 255))
def test_a_changed_packet_is_read_or_refused(place, byte):
    data = by_hand(b"2DLidar")
    with contextlib.suppress(WireError):
        decode_lidar_2d(data[:place] + bytes([byte]) + data[place + 1 :])
