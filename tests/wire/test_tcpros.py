"""Connection headers of TCPROS, by the example of the ROS wiki, and bytes that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.wire.error import RosError
from dorosim.wire.ros.tcpros import decode_header, encode_header, host_and_port, is_name, misfit

DOCUMENTED = bytes.fromhex(
    "b0000000"
    "20000000 6d6573736167655f646566696e6974696f6e3d737472696e6720646174610a0a"
    "25000000 63616c6c657269643d2f726f73746f7069635f343736375f31333136393132373431353537"
    "0a000000 6c61746368696e673d31"
    "27000000 6d643573756d3d3939326365386131363837636563386338626438383365633733636134316431"
    "0e000000 746f7069633d2f63686174746572"
    "14000000 747970653d7374645f6d7367732f537472696e67"
)
"""ROS wiki, "Connection Header": a publisher of /chatter."""
FIELDS = {
    "message_definition": "string data\n\n",
    "callerid": "/rostopic_4767_1316912741557",
    "latching": "1",
    "md5sum": "992ce8a1687cec8c8bd883ec73ca41d1",
    "topic": "/chatter",
    "type": "std_msgs/String",
}


def test_the_documented_header_both_ways():
    assert decode_header(DOCUMENTED[4:]) == FIELDS
    assert encode_header(FIELDS) == DOCUMENTED


@given(st.dictionaries(st.text("abcdefg_", min_size=1), st.text(st.characters(codec="utf-8"))))
def test_a_header_is_read_as_it_was_written(fields):
    assert decode_header(encode_header(fields)[4:]) == fields


@given(st.binary(max_size=200))
def test_any_bytes_are_a_header_or_refused(data):
    try:
        fields = decode_header(data)
    except RosError:
        return
    assert all(isinstance(one, str) for pair in fields.items() for one in pair)


@pytest.mark.parametrize("cut", [1, 3, 10, 40, 100, 175])
def test_a_part_of_a_header_is_none(cut):
    with pytest.raises(RosError):
        decode_header(DOCUMENTED[4 : 4 + cut])


def test_types_fit_by_name_and_sum_and_a_star_fits_all():
    md5 = FIELDS["md5sum"]
    assert misfit(FIELDS, "std_msgs/String", md5) is None
    assert misfit({"callerid": "/x", "type": "*", "md5sum": "*"}, "std_msgs/String", md5) is None
    for change in ({"md5sum": "0" * 32}, {"type": "std_msgs/Bool"}):
        told = misfit({**FIELDS, **change}, "std_msgs/String", md5)
        assert told is not None
        assert "std_msgs/String" in told
    assert "lacks md5sum" in str(misfit({"callerid": "/x", "type": "*"}, "std_msgs/String", md5))


def test_names():
    assert is_name("/dorosim")
    assert is_name("a/b_1")
    assert not any(is_name(wrong) for wrong in ("/1a", "/a b", "", "/", "/a//b"))


def test_addresses_of_nodes():
    assert host_and_port("http://127.0.0.1:11311/") == ("127.0.0.1", 11311)
    for wrong in ("127.0.0.1:11311", "https://a:1", "http://a", "http://:1", "http://a:99999", ""):
        with pytest.raises(ValueError, match=r"is not a valid address|Port out of range"):
            host_and_port(wrong)
