"""Messages as JSON, CBOR and BSON, and back."""

from __future__ import annotations

import base64
import json
import math
import struct
import time
from typing import Any

import cbor2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.wire.error import RosError
from dorosim.wire.ros.frame import decode, encode
from dorosim.wire.ros.message_conversion import conversion_of
from dorosim.wire.ros.registry import GENERATIONS, registry_of
from tests.wire.ros.message_strategy import messages

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.binary(max_size=6)
    | st.builds(cbor2.CBORTag, st.integers(60, 90), st.binary(max_size=9) | st.integers() | st.text(max_size=2)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("form", ["json", "cbor", "bson"])
@given(data=st.data())
@settings(max_examples=120, deadline=None)
def test_a_message_of_any_type_comes_back_from_each_form(generation: str, form: str, data: st.DataObject) -> None:
    registry = registry_of(generation)
    name = data.draw(st.sampled_from(registry.types))
    message = data.draw(messages(registry, name, finite=form == "json"))
    trees = conversion_of(registry)
    frame = encode({"op": "publish", "msg": getattr(trees, form)(message)}, form)
    operation, found = decode(frame)
    assert found == form
    again = trees.message(name, operation["msg"])
    assert bytes(registry.encode(again)) == bytes(registry.encode(message))


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_junk_is_refused_by_a_ros_error_or_is_a_message(data: st.DataObject) -> None:
    registry = registry_of(data.draw(st.sampled_from(GENERATIONS)))
    name = data.draw(st.sampled_from(registry.types))
    fields = [field for field, _ in registry.fields(name)]
    known = st.dictionaries(st.sampled_from(fields), JUNK, max_size=4) if fields else JUNK
    tree = data.draw(JUNK | known)
    try:
        message = conversion_of(registry).message(name, tree)
    except RosError:
        return
    registry.encode(message)  # what is taken can be sent on


@pytest.mark.parametrize(
    ("tree", "where"),
    [
        ({"steer": 0.1}, "no field steer"),
        ({"accel": "1"}, "accel: a text in place of a number"),
        ({"accel": None}, "accel: null in place of a number"),
        ({"accel": True}, "accel: true in place of a number"),
        ({"longlCmdType": 1.0}, "longlCmdType: 1 in place of a whole number"),
        ({"longlCmdType": 2**31}, "longlCmdType: 2147483648 is not within"),
        ({"accel": 10**400}, "accel: a number of more than 20 digits is too large"),
        ([], "a list in place of an object"),
        (None, "null in place of an object"),
    ],
)
def test_a_wrong_command_is_refused_by_its_path(tree: Any, where: str) -> None:
    with pytest.raises(RosError, match=r"^morai_msgs/CtrlCmd: ") as caught:
        conversion_of(registry_of("2024")).message("morai_msgs/CtrlCmd", tree)
    assert where in str(caught.value)


@pytest.mark.parametrize(
    ("name", "tree", "where"),
    [
        ("morai_msgs/EgoVehicleStatus", {"header": {"stamp": {"secs": -1}}}, "header.stamp.secs: -1 is not within"),
        ("morai_msgs/EgoVehicleStatus", {"header": {"stamp": {"sec": 1}}}, "header.stamp: there is no field sec"),
        ("morai_msgs/EgoVehicleStatus", {"accel": 1e39}, "accel: 1e+39 is too large for 32 bits"),
        ("morai_msgs/GVDirectCmd", {"steerAngle": [0.0] * 9}, "steerAngle: 9 entries in place of 10"),
        ("morai_msgs/GVDirectCmd", {"steerAngle": [0.0] * 9 + [None]}, "steerAngle[9]: null in place of a number"),
        ("sensor_msgs/PointCloud2", {"fields": [{}, {"count": "x"}]}, "fields[1].count: a text in place of a whole"),
        ("sensor_msgs/PointCloud2", {"data": "not base64!"}, "data: a text that is not valid base64"),
        ("sensor_msgs/PointCloud2", {"data": [0, 256]}, "data[1]: 256 is not within 0 to 255"),
        ("sensor_msgs/LaserScan", {"ranges": cbor2.CBORTag(85, b"123")}, "ranges: 3 bytes are not an array"),
        ("sensor_msgs/LaserScan", {"ranges": [1.0, math.nan, 1e300]}, "ranges[2]: 1e+300 is too large"),
        ("sensor_msgs/LaserScan", {"ranges": [math.nan, 1.0, 1e300]}, "ranges[2]: 1e+300 is too large"),
        ("std_msgs/String", {"data": "\ud800"}, "data: a text that is not valid Unicode"),
        ("std_msgs/Nothing", {}, "no message type"),
    ],
)
def test_a_wrong_part_is_refused_by_its_path(name: str, tree: Any, where: str) -> None:
    with pytest.raises(RosError) as caught:
        conversion_of(registry_of("2024")).message(name, tree)
    assert where in str(caught.value)


def test_json_is_as_rosbridge_writes_it() -> None:
    registry = registry_of("2024")
    scan = registry.make(
        "sensor_msgs/LaserScan",
        header=registry.make("std_msgs/Header", stamp=registry.time(1_500_000_002), frame_id="한글"),
        range_max=math.inf,
        ranges=np.array([1.5, math.nan, -math.inf], np.float32),
    )
    cloud = registry.make("sensor_msgs/PointCloud2", data=np.arange(5, dtype=np.uint8))
    tree = json.loads(encode({"op": "x", "msg": conversion_of(registry).json(scan)}, "json"))["msg"]
    assert tree["header"] == {"seq": 0, "stamp": {"secs": 1, "nsecs": 500_000_002}, "frame_id": "한글"}
    assert tree["range_max"] is None
    assert tree["ranges"] == [1.5, None, None]
    assert conversion_of(registry).json(cloud)["data"] == base64.b64encode(bytes(range(5))).decode()


def test_cbor_has_byte_strings_and_typed_arrays() -> None:
    registry = registry_of("2024")
    scan = registry.make("sensor_msgs/LaserScan", ranges=np.array([1.5, math.inf], np.float32))
    tree = conversion_of(registry).cbor(scan)
    assert tree["ranges"] == cbor2.CBORTag(85, struct.pack("<2f", 1.5, math.inf))  # RFC 8746: binary32, little endian
    assert conversion_of(registry).cbor(registry.make("sensor_msgs/PointCloud2", data=np.arange(3, dtype=np.uint8)))[
        "data"
    ] == bytes(range(3))


@pytest.mark.parametrize("data", [[1, 2, 3], "AQID", b"\1\2\3", cbor2.CBORTag(64, b"\1\2\3")])
def test_bytes_are_taken_in_every_way(data: Any) -> None:
    message = conversion_of(registry_of("2024")).message("sensor_msgs/PointCloud2", {"data": data})
    assert message.data.tolist() == [1, 2, 3]
    assert message.data.dtype == np.uint8


@pytest.mark.parametrize("tag", [86, 82, 85, 77, 69])
def test_typed_arrays_are_taken_as_numbers(tag: int) -> None:
    code = {86: "<2d", 82: ">2d", 85: "<2f", 77: "<2h", 69: "<2H"}[tag]
    value = cbor2.CBORTag(tag, struct.pack(code, 2, 7))
    message = conversion_of(registry_of("2024")).message("sensor_msgs/LaserScan", {"ranges": value})
    assert message.ranges.tolist() == [2.0, 7.0]


@pytest.mark.soak
def test_a_large_cloud_is_written_without_a_loop_over_its_bytes() -> None:
    registry = registry_of("2024")
    cloud = registry.make("sensor_msgs/PointCloud2", data=np.zeros(1_200_000, np.uint8))
    for form in ("json", "cbor", "bson"):
        begin = time.process_time()
        for _ in range(5):
            encode({"op": "publish", "msg": getattr(conversion_of(registry), form)(cloud)}, form)
        assert (time.process_time() - begin) / 5 < 0.03  # a loop takes a fifth of a second


def test_make_has_defaults_of_its_own_each_time() -> None:
    registry = registry_of("2024")
    one, other = (registry.make("morai_msgs/GVDirectCmd") for _ in range(2))
    one.steerAngle[0] = 1.0
    assert other.steerAngle[0] == 0.0
    one, other = (registry.make("morai_msgs/EgoVehicleStatus") for _ in range(2))
    one.header.stamp.sec = 5
    assert other.header.stamp.sec == 0


def test_make_leaves_out_what_another_generation_has_and_refuses_what_none_has() -> None:
    registry = registry_of("2024")
    made = registry.make("morai_msgs/EgoVehicleStatus", front_steer_angle=1.0, wheel_angle=2.0)
    assert made.wheel_angle == 2.0
    assert not hasattr(made, "front_steer_angle")
    with pytest.raises(RosError, match="no field sterr, zzz"):
        registry.make("morai_msgs/EgoVehicleStatus", sterr=1.0, zzz=1)


@pytest.mark.parametrize("value", ["1", "NaN"])
def test_half_a_letter_is_no_json(value: str) -> None:
    with pytest.raises(RosError):
        decode(f'{{"op":"x","id":"\\ud800","q":{value}}}')
    assert decode(f'{{"op":"x","id":"\\ud83d\\ude97","q":{value}}}')[0]["id"] == "\U0001f697"
