"""Image chunks and bounding boxes against the documented bytes (sensor page; facts/udp-wire.md, 5.1 and 5.2)."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.wire.device.camera import (
    BOX_ROWS,
    CAMERA_CHUNK_SIZE,
    CAMERA_DATAGRAM_SIZE,
    MAX_BOXES,
    ImageAssembler,
    decode_boxes,
    decode_image_chunk,
    encode_boxes,
    encode_image,
)
from dorosim.wire.error import WireError

TIME = 12_000_000_034


def picture(size: int) -> bytes:
    """Bytes that begin and end as a JPEG and hold no other end mark."""
    body = (bytes(range(200)) * (size // 200 + 1))[: size - 4]
    return b"\xff\xd8" + body + b"\xff\xd9"


def objects(count: int) -> np.ndarray:
    rows = np.zeros(count, BOX_ROWS)
    rows["corners"] = np.arange(count * 24).reshape(count, 8, 3)
    rows["bounds"] = (1.5, 2.0, 30.0, 40.25)
    rows["colour"] = (255, 60, 61)
    return rows


def documented_chunk(index: int, part: bytes, tail: bytes) -> bytes:
    return (b"MOR" + struct.pack("<iiii", 12, 34, index, len(part)) + part).ljust(
        CAMERA_DATAGRAM_SIZE - 2, b"\0"
    ) + tail


def test_a_picture_of_one_chunk():
    jpeg = picture(1000)
    (datagram,) = encode_image(jpeg, TIME)
    assert bytes(datagram) == documented_chunk(0, jpeg, b"EI")


def test_a_picture_of_several_chunks():
    jpeg = picture(2 * CAMERA_CHUNK_SIZE + 5)
    first, second, third = (bytes(datagram) for datagram in encode_image(jpeg, TIME))
    assert first == documented_chunk(0, jpeg[:CAMERA_CHUNK_SIZE], b"AI")
    assert second == documented_chunk(1, jpeg[CAMERA_CHUNK_SIZE : 2 * CAMERA_CHUNK_SIZE], b"AI")
    assert third == documented_chunk(2, jpeg[2 * CAMERA_CHUNK_SIZE :], b"EI")


@pytest.mark.parametrize(
    "size", [4, CAMERA_CHUNK_SIZE - 1, CAMERA_CHUNK_SIZE, CAMERA_CHUNK_SIZE + 1, 3 * CAMERA_CHUNK_SIZE]
)
def test_receivers_put_a_picture_together_by_size_and_by_end_mark(size):
    jpeg = picture(size)
    datagrams = [bytes(datagram) for datagram in encode_image(jpeg, TIME)]
    by_size = b"".join(data[19 : 19 + struct.unpack_from("<i", data, 15)[0]] for data in datagrams)
    assert by_size == jpeg
    whole = b"".join(data[19:-2] for data in datagrams)
    assert whole[: whole.index(b"\xff\xd9") + 2] == jpeg
    assert [data[-2:] for data in datagrams] == [b"AI"] * (len(datagrams) - 1) + [b"EI"]


def test_the_assembler_drops_a_picture_with_a_gap():
    lost = [decode_image_chunk(data) for data in encode_image(picture(2 * CAMERA_CHUNK_SIZE + 1), TIME)]
    jpeg = picture(CAMERA_CHUNK_SIZE + 1)
    whole = [decode_image_chunk(data) for data in encode_image(jpeg, TIME + 1)]
    assembler = ImageAssembler()
    assert [assembler.add(chunk) for chunk in (lost[0], lost[2], *whole, lost[1], *whole)] == [
        None,
        None,
        None,
        jpeg,
        None,
        None,
        jpeg,
    ]
    assert assembler.dropped == 1
    assert assembler.add(lost[0]) is None
    assert assembler.add(whole[1]) is None, "a chunk of another picture does not go on with this one"


def test_boxes():
    (datagram,) = encode_boxes(objects(2), TIME)
    data = bytes(datagram)
    assert len(data) == CAMERA_DATAGRAM_SIZE
    assert data[:19] == b"BOX" + struct.pack("<iiii", 12, 34, 0, 2 * 115)
    second = 19 + 115
    assert struct.unpack_from("<24f", data, second) == tuple(float(number) for number in range(24, 48))
    assert struct.unpack_from("<4f", data, second + 96) == (1.5, 2.0, 30.0, 40.25)
    assert data[second + 112 : second + 115] == bytes((255, 60, 61))
    assert not any(data[19 + 230 : -2]), "zeros end the list of receivers that do not read the size"
    assert data[-2:] == b"EO"
    assert struct.unpack_from("<i", bytes(encode_boxes(objects(1), 5_678_900_000, milliseconds=True)[0]), 7) == (678,)


def test_boxes_without_padding():
    data = bytes(encode_boxes(objects(3), TIME)[0])
    (short,) = encode_boxes(objects(3), TIME, padded=False)
    assert bytes(short) == data[: 19 + 345] + b"EO"
    assert len(short) == 115 * 3 + 21
    assert np.array_equal(decode_boxes(short).boxes, objects(3))
    with pytest.raises(WireError, match=r"365 bytes instead of 65000, or 366 without padding"):
        decode_boxes(bytes(short)[:-1])


def test_pictures_without_padding():
    jpeg = picture(CAMERA_CHUNK_SIZE + 7)
    first, second = (bytes(one) for one in encode_image(jpeg, TIME, padded=False))
    assert first == documented_chunk(0, jpeg[:CAMERA_CHUNK_SIZE], b"AI")
    assert second == b"MOR" + struct.pack("<iiii", 12, 34, 1, 7) + jpeg[CAMERA_CHUNK_SIZE:] + b"EI"
    assembler = ImageAssembler()
    assert [assembler.add(decode_image_chunk(one)) for one in (first, second)] == [None, jpeg]
    for wrong in (second[:-1], second + b"\0", second[:-2] + b"XX"):
        with pytest.raises(WireError):
            decode_image_chunk(wrong)


def test_no_box_is_no_datagram_and_many_boxes_are_several():
    assert encode_boxes(objects(0), TIME) == []
    assert len(encode_boxes(objects(MAX_BOXES), TIME)) == 1
    read = [decode_boxes(data) for data in encode_boxes(objects(MAX_BOXES + 1), TIME)]
    assert [(one.index, one.boxes.shape[0], one.time) for one in read] == [(0, MAX_BOXES, TIME), (1, 1, TIME)]
    assert np.array_equal(np.concatenate([one.boxes for one in read]), objects(MAX_BOXES + 1))


def test_what_cannot_be_sent():
    for wrong in (-1, 2**31 * 10**9):
        with pytest.raises(WireError, match="int32"):
            encode_image(b"x", wrong)
    with pytest.raises(WireError, match="empty"):
        encode_image(b"", 0)
    black, odd = objects(1), objects(1)
    black["colour"] = 0
    odd["corners"][0, 3, 1] = np.nan
    with pytest.raises(WireError, match="black"):
        encode_boxes(black, 0)
    with pytest.raises(WireError, match="finite"):
        encode_boxes(odd, 0)


@given(st.binary(max_size=60), st.sampled_from([b"", b"MOR", b"BOX"]), st.booleans())
def test_other_bytes_are_refused(data, magic, whole):
    datagram = magic + data
    datagram = datagram.ljust(CAMERA_DATAGRAM_SIZE, b"\0") if whole else datagram
    for decode in (decode_image_chunk, decode_boxes):
        with pytest.raises(WireError):
            decode(datagram)


@given(st.integers(0, 24), st.integers(0, 255))
def test_a_changed_byte_decodes_or_is_refused(at, value):
    for datagram, decode in (
        (encode_image(b"picture", TIME)[0], decode_image_chunk),
        (encode_boxes(objects(1), TIME)[0], decode_boxes),
    ):
        changed = bytearray(datagram)
        changed[at - 2 if at < 2 else at] = value
        try:
            decode(changed)
        except WireError:
            continue
