"""Slots that are packed from columns are those of single records, byte for byte."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.wire.batch import SlotPacker
from dorosim.wire.udp.code import ObjectType
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.wire.udp.status import ObjectInfo, ObjectSlot

CODEC = codec_of(ObjectInfo, DEFAULT_REVISION)


def columns(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Codes, numbers and links of so many objects."""
    noise = np.random.default_rng(count)
    codes = np.array([np.arange(1, count + 1), noise.integers(0, 3, count)])
    links = np.array([f"LINK{n}" for n in range(count)], "S38")
    return codes, noise.normal(0.0, 100.0, (16, count)), links


def records(codes: np.ndarray, numbers: np.ndarray, links: np.ndarray) -> tuple[ObjectSlot, ...]:
    return tuple(
        ObjectSlot(
            obj_id=actor,
            obj_type=ObjectType(kind),
            position=tuple(x[:3]),
            heading=x[3],
            size=tuple(x[4:7]),
            overhang=x[7],
            wheelbase=x[8],
            rear_overhang=x[9],
            velocity=tuple(x[10:13]),
            acceleration=tuple(x[13:]),
            link_id=link.decode(),
        )
        for (actor, kind), x, link in zip(codes.T.tolist(), numbers.T.tolist(), links.tolist(), strict=True)
    )


@pytest.mark.parametrize("count", [0, 1, 7, 20])
def test_they_are_written_as_records_are(count):
    made = columns(count)
    packed = SlotPacker(CODEC, "objects").pack(*made)
    one = CODEC.encode(ObjectInfo(time=5, objects=packed))
    assert one == CODEC.encode(ObjectInfo(time=5, objects=records(*made)))
    assert CODEC.decode(one) == ObjectInfo(time=5, objects=packed)


def test_they_read_as_a_tuple_of_records():
    packed = SlotPacker(CODEC, "objects").pack(*columns(3))
    decoded = CODEC.decode(CODEC.encode(ObjectInfo(time=5, objects=packed))).objects
    assert len(packed) == 3
    assert (packed[1], packed[:2], tuple(packed)) == (decoded[1], decoded[:2], decoded)
    assert packed == decoded
    assert hash(packed) == hash(decoded)
    assert repr(packed) == repr(decoded)
    assert packed != SlotPacker(CODEC, "objects").pack(*columns(2))


def test_it_says_which_fields_stand_in_a_block():
    numbers = ("position", "heading", "size", "overhang", "wheelbase", "rear_overhang", "velocity", "acceleration")
    assert SlotPacker(CODEC, "objects").blocks == (("obj_id", "obj_type"), numbers, ("link_id",))
