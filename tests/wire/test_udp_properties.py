"""What holds for every row of the UDP catalogue, in every layout and with both signs of steering."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dorosim.wire.batch import BatchCodec
from dorosim.wire.codec import Codec, compile_codec
from dorosim.wire.error import WireError
from dorosim.wire.udp.catalogue import BY_NAME, CATALOGUE
from dorosim.wire.udp.datagram import DatagramReader, codec_of
from dorosim.wire.udp.revision import REVISIONS
from tests.wire.strategy import messages

CODECS = [
    pytest.param(compile_codec(kind, layout, sign), id=f"{kind.__name__} of {layout.size} bytes, steer {sign:+.0f}")
    for kind in CATALOGUE
    for layout in kind.table.layouts
    for sign in ((1.0, -1.0) if any(field.steering for field in kind.table.fields) else (1.0,))
]
READERS = {to: DatagramReader(REVISIONS["24.R2"], to) for to in ("simulator", "user")}
every_codec = pytest.mark.parametrize("codec", CODECS)
calm = {"deadline": None, "suppress_health_check": list(HealthCheck)}
few, fewer = settings(max_examples=40, **calm), settings(max_examples=10, **calm)


@every_codec
@few
@given(data=st.data())
def test_what_is_written_is_read_again(codec: Codec, data):
    message = data.draw(messages(codec))
    datagram = codec.encode(message)
    assert len(datagram) == codec.size
    assert codec.decode(datagram) == message
    assert codec.encode(codec.decode(datagram)) == datagram


@every_codec
@few
@given(data=st.data())
def test_a_datagram_of_another_size_is_refused(codec: Codec, data):
    datagram = codec.encode(data.draw(messages(codec)))
    size = data.draw(st.integers(0, codec.size + 20).filter(lambda size: size != codec.size))
    changed = (datagram + bytes(20))[:size]
    with pytest.raises(WireError):
        codec.decode(changed)


@every_codec
@fewer
@given(data=st.data())
def test_every_truncation_is_read_as_another_message_or_refused(codec: Codec, data):
    reader = READERS[codec.message.table.to]
    datagram = codec.encode(data.draw(messages(codec)))
    for size in range(codec.size) if codec.size < 300 else range(0, codec.size, 7):
        try:
            _, message = reader.read(datagram, size)
        except WireError:
            continue
        assert type(message) is not codec.message or len(codec.message.table.layouts) > 1


@every_codec
@fewer
@given(data=st.data())
def test_every_single_byte_change_decodes_or_is_refused(codec: Codec, data):
    datagram = bytearray(codec.encode(data.draw(messages(codec))))
    change = data.draw(st.integers(1, 255))
    for place in range(codec.size):
        old = datagram[place]
        datagram[place] = old ^ change
        try:
            message = codec.decode(bytes(datagram))
            codec.in_range(message)
        except WireError:
            pass
        datagram[place] = old


@every_codec
def test_a_change_of_header_length_or_tail_is_refused(codec: Codec):
    datagram = codec.head + bytes(codec.payload_size) + codec.tail
    checked = codec.message.table.envelope.checked
    for place in [*range(checked.start, checked.stop), *range(codec.size - len(codec.tail), codec.size)]:
        for change in (0x01, 0x20, 0x80, 0xFF):
            broken = bytearray(datagram)
            broken[place] ^= change
            with pytest.raises(WireError):
                codec.decode(bytes(broken))


@every_codec
@fewer
@given(data=st.data())
def test_a_batch_reads_and_writes_as_single_messages_do(codec: Codec, data):
    rows = data.draw(st.lists(messages(codec), min_size=1, max_size=4))
    stream = b"".join(codec.encode(row) for row in rows)
    columns = BatchCodec(codec).decode(stream)
    for field in codec.fields:
        if field.kind in ("number", "stamp"):
            np.testing.assert_array_equal(columns[field.name], [getattr(row, field.name) for row in rows])
    assert set(columns) == {field.name for field in codec.fields}
    # texts that clients fill with spaces are written with NUL in a batch, so only the others come back to the byte
    if not any(field.pad == b" " for field in codec.fields) and codec.message.__name__ != "NpcGhostCmd":
        assert BatchCodec(codec).encode(columns) == stream


@pytest.mark.parametrize("revision", REVISIONS.values(), ids=lambda revision: revision.name)
@pytest.mark.parametrize("kind", CATALOGUE, ids=lambda kind: kind.__name__)
def test_every_message_is_known_by_size_and_header_at_every_revision(kind, revision):
    codec = codec_of(kind, revision)
    payload = bytearray(codec.payload_size)
    if kind is BY_NAME["GroundVehicleDirectCtrlCmd"]:
        payload[0] = 1  # a steer type of 0 is not known
    datagram = codec.head + bytes(payload) + codec.tail
    found, message = DatagramReader(revision, kind.table.to).read(datagram, len(datagram))
    assert type(message) is kind
    assert found.size == codec.size


@pytest.mark.parametrize("to", ["simulator", "user"])
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(to, data):
    with pytest.raises(WireError):
        READERS[to].read(data, len(data))


def test_sizes_and_signs_of_the_revisions():
    """The table of design/seams.md."""
    sizes = {
        name: (
            codec_of(BY_NAME["EgoVehicleStatus"], revision).size,
            codec_of(BY_NAME["EgoCtrlCmd"], revision).size,
            codec_of(BY_NAME["ObjectInfo"], revision).size,
            codec_of(BY_NAME["CollisionData"], revision).size,
            codec_of(BY_NAME["EgoCtrlCmd"], revision).steer_sign,
        )
        for name, revision in REVISIONS.items()
    }
    assert sizes == {
        "22.R1": (161, 55, 2152, 173, -1),
        "24.R1": (181, 55, 2160, 181, -1),
        "24.R2": (229, 55, 2160, 181, -1),
        "25.S4": (181, 55, 2160, 181, 1),
        "26.R1": (245, 59, 2160, 181, 1),
    }
