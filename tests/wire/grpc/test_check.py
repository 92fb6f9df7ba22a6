"""Whatever is wrong with a message is found and named; what is sound passes."""

from __future__ import annotations

import time
from math import inf, nan

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dorosim.wire.grpc.check import flaw_of
from dorosim.wire.grpc.descriptor import message_class
from tests.wire.grpc.message_strategy import F, all_descriptors, messages


def documented(name, **values):
    return message_class(f"morai_msgs.{name}")(**values)


def spawns(count):
    entry = {"unique_id": "p", "position": {"x": 1.0, "y": 2.0, "z": 3.0}, "velocity": 5.0, "pedestrian_name": "Man1"}
    return documented("PedestrianSpawnList", req_list=[entry] * count)


@pytest.mark.parametrize(
    ("bad", "text"),
    [(nan, "req_list[3].position.x is NaN"), (inf, "req_list[3].position.x is infinite"), (-inf, "is infinite")],
)
def test_a_float_deep_inside_is_named(bad, text):
    message = spawns(5)
    message.req_list[3].position.x = bad
    assert flaw_of(message).endswith(text)


def test_a_code_that_the_enum_lacks():
    message = documented("ObjectPauseList", req_list=[{"obj_type": 2}, {"obj_type": 77}])
    assert flaw_of(message) == "req_list[1].obj_type is 77, which no VehicleType.Type has"
    setting = documented("GT_setting", filter=[1, 2, 15])
    assert flaw_of(setting) == "filter[2] is 15, which no GT.ObstacleObjType has"


def test_negative_codes_are_codes():
    assert flaw_of(documented("TLInfo", tl_color=-2)) == ""
    assert flaw_of(documented("TLInfo", tl_color=-3)) != ""


def test_what_is_too_long():
    assert flaw_of(spawns(11), max_list=10) == "req_list has 11 entries, more than 10"
    assert flaw_of(spawns(10), max_list=10) == ""
    assert flaw_of(documented("TargetUniqueId", unique_id="x" * 9), max_text=8).startswith("unique_id has 9 char")
    reply = documented("ServiceResponse", msg=b"123456789")
    assert flaw_of(reply, max_text=8) == "msg has 9 bytes, more than 8"


def test_a_text_with_a_nul():
    assert flaw_of(documented("TargetUniqueIdList", id_list=[{"unique_id": "a\0b"}])).startswith("id_list[0].unique_id")


@pytest.mark.soak
def test_a_thousand_entries_take_a_few_milliseconds():
    message = spawns(1000)
    flaw_of(message)
    best = min(_seconds(message) for _ in range(10))
    assert best < 0.02  # measured: 3 ms; the rest is for a busy machine


def _seconds(message):
    start = time.perf_counter()
    assert flaw_of(message) == ""
    return time.perf_counter() - start


@pytest.mark.parametrize("descriptor", all_descriptors(), ids=lambda descriptor: descriptor.full_name)
def test_messages_of_every_class_survive_the_wire_and_are_sound(descriptor):
    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(messages(descriptor))
    def survives(message):
        assert type(message).FromString(message.SerializeToString()) == message
        assert flaw_of(message) == ""

    survives()


def float_paths(descriptor):
    """Where floats are in a class: names from the outside in."""
    for field in descriptor.fields:
        if field.message_type is not None:
            yield from ([field, *rest] for rest in float_paths(field.message_type))
        elif field.type in (F.TYPE_DOUBLE, F.TYPE_FLOAT):
            yield [field]


PATHS = [(descriptor, path) for descriptor in all_descriptors() for path in float_paths(descriptor)]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(range(len(PATHS))), st.sampled_from([nan, inf, -inf]), st.integers(0, 2), st.data())
def test_a_float_planted_anywhere_is_found_and_named(number, bad, before, data):
    descriptor, path = PATHS[number]
    message = data.draw(messages(descriptor))
    inner, names = message, []
    for field in path[:-1]:
        inner = getattr(inner, field.name)
        names.append(field.name)
        if field.is_repeated:
            del inner[before:]
            names[-1] += f"[{len(inner)}]"
            inner = inner.add()
    setattr(inner, path[-1].name, bad)
    assert flaw_of(message).startswith(".".join([*names, path[-1].name]) + " is ")
