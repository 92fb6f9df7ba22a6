"""Packets of sensors as text, from bytes laid out by hand as documents and makers have them."""

from __future__ import annotations

import contextlib
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.wire.device.camera import BOX_ROWS, CAMERA_DATAGRAM_SIZE, encode_boxes
from dorosim.wire.device.sensor_packet_text import read_packet
from dorosim.wire.device.velodyne import decode_position
from dorosim.wire.error import WireError
from dorosim.wire.udp.diagnosis import diagnose, texts_of
from dorosim.wire.udp.revision import DEFAULT_REVISION


def told(data: bytes) -> dict[str, tuple[str, str]]:
    packet = read_packet(data)
    assert packet is not None
    assert diagnose(data, DEFAULT_REVISION).packet == packet
    found = {row.name: (row.wire, row.si) for row in packet.fields}
    assert len(found) == len(packet.fields), "each name once"
    return found | {"form": (packet.name, "")}


def chunk(index: int, part: bytes, tail: bytes) -> bytes:
    return (b"MOR" + struct.pack("<iiii", 12, 34, index, len(part)) + part).ljust(
        CAMERA_DATAGRAM_SIZE - 2, b"\0"
    ) + tail


def velodyne(flags: tuple[int, int], factory: bytes) -> bytes:
    """Azimuths of 350.00 to 1.00 degrees; one return of 50 m in each block, and one of 2 m in the last."""
    data = b""
    for block in range(12):
        returns = [(0, 0)] * 32
        returns[3] = (25_000, 90)
        if block == 11:
            returns[4] = (1_000, 7)
        data += struct.pack("<HH", flags[block % 2], (35_000 + 100 * block) % 36_000)
        data += b"".join(struct.pack("<HB", *one) for one in returns)
    return data + struct.pack("<I", 61_000_000) + factory


def sentence(body: bytes) -> bytes:
    value = 0
    for byte in body:
        value ^= byte
    return b"$%b*%02X\r\n" % (body, value)


RMC = sentence(b"GPRMC,000001.5,A,3730.0000,N,12615.0000,E,010.0,090.0,200126,000.0,E,A")


def test_a_chunk_of_a_picture():
    rows = told(chunk(2, b"\xff\xd8 \xff\xd9", b"EI"))
    assert rows["form"][0] == "camera picture"
    assert rows["time"] == ("12 s, 34 ns", "12.000000034 s")
    assert (rows["index"][0], rows["size"][0], rows["tail"][0]) == ("2", "5 bytes of JPEG", "EI, the picture ends")
    assert told(chunk(0, b"x", b"AI"))["tail"][0] == "AI, more of it follows"


def test_boxes_of_a_picture():
    boxes = np.zeros(6, BOX_ROWS)
    boxes["corners"] = np.arange(24).reshape(8, 3)
    boxes["bounds"] = (1.5, 2.0, 30.0, 40.25)
    boxes["colour"] = (255, 60, 61)
    (datagram,) = encode_boxes(boxes, 12_000_000_034)
    rows = told(bytes(datagram))
    assert rows["size"][0] == "690 bytes, 6 boxes, the first 4 of them here"
    assert rows["box[3].bounds"][0] == "1.5, 2, 30, 40.25 pixels"
    assert rows["box[0].centre"][0] == "10.50, 11.50, 12.50 m"
    assert rows["box[0].colour"][0] == "255, 60, 61"
    assert "box[4].bounds" not in rows


def test_a_spinning_lidar():
    rows = told(velodyne((0xEEFF, 0xEEFF), b"\x37\x22"))
    assert rows["time"] == ("61000000 µs past the hour", "61.000000 s")
    assert rows["azimuth"] == ("35000 to 100", "6.1087 to 0.0175 rad")
    assert rows["returns"][0] == "13 of 384"
    assert rows["distance"] == ("1000 to 25000 steps", "2 to 50 m")
    assert rows["reflectivity"][0] == "7 to 90"
    assert (rows["return mode"][0], rows["product"][0]) == ("strongest (0x37)", "VLP-16 (0x22)")
    assert told(velodyne((0xEEFF, 0xEEFF), b"\x00\x00"))["product"][0] == "unknown (0x0)"


def test_a_lidar_of_two_banks_has_a_status():
    rows = told(velodyne((0xEEFF, 0xDDFF), b"H\x0d"))
    assert rows["status"][0] == "H 13"
    assert "product" not in rows


def test_the_position_packet_of_a_spinning_lidar():
    data = (bytes(198) + struct.pack("<IB", 1_500_000, 2) + bytes(3) + RMC).ljust(512, b"\0")
    assert decode_position(data)[1] == 2
    rows = told(data)
    assert (rows["form"][0], rows["pulse per second"][0]) == ("Velodyne position", "locked (2)")
    assert rows["time"][1] == "1.500000 s"
    assert rows["sentence"][0] == "GPRMC"


def test_the_sentences_of_a_gps():
    rows = told(RMC)
    assert (rows["form"][0], rows["sentence"][0], rows["valid"][0]) == ("NMEA RMC", "GPRMC", "True")
    assert rows["latitude"] == ("37.5 deg", "0.6544984695 rad")
    assert rows["speed"] == ("10 knots", "5.144444444 m/s")
    assert rows["course"] == ("90 deg", "1.570796327 rad")
    assert rows["time_of_day"] == ("1.5 s past midnight", "")
    assert "minute_digits" not in rows
    rows = told(sentence(b"GPGGA,000001.5,3730.0000,N,12615.0000,E,1,09,1.0,28.5,M,0.0,M,,"))
    assert (rows["form"][0], rows["altitude"][0], rows["satellites"][0]) == ("NMEA GGA", "28.5 m", "9")


@pytest.mark.parametrize("name", [b"2DLidar", b"Lidar2D"])
def test_a_planar_lidar(name):
    rays = b"".join(struct.pack("<HB", 500 + ray, 40) for ray in range(360))
    rows = told(b"#" + name + b"$" + struct.pack("<I3f", 1080, 1.5, -2.0, 0.25) + rays + b"\r\n")
    assert rows["header"][0] == name.decode()
    assert rows["distance"] == ("500 to 859 mm", "0.5 to 0.859 m")
    assert rows["intensity"][0] == "40 to 40"
    assert rows["position"][0] == "1.5, -2 m"
    assert rows["heading"] == ("0.25 deg", "0.00436332 rad")


@pytest.mark.parametrize("data", [b"", b"MO", b"#IMUData$" + bytes(106), bytes(1206), bytes(512)])
def test_other_bytes_are_no_packet_of_a_sensor(data):
    assert read_packet(data) is None


def test_what_begins_as_a_packet_and_is_none_is_refused_by_its_name():
    with pytest.raises(WireError, match=r"MOR.*bytes instead of 65000"):
        read_packet(b"MOR" + bytes(40))
    found = diagnose(b"BOX", DEFAULT_REVISION)
    assert "BOX" in str(found.error)
    assert not found.name
    assert not texts_of(found)


HEADS = (b"MOR", b"BOX", b"$GPRMC,", b"$GPGGA,", b"#2DLidar$", b"#Lidar2D$", b"\xff\xee", b"\xff\xdd")


@given(st.sampled_from(HEADS), st.sampled_from((0, 40, 512, 1107, 1206, CAMERA_DATAGRAM_SIZE)), st.binary(max_size=300))
def test_any_bytes_are_told_or_refused(head, size, rest):
    with contextlib.suppress(WireError):
        read_packet((head + rest).ljust(size, b"\0"))
    assert diagnose((head + rest).ljust(size, b"\0"), DEFAULT_REVISION)
