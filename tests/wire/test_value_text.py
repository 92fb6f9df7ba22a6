"""Messages of ROS and gRPC as text: every field with its value, and nothing that is too long to read."""

from __future__ import annotations

import numpy as np
import pytest
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.wire.grpc.descriptor import method_of
from dorosim.wire.grpc.value import grpc_texts
from dorosim.wire.ros.registry import registry_of
from dorosim.wire.ros.value import ros_texts
from dorosim.wire.value_text import Exchange, Plain, value_texts
from tests.wire.grpc.message_strategy import all_descriptors, messages

ROS = registry_of("2024")


def told(rows) -> dict[str, str]:
    """Values as they were sent, by name."""
    found = [(row.name, row.wire) for row in rows]
    assert len(dict(found)) == len(found), "each name once"
    return dict(found)


def test_a_ros_message_is_told_field_by_field():
    header = ROS.make("std_msgs/Header", seq=3, stamp=ROS.time(12_000_000_345), frame_id="map")
    place = ROS.make("geometry_msgs/Vector3", x=126.7731234, y=0.1, z=float("nan"))
    message = ROS.make("morai_msgs/EgoVehicleStatus", header=header, unique_id=7, position=place)
    rows = told(ros_texts(message))
    assert rows["header.seq"] == "3"
    assert rows["header.stamp"] == "12.000000345 s"
    assert rows["header.frame_id"] == "'map'"
    assert rows["unique_id"] == "7"
    assert (rows["position.x"], rows["position.y"], rows["position.z"]) == ("126.7731234", "0.1", "nan")
    assert set(rows) >= {"acceleration.x", "wheel_angle", "tire_cornering_stiffness_rr"}
    assert not any("__" in name for name in rows)


def test_a_cloud_is_told_by_its_sizes():
    fields = [ROS.make("sensor_msgs/PointField", name=name, count=1) for name in "xyz"]
    data = np.arange(1_200_000, dtype=np.uint32).astype(np.uint8)
    rows = told(ros_texts(ROS.make("sensor_msgs/PointCloud2", width=75_000, fields=fields, data=data)))
    assert rows["width"] == "75000"
    assert rows["fields"] == "3 entries"
    assert rows["fields[2].name"] == "'z'"
    assert rows["data"] == "0, 1, 2, 3, 4, 5, 6, 7, … (1,200,000 entries)"
    assert all(len(value) < 60 for value in rows.values())


def test_messages_and_lists_that_hold_nothing_are_told():
    empty = next(name for name in ROS.types if not ROS.fields(name))
    assert told(ros_texts(ROS.make(empty))) == {"": "nothing in it"}
    assert told(ros_texts(Exchange(ROS.make(empty)))) == {"request": "nothing in it"}
    assert told(ros_texts(ROS.make("sensor_msgs/PointCloud2")))["data"] == "0 entries"


def test_of_many_messages_the_first_ones_are_told():
    some = [ROS.make("morai_msgs/ObjectStatus", unique_id=number) for number in range(200)]
    rows = told(ros_texts(ROS.make("morai_msgs/ObjectStatusList", num_of_npcs=200, npc_list=some)))
    assert rows["npc_list"] == "200 entries, the first 4 of them here"
    assert rows["npc_list[3].unique_id"] == "3"
    assert "npc_list[4].unique_id" not in rows
    one = told(ros_texts(ROS.make("morai_msgs/ObjectStatusList", npc_list=some[:1])))
    assert one["npc_list"] == "1 entry"


def test_a_moment_before_zero_has_its_sign():
    clock = ROS.make("rosgraph_msgs/Clock", clock=ROS.duration_class(-1, 500_000_000))
    assert told(ros_texts(clock)) == {"clock": "-0.500000000 s"}


def test_a_grpc_message_is_told_with_the_names_of_its_codes():
    weather = method_of("/morai_sim_api.environment.Environment/SetWeather")
    assert weather is not None
    request = weather.request()
    codes = next(one for one in request.DESCRIPTOR.fields if one.enum_type is not None)
    last = codes.enum_type.values[-1]
    setattr(request, codes.name, last.number)
    rows = told(grpc_texts(Exchange(request, Plain("refused: it rains"))))
    assert rows[f"request.{codes.name}"] == f"{last.number} {last.name}"
    assert rows["answer"] == "refused: it rains"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "True"), (3, "3"), (float(np.float32(0.2)), "0.2"), (0.2, "0.2"), (1e300, "1e+300"),
        (float("-inf"), "-inf"), (126.7731234, "126.7731234"), ("a'b", '"a\'b"'), (b"", "0 bytes"),
        (b"\x01\xff", "01 ff"), (b"12345678", "31 32 33 34 35 36 37 38"),
        (b"123456789", "31 32 33 34 35 36 37 38 … (9 bytes)"), ("x" * 101, f"'{'x' * 100}' … (101 characters)"),
        ([], "0 entries"), ([1.5, 2.0], "1.5, 2"), (["a", "b"], "'a', 'b'"), (np.zeros(3, bool), "False, False, False"),
        (np.zeros(8), "0, 0, 0, 0, 0, 0, 0, 0"), (np.zeros(9, int), "0, 0, 0, 0, 0, 0, 0, 0, … (9 entries)"),
    ],
)  # fmt: skip
def test_values_are_told_in_a_row(value, text):
    assert told(value_texts(value, lambda _: None, "it")) == {"it": text}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_message_can_be_told(data):
    """Each is read by a thread that visitors of the page wait for; none may raise or be endless."""
    descriptor = data.draw(st.sampled_from(all_descriptors()))
    message = GetMessageClass(descriptor).FromString(data.draw(messages(descriptor)).SerializeToString())
    rows = told(grpc_texts(message))
    assert {name.partition(".")[0].partition("[")[0] for name in rows} >= {
        field.name for field in descriptor.fields if field.message_type is None and not field.has_presence
    }
    assert all(len(value) < 2_000 for value in rows.values())
