"""Velodyne packets, against bytes laid out by hand and against the PyPI package velodyne-decoder."""

from __future__ import annotations

import contextlib
import struct

import numpy as np
import pytest
import velodyne_decoder
from hypothesis import given
from hypothesis import strategies as st

from dorosim.wire.device.nmea import Gga, Rmc, encode_sentence
from dorosim.wire.device.velodyne import (
    DATA_SIZE,
    HDL_32E,
    LAST,
    STRONGEST,
    VLP_16,
    decode_data,
    decode_position,
    encode_data,
    encode_position,
    hdl_64e_status,
)
from dorosim.wire.error import WireError

RANDOM = np.random.default_rng(1)
AZIMUTH = RANDOM.integers(0, 36000, (3, 12)).astype(np.uint16)
DISTANCE = RANDOM.integers(0, 65536, (3, 12, 32)).astype(np.uint16)
REFLECTIVITY = RANDOM.integers(0, 256, (3, 12, 32)).astype(np.uint8)
TIME = np.array([5, 3_599_999_999, 3_600_000_007], np.int64)
RMC = Rmc(time_of_day=1.5, valid=True, latitude=37.5, longitude=127.0, date="200126", extra_comma=False)


def by_hand(row: int, flags: tuple[int, int], time: int, factory: bytes) -> bytes:
    data = b""
    for block in range(12):
        data += struct.pack("<HH", flags[block % 2], AZIMUTH[row, block])
        for channel in range(32):
            data += struct.pack("<HB", DISTANCE[row, block, channel], REFLECTIVITY[row, block, channel])
    return data + struct.pack("<I", time) + factory


def test_the_documented_layout():
    packets = encode_data(AZIMUTH, DISTANCE, REFLECTIVITY, TIME, (STRONGEST, VLP_16))
    times = (5, 3_599_999_999, 7)
    assert [row.tobytes() for row in packets] == [by_hand(k, (0xEEFF, 0xEEFF), times[k], b"\x37\x22") for k in range(3)]
    assert packets[0].tobytes()[:2] == b"\xff\xee"


def test_hdl_64e_has_two_banks_and_a_status():
    status = hdl_64e_status(np.array([0, 2, 16]), (26, 1, 20, 13, 59, 58))
    packets = encode_data(AZIMUTH, DISTANCE, REFLECTIVITY, TIME, status, banks=True)
    assert packets[0].tobytes() == by_hand(0, (0xEEFF, 0xDDFF), 5, b"H\x0d")
    assert packets[1].tobytes()[-2:] == b"S\x3a"
    assert packets[2].tobytes()[-2:] == b"T\x28"


def test_a_packet_is_read_back():
    data = encode_data(AZIMUTH, DISTANCE, REFLECTIVITY, TIME, (LAST, HDL_32E))[1].tobytes()
    packet = decode_data(data)
    assert (packet.microsecond, packet.factory) == (3_599_999_999, (LAST, HDL_32E))
    np.testing.assert_array_equal(packet.azimuth, AZIMUTH[1])
    np.testing.assert_array_equal(packet.distance, DISTANCE[1])
    np.testing.assert_array_equal(packet.reflectivity, REFLECTIVITY[1])


def test_what_is_refused():
    good = encode_data(AZIMUTH, DISTANCE, REFLECTIVITY, TIME, (STRONGEST, VLP_16))[0].tobytes()
    for data, fault in [
        (good[:-1], "size"),
        (b"\0" + good[1:], "header"),
        (good[:2] + struct.pack("<H", 36000) + good[4:], "range"),
    ]:
        with pytest.raises(WireError) as caught:
            decode_data(data)
        assert caught.value.fault == fault
    with pytest.raises(WireError):
        encode_data(AZIMUTH + np.uint16(36000), DISTANCE, REFLECTIVITY, TIME, (STRONGEST, VLP_16))


def test_no_packets_are_no_rows():
    none = encode_data(AZIMUTH[:0], DISTANCE[:0], REFLECTIVITY[:0], TIME[:0], (STRONGEST, VLP_16))
    assert none.shape == (0, DATA_SIZE)


def test_the_position_packet():
    data = encode_position(3_600_000_123, RMC)
    text = encode_sentence(RMC)
    by_hand = b"\0" * 198 + struct.pack("<I", 123) + b"\x02\0\0\0" + text
    assert data == by_hand.ljust(512, b"\0")
    assert decode_position(data) == (123, 2, RMC)


def test_velodyne_decoder_reads_the_position_packet():
    telemetry = velodyne_decoder.TelemetryPacket(list(encode_position(123, RMC)))
    assert telemetry.usec_since_toh == 123
    assert telemetry.pps_status == velodyne_decoder.TelemetryPacket.PpsStatus.LOCKED
    assert telemetry.parse_nmea().latitude == pytest.approx(37.5)
    assert telemetry.parse_nmea().longitude == pytest.approx(127.0)


def test_a_position_packet_holds_rmc():
    other = encode_position(0, Gga(time_of_day=0.0, latitude=1.0, longitude=2.0))
    for data in (other, other[:-1], b"\0" * 512):
        with pytest.raises(WireError):
            decode_position(data)


GOOD = encode_data(AZIMUTH, DISTANCE, REFLECTIVITY, TIME, (STRONGEST, VLP_16))[0].tobytes()


@given(st.integers(0, DATA_SIZE - 1), st.integers(0, 255), st.integers(0, DATA_SIZE))
def test_a_changed_or_shortened_data_packet_is_read_or_refused(place, byte, size):
    with contextlib.suppress(WireError):
        decode_data(GOOD[:place] + bytes([byte]) + GOOD[place + 1 :])
    with contextlib.suppress(WireError):
        decode_data(GOOD[:size])


@given(st.integers(0, 511), st.integers(0, 255))
def test_a_changed_position_packet_is_read_or_refused(place, byte):
    data = encode_position(123, RMC)
    with contextlib.suppress(WireError):
        decode_position(data[:place] + bytes([byte]) + data[place + 1 :])
