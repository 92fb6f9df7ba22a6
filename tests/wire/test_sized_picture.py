"""Pictures behind their size, as a receiver of MORAI SIM 2's public clients puts them together."""

from __future__ import annotations

import random
import struct

import pytest

from dorosim.wire.device.sized_picture import encode_sized_picture
from dorosim.wire.error import WireError


class Receiver:
    """Takes a datagram for a part where its first eight bytes can be a head, else for a whole picture."""

    def __init__(self) -> None:
        self.pictures: list[bytes] = []
        self._number, self._parts = -1, dict[int, bytes]()

    def take(self, data: bytes) -> None:
        picture, part, count = struct.unpack_from("<IHH", data)
        if not (picture and 0 < count <= 10_000 and part < count):
            self._deliver(data)
            return
        if picture != self._number:
            self._number, self._parts = picture, {}
        self._parts[part] = data[8:]
        if len(self._parts) == count:
            self._deliver(b"".join(self._parts[one] for one in range(count)))

    def _deliver(self, data: bytes) -> None:
        (size,) = struct.unpack_from("<I", data)
        assert len(data) == 4 + size
        self.pictures.append(data[4:])


def jpeg(size: int) -> bytes:
    return (b"\xff\xd8\xff\xe0" + random.Random(size).randbytes(size))[:size]


@pytest.mark.parametrize("size", [4, 5_000, 65_503, 65_504, 119_996, 119_997, 700_000])
def test_a_receiver_gets_the_picture(size):
    datagrams = encode_sized_picture(jpeg(size), 7)
    assert (len(datagrams) == 1) == (size + 4 <= 65_507)
    assert max(map(len, datagrams)) <= 65_507
    receiver = Receiver()
    for number in (7, 8):
        for one in encode_sized_picture(jpeg(size), number):
            receiver.take(one)
    assert receiver.pictures == [jpeg(size)] * 2


@pytest.mark.parametrize("number", [0, 1, 2**32 - 2, 2**32 - 1, 2**40])
def test_no_part_has_the_number_0_and_the_next_picture_another_one(number):
    first, second = (
        struct.unpack_from("<I", encode_sized_picture(jpeg(70_000), one)[0])[0] for one in (number, number + 1)
    )
    assert first
    assert second
    assert first != second


def test_no_picture_is_an_error():
    with pytest.raises(WireError, match="empty"):
        encode_sized_picture(b"", 1)
